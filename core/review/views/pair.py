"""Claim pairs on the desk: what their page sends, and what becomes of it.

Blindness: nothing here ever holds another curator's answer. What is answered blind, in the sense of a frame,
is told in `core.review.views.blind`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

from pydantic import Field

from core.kinds.names import NAMES
from core.kinds.pair import answer_of, in_order, spans_of
from core.records import (
    Action,
    Axis,
    ConflictType,
    Decision,
    ItemKind,
    NewDecision,
    PairAnswer,
    StoredPairLabel,
)
from core.review.events import Said, Strict, no_answer
from core.review.views.blind import BlindView
from core.review.views.pair_sheets import articles_of, pair_views
from core.review.views.view import asked_again
from core.review.walks.pair import PairFilters, PairIndex, index_of
from core.review.walks.walk import Ids
from core.store import Workspace, documents, pairs
from core.store.queue import ItemRow
from core.store.repeats import about

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


class PairView(BlindView):
    kind: ClassVar[str] = ItemKind.PAIR
    told: ClassVar[tuple[str, ...]] = (ItemKind.PAIR, ItemKind.PAIR_REPEAT)
    guided: ClassVar[bool] = True
    accepts: ClassVar[bool] = True
    Event: ClassVar[type[Said]] = Event

    def walk(self, workspace: Workspace) -> PairIndex:
        return index_of(workspace)

    def order(self, workspace: Workspace, walk: PairIndex, filters: PairFilters, curator: str) -> Ids:
        inside = self.items_of(workspace, filters.passage) if filters.passage is not None else ()
        found = walk.order(filters, tuple(inside))
        return found if filters.conflict_type is None else self.without_blind(workspace, found, curator)

    def items_of(self, workspace: Workspace, passage: int) -> list[int]:
        return documents.pairs_of(workspace, passage)

    def views(self, workspace: Workspace, curator: str, sheets: list[int]) -> list[dict[str, Any]]:
        first = about(workspace.db, sheets)
        found = {one["id"]: one for one in pair_views(workspace, curator, list(first.values()))}
        return [
            found[s] if one == s else asked_again(workspace, curator, found[one], s, one, s)
            for s, one in first.items()
            if one in found
        ]

    def proposals(self, workspace: Workspace, items: list[int]) -> dict[int, list[Any]]:
        return dict(pairs.labels_of_items(workspace, items))

    def named(self, workspace: Workspace, last: list[Decision]) -> dict[int, str]:
        first = about(workspace.db, [d.item_id for d in last])
        found = pairs.pairs_of_items(workspace, list(first.values()))
        return {item: articles_of(found[one][-1][1]) for item, one in first.items() if one in found}

    def said(self, decision: Decision, held: list[StoredPairLabel]) -> dict[str, Any]:
        if isinstance(decision.answer, PairAnswer):
            return {"label": NAMES[decision.answer.conflict_type]}
        return {"label": NAMES[held[0].label.conflict_type] if held else decision.action.value}

    def decision(self, workspace: Workspace, event: Any) -> NewDecision:
        """Blind, an answer of the type that a label proposes accepts it, as a frame counts it."""
        new = super().decision(workspace, event)
        if not (new.blind and isinstance(new.answer, PairAnswer)):
            return new
        held = self.held(workspace, [event.item]).get(event.item, [])
        accepts = any(one.label.conflict_type == new.answer.conflict_type for one in held[:1])
        return replace(new, action=Action.ACCEPT if accepts else Action.FIX)

    def proposed(self, workspace: Workspace, chosen: StoredPairLabel) -> PairAnswer:
        pair_id, texts = _texts(workspace, chosen.item_id)
        return answer_of(pair_id, chosen.label, texts)

    def given(
        self, workspace: Workspace, event: Any, row: ItemRow | None, shown: Mapping[int, Any]
    ) -> PairAnswer:
        sent = event.answer
        if sent is None or row is None:
            raise no_answer(event)
        pair_id, texts = _texts(workspace, row.id)
        return PairAnswer(
            pair_id,
            sent.comparable,
            sent.conflict_type,
            in_order(sent.axes),
            sent.confounder,
            sent.reconciliation.strip(),
            spans_of(set(sent.spans_a), texts["a"], "A"),
            spans_of(set(sent.spans_b), texts["b"], "B"),
        )


def _texts(workspace: Workspace, item: int) -> tuple[str, dict[str, str]]:
    """Pair id, and side -> its abstract."""
    first = about(workspace.db, [item])[item]
    pair = pairs.pairs_of_items(workspace, [first])[first][-1][1]
    [task] = pairs.tasks(workspace, [pair])
    return pair.pair_id, {"a": task.a.text, "b": task.b.text}
