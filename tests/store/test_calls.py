"""Answers of models: one per request, every failure, what they cost, and proof that none was altered."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.errors import NotFoundError
from core.records import Call, StageRecord
from core.store import Workspace, calls, runs
from core.store.chain import verify
from tests.store.making import furnish

CALL = Call(
    key="a" * 64,
    stage="classify",
    passage_id=1,
    prompt="classify@0123456789ab",
    model="scripted",
    endpoint="http://127.0.0.1:1/v1",
    request={"model": "scripted", "messages": [{"role": "user", "content": "ünïcode"}]},
    answer='{"concepts": []}',
    raw='{"choices": []}',
    prompt_tokens=100,
    completion_tokens=7,
    seconds=0.5,
    price=0.25,
)
FAILURE = replace(CALL, answer=None, failure="timeout", raw="", price=None, seconds=2.0)


def insert(workspace: Workspace, *made: Call, run: str | None = None) -> list[int]:
    with workspace.write(bump=False) as db:
        return calls.insert_calls(db, run, made)


def test_a_call_comes_back_as_it_was_stored(workspace: Workspace) -> None:
    furnish(workspace)
    (number,) = insert(workspace, CALL)
    assert calls.call(workspace, number).call == CALL
    found = calls.find_call(workspace, CALL.key)
    assert found is not None
    assert (found.id, found.call) == (number, CALL)
    assert calls.find_call(workspace, "b" * 64) is None
    with pytest.raises(NotFoundError, match="99"):
        calls.call(workspace, 99)


def test_the_first_answer_to_a_request_stays_the_answer(workspace: Workspace) -> None:
    furnish(workspace)
    first, second = insert(workspace, CALL), insert(workspace, replace(CALL, answer="another"))
    assert first == second
    found = calls.find_call(workspace, CALL.key)
    assert found is not None
    assert found.call.answer == CALL.answer


def test_failures_are_all_kept_and_are_no_answers(workspace: Workspace) -> None:
    furnish(workspace)
    numbers = insert(workspace, FAILURE, FAILURE)
    assert len(set(numbers)) == 2
    assert calls.find_call(workspace, CALL.key) is None
    (answered,) = insert(workspace, CALL)
    assert answered not in numbers
    found = calls.find_call(workspace, CALL.key)
    assert found is not None
    assert found.id == answered


def test_half_a_surrogate_pair_is_stored_and_can_be_read(workspace: Workspace) -> None:
    furnish(workspace)
    (number,) = insert(workspace, replace(CALL, answer="broken \ud83e", raw="\udde0 too"))
    stored = calls.call(workspace, number).call
    assert stored.answer == "broken \\ud83e"
    assert stored.raw == "\\udde0 too"


def test_costs_are_those_the_run_paid(workspace: Workspace) -> None:
    furnish(workspace)
    other = replace(CALL, key="b" * 64, stage="select", model="larger", price=None)
    insert(workspace, CALL, FAILURE, other, run="run-1")
    insert(workspace, replace(CALL, key="c" * 64))
    classify, select = calls.costs(workspace, "run-1")
    assert (classify.stage, classify.calls, classify.failures, classify.price) == ("classify", 2, 1, 0.25)
    assert (classify.prompt_tokens, classify.completion_tokens, classify.seconds) == (200, 14, 2.5)
    assert (select.model, select.price, select.unpriced) == ("larger", 0.0, 1)
    assert calls.spent(workspace, "run-1") == 0.25
    assert calls.spent(workspace, "none") == 0.0


def test_a_call_that_a_finished_run_rests_on_cannot_be_altered_unseen(workspace: Workspace) -> None:
    house = furnish(workspace, run="bare")
    with workspace.write() as db:
        runs.begin_run(
            db,
            "asked",
            kind="concepts",
            source="scripted",
            corpus_id=house.corpus_id,
            ontology_id=None,
            settings={},
            fingerprint="f",
        )
        (number,) = calls.insert_calls(db, "asked", [CALL])
        record = StageRecord("classify", house.passages[0], "HP:0001250", "kept", call_id=number)
        runs.add_stage_records(db, "asked", [record])
        runs.finish_run(db, "asked")
    assert verify(workspace).problems == ()
    guard = workspace.db.execute("SELECT sql FROM sqlite_master WHERE name = 'calls_no_update'").fetchone()[0]
    with workspace.write() as db:
        db.execute("DROP TRIGGER calls_no_update")
        db.execute("UPDATE calls SET raw = 'forged'")
        db.execute(guard)
    (problem,) = verify(workspace).problems
    assert "'asked' was altered" in problem
