"""Where in its text a label stands: the evidence of a run's proposals, and of people's answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from core.records import JUDGEMENTS, Action, Answer, Assertion, Curie, Decision, ItemKind
from core.store.decisions import decisions
from core.store.gold import parse_reviewed
from core.store.workspace import Workspace


class Proposed(NamedTuple):
    """One piece of evidence of a proposal, or a proposal without any."""

    doc_id: str
    concept: Curie
    assertion: Assertion
    """Of this mention, where it has one of its own; else of the proposal."""
    confidence: float | None
    quote: str | None
    start: int | None
    end: int | None
    """Both None where there is no evidence, or where the quote does not stand in the text."""


def proposed_mentions(workspace: Workspace, run_id: str) -> Iterator[Proposed]:
    """Everything a run proposes with its places, streamed in stored order; not relevant concepts left out."""
    statuses = {a.value: a for a in Assertion}
    rows = workspace.db.execute(
        "SELECT s.doc_id, i.concept, ifnull(e.assertion, p.assertion), p.confidence, e.quote,"
        ' CASE e.grounded WHEN 1 THEN e.start END, CASE e.grounded WHEN 1 THEN e."end" END'
        " FROM proposals p JOIN items i ON i.id = p.item_id JOIN passages s ON s.id = i.passage_id"
        " LEFT JOIN evidence e ON e.proposal_id = p.id"
        " WHERE p.run_id = ? AND p.class <> 'not_relevant' ORDER BY p.id, e.position",
        (run_id,),
    )
    for doc_id, concept, status, confidence, quote, start, end in rows:
        yield Proposed(doc_id, concept, statuses[status], confidence, quote, start, end)


def states_confidence(workspace: Workspace, run_id: str) -> bool:
    """Whether any proposal of a run has a confidence."""
    query = "SELECT EXISTS (SELECT 1 FROM proposals WHERE run_id = ? AND confidence IS NOT NULL)"
    return bool(workspace.db.execute(query, (run_id,)).fetchone()[0])


def answers(workspace: Workspace, reference: str) -> dict[tuple[int, Curie], list[Answer]]:
    """(passage id, concept) -> positive answers that hold in reviewed gold, under the concept they give; an
    adjudication stands alone.

    Raises:
        InputError: `reference` is not of the form `reviewed@NUMBER:POLICY`.
    """
    number, policy = parse_reviewed(reference)
    log = list(decisions(workspace, upto=number))
    cancelled = {d.undoes for d in log if d.undoes is not None}
    states: dict[tuple[str, int], Decision] = {}
    adjudications: dict[tuple[int, Curie], Answer] = {}
    for d in log:
        if d.number in cancelled or d.kind is ItemKind.PAIR:
            continue
        if d.action is Action.ADJUDICATE and isinstance(d.answer, Answer) and policy == "adjudicated":
            adjudications[d.passage_id, d.answer.concept] = d.answer
        elif d.action in JUDGEMENTS and policy in (f"curator={d.curator}", "agreed", "adjudicated"):
            states[d.curator, d.item_id] = d
    found: dict[tuple[int, Curie], list[Answer]] = {}
    for d in sorted(states.values(), key=lambda d: d.number):
        if isinstance(d.answer, Answer) and d.action is not Action.UNSURE:
            found.setdefault((d.passage_id, d.answer.concept), []).append(d.answer)
    return found | {key: [answer] for key, answer in adjudications.items()}
