"""What claim pairs add to submitting: from an event to a decision on a pair."""

from __future__ import annotations

from pydantic import Field

from core.kinds.pair import answer_of, in_order, spans_of
from core.records import (
    Action,
    Axis,
    CandidatePair,
    ConflictType,
    ItemKind,
    NewDecision,
    PairAnswer,
)
from core.review.events import Said, Strict, new_decision, no_answer, not_as_shown, not_of_item
from core.store import Workspace, pairs, queue

MOST_WRITTEN = 20_000
"""Characters of a reconciliation."""

Offsets = tuple[tuple[int, int], ...]


class AnswerSent(Strict):
    """Spans as (start, end) in code points of the normalised abstracts; quotes are taken from the store."""

    comparable: bool
    conflict_type: ConflictType
    axes: tuple[Axis, ...] = Field(default=(), max_length=len(Axis))
    confounder: Axis | None = None
    reconciliation: str = Field(default="", max_length=MOST_WRITTEN)
    spans_a: Offsets = Field(default=(), max_length=500)
    spans_b: Offsets = Field(default=(), max_length=500)


class Event(Said):
    answer: AnswerSent | None = None


def decision(workspace: Workspace, event: Event) -> NewDecision:
    """The decision an event stands for. Whether it is consistent, and stands in the texts, the store checks.

    Raises:
        InputError: the event does not fit the pair that it names.
    """
    row = queue.items(workspace, [event.item or 0], ItemKind.PAIR).get(event.item or 0)
    if row is None or row.concept != event.concept or row.passage_id != event.passage:
        raise not_as_shown(event)
    action, answer = event.action, None
    if action in (Action.ACCEPT, Action.FIX):
        pair = pairs.pairs_of_items(workspace, [row.id])[row.id][-1][1]
        held = {one.id: one.label for one in pairs.labels_of_items(workspace, [row.id]).get(row.id, [])}
        label = held.get(event.proposal or 0) if event.proposal in event.shown else None
        if label is None and (action is Action.ACCEPT or event.proposal is not None):
            raise not_of_item(event)
        [task] = pairs.tasks(workspace, [pair])
        texts = {"a": task.a.text, "b": task.b.text}
        proposed = answer_of(pair.pair_id, label, texts) if label is not None else None
        answer = proposed if action is Action.ACCEPT else _given(pair, event, texts)
        if answer == proposed:
            action = Action.ACCEPT  # nothing was changed after all
    return new_decision(workspace, event, action, answer)


def _given(pair: CandidatePair, event: Event, texts: dict[str, str]) -> PairAnswer:
    sent = event.answer
    if sent is None:
        raise no_answer(event)
    return PairAnswer(
        pair.pair_id,
        sent.comparable,
        sent.conflict_type,
        in_order(sent.axes),
        sent.confounder,
        sent.reconciliation.strip(),
        spans_of(set(sent.spans_a), texts["a"], "A"),
        spans_of(set(sent.spans_b), texts["b"], "B"),
    )
