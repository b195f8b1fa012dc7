"""How often raters gave each label, item by item: what coefficients of any number of raters are sums of.

Only places that hold something are kept, so that many labels, such as concepts, cost no more than their use.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.metrics.sums import checked_counts

Ints = npt.NDArray[np.int64]


class RatingCounts(NamedTuple):
    """Of items in order, and labels in order of their names."""

    m: Ints
    """Ratings of each item, shape (items,)."""
    squares: Ints
    """Σ_j n_ij² of each item, n_ij raters having given it label j, shape (items,)."""
    item: Ints
    label: Ints
    given: Ints
    """Places and values of all n_ij that are not 0, shape (places,) each."""
    labels: int
    """How many labels there are."""

    def totals(self, kept: npt.NDArray[np.bool_] | None = None) -> Ints:
        """How often each label was given, shape (labels,).

        Args:
            kept: which items count; None: all.
        """
        given = self.given if kept is None else self.given * kept[self.item]
        return np.bincount(self.label, given, minlength=self.labels).astype(np.int64)


def count_ratings(units: Iterable[Sequence[Hashable | None]]) -> RatingCounts:
    """From the ratings of each item; None: missing."""
    rows = list(units)
    names = {label for unit in rows for label in unit if label is not None}
    place = {label: at for at, label in enumerate(sorted(names, key=str))}
    width = max(len(names), 1)
    cells = [i * width + place[label] for i, unit in enumerate(rows) for label in unit if label is not None]
    held, given = np.unique(np.array(cells, dtype=np.int64), return_counts=True)
    item, label = np.divmod(held, width)
    return _counted(len(rows), item, label, given.astype(np.int64), len(names))


def of_table(table: Ints) -> RatingCounts:
    """From items x labels: how many raters gave it.

    Raises:
        ValueError: a count is negative.
    """
    item, label = np.nonzero(checked_counts(table))
    return _counted(len(table), item, label, table[item, label], table.shape[1])


def _counted(items: int, item: Ints, label: Ints, given: Ints, labels: int) -> RatingCounts:
    m = np.bincount(item, given, minlength=items).astype(np.int64)
    squares = np.bincount(item, given**2, minlength=items).astype(np.int64)
    return RatingCounts(m, squares, item, label, given, labels)
