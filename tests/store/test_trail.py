"""How labels came about, on a run written by hand (pathway.py): what is expected was counted there."""

from __future__ import annotations

from typing import Any

import pytest

from core.errors import NotFoundError
from core.records import Verdict
from core.store import Workspace, calls, queue, runs, tally, trail
from tests.store import pathway
from tests.store.pathway import ATAXIA, COUGH, FEVER, HEADACHE, RUN, SEIZURE, STAGES


@pytest.fixture
def at(workspace: Workspace) -> dict[str, int]:
    return pathway.fill(workspace)


def flows(workspace: Workspace) -> dict[str, dict[str, Any]]:
    counts = tally.tally(workspace, RUN)
    return {flow.stage: flow._asdict() for flow in tally.funnel(counts, STAGES)}


def test_the_funnel_counts_every_candidate_once(workspace: Workspace, at: dict[str, int]) -> None:
    found = flows(workspace)
    columns = ("came_in", "dropped", "lost", "added", "out")
    assert {stage: tuple(flow[c] for c in columns) for stage, flow in found.items()} == {
        "generate": (0, 0, 0, 5, 5),
        "classify": (5, 1, 1, 0, 3),
        "relabel": (3, 0, 0, 1, 4),
        "guideline": (4, 1, 0, 0, 3),
        "select": (3, 1, 0, 0, 2),
    }
    assert found["generate"]["claims"] == 4
    assert found["generate"]["unmatched"] == 1
    assert found["classify"]["failed"] == 1
    assert found["select"]["out"] == runs.proposals(workspace, runs.find_run(workspace, RUN))


def test_a_run_of_some_stages_has_a_funnel_of_these(workspace: Workspace, at: dict[str, int]) -> None:
    counts = tally.tally(workspace, RUN)
    assert [flow.stage for flow in tally.funnel(counts, STAGES[:2])] == ["generate", "classify"]
    assert tally.funnel(tally.tally(workspace, "no such run"), STAGES)[-1].out == 0


def test_drops_are_counted_by_reason_and_a_models_by_class(workspace: Workspace, at: dict[str, int]) -> None:
    assert tally.tally(workspace, RUN).reasons == {
        ("classify", "dropped", pathway.CLASS): 1,
        ("guideline", "dropped", pathway.GUIDELINE): 1,
        ("classify", "failed", "not_json"): 1,
        ("select", "rated", "good"): 1,
        ("select", "rated", "poor"): 1,
    }


def test_what_calls_cost_is_summed_by_stage(workspace: Workspace, at: dict[str, int]) -> None:
    spent = tally.tally(workspace, RUN).spent
    assert spent["generate"] == (1, 0, 100, 20, 1.5, 0.002, 0, 0)
    assert spent["classify"] == (2, 1, 200, 40, 2.5, 0.001, 1, 0)


def test_counts_are_brought_up_to_date_by_what_is_new(workspace: Workspace, at: dict[str, int]) -> None:
    before = tally.tally(workspace, RUN)
    assert tally.tally(workspace, RUN, before) is before
    with workspace.write() as db:
        call = pathway.add_call(db, RUN, "classify", at["p2"], "{}", price=0.5)
        runs.add_stage_records(db, RUN, pathway.passage_1(at["p2"], call, call))
        runs.add_stage_records(db, RUN, pathway.passage_3(at["p2"], call))
    after = tally.tally(workspace, RUN, before)
    assert after == tally.tally(workspace, RUN)
    assert after.verdicts["generate", Verdict.CLAIM] == before.verdicts["generate", Verdict.CLAIM] + 3
    assert after.spent["classify"].price == pytest.approx(0.501)
    assert before.spent["classify"].price == pytest.approx(0.001)  # a value: the old one stays as it was
    assert len(after.failed) == 2


def test_a_passage_that_came_through_at_last_is_no_failure(workspace: Workspace, at: dict[str, int]) -> None:
    before = tally.tally(workspace, RUN)
    with workspace.write() as db:
        runs.add_stage_records(db, RUN, pathway.passage_3(at["p3"], 1)[-1:])
    again = tally.tally(workspace, RUN, before)
    assert len(again.tried) == 2
    assert [row.document for row in trail.failures(workspace, again)] == ["p3"]
    with workspace.write() as db:
        runs.add_stage_records(db, RUN, [pathway.said("select", at["p3"], Verdict.DONE)])
    assert tally.tally(workspace, RUN, again).failed == ()


def test_other_runs_do_not_count(workspace: Workspace, at: dict[str, int]) -> None:
    before = tally.tally(workspace, RUN)
    run = runs.find_run(workspace, RUN)
    pathway.add_run(workspace, at, run.corpus_id, int(run.ontology_id or 0), "another", {})
    for known in (None, before):
        assert tally.tally(workspace, RUN, known).verdicts == before.verdicts
        assert tally.tally(workspace, RUN, known).spent == before.spent


def test_reasons_without_number_do_not_fill_the_memory(
    workspace: Workspace, at: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tally, "REASONS", 10)
    with workspace.write() as db:
        said = [
            pathway.said("guideline", at["p2"], Verdict.DROPPED, SEIZURE, f"because {n}") for n in range(50)
        ]
        runs.add_stage_records(db, RUN, said)
    reasons = tally.tally(workspace, RUN).reasons
    assert len(reasons) <= 13  # ten, and one more per stage
    assert sum(n for (stage, verdict, _), n in reasons.items() if verdict == "dropped") == 52


def test_the_trail_of_a_label_from_claim_to_last_verdict(workspace: Workspace, at: dict[str, int]) -> None:
    found = trail.trail(workspace, RUN, at["p1"], SEIZURE)
    assert (found.document, found.corpus, found.label) == ("p1", "notes", "Seizure")
    assert [(s.stage, s.verdict) for s in found.steps] == [
        ("generate", "candidate"),
        ("generate", "candidate"),
        ("classify", "kept"),
        ("relabel", "kept"),
        ("guideline", "kept"),
    ]
    candidate = found.steps[0].payload
    assert (candidate["name"], candidate["score"], candidate["claim"]) == ("convulsion", 0.83, 0)
    assert found.claims[candidate["claim"]].payload["text"] == "The boy had a convulsion."
    assert [row.payload["quality"] for row in found.passage] == ["good"]
    assert [row.payload["name"] for row in found.unmatched] == ["glow"]
    assert found.proposal is not None
    assert found.proposal.evidence[0].quote == "shook for a minute"


def test_every_call_behind_a_label_comes_with_what_was_sent_and_what_came_back(
    workspace: Workspace, at: dict[str, int]
) -> None:
    found = trail.trail(workspace, RUN, at["p1"], SEIZURE)
    generated, judged = (found.calls[int(step.call or 0)] for step in found.steps[1:3])
    assert generated.call.prompt == "generate@0123456789ab"
    assert generated.call.request["messages"][0]["content"] == "What is said here?"
    assert generated.call.answer == pathway.ANSWER
    assert pathway.ANSWER in generated.call.raw.replace('\\"', '"')
    assert (generated.call.prompt_tokens, generated.call.price, generated.call.seconds) == (100, 0.002, 1.5)
    assert (judged.run, judged.call.stage) == (RUN, "classify")
    assert calls.call(workspace, generated.id) == generated


def test_a_label_that_a_later_stage_added_and_one_that_was_dropped(
    workspace: Workspace, at: dict[str, int]
) -> None:
    added = trail.trail(workspace, RUN, at["p1"], ATAXIA)
    assert [(s.stage, s.verdict) for s in added.steps] == [("relabel", "added"), ("guideline", "kept")]
    dropped = trail.trail(workspace, RUN, at["p1"], FEVER)
    assert dropped.steps[-1].reason == pathway.GUIDELINE
    assert (dropped.proposal, dropped.label) == (None, "Fever")


def test_the_trail_of_an_item_as_review_shows_it(workspace: Workspace, at: dict[str, int]) -> None:
    items = {row.subject: row.id for row in queue.items_of_passages(workspace, [at["p1"]])}
    found = trail.trail_of_item(workspace, RUN, items[ATAXIA])
    assert found == trail.trail(workspace, RUN, at["p1"], ATAXIA)
    assert found.item_id == items[ATAXIA]


@pytest.mark.parametrize(
    ("run", "passage", "concept"), [("none", "p1", SEIZURE), (RUN, "p2", SEIZURE), (RUN, "p9", SEIZURE)]
)
def test_what_a_run_never_said_is_refused_in_words(
    workspace: Workspace, at: dict[str, int], run: str, passage: str, concept: str
) -> None:
    with pytest.raises(NotFoundError):
        trail.trail(workspace, run, at.get(passage, 99), concept)
    with pytest.raises(NotFoundError):
        trail.trail_of_item(workspace, RUN, 10**6)
    with pytest.raises(NotFoundError):
        calls.call(workspace, 10**6)


def test_lists_come_a_page_at_a_time(workspace: Workspace, at: dict[str, int]) -> None:
    def concepts(**narrowed: Any) -> list[str | None]:
        return [row.concept for row in trail.judged(workspace, RUN, **narrowed)]

    assert concepts(stage="classify", verdict="kept") == [SEIZURE, FEVER, HEADACHE]
    assert concepts(stage="classify", verdict="kept", limit=1, offset=1) == [FEVER]
    assert concepts(stage="classify", verdict="dropped", reason=pathway.CLASS) == [COUGH]
    assert concepts(stage="guideline", verdict="dropped", reason=pathway.GUIDELINE) == [FEVER]
    assert concepts(stage="guideline", verdict="dropped", reason="another") == []
    (row,) = trail.judged(workspace, RUN, "classify", "dropped")
    assert (row.document, row.label, row.reason) == ("p1", "Cough", pathway.OWN)


def test_labels_come_a_page_at_a_time_and_by_document(workspace: Workspace, at: dict[str, int]) -> None:
    found = trail.labels(workspace, RUN)
    assert [(row.document, row.concept, row.label) for row in found] == [
        ("p1", SEIZURE, "Seizure"),
        ("p1", ATAXIA, "Ataxia"),
    ]
    assert [row.concept for row in trail.labels(workspace, RUN, limit=1, offset=1)] == [ATAXIA]
    assert [row.concept for row in trail.labels(workspace, RUN, document="p")] == [SEIZURE, ATAXIA]
    assert trail.labels(workspace, RUN, document="p2") == []
    assert trail.labels(workspace, RUN, document="' OR 1 --") == []


def test_failures_and_unmatched_names(workspace: Workspace, at: dict[str, int]) -> None:
    (failed,) = trail.failures(workspace, tally.tally(workspace, RUN))
    assert (failed.document, failed.stage, failed.payload["kind"]) == ("p3", "classify", "not_json")
    assert calls.call(workspace, int(failed.call or 0)).call.raw == "<html>Bad gateway</html>"
    assert trail.unmatched(workspace, RUN) == [("glow", 1, 0.31, "Cough")]


def test_no_list_reads_a_whole_table(workspace: Workspace, at: dict[str, int]) -> None:
    """SQLite's own plans of what the page asks again and again."""
    seen: list[str] = []
    workspace.db.set_trace_callback(seen.append)
    counts = tally.tally(workspace, RUN)
    trail.trail(workspace, RUN, at["p1"], SEIZURE)
    trail.labels(workspace, RUN)
    trail.labels(workspace, RUN, document="p1")
    trail.judged(workspace, RUN, "classify", "dropped")
    trail.failures(workspace, counts)
    workspace.db.set_trace_callback(None)
    asked = [sql for sql in seen if sql.startswith("SELECT")]
    assert len(asked) >= 10
    plans = [row[3] for sql in asked for row in workspace.db.execute(f"EXPLAIN QUERY PLAN {sql}")]
    whole = ("SCAN stage_records", "SCAN s", "SCAN calls", "SCAN proposals", "SCAN p", "SCAN i")
    assert [plan for plan in plans if plan.startswith(whole)] == []
