"""`run conflicts` and what is shown of it, through the command line as a user types it; the real encoder."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from core.cli import main
from core.store import open_workspace, runs
from tests.pipeline.conflicts import lab


def touchstone(path: Path, *words: str) -> int:
    try:
        main(["--workspace", str(path), *words])
    except SystemExit as end:
        return int(end.code or 0)
    return 0


def shown(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


def test_a_run_and_its_funnel(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "w.db"
    with open_workspace(path) as workspace:
        lab.fill(workspace, 16)
    words = (
        "run",
        "conflicts",
        "--corpus",
        "c",
        "--offline",
        "--run",
        "r",
        "--per-article",
        "3",
        "--threads=1",
    )
    assert touchstone(path, *words, "--json") == 0
    report = shown(capsys)
    assert (report["status"], report["articles"], report["kept"]) == ("done", 19, 16)
    assert report["labels"]["heuristic"] == report["pairs"] > 0
    assert touchstone(path, "runs", "show", "r", "--json") == 0
    found = shown(capsys)
    assert (found["state"], found["kind"]) == ("done", "conflicts")
    assert found["funnel"]["left_out"] == {"too_short": 1, "doi": 1, "content": 1}
    assert {d["domain"]: d["articles"] for d in found["funnel"]["domains"]} == {
        "general": 1,
        "infection": 10,
        "oncology": 8,
    }
    assert touchstone(path, "runs", "show", "r") == 0
    said = capsys.readouterr().out
    assert re.search(r"no_conflict\W+0\W+\d+", said)
    assert "over_article" not in said, "what mining counted is in --json"
    assert touchstone(path, *words) == 2
    assert "is done" in capsys.readouterr().err


def test_what_cannot_be_run_is_told_and_leaves_no_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "w.db"
    with open_workspace(path) as workspace:
        lab.fill(workspace, 2)
    for words, told in {
        ("--corpus", "nothing"): "nothing",
        ("--corpus", "c", "--stages", "mine"): "first few",
        ("--corpus", "c", "--least-sim", "2"): "least-sim",
        ("--corpus", "c", "--tier", "gold"): "tier",
    }.items():
        assert touchstone(path, "run", "conflicts", "--offline", *words) == 2
        assert told in capsys.readouterr().err
    with open_workspace(path) as workspace:
        assert runs.list_runs(workspace) == []
