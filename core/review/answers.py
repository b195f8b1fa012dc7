"""Who has answered what, kept up to date by decision number: arrays over item ids."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.records import JUDGEMENTS, Action
from core.store import Workspace, queue

CODES = {action: code for code, action in enumerate((*JUDGEMENTS, Action.ADJUDICATE), start=1)}
"""Answer -> the number that stands for it; 0 is none."""


class Answers:
    """Answers that hold, per item and curator. Not thread-safe: `Walk` guards it.

    Args:
        actions: what counts as an answer.
    """

    def __init__(self, actions: tuple[Action, ...] = JUDGEMENTS) -> None:
        self._actions = actions
        self._last = 0
        self._standing: dict[int, dict[str, Action]] = {}
        self._count = np.zeros(1, np.int16)
        self._changed = np.zeros(1, np.int64)
        self._mine: dict[str, NDArray[np.int8]] = {}

    def refresh(self, workspace: Workspace) -> None:
        """Read what was decided since the last call."""
        last = queue.last_number(workspace)
        if last == self._last:
            return
        changed, standing = queue.answers_since(workspace, self._last, self._actions)
        self._last = last
        for item in changed:
            self._standing.pop(item, None)
        for answer in standing:
            self._standing.setdefault(answer.item_id, {})[answer.curator] = answer.action
        self.reach(max(changed))
        for item in changed:
            by = self._standing.get(item, {})
            self._count[item], self._changed[item] = len(by), last
            for curator, codes in self._mine.items():
                codes[item] = CODES[by[curator]] if curator in by else 0

    def reach(self, item: int) -> None:
        """Make the arrays long enough for an item id."""
        size = max(item + 1, 2 * len(self._count))
        if item >= len(self._count):
            self._count = np.pad(self._count, (0, size - len(self._count)))
            self._changed = np.pad(self._changed, (0, size - len(self._changed)))
            self._mine = {who: np.pad(codes, (0, size - len(codes))) for who, codes in self._mine.items()}

    def count(self) -> NDArray[np.int16]:
        """Item id -> how many curators have answered it."""
        return self._count

    @property
    def number(self) -> int:
        """Of the last decision that was read."""
        return self._last

    def changed(self) -> NDArray[np.int64]:
        """Item id -> decision number by which its answers were read last; 0 where there never were any."""
        return self._changed

    def by(self, curator: str) -> NDArray[np.int8]:
        """Item id -> this curator's judgement as in `CODES`; 0 where there is none."""
        if curator not in self._mine:
            codes = np.zeros(len(self._count), np.int8)
            for item, by in self._standing.items():
                if curator in by:
                    codes[item] = CODES[by[curator]]
            self._mine[curator] = codes
        return self._mine[curator]

    def others(self, item: int, curator: str) -> bool:
        """Whether anybody else has answered an item. For use after `curator` has answered it."""
        return any(who != curator for who in self._standing.get(item, ()))
