"""One-to-one matching of predictions and gold items: the optimum, whatever order they come in.

    match([(0, 0, 1.0, EXACT), (0, 1, 0.9, SEMANTIC), (1, 0, 0.9, SEMANTIC)])  # [(0, 1), (1, 0)]: 1.8, not 1

Each side is used at most once and the total credit is the largest possible (metric-definitions 0.4). A greedy
pass depends on the order of its input and is not offered. What shares no candidate is matched apart, so the
work follows the size of the parts and a whole corpus may be matched in one call, if its items are numbered
through. Credits are fractions; a pair without credit is never matched.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

EXACT, SEMANTIC, OTHER = 0, 1, 2
"""Ranks of kinds: of several optima that with most pairs of rank 0 is reported, then with most of rank 1."""

Candidate = tuple[int, int, float, int]
"""Prediction, gold, credit in (0, 1], rank of kind."""
Pairs = list[tuple[int, int]]
"""(prediction, gold), sorted."""

_TIE = 1e-10
"""Two totals closer than this are the same total: credits are sums of floats."""


def match(candidates: Sequence[Candidate] | npt.NDArray[np.float64]) -> Pairs:
    """The matching of largest total credit; of several, most exact pairs, then most semantic ones.

    Args:
        candidates: (prediction, gold, credit, rank of kind) of every pair that may match, in any order, or an
            array of these columns. Pairs without credit are left out; of a pair given twice the better
            counts.
    """
    predictions, golds = match_columns(candidates)
    return list(zip(predictions.tolist(), golds.tolist(), strict=True))


def match_columns(
    candidates: Sequence[Candidate] | npt.NDArray[np.float64],
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The same as (predictions, golds), each of shape (pairs,)."""
    table = np.asarray(candidates, dtype=np.float64).reshape(-1, 4)
    table = table[table[:, 2] > 0]
    if not len(table):
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    # sorted, so that nothing depends on the order of input; the best copy of a pair is the last
    table = table[np.lexsort((-table[:, 3], table[:, 2], table[:, 1], table[:, 0]))]
    predictions, golds = table[:, 0].astype(np.int64), table[:, 1].astype(np.int64)
    last = np.append((np.diff(predictions) != 0) | (np.diff(golds) != 0), True)
    table, predictions, golds = table[last], predictions[last], golds[last]

    alone = _once(predictions) & _once(golds)
    chosen = alone.copy()
    rest = np.flatnonzero(~alone)
    if len(rest):
        chosen[rest[_among_rivals(predictions[rest], golds[rest], table[rest, 2], table[rest, 3])]] = True
    return predictions[chosen], golds[chosen]


Integers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


def _once(items: Integers) -> npt.NDArray[np.bool_]:
    """Which candidates are the only one of their item."""
    _, place, counts = np.unique(items, return_inverse=True, return_counts=True)
    found: npt.NDArray[np.bool_] = counts[place] == 1
    return found


def _among_rivals(predictions: Integers, golds: Integers, credit: Floats, rank: Floats) -> Integers:
    """Which candidates are matched, part by part."""
    part = _parts(predictions, golds)
    row, rows = _places(predictions, part)
    column, columns = _places(golds, part)
    value = _value(credit, rank, np.minimum(rows, columns)[part])
    star = np.minimum(rows, columns)[part] == 1
    order = np.argsort(part, kind="stable")
    order = order[~star[order]]
    assigned = order[_assign(part[order], row[order], column[order], value[order], rows, columns)]
    return np.concatenate((_best_of_each(part, value, star), assigned))


def _parts(predictions: Integers, golds: Integers) -> Integers:
    """Of each candidate the number of its connected part, 0 ... parts - 1."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    (left, row), (right, column) = (np.unique(side, return_inverse=True) for side in (predictions, golds))
    size = len(left) + len(right)
    links = coo_array((np.ones(len(row), dtype=np.int8), (row, len(left) + column)), shape=(size, size))
    labels: npt.NDArray[Any] = connected_components(links, directed=False)[1]
    return labels[row].astype(np.int64)


def _places(items: Integers, part: Integers) -> tuple[Integers, Integers]:
    """Of each candidate the place of its item within the part, and of each part the number of items."""
    found, first, place = np.unique(items, return_index=True, return_inverse=True)
    parts = part[first]
    order = np.argsort(parts, kind="stable")
    sizes = np.bincount(parts)
    within = np.empty(len(found), dtype=np.int64)
    within[order] = np.arange(len(found)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return within[place], sizes


def _value(credit: Floats, rank: Floats, pairs: Integers) -> Floats:
    """Credit with a bonus for better kinds, too small in sum to outweigh credit.

    With at most m pairs in a part, m exact pairs weigh `_TIE` together, and m semantic ones less than one
    exact pair.
    """
    exact = _TIE / pairs
    value: Floats = credit + np.where(
        rank == EXACT, exact, np.where(rank == SEMANTIC, exact / (pairs + 1), 0)
    )
    return value


def _best_of_each(part: Integers, value: Floats, among: npt.NDArray[np.bool_]) -> Integers:
    """Parts where all candidates share an item hold one pair, the best; of equals the first."""
    members = np.flatnonzero(among)
    members = members[np.lexsort((members, -value[members], part[members]))]
    return members[np.flatnonzero(np.diff(part[members], prepend=-1))]


def _assign(
    part: Integers, row: Integers, column: Integers, value: Floats, rows: Integers, columns: Integers
) -> npt.NDArray[np.bool_]:
    """Which candidates are matched in parts where several items of either side are rivals.

    Args:
        part, row, column, value: of each candidate, in order of part.
        rows, columns: how many items of either side each part has.
    """
    from scipy.optimize import linear_sum_assignment

    offset = np.cumsum(rows) - rows
    taken = np.full(int(rows.sum()), -1)
    bounds = [*np.flatnonzero(np.diff(part, prepend=-1)).tolist(), len(part)]
    heads = part[bounds[:-1]]
    shapes = zip(offset[heads].tolist(), rows[heads].tolist(), columns[heads].tolist(), strict=True)
    for (start, end), (first, height, width) in zip(pairwise(bounds), shapes, strict=True):
        worth = np.zeros((height, width))
        worth[row[start:end], column[start:end]] = value[start:end]
        matched, to = linear_sum_assignment(worth, maximize=True)
        taken[first + matched] = to
    found: npt.NDArray[np.bool_] = taken[offset[part] + row] == column
    return found
