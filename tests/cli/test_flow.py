"""The command line as people script it: real processes, real files, exit statuses, JSON."""

import contextlib
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from core.cli import main
from tests.patience import SECONDS

CHECKOUT = Path(__file__).parents[2]
DEMO = CHECKOUT / "data" / "demo"


def process(workspace: Path, *words: object) -> subprocess.CompletedProcess[str]:
    """A verb in a process of its own."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("TOUCHSTONE")}
    return subprocess.run(
        [sys.executable, "-m", "core.cli", "--workspace", str(workspace), *map(str, words)],
        cwd=CHECKOUT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )


def run(workspace: Path, *words: object) -> subprocess.CompletedProcess[str]:
    """The same, in this process: a second saved each time."""
    out, err, status = io.StringIO(), io.StringIO(), 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main(["--workspace", str(workspace), *map(str, words)])
        except SystemExit as end:
            status = int(end.code or 0)
    return subprocess.CompletedProcess(words, status, out.getvalue(), err.getvalue())


def done(workspace: Path, *words: object) -> Any:
    result = run(workspace, *words, "--json")
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with the demo ontology, passages and one finished run."""
    path = tmp_path_factory.mktemp("flow") / "flow.db"
    done(path, "ontology", "add", DEMO / "hpo-demo.obo", "--name", "hpo-demo")
    done(path, "corpus", "add", DEMO / "passages.json", "--name", "demo")
    done(path, "annotate", "--corpus", "demo", "--ontology", "hpo-demo", "--run", "first")
    return path


def refused(result: subprocess.CompletedProcess[str], *parts: str) -> None:
    assert result.returncode == 2
    assert "Traceback" not in result.stderr
    for part in parts:
        assert part in result.stderr


def test_what_was_loaded_is_listed_and_shown(demo: Path) -> None:
    (ontology,) = done(demo, "ontology", "list")["ontologies"]
    assert (ontology["name"], ontology["root"]) == ("hpo-demo", "HP:0000118")
    (corpus,) = done(demo, "corpus", "list")["corpora"]
    assert (corpus["name"], corpus["passages"], corpus["confidential"]) == ("demo", 40, False)
    (gold,) = done(demo, "corpus", "show", "demo")["gold"]
    assert gold["annotations"] == sum(
        len(d["annotations"]) for d in json.loads((DEMO / "passages.json").read_text())["documents"]
    )
    (first,) = done(demo, "runs", "list")["runs"]
    assert (first["id"], first["status"], first["kind"]) == ("first", "done", "concepts")
    counts = done(demo, "runs", "show", "first")["counts"]
    assert sum(counts["assertion"].values()) == first["proposals"]


def test_concepts_are_found_by_synonym_and_shown_with_their_path(demo: Path) -> None:
    hits = done(demo, "ontology", "search", "hpo-demo", "epileptic seiz")["matches"]
    assert hits[0]["curie"] == "HP:0001250"
    shown = done(demo, "ontology", "show", "hpo-demo", "HP:0001250")
    assert shown["name"] == "Seizure"
    assert shown["path"][0].startswith("HP:0001250") or shown["path"][-1].startswith("HP:0001250")


def test_exported_proposals_come_back_in_as_an_imported_run_that_agrees(demo: Path, tmp_path: Path) -> None:
    out = tmp_path / "silver.json"
    done(demo, "export", "proposals", "--run", "first", "--out", out)
    report = done(
        demo, "proposals", "add", out, "--run", "copy", "--source", "first again", "--corpus", "demo"
    )
    compared = done(demo, "runs", "compare", "first", "copy")
    assert compared["only_a"] == compared["only_b"] == 0
    assert compared["both"] == report["proposals"] > 0
    assert compared["pairwise_f1"] == compared["same_status"] == 1.0


def test_a_file_scored_against_itself_is_perfect_and_needs_no_workspace(tmp_path: Path) -> None:
    nowhere = tmp_path / "none.db"
    result = done(nowhere, "evaluate", DEMO / "passages.json", "--gold", DEMO / "passages.json")
    assert not nowhere.exists()
    assert {
        result["families"]["corpus"]["estimates"][f"{a}_f1"]["value"] for a in ("micro", "macro", "weighted")
    } == {1.0}


def test_a_run_scored_in_the_workspace_equals_its_export_scored_as_files(demo: Path, tmp_path: Path) -> None:
    out = tmp_path / "silver.jsonl"
    done(demo, "export", "proposals", "--run", "first", "--out", out)
    inside = done(demo, "evaluate", "first", "--gold", "imported:demo")["families"]["corpus"]["estimates"]
    outside = done(demo, "evaluate", out, "--gold", DEMO / "passages.json")["families"]["corpus"]["estimates"]
    for name in ("micro_precision", "micro_recall", "micro_f1", "macro_f1", "weighted_f1"):
        assert inside[name]["value"] == pytest.approx(outside[name]["value"], abs=1e-12)


@pytest.mark.parametrize("suffix", [".md", ".html"])
def test_reports_are_written(demo: Path, tmp_path: Path, suffix: str) -> None:
    report = tmp_path / f"report{suffix}"
    assert run(demo, "evaluate", "first", "--gold", "imported:demo", "--report", report).returncode == 0
    text = report.read_text(encoding="utf-8")
    assert "imported:demo@" in text
    assert not re.search(r"<(script|link|img|iframe|object)\b[^>]*\b(src|href|data)=", text), (
        "fetches nothing"
    )


def test_backup_restore_and_verify(demo: Path, tmp_path: Path) -> None:
    copy, target = tmp_path / "copy.db", tmp_path / "restored.db"
    done(demo, "backup", copy)
    done(target, "restore", copy)
    assert done(target, "runs", "list") == done(demo, "runs", "list")
    verified = done(target, "verify")
    assert verified["problems"] == []
    refused(run(demo, "backup", copy), str(copy))


def test_doctor_reports_the_sqlite_in_use(demo: Path) -> None:
    rows = {row["name"]: row for row in done(demo, "doctor")["rows"]}
    assert any("SQLite" in name for name in rows)


def test_a_finished_run_is_not_run_again_and_changed_inputs_are_named(demo: Path) -> None:
    again = ("annotate", "--corpus", "demo", "--ontology", "hpo-demo", "--run", "first")
    refused(run(demo, *again), "first", "--run")
    refused(run(demo, *again, "--root", "HP:0000707"), "HP:0000118", "HP:0000707")


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (("runs", "show", "nope"), ("nope", "first")),
        (("corpus", "show", "nope"), ("nope", "demo")),
        (("annotate", "--corpus", "demo", "--ontology", "mondo"), ("mondo", "hpo-demo@")),
        (
            ("annotate", "--corpus", "demo", "--ontology", "hpo-demo", "--root", "HP:9", "--run", "x"),
            ("HP:9",),
        ),
        (("evaluate", "mistyped.jsonl", "--gold", "imported:demo"), ("no file mistyped.jsonl",)),
        (("evaluate", "first", "--gold", "mistyped.json"), ("no file mistyped.json",)),
        (("evaluate", "first", "--gold", "golden"), ("golden", "imported:")),
        (("evaluate", "first", "--gold", "imported:demo", "--vacuous", "two"), ("two",)),
        (("evaluate", "first", "--gold", "imported:demo", "--report", "r.pdf"), (".md",)),
        (("export", "proposals", "--run", "nope", "--out", "x.json"), ("nope",)),
        (("ontology", "search", "hpo-demo@9", "ataxia"), ("hpo-demo@9",)),
        (("corpus", "add", "missing.json", "--name", "m"), ("missing.json",)),
        (("restore", "missing.db"), ("missing.db",)),
        (("no-such-verb",), ("no-such-verb",)),
    ],
)
def test_bad_input_is_refused_in_a_sentence(
    demo: Path, words: tuple[str, ...], parts: tuple[str, ...]
) -> None:
    refused(run(demo, *words), *parts)


def test_bad_rows_stop_everything_or_are_set_aside_with_status_1(tmp_path: Path) -> None:
    corpus = tmp_path / "c.jsonl"
    good = {"doc_id": "1", "text": "A seizure.", "annotations": []}
    bad = {"doc_id": "2", "text": "Ataxia.", "annotations": [
        {"concept_id": "HP:0001251", "assertion_status": "affirmed", "text_span": "Tremor",
         "start_offset": 0, "end_offset": 6}]}  # fmt: skip
    corpus.write_text("\n".join(map(json.dumps, (good, bad))) + "\n", encoding="utf-8")
    path = tmp_path / "w.db"
    refused(run(path, "corpus", "add", corpus, "--name", "c"), "2", "Tremor")
    assert done(path, "corpus", "list") == {"corpora": []}
    result = run(path, "corpus", "add", corpus, "--name", "c", "--skip-bad", "--json")
    assert result.returncode == 1
    assert done(path, "corpus", "list")["corpora"][0]["passages"] == 1


def test_no_colour_and_no_bar_when_standard_error_is_no_terminal(tmp_path: Path) -> None:
    result = process(tmp_path / "w.db", "ontology", "add", DEMO / "hpo-demo.obo", "--name", "hpo-demo")
    assert result.returncode == 0
    refused(process(tmp_path / "w.db", "corpus", "show", "nope"), "nope")
    assert "\x1b" not in result.stdout + result.stderr
    assert result.stdout == ""
