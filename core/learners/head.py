"""What a stored head says of rows of features: plain arithmetic, no library that learns."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from core.records.learned import Head, Tree

Rows = npt.NDArray[np.float64]
"""(n, number of features)"""
Column = npt.NDArray[np.float64]


class Ready:
    """A head, ready to be asked. All trees are walked together: one step down all of them for all rows."""

    def __init__(self, head: Head) -> None:
        self.least = head.least
        self._calibration = head.slope, head.shift
        self._weights = np.array(head.weights) if head.kind == "logistic" else None
        self._intercept = head.intercept
        sizes = [len(tree.feature) for tree in head.trees]
        roots = np.cumsum([0, *sizes])[:-1]
        self._roots = roots.astype(np.int64)
        self._feature = _joined([tree.feature for tree in head.trees])
        self._threshold = np.array([t for tree in head.trees for t in tree.threshold])
        self._left = _joined(
            [_within(tree, tree.left, root) for tree, root in zip(head.trees, roots, strict=True)]
        )
        self._right = _joined(
            [_within(tree, tree.right, root) for tree, root in zip(head.trees, roots, strict=True)]
        )
        self._value = np.array([v for tree in head.trees for v in tree.value])

    def log_odds(self, rows: Rows) -> Column:
        """Before calibration: (n,)."""
        if self._weights is not None:
            linear: Column = rows @ self._weights + self._intercept
            return linear
        if not len(self._roots) or not len(rows):
            return np.full(len(rows), self._intercept)
        node = np.broadcast_to(self._roots, (len(rows), len(self._roots)))
        every = np.arange(len(rows))[:, None]
        while (feature := self._feature[node]).max() >= 0:
            goes_left = rows[every, feature] <= self._threshold[node]  # a leaf leads to itself either way
            node = np.where(goes_left, self._left[node], self._right[node])
        found: Column = self._value[node].sum(axis=1) + self._intercept
        return found

    def probabilities(self, rows: Rows) -> Column:
        """Calibrated chance that each row is kept: (n,), in (0, 1)."""
        slope, shift = self._calibration
        chance: Column = 1 / (1 + np.exp(-np.clip(slope * self.log_odds(rows) + shift, -30, 30)))
        return chance


def probabilities(head: Head, rows: Rows) -> Column:
    """What a head says of rows of features, once."""
    return Ready(head).probabilities(rows)


def _joined(parts: Sequence[Sequence[int]]) -> npt.NDArray[np.int64]:
    return np.array([one for part in parts for one in part], dtype=np.int64)


def _within(tree: Tree, children: Sequence[int], root: int) -> list[int]:
    """Children by their place among the nodes of all trees; a leaf is its own child."""
    return [int(root) + (child if tree.feature[node] >= 0 else node) for node, child in enumerate(children)]
