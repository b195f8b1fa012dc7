"""Changes of gold on the desk: an auditor says that gold lacks a concept, another curator confirms it or not.

Blindness: nothing here ever holds another curator's answer, and nobody confirms what they alone proposed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from core.kinds.concept import answer_of
from core.kinds.error import spoken_of
from core.records import Answer, Decision, ItemKind, Proposal
from core.review.changes import all_changes
from core.review.events import Said
from core.review.views.choice import ChoiceView
from core.review.walks.listing import Listing, ListingFilters
from core.review.walks.walk import Ids
from core.store import Workspace, changes, queue
from core.store.changes import Change
from core.store.decisions import chain_head


class GoldChangeView(ChoiceView):
    kind: ClassVar[str] = ItemKind.GOLD_CHANGE
    told: ClassVar[tuple[str, ...]] = (ItemKind.GOLD_CHANGE,)
    Event: ClassVar[type[Said]] = Said

    def order(self, workspace: Workspace, walk: Listing, filters: ListingFilters, curator: str) -> Ids:
        return walk.order(all_changes(workspace, filters.corpus, curator))

    def visible(self, workspace: Workspace, items: Iterable[int], curator: str) -> set[int]:
        found = super().visible(workspace, items, curator)
        return found - _own(workspace, found, curator)

    def why(self, workspace: Workspace, items: list[int]) -> dict[int, str]:
        return dict.fromkeys(items, "An auditor says that gold lacks it.")

    def said(self, decision: Decision, held: list[Proposal]) -> dict[str, Any]:
        return {"label": held[-1].label if held else ""}

    def proposed(self, workspace: Workspace, chosen: Proposal) -> Answer:
        return answer_of(chosen)


def _own(workspace: Workspace, items: Iterable[int], curator: str) -> set[int]:
    """Those of these changes that this curator proposed in an audit, and nobody else."""
    rows = queue.items(workspace, items, ItemKind.GOLD_CHANGE).values()
    number = chain_head(workspace)[0]
    asked: dict[Change, set[str]] = {}
    for passage in {row.passage_id for row in rows}:
        asked |= changes.missing(workspace, number, passage_id=passage)
    return {
        row.id for row in rows if curator in asked.get(Change(row.passage_id, *spoken_of(row.subject)), ())
    }
