"""What curators disagree on, as an adjudicator sees it: differences only, and nobody's name.

Whoever adjudicates sees answers of others, which nobody else may before giving one: this view alone shows
them. A ruling is one answer of theirs, or a field from each.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, ClassVar

from pydantic import Field

from core.errors import InputError
from core.kinds import kind_of
from core.records import Action, Cause, Decision, NewDecision
from core.review.disputes import Dispute, State, ruled
from core.review.events import Said, new_decision, not_as_shown
from core.review.views.concept import ConceptView
from core.review.views.pair import PairView
from core.review.views.ruling import FIELDS, heard, sheet
from core.review.views.view import View, own_words
from core.review.walks.adjudication import AdjudicationFilters, Bench, bench_of
from core.review.walks.walk import Ids
from core.store import Workspace, corpora, queue
from core.store.queue import ItemRow

KINDS = (ConceptView(), PairView())
"""Views of the kinds whose items are adjudicated."""


class Event(Said):
    """A ruling: `chosen` names the value of each field in which curators differ."""

    kind: str = AdjudicationFilters.kind
    chosen: dict[str, str] = Field(default={}, max_length=len(FIELDS))
    heard: int = 0
    """Number of the last decision among the answers on the screen."""
    cause: Cause | None = None
    update_guideline: bool = False


class AdjudicationView(View):
    kind: ClassVar[str] = AdjudicationFilters.kind
    told: ClassVar[tuple[str, ...]] = tuple(view.kind for view in KINDS)
    rules: ClassVar[bool] = True
    Event: ClassVar[type[Said]] = Event

    # --- which ones ---------------------------------------------------------------------------------------

    def walk(self, workspace: Workspace) -> Bench:
        return bench_of(workspace)

    def order(self, workspace: Workspace, walk: Bench, filters: AdjudicationFilters, curator: str) -> Ids:
        return walk.order_of(workspace, filters)

    def items_of(self, workspace: Workspace, passage: int) -> list[int]:
        return [item for view in KINDS for item in view.items_of(workspace, passage)]

    def visible(self, workspace: Workspace, items: Iterable[int], curator: str) -> set[int]:
        """Those on which curators differ, or somebody has ruled."""
        found = self._disputes(workspace, self._rows(workspace, items))
        return {
            item for item, one in found.items() if one.unruled is State.DISAGREE or one.ruling is not None
        }

    def pace(self, workspace: Workspace, curator: str) -> list[int]:
        return queue.pace(workspace, curator, kinds=self.told, actions=(Action.ADJUDICATE,))

    # --- what is shown ------------------------------------------------------------------------------------

    def sheets(self, workspace: Workspace, items: list[int]) -> list[int]:
        """Only what may be seen, since each holds what others answered."""
        seen = self.visible(workspace, items, "")
        return list(dict.fromkeys(item for item in items if item in seen))

    def views(self, workspace: Workspace, curator: str, sheets: list[int]) -> list[dict[str, Any]]:
        rows = self._rows(workspace, sheets)
        found = self._disputes(workspace, rows)
        mine = own_words(workspace, curator, list(found), rulings=True)
        return [
            sheet(workspace, found[item], self._worst(workspace, found[item]), mine.get(item, []))
            for item in sheets
            if item in found
        ]

    def held(self, workspace: Workspace, items: list[int]) -> dict[int, list[Any]]:
        return {}

    def named(self, workspace: Workspace, last: list[Decision]) -> dict[int, str]:
        found: dict[int, str] = {}
        for view in KINDS:
            found |= view.named(workspace, [d for d in last if d.kind == view.kind])
        return found

    def said(self, decision: Decision, held: list[Any]) -> dict[str, Any]:
        view = next(view for view in KINDS if view.kind == decision.kind)
        if decision.answer is None:
            return {"label": f"Does not stand: {decision.subject}"}
        return {"label": view.said(decision, [])["label"]}

    # --- what is answered ---------------------------------------------------------------------------------

    def decision(self, workspace: Workspace, event: Any) -> NewDecision:
        rows = self._rows(workspace, [event.item] if event.item else [])
        row = rows.get(event.item or 0)
        if row is None or row.passage_id != event.passage or row.subject != event.concept:
            raise not_as_shown(event)
        if event.action is not Action.ADJUDICATE:
            return new_decision(workspace, event, event.action, None)
        dispute = self._disputes(workspace, rows)[row.id]
        if heard(dispute) != event.heard:
            raise InputError(
                "Somebody answered this item after it was shown here. Nothing was stored; look at it again."
            )
        made = new_decision(workspace, event, Action.ADJUDICATE, ruled(dispute, event.chosen))
        return replace(made, shown=(), cause=event.cause, update_guideline=event.update_guideline)

    def proposed(self, workspace: Workspace, chosen: Any) -> Any:
        raise TypeError(f"Nothing is proposed to an adjudicator: {chosen!r}")

    def given(self, workspace: Workspace, event: Any, row: ItemRow | None, shown: Mapping[int, Any]) -> Any:
        raise TypeError("A ruling is made of what curators answered.")

    # --- reading ------------------------------------------------------------------------------------------

    def _rows(self, workspace: Workspace, items: Iterable[int]) -> dict[int, ItemRow]:
        wanted = list(items)
        return {
            item: row for view in KINDS for item, row in queue.items(workspace, wanted, view.kind).items()
        }

    def _worst(self, workspace: Workspace, dispute: Dispute) -> list[str]:
        """Fields, the one with the least agreement in the corpus first."""
        corpus = corpora.passage(workspace, dispute.passage).corpus
        return self.walk(workspace).disputes(workspace, corpus, dispute.kind).fields

    def _disputes(self, workspace: Workspace, rows: Mapping[int, ItemRow]) -> dict[int, Dispute]:
        bench, found = self.walk(workspace), {}
        for item, row in rows.items():
            corpus = corpora.passage(workspace, row.passage_id).corpus
            held = bench.disputes(workspace, corpus, kind_of(row.subject).name)
            if (one := held.of(item)) is not None:
                found[item] = one
        return found
