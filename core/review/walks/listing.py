"""Walking a list that says itself what is in it: the items of an audit set, or changes of gold to confirm."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.review.walks.kept import Walks
from core.review.walks.walk import Ids, Listed, Show, Walk
from core.store import Workspace, queue


@dataclass(frozen=True, slots=True)
class ListingFilters:
    """What a queue holds."""

    kind: str
    """Of the items in it, as in `core.kinds.KINDS`."""
    corpus: str
    name: str = ""
    """Of the audit set, where it is one."""
    show: Show = Show.UNDECIDED
    answers: int = 1
    """How many curators should answer each item; an item is open until so many have."""
    listed: Listed | None = None
    """Items to walk instead."""


class Columns(NamedTuple):
    """Nothing is proposed of these items themselves."""

    id: NDArray[Any]
    item: NDArray[Any]


class Listing(Walk[Columns]):
    """Answers of one workspace, over items of any kind. Use `listing_of`."""

    def __init__(self) -> None:
        super().__init__(Columns, (np.int64, np.int64))

    def _run_names(self, workspace: Workspace) -> list[queue.RunName]:
        return []

    def _read(self, workspace: Workspace, last: int) -> Iterator[Columns]:
        return iter(())

    def refresh(self, workspace: Workspace) -> None:
        super().refresh(workspace)
        with self.lock:
            self.answers.reach(queue.last_item(workspace))

    def of_set(self, name: str, items: Callable[[], Iterable[int]]) -> Ids:
        """The items of an audit set, which never changes: they are read once."""
        with self.lock:
            return self._orders.of(name, lambda: self.order(items()))

    def order(self, items: Iterable[int]) -> Ids:
        """These items as they come, each once."""
        ids = np.array(list(dict.fromkeys(items)), np.int64)
        if len(ids):
            with self.lock:
                self.answers.reach(int(ids.max()))
        return ids


walks = Walks(Listing)
listing_of = walks.of
