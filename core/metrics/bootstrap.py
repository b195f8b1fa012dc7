"""Percentile bootstrap over documents, vectorised.

Resampling documents with replacement is the same as giving each a whole-number weight. So a resample is a row
of counts, and any statistic made of sums over documents is one matrix product: (resamples x documents) @
(documents x columns). The index lists can be injected, so that a result can be reproduced exactly and two
systems compared on the same resamples.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from core.metrics.definition import Estimate

Draws = npt.NDArray[np.integer]
"""Index lists, shape (resamples, n): row b names the documents of resample b, each in [0, n)."""
Floats = npt.NDArray[np.float64]

BLOCK = 500_000
"""Draws held at once: bounds memory at any number of documents; results do not depend on it."""
COUNTED = 4_000_000
"""Remembered counts that are given out at once, eight bytes each: a product reads its table once a block."""
REMEMBERED = 60_000_000
"""Counts that are remembered at most, two bytes each: 1,000 resamples of 60,000 documents."""

LEAST = 2
"""Documents that an interval or a test rests on at least: resamples of one are all the same."""
TOO_FEW = "An interval or a test needs at least 2 documents (or sentences, or pairs) to resample; here is {}."
NOT_DRAWN = "No resamples were drawn."
ALL_DROPPED = "No resample has a value."


@dataclass(frozen=True, slots=True)
class Resamples:
    """Index lists by size, number and seed: made anew, and the same, whenever somebody goes through them."""

    n: int
    resamples: int
    seed: int

    def __iter__(self) -> Iterator[Draws]:
        generator = np.random.default_rng(self.seed)
        for start, stop in self.blocks(BLOCK):
            yield generator.integers(0, self.n, size=(stop - start, self.n), dtype=np.int32)

    def blocks(self, size: int) -> Iterator[tuple[int, int]]:
        """Rows of each block of about `size` numbers."""
        step = max(1, size // max(self.n, 1))
        for start in range(0, self.resamples if self.n else 0, step):
            yield start, min(start + step, self.resamples)

    def counted(self) -> Iterator[Floats]:
        """How often each document occurs, block by block, shape (rows, n)."""
        if self.n * self.resamples > REMEMBERED:
            yield from (counts(block, self.n) for block in self)
        else:
            kept = _kept(self)
            yield from (kept[start:stop].astype(np.float64) for start, stop in self.blocks(COUNTED))

    def of(self, documents: Draws) -> Floats:
        """How often each of these documents occurs, shape (resamples, documents)."""
        if self.n * self.resamples > REMEMBERED:
            return np.concatenate([block[:, documents] for block in self.counted()])
        return _kept(self)[:, documents].astype(np.float64)


@lru_cache(maxsize=1)
def _kept(drawn: Resamples) -> npt.NDArray[np.uint16]:
    """All counts of the resamples asked for last: families that score the same documents share them."""
    found = np.empty((drawn.resamples if drawn.n else 0, drawn.n), dtype=np.uint16)
    for (start, stop), block in zip(drawn.blocks(BLOCK), drawn, strict=True):
        found[start:stop] = counts(block, drawn.n)
    return found


def forget() -> None:
    """Drop the counts that are remembered, so that a measurement makes them anew."""
    _kept.cache_clear()


def draws(n: int, resamples: int = 1000, seed: int = 13) -> Resamples:
    """Blocks of index lists, together `resamples` rows of `n` indices; the same for the same arguments.

    Raises:
        ValueError: `n` or `resamples` is negative.
    """
    if n < 0 or resamples < 0:
        raise ValueError(f"cannot draw {resamples} resamples of {n} documents")
    return Resamples(n, resamples, seed)


def counts(index_lists: Draws, n: int) -> Floats:
    """How often each of `n` documents occurs in each resample, shape (resamples, n).

    Raises:
        ValueError: a resample is not of size n, or an index is outside [0, n).
    """
    lists = np.atleast_2d(index_lists)
    if lists.shape[1] != n:
        raise ValueError(f"a resample of {n} documents has {n} indices, not {lists.shape[1]}")
    if lists.size and (lists.min() < 0 or lists.max() >= n):
        raise ValueError(f"resample indices must lie in [0, {n})")
    rows = np.arange(len(lists), dtype=np.int64)[:, None] * n
    return np.bincount((lists + rows).ravel(), minlength=len(lists) * n).reshape(-1, n).astype(np.float64)


def counted(index_lists: Iterable[Draws] | Draws, n: int) -> Iterator[Floats]:
    """The counts of all resamples of `n` documents, block by block, shape (rows, n)."""
    if isinstance(index_lists, Resamples) and index_lists.n == n:
        yield from index_lists.counted()
    else:
        blocks = [index_lists] if isinstance(index_lists, np.ndarray) else index_lists
        yield from (counts(block, n) for block in blocks)


def resample(
    table: Floats, statistic: Callable[[Floats], Floats], index_lists: Iterable[Draws] | Draws
) -> Floats:
    """The statistics of every resample, shape (resamples, values); NaN marks an undefined one.

    Args:
        table: one row per document, one column per quantity that the statistics sum, shape (n, columns); it
            may be sparse.
        statistic: sums over documents (resamples, columns) -> values (resamples, values).
        index_lists: from `draws`, or injected: one array (resamples, n), blocks of it, or single lists.
    """
    parts = [statistic(block @ table) for block in counted(index_lists, table.shape[0])]
    return np.concatenate(parts) if parts else statistic(np.zeros((0, table.shape[1])))


@dataclass(frozen=True, slots=True)
class Summed:
    """A table of documents, and its sums over the documents of each resample."""

    table: Floats
    """Shape (n, columns)."""
    drawn: Resamples
    sums: Floats
    """Shape (resamples, columns)."""


def summed(table: Floats, drawn: Resamples, near: Summed | None = None) -> Summed:
    """Sum a table over the documents of each resample.

    Args:
        table: one row per document, shape (n, columns).
        near: another table, summed before: where it is of this shape and of the same resamples, only the rows
            in which the two differ are multiplied. The last digits may then differ from those without it.
    """
    if near is None or near.drawn != drawn or near.table.shape != table.shape:
        return Summed(table, drawn, resample(table, lambda sums: sums, drawn))
    rows = np.flatnonzero((near.table != table).any(axis=1))
    change = table[rows] - near.table[rows]
    return Summed(table, drawn, near.sums + drawn.of(rows) @ change if len(rows) else near.sums)


def interval(values: Sequence[float] | Floats, level: float = 0.95) -> tuple[float | None, float | None, int]:
    """(low, high, resamples dropped): the central `level` of the resampled values.

    Percentiles by linear interpolation between order statistics, h = (m - 1) q / 100. Undefined (NaN)
    resamples are dropped and counted; (None, None, count) if nothing is left.
    """
    array = np.asarray(values, dtype=np.float64)
    kept = array[~np.isnan(array)]
    dropped = len(array) - len(kept)
    if not len(kept):
        return None, None, dropped
    tail = 50 * (1 - level)
    low, high = np.percentile(kept, [tail, 100 - tail])
    return float(low), float(high), dropped


def bounded(
    value: float,
    n: int,
    values: Sequence[float] | Floats,
    level: float = 0.95,
    *,
    std: float | None = None,
    documents: int | None = None,
) -> Estimate:
    """A value with the interval that its resamples give, or with the reason why there is none.

    Args:
        n: what the value rests on.
        values: of the resamples, shape (resamples,); NaN: undefined.
        documents: what was resampled, where that is less than `n`.
    """
    rests_on = n if documents is None else min(n, documents)
    beside = None if rests_on == n else rests_on
    low, high, dropped = interval(values, level)
    why = TOO_FEW.format(rests_on) if rests_on < LEAST else None
    if why is None and low is None:
        why = ALL_DROPPED if dropped else NOT_DRAWN
    if why is not None:
        return Estimate(value, n, std, dropped=dropped, interval_reason=why, documents=beside)
    return Estimate(value, n, std, low, high, dropped, documents=beside)
