"""Answers by file: a run collects its requests, their answers come back, and it goes on, stage by stage."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.errors import InputError
from core.pipeline.batch import import_batch
from core.store import Workspace, calls, runs
from tests.llm.server import completion
from tests.pipeline import ward

URL = "http://127.0.0.1:9/v1"
"""Nothing listens there: what is asked by network fails."""


def serve(batch: Path, answers: Path) -> int:
    """What a batch service does, with the scripted model: one line of answer for every line of request."""
    lines = [json.loads(line) for line in batch.read_text("utf-8").splitlines()]
    rows = [
        {
            "id": f"batch_req_{number}",
            "custom_id": line["custom_id"],
            "response": {"status_code": 200, "body": completion(ward.scripted(line["body"]))},
            "error": None,
        }
        for number, line in enumerate(lines)
    ]
    answers.write_text("".join(json.dumps(row) + "\n" for row in reversed(rows)), "utf-8")
    return len(rows)


def test_a_run_by_files_ends_as_a_run_by_network(workspace: Workspace, tmp_path: Path) -> None:
    ward.fill(workspace, 12)
    rounds = 0
    while True:
        batch, answers = tmp_path / f"round{rounds}.jsonl", tmp_path / f"round{rounds}-answers.jsonl"
        report = ward.label(workspace, URL, batch_out=batch)
        if report.status == "done":
            break
        assert report.status == "waiting"
        assert report.waiting > 0
        assert batch.name in (report.message or "")
        count = serve(batch, answers)
        made = import_batch(workspace, answers)
        assert (made.run, made.answers, made.known, made.failures) == ("r", count, 0, 0)
        rounds += 1
    assert rounds == 6, "claims, names, classify, relabel, guideline, select"
    assert runs.predictions(workspace, "r") == ward.expected(12)
    (transports,) = workspace.db.execute("SELECT group_concat(DISTINCT transport) FROM calls").fetchone()
    assert transports == "batch"
    assert sum(cost.calls for cost in calls.costs(workspace, "r")) == sum(
        len(path.read_text("utf-8").splitlines()) for path in tmp_path.glob("round?.jsonl")
    )


def test_the_same_answers_again_change_nothing(workspace: Workspace, tmp_path: Path) -> None:
    ward.fill(workspace, 4)
    batch, answers = tmp_path / "b.jsonl", tmp_path / "answers.jsonl"
    ward.label(workspace, URL, batch_out=batch)
    count = serve(batch, answers)
    import_batch(workspace, answers)
    again = import_batch(workspace, answers)
    assert (again.answers, again.known) == (count, count)
    assert workspace.db.execute("SELECT count(*) FROM calls").fetchone()[0] == count


def test_files_that_do_not_belong_together_are_refused(workspace: Workspace, tmp_path: Path) -> None:
    ward.fill(workspace, 4)
    batch = tmp_path / "b.jsonl"
    ward.label(workspace, URL, batch_out=batch)
    foreign = tmp_path / "foreign.jsonl"
    foreign.write_text(json.dumps({"custom_id": "0" * 64, "response": None}) + "\n", "utf-8")
    with pytest.raises(InputError, match="--batch"):
        import_batch(workspace, foreign)
    with pytest.raises(InputError, match="Line 1"):
        import_batch(workspace, foreign, batch=batch)
    broken = tmp_path / "broken.jsonl"
    broken.write_text("<html>", "utf-8")
    with pytest.raises(InputError, match="no JSON"):
        import_batch(workspace, broken)
    with pytest.raises(InputError, match="cannot be read"):
        import_batch(workspace, tmp_path / "none.jsonl")
    with pytest.raises(InputError, match="there already"):
        ward.label(workspace, URL, batch_out=batch)
    assert workspace.db.execute("SELECT count(*) FROM calls").fetchone()[0] == 0
