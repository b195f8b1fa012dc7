"""Apparent false positives on the desk: is gold wrong, or the proposal, and how? One digit says it.

Blindness: nothing here ever holds another curator's answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from core.records import Decision, ErrorAnswer, ErrorType, ItemKind, Passage, Proposal
from core.review.aid import Aid, Named, aid
from core.review.error_guide import ERRORS
from core.review.events import Said, Strict, no_answer
from core.review.views.choice import ChoiceView
from core.review.walks.listing import Listing, ListingFilters
from core.review.walks.walk import Ids
from core.store import Workspace, audits, frames
from core.store.queue import ItemRow


class AnswerSent(Strict):
    error: ErrorType


class Event(Said):
    answer: AnswerSent | None = None


class ErrorView(ChoiceView):
    kind: ClassVar[str] = ItemKind.ERROR
    told: ClassVar[tuple[str, ...]] = (ItemKind.ERROR,)
    Event: ClassVar[type[Said]] = Event

    def order(self, workspace: Workspace, walk: Listing, filters: ListingFilters, curator: str) -> Ids:
        """The items of an audit set, in the order of its draw; none without a set."""
        if not filters.name:
            return walk.order(())

        def items() -> list[int]:
            frame = frames.find_audit(workspace, filters.name)
            units = frames.units(workspace, frame.name, upto=frame.scope["size"])
            return [unit.item_id for unit in units if unit.item_id is not None]

        return walk.of_set(filters.name, items)

    def why(self, workspace: Workspace, items: list[int]) -> dict[int, str]:
        found = audits.sets_of(workspace, items)
        told = {
            item: "; ".join(f"Audit set {name}: {at} of {size}" for name, at, size in rows)
            for item, rows in found.items()
        }
        return {item: f"{told[item]}." if item in told else "Gold does not hold it." for item in items}

    def more(self, workspace: Workspace, row: ItemRow, passage: Passage, curator: str) -> dict[str, Any]:
        """The machine's proposal, and what speaks for it."""
        found = aid(workspace, row.id, curator)
        held = {concept for concept, _ in found.supported}
        way = list(found.lineage.path) if found.lineage else []

        def named(concepts: Iterable[Named]) -> list[dict[str, Any]]:
            return [{"concept": c, "label": label, "supported": c in held} for c, label in concepts]

        return {
            "proposed": {"error": found.proposed.value} if found.proposed else {},
            "aid": {
                "supported": named(found.supported),
                "lineage": named(reversed(way) if _is_narrower(found) else way),
                "other_branch": found.other_branch,
                "triggers": [[one.start, one.end] for one in found.triggers],
            },
        }

    def said(self, decision: Decision, held: list[Proposal]) -> dict[str, Any]:
        label = held[-1].label if held else ""
        if isinstance(decision.answer, ErrorAnswer):
            return {"label": f"{label}: {ERRORS[decision.answer.error].name}"}
        return {"label": label}

    def given(
        self, workspace: Workspace, event: Any, row: ItemRow | None, shown: Mapping[int, Any]
    ) -> ErrorAnswer:
        if event.answer is None:
            raise no_answer(event)
        return ErrorAnswer(event.answer.error)


def _is_narrower(found: Aid) -> bool:
    """Whether the proposed concept is below the supported one."""
    return found.lineage is not None and found.lineage.relation == "descendant"
