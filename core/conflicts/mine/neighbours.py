"""The nearest rows of other groups, exactly, by matrix products over blocks.

A tile of products serves its rows and its columns, so that half of all products are made. Products of
float32 differ in their last places from machine to machine and from tile to tile; they only preselect. What
decides is the product in float64 of two given rows, which is always the same, then the order of the rows.

In memory: the vectors, one tile, and for each row a few more than k candidates (8 bytes each).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any, NamedTuple

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
WAITING = 8
"""Candidates, for each row of a block on average, that wait to be compared with those kept."""
CHUNK = 256
"""Pairs multiplied in float64 at once: 0.8 MiB a side at 384 dimensions."""
_NONE = np.float32(-np.inf)


class Near(NamedTuple):
    """Pairs of rows, first < second, each once, in ascending order."""

    first: Numbers
    second: Numbers
    sim: Exact

    def at(self, places: NDArray[Any]) -> Near:
        """Some of them."""
        return Near(self.first[places], self.second[places], self.sim[places])


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
    best = _Best(len(order), k + SPARE, least - unsure, unsure)
    tiles = [(i, j) for i in range(0, len(order), TILE) for j in range(i, len(order), TILE)]
    tile = np.empty((min(TILE, len(order)), min(TILE, len(order))), dtype=np.float32)
    left: Floats = tile[:0]
    at = -1
    for done, (i, j) in enumerate(tiles, 1):
        if i != at:
            left, at = rows.block(i), i
        right = left if i == j else rows.block(j)
        products = np.matmul(left, right.T, out=tile[: len(left), : len(right)])
        _hide_groups(products, groups, i, j)
        best.take(products, i, j)
        if progress is not None:
            progress(len(order) * done // len(tiles), len(order))
    best.finish()
    del tile, left
    return _decided(rows, groups, best, k, least, unsure)


def products(
    vectors: Floats, order: NDArray[np.intp], first: NDArray[np.integer], second: NDArray[np.integer]
) -> Exact:
    """Inner products of given pairs, as `nearest` tells them; arguments as there."""
    return _Rows(vectors, order).products(first, second)


class _Rows:
    """The vectors in the order that counts, block by block."""

    def __init__(self, vectors: Floats, order: NDArray[np.intp]) -> None:
        self._vectors, self._order = vectors, order
        self._sorted = bool(np.array_equal(order, np.arange(len(order))))

    def __len__(self) -> int:
        return len(self._order)

    def block(self, start: int) -> Floats:
        part = slice(start, start + TILE)
        return self._vectors[part] if self._sorted else self._vectors.take(self._order[part], axis=0)

    def some(self, numbers: NDArray[np.integer]) -> Floats:
        found: Floats = self._vectors.take(numbers if self._sorted else self._order[numbers], axis=0)
        return found

    def products(self, first: NDArray[np.integer], second: NDArray[np.integer]) -> Exact:
        """Inner products in float64, pair by pair."""
        found = np.empty(len(first), dtype=np.float64)
        for start in range(0, len(first), CHUNK):
            part = slice(start, start + CHUNK)
            a, b = (self.some(side[part]).astype(np.float64) for side in (first, second))
            a *= b
            np.sum(a, axis=1, out=found[part])
        return found


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
        unsure: what two products of the same rows may differ by.
    """

    def __init__(self, size: int, width: int, least: float, unsure: float) -> None:
        self.values = np.full((size, width), _NONE, dtype=np.float32)
        self.rows = np.full((size, width), -1, dtype=np.int32)
        self._unsure = np.float32(unsure)
        self._bar = np.full(size, least, dtype=np.float32)
        """What a new candidate of a row must be better than."""
        self._waiting: dict[int, list[tuple[Numbers, Numbers, Floats]]] = defaultdict(list)
        """Candidates not yet compared, by the first row of a block of `TILE` rows."""

    def take(self, products: Floats, i: int, j: int) -> None:
        """Products of rows from i on with rows from j on; j >= i."""
        if i == 0:
            self._raise(products, j)
        for start in range(0, len(products), STRIP):
            part = products[start : start + STRIP]
            above = self._better(part, i + start, j)
            rows, columns = (
                (place + at).astype(np.int32) for place, at in zip(above, (i + start, j), strict=True)
            )
            self._wait(i, rows, columns, part[above])
            if i != j:
                self._wait(j, columns, rows, part[above])

    def _raise(self, products: Floats, j: int) -> None:
        """Set the first bars of the columns, near what the worst candidate of each will be in the end, so
        that few have to be compared: each is what the best products of as many groups of rows reach as
        there are candidates to keep."""
        width = self.values.shape[1]
        groups = 4 * width
        each = len(products) // groups
        if each:
            best = products[: each * groups].reshape(each, groups, -1).max(axis=0)
            reached = np.partition(best.T, groups - width, axis=1)[:, groups - width]
            bars = self._bar[j : j + len(reached)]
            np.maximum(bars, reached - self._unsure, out=bars)

    def finish(self) -> None:
        """Compare those that still wait."""
        for block in list(self._waiting):
            self._compare(block)

    def _wait(self, block: int, targets: Numbers, partners: Numbers, values: Floats) -> None:
        """Note candidates of the rows of the block that begins with a row."""
        fine = values > self._bar[targets]
        self._waiting[block].append((targets[fine], partners[fine], values[fine]))
        if sum(len(held) for held, _, _ in self._waiting[block]) > WAITING * TILE:
            self._compare(block)

    def _compare(self, block: int) -> None:
        waited = self._waiting.pop(block)
        targets, partners, values = (np.concatenate(parts) for parts in zip(*waited, strict=True))
        turned = np.argsort((targets - block).astype(np.uint16), kind="stable")
        self._keep(targets[turned], partners[turned], values[turned])

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

    def _keep(self, targets: Numbers, partners: Numbers, values: Floats) -> None:
        """Add candidates; `targets` ascend."""
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
        self._bar[rows] = np.maximum(self._bar[rows], self.values[rows].min(axis=1))


def _foremost(
    targets: Numbers, partners: Numbers, values: Floats, most: int
) -> tuple[Numbers, Numbers, Floats]:
    """No more than `most` candidates of each target, the best ones."""
    starts = np.flatnonzero(np.diff(targets, prepend=-1))
    counts = np.diff(starts, append=len(targets))
    if counts.max() <= most:
        return targets, partners, values
    ranked = np.lexsort((-values, targets))
    place = np.arange(len(targets)) - np.repeat(starts, counts)
    ranked = ranked[place < most]
    return targets[ranked], partners[ranked], values[ranked]


def _decided(rows: _Rows, groups: Numbers, best: _Best, k: int, least: float, unsure: float) -> Near:
    """The k nearest by exact products among all that may be."""
    keys: list[NDArray[np.int64]] = [np.empty(0, dtype=np.int64)]
    for start in range(0, len(rows), TILE):
        values = best.values[start : start + TILE]
        floor = np.partition(values, -k, axis=1)[:, -k] - np.float32(unsure)  # the k-th best, or less
        tied = (values.min(axis=1) >= floor) & (floor > _NONE)  # others may have been as good
        near, place = np.nonzero((values >= floor[:, None]) & (values > _NONE) & ~tied[:, None])
        targets, partners = (near + start).astype(np.int32), best.rows[near + start, place]
        doubtful = np.bincount(near, minlength=len(values))[near] > k
        keys.append(_keys(targets[~doubtful], partners[~doubtful], len(rows)))
        keys.append(_keys(*_first(rows, targets[doubtful], partners[doubtful], k), len(rows)))
        for at in range(0, np.count_nonzero(tied), STRIP):
            some = np.flatnonzero(tied)[at : at + STRIP]
            others = _first_of_all(rows, groups, (some + start).astype(np.int32), floor[some], k)
            keys.append(_keys(*others, len(rows)))
    found = np.sort(np.concatenate(keys))
    del keys
    low, high = np.divmod(found[np.diff(found, prepend=-1) > 0], max(1, len(rows)))
    del found
    sims = rows.products(low, high)
    like = sims >= least
    return Near(low[like].astype(np.int32), high[like].astype(np.int32), sims[like])


def _keys(targets: Numbers, partners: Numbers, size: int) -> NDArray[np.int64]:
    """A number for each pair, whichever side comes first."""
    return np.minimum(targets, partners).astype(np.int64) * size + np.maximum(targets, partners)


def _first(rows: _Rows, targets: Numbers, partners: Numbers, k: int) -> tuple[Numbers, Numbers]:
    """The k best candidates of each target: by exact product, then by the partner's number."""
    ranked = np.lexsort((partners, -rows.products(targets, partners), targets))
    targets, partners = targets[ranked], partners[ranked]
    starts = np.flatnonzero(np.diff(targets, prepend=-1))
    place = np.arange(len(targets)) - np.repeat(starts, np.diff(starts, append=len(targets)))
    return targets[place < k], partners[place < k]


def _first_of_all(
    rows: _Rows, groups: Numbers, targets: Numbers, floors: Floats, k: int
) -> tuple[Numbers, Numbers]:
    """The same, among all rows, for targets that have too many of nearly the same product, such as a sentence
    that many articles share."""
    left = rows.some(targets)
    kept = np.empty(0, dtype=np.int32), np.empty(0, dtype=np.int32)
    for start in range(0, len(rows), TILE):
        products = left @ rows.block(start).T
        products[groups[targets][:, None] == groups[None, start : start + TILE]] = _NONE
        near, place = np.nonzero(products >= floors[:, None])
        if len(near):
            partners = (place + start).astype(np.int32)
            both = np.append(kept[0], targets[near]), np.append(kept[1], partners)
            kept = _first(rows, *both, k)
    return kept
