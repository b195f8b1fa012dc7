"""Claim pairs as the desk serves them: the `Kind` of `core.review.desk`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pydantic import Field

from core.kinds.pair import answer_of, in_order, spans_of
from core.records import Action, Axis, CandidatePair, ConflictType, ItemKind, NewDecision, PairAnswer
from core.review.events import Said, Strict, new_decision, no_answer, not_as_shown, not_of_item
from core.review.pairs.index import PairFilters, PairIndex, index_of
from core.review.pairs.view import history as history
from core.review.pairs.view import pair_views
from core.review.walk import Ids
from core.store import Workspace, documents, pairs, queue


def walk(workspace: Workspace) -> PairIndex:
    return index_of(workspace)


def order(workspace: Workspace, walk: PairIndex, filters: PairFilters, curator: str) -> Ids:
    inside = tuple(documents.pairs_of(workspace, filters.passage)) if filters.passage is not None else ()
    return walk.order(filters, inside)


def visible(workspace: Workspace, items: Iterable[int], curator: str) -> set[int]:
    return queue.visible(workspace, items, curator, ItemKind.PAIR)


def sheets(workspace: Workspace, items: list[int]) -> list[int]:
    """A pair stands alone."""
    known = queue.items(workspace, items, ItemKind.PAIR)
    return list(dict.fromkeys(item for item in items if item in known))


def views(workspace: Workspace, curator: str, sheets: list[int]) -> list[dict[str, Any]]:
    return pair_views(workspace, curator, sheets)


def items_of(workspace: Workspace, passage: int) -> list[int]:
    return documents.pairs_of(workspace, passage)


def unclosed(workspace: Workspace, walk: PairIndex, order: Ids, curator: str) -> list[int]:
    """A pair is done with its answer."""
    return []


def pace(workspace: Workspace, curator: str) -> list[int]:
    return queue.pace(workspace, curator, kind=ItemKind.PAIR)


def look(workspace: Workspace, asked: Any) -> None:
    """The page of pairs looks nothing up."""


# --- what is answered ------------------------------------------------------------------------------------


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
    if row is None or row.subject != event.concept or row.passage_id != event.passage:
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
