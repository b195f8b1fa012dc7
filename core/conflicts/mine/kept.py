"""The best candidates of a domain, of many that come some at a time: what is not among them is forgotten."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.conflicts.mine.neighbours import Near


class Kept:
    """The best of candidates that come some at a time.

    Args:
        cap: how many are wanted, and those equal to the last of them; None: all.
    """

    def __init__(self, cap: int | None) -> None:
        self._cap = cap
        self.seen = 0
        """How many there were."""
        self.floor = -np.inf
        """What a candidate must reach to be kept."""
        none = np.empty(0, dtype=np.int32), np.empty(0, dtype=np.int32), np.empty(0), np.empty(0)
        self._held: list[tuple[NDArray[Any], ...]] = [none]

    def add(self, pairs: Near, rank: NDArray[np.float64]) -> None:
        """Candidates and what they are ordered by, the more the better."""
        fine = rank >= self.floor
        self._held.append((*pairs.at(fine), rank[fine]))
        if self._cap is not None and sum(len(held[-1]) for held in self._held) > 2 * self._cap:
            self._held = [self._cut()]

    def best(self) -> tuple[Near, NDArray[np.float64]]:
        """Candidates and what they are ordered by, best first."""
        *pairs, rank = self._cut()
        ranked = np.argsort(-rank, kind="stable")
        return Near(*pairs).at(ranked), rank[ranked]

    def _cut(self) -> tuple[NDArray[Any], ...]:
        held = tuple(np.concatenate(columns) for columns in zip(*self._held, strict=True))
        rank = held[-1]
        if self._cap is None or len(rank) <= self._cap:
            return held
        self.floor = np.partition(rank, len(rank) - self._cap)[len(rank) - self._cap]
        fine = rank >= self.floor
        return tuple(column[fine] for column in held)
