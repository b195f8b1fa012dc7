"""The nearest rows of other groups, exactly, by matrix products over blocks.

A tile of products serves its rows and its columns, so that half of all products are made. Products of
float32 differ in their last places from machine to machine and from tile to tile; they only preselect. What
decides is the product in float64 of two given rows, which is always the same, then the order of the rows.

In memory: the vectors, one tile, and for each row a few more than k candidates (8 bytes each).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Exact = NDArray[np.float64]
Numbers = NDArray[np.int32]
Progress = Callable[[int, int], None]

TILE = 2_048
"""Rows and columns of a tile: 16 MiB of float32."""
STRIP = 256
"""Rows of a tile looked through at once: 2 MiB, which the processor's cache holds."""
SPARE = 12
"""Candidates kept beyond k, so that ties at the end of a row's list can be decided exactly."""
CHUNK = 16_384
"""Pairs multiplied in float64 at once: 100 MB at 384 dimensions, both sides together."""
_NONE = np.float32(-np.inf)


class Near(NamedTuple):
    """Pairs of rows, first < second, each once, in ascending order."""

    first: Numbers
    second: Numbers
    sim: Exact


def nearest(
    vectors: Floats,
    order: NDArray[np.intp],
    groups: Numbers,
    k: int,
    least: float,
    progress: Progress | None = None,
) -> Near:
    """Pairs of which one row is among the k nearest of the other, of those in other groups.

    Args:
        vectors: unit rows, shape (n, dimensions).
        order: which of them is first, second, ...; the numbers in the answer count in this order.
        groups: of the rows in this order, ascending.
        least: inner product below which no pair is wanted.
    """
    rows = _Rows(vectors, order)
    unsure = 4 * vectors.shape[1] * 2.0**-24 if len(vectors) else 0.0  # twice the bound for both products
    best = _Best(len(order), k + SPARE, least - unsure)
    tiles = [(i, j) for i in range(0, len(order), TILE) for j in range(i, len(order), TILE)]
    tile = np.empty((min(TILE, len(order)), min(TILE, len(order))), dtype=np.float32)
    left: Floats = tile[:0]
    at = -1
    for done, (i, j) in enumerate(tiles, 1):
        if i != at:
            left, at = rows.block(i), i
        right = left if i == j else rows.block(j)
        products = np.matmul(left, right.T, out=_part(tile, len(left), len(right)))
        _hide_groups(products, groups, i, j)
        best.take(products, i, j)
        if progress is not None:
            progress(len(order) * done // len(tiles), len(order))
    del tile, left
    return _decided(rows, groups, best, k, least, unsure)


class _Rows:
    """The vectors in the order that counts, block by block."""

    def __init__(self, vectors: Floats, order: NDArray[np.intp]) -> None:
        self._vectors, self._order = vectors, order
        self._sorted = bool(np.array_equal(order, np.arange(len(order))))

    def __len__(self) -> int:
        return len(self._order)

    def block(self, start: int) -> Floats:
        part = slice(start, start + TILE)
        return self._vectors[part] if self._sorted else self._vectors[self._order[part]]

    def some(self, numbers: NDArray[np.integer]) -> Floats:
        found: Floats = self._vectors[numbers if self._sorted else self._order[numbers]]
        return found

    def products(self, first: NDArray[np.integer], second: NDArray[np.integer]) -> Exact:
        """Inner products in float64, pair by pair."""
        found = np.empty(len(first), dtype=np.float64)
        for start in range(0, len(first), CHUNK):
            part = slice(start, start + CHUNK)
            a, b = self.some(first[part]).astype(np.float64), self.some(second[part])
            np.multiply(a, b, out=a)
            np.sum(a, axis=1, out=found[part])
        return found


def _part(tile: Floats, height: int, width: int) -> Floats:
    return tile[:height, :width]


def _hide_groups(products: Floats, groups: Numbers, i: int, j: int) -> None:
    """Rows of one group are no neighbours of each other. Groups are ascending, so they meet near the diagonal
    only."""
    height, width = products.shape
    if groups[i + height - 1] < groups[j]:
        return
    columns = groups[j : j + width]
    starts = np.searchsorted(columns, groups[i : i + height], side="left")
    ends = np.searchsorted(columns, groups[i : i + height], side="right")
    for row in np.flatnonzero(starts < ends).tolist():
        products[row, starts[row] : ends[row]] = _NONE


class _Best:
    """The best candidates of each row so far.

    Args:
        width: candidates kept for a row.
        least: a candidate must be better than that.
    """

    def __init__(self, size: int, width: int, least: float) -> None:
        self.values = np.full((size, width), _NONE, dtype=np.float32)
        self.rows = np.full((size, width), -1, dtype=np.int32)
        self._least = np.float32(least)
        self._bar = np.full(size, self._least, dtype=np.float32)
        """What a new candidate of a row must be better than."""

    def take(self, products: Floats, i: int, j: int) -> None:
        """Products of rows from i on with rows from j on; j >= i."""
        for start in range(0, len(products), STRIP):
            part = products[start : start + STRIP]
            rows, columns = self._better(part, i + start, j)
            values = part[rows, columns]
            self._keep(rows + (i + start), columns + j, values)
            if i != j:
                turned = np.argsort(columns.astype(np.uint16), kind="stable")
                self._keep(columns[turned] + j, rows[turned] + (i + start), values[turned])

    def _better(self, part: Floats, i: int, j: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Places of the products that are above the bar of their row or of their column."""
        height, width = part.shape
        above = np.greater(part, self._bar[i : i + height, None])
        if i < j or i >= j + width:
            above |= np.greater(part, self._bar[None, j : j + width])
        if width % 8:
            return np.divmod(np.flatnonzero(above), width)
        words = np.flatnonzero(above.reshape(-1).view(np.uint64))  # eight at once: nearly all are zero
        inside = above.reshape(-1, 8)[words].nonzero()
        return np.divmod(8 * words[inside[0]] + inside[1], width)

    def _keep(self, targets: NDArray[np.intp], partners: NDArray[np.intp], values: Floats) -> None:
        """Add candidates; `targets` ascend."""
        fine = values > self._bar[targets]
        targets, partners, values = targets[fine], partners[fine], values[fine]
        if not len(targets):
            return
        width = self.values.shape[1]
        targets, partners, values = _foremost(targets, partners, values, width)
        starts = np.flatnonzero(np.diff(targets, prepend=-1))
        counts = np.diff(starts, append=len(targets))
        most = int(counts.max())
        group = np.repeat(np.arange(len(starts)), counts)
        place = width + np.arange(len(targets)) - starts[group]
        rows = targets[starts]
        all_values = np.full((len(rows), width + most), _NONE, dtype=np.float32)
        all_rows = np.full((len(rows), width + most), -1, dtype=np.int32)
        all_values[:, :width], all_rows[:, :width] = self.values[rows], self.rows[rows]
        all_values[group, place], all_rows[group, place] = values, partners
        kept = np.argpartition(all_values, most, axis=1)[:, most:]
        self.values[rows] = np.take_along_axis(all_values, kept, axis=1)
        self.rows[rows] = np.take_along_axis(all_rows, kept, axis=1)
        self._bar[rows] = np.maximum(self.values[rows].min(axis=1), self._least)


def _foremost(
    targets: NDArray[np.intp], partners: NDArray[np.intp], values: Floats, most: int
) -> tuple[NDArray[np.intp], NDArray[np.intp], Floats]:
    """No more than `most` candidates of each target, the best ones."""
    starts = np.flatnonzero(np.diff(targets, prepend=-1))
    counts = np.diff(starts, append=len(targets))
    if counts.max() <= most:
        return targets, partners, values
    ranked = np.lexsort((-values, targets))
    place = np.arange(len(targets)) - np.repeat(starts, counts)
    ranked = ranked[place < most]
    return targets[ranked], partners[ranked], values[ranked]


# --- what decides -----------------------------------------------------------------------------------------


def _decided(rows: _Rows, groups: Numbers, best: _Best, k: int, least: float, unsure: float) -> Near:
    """The k nearest by exact products among all that may be."""
    pairs: list[NDArray[np.int64]] = [np.empty(0, dtype=np.int64)]
    sims: list[Exact] = [np.empty(0)]
    for start in range(0, len(rows), CHUNK):
        values = best.values[start : start + CHUNK]
        floor = np.partition(values, -k, axis=1)[:, -k] - np.float32(unsure)  # the k-th best, or less
        tied = (values.min(axis=1) >= floor) & (floor > _NONE)  # others may have been as good
        near, place = np.nonzero((values >= floor[:, None]) & (values > _NONE) & ~tied[:, None])
        found: list[tuple[NDArray[np.integer], NDArray[np.integer]]]
        found = [(near + start, best.rows[near + start, place])]
        found += _all_above(rows, groups, np.flatnonzero(tied) + start, floor[tied])
        for targets, partners in found:
            exact = rows.products(targets, partners)
            chosen = _first(targets, partners, exact, k) & (exact >= least)
            targets, partners, exact = targets[chosen], partners[chosen], exact[chosen]
            low = np.minimum(targets, partners).astype(np.int64)
            pairs.append(low * len(rows) + np.maximum(targets, partners))
            sims.append(exact)
    keys, first = np.unique(np.concatenate(pairs), return_index=True)
    low, high = np.divmod(keys, max(1, len(rows)))
    return Near(low.astype(np.int32), high.astype(np.int32), np.concatenate(sims)[first])


def _first(
    targets: NDArray[np.integer], partners: NDArray[np.integer], exact: Exact, k: int
) -> NDArray[np.bool_]:
    """Which candidates are among the k best of their target: by product, then by the partner's number."""
    ranked = np.lexsort((partners, -exact, targets))
    ordered = targets[ranked]
    starts = np.flatnonzero(np.diff(ordered, prepend=-1))
    place = np.arange(len(ordered)) - np.repeat(starts, np.diff(starts, append=len(ordered)))
    chosen = np.zeros(len(targets), dtype=np.bool_)
    chosen[ranked[place < k]] = True
    return chosen


def _all_above(
    rows: _Rows, groups: Numbers, targets: NDArray[np.intp], floors: Floats
) -> Iterator[tuple[NDArray[np.integer], NDArray[np.integer]]]:
    """All candidates of rows that have too many of nearly the same product, such as a sentence that many
    articles share; a few rows at a time."""
    step = max(1, TILE * STRIP // max(1, len(rows)))
    for at in range(0, len(targets), step):
        some = targets[at : at + step]
        left = rows.some(some)
        found = []
        for start in range(0, len(rows), TILE):
            products = left @ rows.block(start).T
            products[groups[some][:, None] == groups[None, start : start + TILE]] = _NONE
            near, place = np.nonzero(products >= floors[at : at + step, None])
            found.append((some[near], place + start))
        yield np.concatenate([a for a, _ in found]), np.concatenate([b for _, b in found])
