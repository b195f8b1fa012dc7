"""What frames ask blind, as a queue needs it: which items, and which passages a curator has yet to list.

    unseen.items                                       # ids of blind units, whoever has answered them
    unseen.unlisted(workspace, "ada", "ward")          # ids of passages

Read again when another frame is opened. Who has listed what is kept up to date by decision number, so that a
message costs the same however large a frame is.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from core.store import Workspace, blind, frames, queue


class Unseen:
    """Of one workspace. Not thread-safe: `Walk` guards it."""

    def __init__(self) -> None:
        self.items = np.empty(0, np.int64)
        """Ids of items that are a blind unit of any frame, in order."""
        self._frame = 0
        self._passages: dict[str, set[int]] = {}
        self._opened: dict[str, tuple[int, set[int]]] = {}
        self._wholes: dict[int, int] = {}

    def refresh(self, workspace: Workspace) -> bool:
        """Whether other items are blind than at the last call."""
        newest = frames.newest(workspace)
        if newest == self._frame:
            return False
        self._frame, self._passages = newest, {}
        before, self.items = self.items, np.array(blind.blind_items(workspace), np.int64)
        return not np.array_equal(before, self.items)

    def unlisted(self, workspace: Workspace, curator: str, corpus: str) -> set[int]:
        """Passages of a corpus that a curator has yet to list. What was taken back counts, so whatever was
        opened once stays so."""
        if corpus not in self._passages:
            self._passages[corpus] = blind.blind_passages(workspace, corpus)
        if not self._passages[corpus]:
            return set()
        last, opened = queue.last_number(workspace), self._opened.get(curator, (0, set[int]()))
        if opened[0] != last:
            opened = last, opened[1] | blind.opened(workspace, curator, opened[0])
            self._opened[curator] = opened
        return self._passages[corpus] - opened[1]

    def wholes(self, workspace: Workspace, passages: Iterable[int]) -> dict[int, int]:
        """As `blind.wholes`, asked of the store once for each."""
        wanted = list(passages)
        if lacking := [passage for passage in wanted if passage not in self._wholes]:
            self._wholes |= blind.wholes(workspace, lacking)
        return {passage: self._wholes[passage] for passage in wanted if passage in self._wholes}


def scattered(ids: NDArray[np.int64], hidden: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Keys to sort items by where nothing else tells them apart: their ids, but of those that are hidden a
    hash, for an id may tell which run named an item first, and when."""
    return np.where(hidden, ids * 2654435761 % 2**32, ids)
