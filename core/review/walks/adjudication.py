"""The queue of an adjudicator: items on which curators differ, the least agreement first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from core.records import Action, ItemKind
from core.review.answers import Answers
from core.review.disputes import Disputes, disputes
from core.review.walks.kept import Walks
from core.review.walks.listing import Listing
from core.review.walks.walk import Ids, Listed, Show
from core.store import Workspace, queue


@dataclass(frozen=True, slots=True)
class AdjudicationFilters:
    """What a queue holds."""

    kind: ClassVar[str] = "adjudication"
    """Of the view: what is adjudicated are items of the kind `of`."""
    corpus: str
    of: str = ItemKind.CONCEPT
    show: Show = Show.UNDECIDED
    answers: int = 1
    """How many adjudicators rule on an item."""
    listed: Listed | None = None
    """Items to walk instead."""


class Bench(Listing):
    """Rulings of one workspace, and what they are about. Use `bench_of`."""

    def __init__(self) -> None:
        super().__init__()
        self.answers = Answers((Action.ADJUDICATE,))
        self._found: dict[tuple[str, str], Disputes] = {}

    def disputes(self, workspace: Workspace, corpus: str, kind: str) -> Disputes:
        """Read again only where something was decided since."""
        last = queue.last_number(workspace)
        with self.lock:
            held = self._found.get((corpus, kind))
            if held is None or held.number != last:
                held = self._found[corpus, kind] = disputes(workspace, corpus, kind, last)
            return held

    def order_of(self, workspace: Workspace, filters: AdjudicationFilters) -> Ids:
        """Every item on which curators differ, ruled or not."""
        found = self.disputes(workspace, filters.corpus, filters.of)
        return self.order(one.item for one in found.differing)


walks = Walks(Bench)
bench_of = walks.of


def disputes_of(workspace: Workspace, corpus: str, kind: str) -> Disputes:
    """What curators differ on, as the queue holds it. Nobody may change it."""
    return bench_of(workspace).disputes(workspace, corpus, kind)
