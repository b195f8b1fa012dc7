"""touchstone collect, against servers of ours."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from core.cli import cli
from core.errors import InputError
from core.store import corpora, open_workspace
from tests.conflicts.libraries import EuropePMCLibrary, Library, PubMedLibrary, serving, status, studies


@pytest.fixture
def invoke(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def run(library: Library, *arguments: str) -> Result:
        monkeypatch.setenv("TOUCHSTONE_EUTILS_URL", library.url)
        monkeypatch.setenv("TOUCHSTONE_EUROPEPMC_URL", library.url)
        monkeypatch.setenv("TOUCHSTONE_COLLECT_PER_SECOND", "1000")
        monkeypatch.delenv("NCBI_API_KEY", raising=False)
        return CliRunner().invoke(cli, ["--workspace", str(tmp_path / "w.db"), "collect", *arguments])

    return run


def test_a_shipped_pack_is_collected_by_group(invoke, tmp_path: Path) -> None:
    with serving(PubMedLibrary(studies(12))) as library:
        done = invoke(
            library,
            "pubmed",
            "--corpus",
            "c",
            "--queries",
            "amr",
            "--groups",
            "contradiction",
            "--most",
            "5",
            "--json",
        )
    assert done.exit_code == 0, done.output
    report = json.loads(done.stdout)
    assert (report["queries"], report["done"], report["added"], report["known"]) == (10, 10, 5, 45)
    with open_workspace(tmp_path / "w.db") as workspace:
        corpus = corpora.corpus(workspace, "c")
        assert (corpus.domain, corpus.passages) == ("antimicrobial resistance", 5)
    show = ["--workspace", str(tmp_path / "w.db"), "corpus", "show", "c"]
    found = json.loads(CliRunner().invoke(cli, [*show, "--json"]).stdout)["collections"]
    assert {(row["source"], row["found"], row["done"]) for row in found} == {("pubmed", 12, True)}
    assert sorted(row["added"] for row in found) == [0] * 9 + [5]
    table = CliRunner().invoke(cli, show).stdout
    assert "Collected by" in table
    assert "contradiction" in table


def test_a_dry_run_shows_queries_and_hits_and_makes_no_workspace(invoke, tmp_path: Path) -> None:
    with serving(EuropePMCLibrary(studies(12))) as library:
        options = ("--corpus", "c", "--queries", "genomics", "--since", "2020", "--dry-run")
        table = invoke(library, "europepmc", *options)
        listed = invoke(library, "europepmc", *options, "--json")
    assert table.exit_code == 0, table.output
    assert "genomics/contradiction/failed-replication" in table.output
    rows = json.loads(listed.stdout)["queries"]
    assert len(rows) == 41
    assert {row["hits"] for row in rows} == {12}
    assert {row["most"] for row in rows} == {500}
    assert rows[0]["text"].endswith("PUB_YEAR:[2020 TO 3000]")
    assert list(tmp_path.iterdir()) == []


def test_a_failure_is_told_and_ends_with_status_1(invoke) -> None:
    with serving(PubMedLibrary(studies(12))) as library:
        library.script("esearch.fcgi", status(400, b"bad"))
        done = invoke(library, "pubmed", "--corpus", "c", "--queries", "oncology", "--groups", "broad_recall")
    assert done.exit_code == 1
    assert "11 of 12 queries are done" in done.stderr
    assert "Not done: oncology/broad_recall/neoplasms-drugs: PubMed declines it" in done.stderr


def test_bad_usage_asks_nobody(invoke) -> None:
    with serving(PubMedLibrary()) as library:
        done = invoke(library, "pubmed", "--corpus", "c")
        assert isinstance(done.exception, InputError)
        assert "--queries PACK, or --ontology ID with --per-concept N" in str(done.exception)
        assert invoke(library, "elsewhere", "--corpus", "c", "--queries", "amr").exit_code == 2
        assert library.requests == []
