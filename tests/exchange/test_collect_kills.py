"""Collections that are killed, and keys that are kept from whatever is kept."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from core.conflicts.collect import Query
from core.exchange.collect import CollectReport, collect
from core.store import Workspace, collections, corpora, open_workspace
from tests.conflicts.libraries import (
    EuropePMCLibrary,
    Library,
    PubMedLibrary,
    service,
    serving,
    status,
    studies,
)
from tests.interrupts import HEEDED
from tests.patience import SECONDS

ALPHA = Query("demo/broad_recall/alpha", '"alpha"[tiab]', 'TITLE_ABS:"alpha"', meta={"domain": "demo"})
BETA = Query("demo/contradiction/beta", '"beta"[tiab]', 'TITLE_ABS:"beta"', meta={"domain": "demo"})
KEY = "canary0f1e2d3c4b5a"


def bring(
    workspace: Workspace, library: Library, *queries: Query, again: bool = False, **settings
) -> CollectReport:
    return collect(workspace, service(library, **settings), queries or [ALPHA], corpus="c", again=again)


def held(workspace: Workspace) -> list[str]:
    return [passage.doc_id for passage in corpora.passages(workspace, "c")]


def every(count: int, first: int = 1) -> set[str]:
    return {f"PMID{n}" for n in range(first, first + count)}


PACK = """
name: own
domain: alpha studies
title: Own
groups:
  broad_recall:
    - {id: one, pubmed: 'alpha[ti]', europepmc: 'TITLE:alpha'}
    - {id: two, pubmed: 'beta[ti]', europepmc: 'TITLE:beta'}
"""


@pytest.mark.parametrize(
    ("made", "how"),
    [
        (PubMedLibrary, signal.SIGKILL),
        (EuropePMCLibrary, signal.SIGKILL),
        (PubMedLibrary, signal.SIGINT),
    ],
)
def test_killed_in_the_middle_it_goes_on(tmp_path: Path, made: type[Library], how: signal.Signals) -> None:
    """A real process, killed while the server holds back a page; what was stored is not asked for again."""
    pack = tmp_path / "own.yaml"
    pack.write_text(PACK, "utf-8")
    path = "efetch.fcgi" if made is PubMedLibrary else "searchPOST"
    source = "pubmed" if made is PubMedLibrary else "europepmc"
    size = 200 if made is PubMedLibrary else 500
    total = 5 * size
    reached, go_on = threading.Event(), threading.Event()

    def hold_back(handler) -> None:
        reached.set()
        go_on.wait(SECONDS)

    with serving(made(studies(total))) as library:
        library.script(path, None, None, hold_back)
        command = [sys.executable, "-m", "core.cli", "--workspace", str(tmp_path / "w.db"), "collect", source]
        command += ["--corpus", "c", "--queries", str(pack), "--most", "0"]
        given = {"TOUCHSTONE_EUTILS_URL": library.url, "TOUCHSTONE_EUROPEPMC_URL": library.url}
        given |= {"NCBI_API_KEY": KEY, "TOUCHSTONE_COLLECT_PER_SECOND": "1000", "NO_PROXY": "127.0.0.1"}
        environment = os.environ | given
        child = subprocess.Popen(
            command, env=environment, stderr=subprocess.PIPE, text=True, preexec_fn=HEEDED
        )
        try:
            assert reached.wait(SECONDS)
            child.send_signal(how)
            _, said = child.communicate(timeout=SECONDS)
        finally:
            go_on.set()
            child.kill()
            child.wait()
        assert child.returncode == (-signal.SIGKILL if how is signal.SIGKILL else 130)
        assert how is signal.SIGKILL or "run the same command again to go on" in said
        with open_workspace(tmp_path / "w.db") as workspace:
            assert len(held(workspace)) == 2 * size
        before = len(library.asked(path))
        assert before == 3
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=SECONDS)
        assert done.returncode == 0, done.stderr
        later = library.asked(path)[before:]
        with open_workspace(tmp_path / "w.db") as workspace:
            assert set(held(workspace)) == every(total)
            assert len(held(workspace)) == total
            corpus = corpora.corpus(workspace, "c").id
            assert all(row.done for _, row in collections.of_corpus(workspace, corpus))
        once = [
            fields for fields in later if fields.get("retstart") == "0" or fields.get("cursorMark") == "*"
        ]
        assert len(once) == 1  # of the second query alone
        kept = b"".join(file.read_bytes() for file in tmp_path.iterdir())
        assert KEY.encode() not in kept
        assert KEY not in said + done.stdout + done.stderr
        if made is PubMedLibrary:
            assert {fields["api_key"] for _, fields in library.requests} == {KEY}


def test_the_key_is_in_no_report_and_no_database(tmp_path: Path) -> None:
    echo = b'{"error":"API key invalid","api-key":"%s"}' % KEY.encode()
    with serving(PubMedLibrary(studies(25))) as library, open_workspace(tmp_path / "w.db") as workspace:
        library.script("efetch.fcgi", None, status(400, b'{"error":"odd","api-key":"%s"}' % KEY.encode()))
        library.script("esearch.fcgi", None, None, status(400, echo))
        report = bring(workspace, library, ALPHA, BETA, BETA, environment={"NCBI_API_KEY": KEY})
        assert report.failed
        assert report.stopped is not None
        assert "it refuses the API key (TOUCHSTONE_NCBI_API_KEY or NCBI_API_KEY)" in report.stopped
        assert KEY not in str(report)
        assert "[API key]" in report.failed[0]
    assert KEY.encode() not in b"".join(file.read_bytes() for file in tmp_path.iterdir())
