"""Claim pairs by the command line: in, out, released; statuses and messages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.cli import main
from core.cli.demo import build_demo
from core.store import open_workspace, pairs

DEMO = Path(__file__).parents[2] / "data" / "demo" / "abstract_pairs.jsonl"


def call(workspace: Path, *words: object) -> None:
    main(["--workspace", str(workspace), *map(str, words)])


def status(workspace: Path, *words: object) -> int:
    with pytest.raises(SystemExit) as ended:
        call(workspace, *words)
    return int(ended.value.code or 0)


def test_pairs_come_in_go_out_and_are_released(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    workspace = tmp_path / "w.db"
    options = ("--run", "hand", "--source", "by hand", "--corpus", "pairs")
    assert status(workspace, "proposals", "add", DEMO, *options, "--json") == 0
    assert json.loads(capsys.readouterr().out)["labels"] == {"person": 12}
    assert status(workspace, "export", "proposals", "--run", "hand", "--out", tmp_path / "out.jsonl") == 0
    assert len((tmp_path / "out.jsonl").read_text("utf-8").splitlines()) == 12
    assert status(workspace, "export", "gold", "--run", "hand", "--out", tmp_path / "gold.jsonl") == 0
    assert (tmp_path / "gold.jsonl").read_text("utf-8") == ""
    capsys.readouterr()
    assert status(workspace, "release", "--run", "hand", "--out", tmp_path / "rel", "--json") == 0
    assert json.loads(capsys.readouterr().out)["sizes"] == {"train": 9, "dev": 2, "test": 1}
    assert status(workspace, "release", "--run", "hand", "--out", tmp_path / "rel") == 2
    assert "holds files already" in capsys.readouterr().err
    legacy = ("--split", "pair-level", "--seed", "5", "--per-domain", "2")
    assert status(workspace, "release", "--run", "hand", "--out", tmp_path / "old", *legacy) == 0
    told = capsys.readouterr()
    assert "Pairs beyond what a domain gives, left out: 2." in told.err
    assert "infectious_disease" in told.out


def test_bad_rows_are_named_and_left_out_on_request(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = DEMO.read_text("utf-8").splitlines()
    lines[2] = lines[2].replace('"conflict_type"', '"conflict_kind"')
    bad = tmp_path / "bad.jsonl"
    bad.write_text("\n".join(lines), "utf-8")
    options = ("--run", "hand", "--source", "by hand", "--corpus", "pairs")
    assert status(tmp_path / "w.db", "proposals", "add", bad, *options) == 2
    assert "bad.jsonl, line 3, conflict_type: is missing" in capsys.readouterr().err
    assert status(tmp_path / "w.db", "proposals", "add", bad, *options, "--skip-bad") == 1
    assert "11 pairs of 22 claims" in capsys.readouterr().err
    (rejected,) = (tmp_path / "bad.jsonl.rejects.jsonl").read_text("utf-8").splitlines()
    assert json.loads(rejected)["line"] == 3


def test_the_demo_has_claim_pairs_to_review(tmp_path: Path) -> None:
    build_demo(tmp_path / "demo.db")
    with open_workspace(tmp_path / "demo.db", create=False) as workspace:
        found = list(pairs.pairs(workspace, "demo-pairs"))
        labels = list(pairs.labels(workspace, "demo-pairs"))
    assert len(found) == len(labels) == 12
    assert len({pair.domain for pair in found}) == 5
    assert {label.label.annotator for label in labels} == {"hand-written for the demonstration"}
    assert all(span.grounded for label in labels for span in label.label.evidence)
