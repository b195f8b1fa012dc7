"""Who has answered what, kept up to date by decision number: masks over item ids."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.records import Action
from core.store import Workspace, queue


class Answers:
    """Judgements that hold, per item and curator. Not thread-safe: `Index` guards it."""

    def __init__(self) -> None:
        self._last = 0
        self._standing: dict[int, dict[str, Action]] = {}
        self._count = np.zeros(1, np.int16)
        self._mine: dict[str, NDArray[np.bool_]] = {}

    def refresh(self, workspace: Workspace) -> None:
        """Read what was decided since the last call."""
        last = queue.last_number(workspace)
        if last == self._last:
            return
        changed, standing = queue.answers_since(workspace, self._last)
        self._last = last
        for item in changed:
            self._standing.pop(item, None)
        for answer in standing:
            self._standing.setdefault(answer.item_id, {})[answer.curator] = answer.action
        self.reach(max(changed))
        for item in changed:
            by = self._standing.get(item, {})
            self._count[item] = len(by)
            for curator, mask in self._mine.items():
                mask[item] = curator in by

    def reach(self, item: int) -> None:
        """Make the masks long enough for an item id."""
        size = max(item + 1, 2 * len(self._count))
        if item >= len(self._count):
            self._count = np.pad(self._count, (0, size - len(self._count)))
            self._mine = {who: np.pad(mask, (0, size - len(mask))) for who, mask in self._mine.items()}

    def count(self) -> NDArray[np.int16]:
        """Item id -> how many curators have answered it."""
        return self._count

    def by(self, curator: str) -> NDArray[np.bool_]:
        """Item id -> whether this curator has answered it."""
        if curator not in self._mine:
            mask = np.zeros(len(self._count), np.bool_)
            mask[[item for item, by in self._standing.items() if curator in by]] = True
            self._mine[curator] = mask
        return self._mine[curator]

    def unsure(self, curator: str) -> list[int]:
        """Items that this curator left as unsure."""
        return [item for item, by in self._standing.items() if by.get(curator) is Action.UNSURE]

    def others(self, item: int, curator: str) -> bool:
        """Whether anybody else has answered an item. For use after `curator` has answered it."""
        return any(who != curator for who in self._standing.get(item, ()))
