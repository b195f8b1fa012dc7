"""Every verb in a workspace that is open to look at only: what would write says so, and writes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.store import open_workspace
from tests.cli.test_flow import refused, run
from tests.evaluate import ward

DEMO = Path(__file__).parents[2] / "data" / "demo"
WRITING = (
    ("ontology", "add", DEMO / "hpo-demo.obo", "--name", "more"),
    ("corpus", "add", DEMO / "passages.json", "--name", "more"),
    ("proposals", "add", DEMO / "silver.json", "--run", "s", "--source", "x", "--corpus", "ward"),
    ("decisions", "add", DEMO / "decisions.jsonl"),
    ("annotate", "--corpus", "ward", "--ontology", "hp"),
    ("budget", "open", "--run", ward.RUN, "--unit", "item", "--name", "f"),
    ("audit", "draw", "--run", ward.RUN, "--gold", ward.GOLD, "--size", "2", "--name", "a"),
)
READING = (
    ("runs", "list"),
    ("corpus", "show", "ward"),
    ("evaluate", ward.RUN, "--gold", ward.GOLD, "--bootstrap", "0"),
    ("verify",),
    ("export", "decisions", "--out", "log.jsonl"),
    ("report", "--out", "r.html"),
)


@pytest.fixture
def looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "w.db"
    with open_workspace(path) as workspace:
        ward.review(workspace, ward.fill(workspace))
    monkeypatch.setenv("TOUCHSTONE_READ_ONLY", "1")
    monkeypatch.chdir(tmp_path)
    return path


@pytest.mark.parametrize("verb", WRITING, ids=lambda verb: " ".join(map(str, verb[:2])))
def test_a_verb_that_writes_is_refused(looked_at: Path, verb: tuple[object, ...]) -> None:
    before = looked_at.read_bytes()
    result = run(looked_at, *verb)
    assert result.returncode == 2, result.stderr
    refused(result, "open to look at only")
    assert looked_at.read_bytes() == before


@pytest.mark.parametrize("verb", READING, ids=lambda verb: verb[0])
def test_a_verb_that_reads_goes_on(looked_at: Path, verb: tuple[object, ...]) -> None:
    before = looked_at.read_bytes()
    result = run(looked_at, *verb)
    assert result.returncode == 0, result.stderr
    assert looked_at.read_bytes() == before
