"""Agreement of raters with bootstrap intervals over documents.

    ratings = [("d1", ("affirmed", "absent")), ("d1", ("affirmed", "affirmed"))]
    kappa(ratings, ["d1"], Bootstrap(1000))

Items of one document hang together, so documents are resampled and not items (metric-definitions 0.6). Each
coefficient is a function of sums over documents, so all resamples are one matrix product; the point value is
that of `core.metrics.agreement`, and a resample in which it is undefined is dropped and counted.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from core.metrics.agreement import NONE_TWICE, Distance, agreement, alpha, fleiss_of, nominal_alpha
from core.metrics.bootstrap import Floats, bounded, draws, resample
from core.metrics.definition import Estimate
from core.metrics.documents import ratios
from core.metrics.rating_counts import RatingCounts, count_ratings
from core.metrics.sums import divide

Ratings = Sequence[tuple[str, Sequence[Hashable | None]]]
"""One (doc_id, the ratings of one item) each; None: missing."""


NONE_BY_ALL = "No item was rated by all raters."
WIDE = 200
"""Columns of sums over documents from which on most places are empty."""


class Bootstrap(NamedTuple):
    """How intervals are drawn."""

    resamples: int = 1000
    """0: no intervals."""
    seed: int = 13
    level: float = 0.95


def observed(ratings: Ratings, documents: Sequence[str], how: Bootstrap) -> Estimate:
    """The share of items, rated by two or more, on which all who rated say the same; see `kappa`."""
    said = [(d, unit if None not in unit else [x for x in unit if x is not None]) for d, unit in ratings]
    counted = [(d, float(unit.count(unit[0]) == len(unit)), 1.0) for d, unit in said if len(unit) > 1]
    if not counted:
        return Estimate(None, len(documents), reason=NONE_TWICE)
    table = np.zeros((len(documents), 2))
    np.add.at(table, _at(counted, documents), np.array([row[1:] for row in counted]))
    equal, n = table.sum(axis=0).tolist()
    return estimate(equal / n, None, table, lambda sums: divide(sums[:, 0], sums[:, 1]), how)


def kappa(ratings: Ratings, documents: Sequence[str], how: Bootstrap) -> Estimate:
    """Cohen's kappa of two raters.

    Args:
        documents: every document that both have looked at, those without an item included: what is resampled.
    """
    rated = [(doc_id, unit) for doc_id, unit in ratings if None not in unit]
    found = agreement((unit[0], unit[1]) for _, unit in ratings)
    labels = _places(unit for _, unit in rated)
    k = len(labels)
    at = _at(rated, documents)
    given = np.array([(labels[a], labels[b]) for _, (a, b) in rated], dtype=np.int64).reshape(-1, 2)
    columns = [0 * at, 0 * at + 1, 2 + given[:, 0], 2 + k + given[:, 1]]
    one = np.ones(len(at))
    equal = (given[:, 0] == given[:, 1]).astype(np.float64)
    table = _table((len(documents), 2 * k + 2), [at] * 4, columns, [one, equal, one, one])

    def statistic(sums: Floats) -> Floats:
        n, equal = sums[:, 0], sums[:, 1]
        chance = (sums[:, 2 : 2 + k] * sums[:, 2 + k :]).sum(axis=1)
        return divide(equal * n - chance, n**2 - chance)

    return estimate(found.kappa, found.reason, table, statistic, how)


def alpha_estimate(ratings: Ratings, documents: Sequence[str], how: Bootstrap) -> Estimate:
    """Nominal alpha of any number of raters; see `kappa` for `documents`."""
    counts = count_ratings(unit for _, unit in ratings)
    found = nominal_alpha(counts)
    pairable = counts.m >= 2
    apart = np.where(pairable, (counts.m**2 - counts.squares) / np.maximum(counts.m - 1, 1), 0.0)
    table = _counted(documents, _at(ratings, documents), apart, counts, pairable)

    def statistic(sums: Floats) -> Floats:
        apart, n = sums[:, 0], sums[:, 1:].sum(axis=1)
        # 1 - (apart / n) / (chance / (n (n - 1)))
        return 1 - divide(apart * (n - 1), n**2 - (sums[:, 1:] ** 2).sum(axis=1))

    return estimate(found.value, found.reason, table, statistic, how)


def distant_alpha(ratings: Ratings, documents: Sequence[str], distance: Distance, how: Bootstrap) -> Estimate:
    """Alpha with a distance of labels, of which there are few (`core.metrics.agreement.alpha`); see `kappa`
    for `documents`."""
    found = alpha((unit for _, unit in ratings), distance)
    counts = count_ratings(unit for _, unit in ratings)
    names = sorted({label for _, unit in ratings for label in unit if label is not None}, key=str)
    k = len(names)
    far = np.zeros((k, k))
    rows, columns = np.triu_indices(k, 1)
    if len(rows):
        far[rows, columns] = distance([names[i] for i in rows], [names[j] for j in columns])
    far += far.T
    held = np.zeros((len(counts.m), k))
    held[counts.item, counts.label] = counts.given
    pairable = counts.m >= 2
    apart = np.where(pairable, ((held @ far) * held).sum(axis=1) / np.maximum(counts.m - 1, 1), 0.0)
    table = _counted(documents, _at(ratings, documents), apart, counts, pairable)

    def statistic(sums: Floats) -> Floats:
        given = sums[:, 1:]
        n = given.sum(axis=1)
        return 1 - divide(sums[:, 0] * (n - 1), ((given @ far) * given).sum(axis=1))

    return estimate(found.value, found.reason, table, statistic, how)


def fleiss_estimate(ratings: Ratings, documents: Sequence[str], how: Bootstrap) -> Estimate:
    """Fleiss' kappa; see `kappa` for `documents`.

    Args:
        ratings: of items that all raters have rated.
    """
    if not ratings:
        return Estimate(None, len(documents), reason=NONE_BY_ALL)
    counts = count_ratings(unit for _, unit in ratings)
    found = fleiss_of(counts)
    if found.value is None:
        return Estimate(None, len(documents), reason=found.reason)
    m = int(counts.m[0])
    table = _counted(documents, _at(ratings, documents), counts.squares - m, counts)

    def statistic(sums: Floats) -> Floats:
        given = sums[:, 1:].sum(axis=1)
        observed = divide(sums[:, 0], given * (m - 1))
        expected = divide((sums[:, 1:] ** 2).sum(axis=1), given**2)
        return divide(observed - expected, np.where(expected < 1, 1 - expected, 0))

    return estimate(found.value, None, table, statistic, how)


def f1_estimate(
    named: Sequence[tuple[str, float, float]], documents: Sequence[str], how: Bootstrap
) -> Estimate:
    """Pairwise F1 from (doc_id, shared, named by A + named by B) of items or documents: 2·shared / named.

    Shared counts may be fractions (`core.metrics.near_agreement`). Nothing named: 1 (V1).
    """
    table = np.zeros((len(documents), 2))
    values = np.array([held[1:] for held in named], dtype=np.float64).reshape(-1, 2)
    np.add.at(table, _at(named, documents), values)
    shared, both = table.sum(axis=0).tolist()
    value = None
    if documents:
        value = 2 * shared / both if both else ratios(0, 0, 0).f1

    def statistic(sums: Floats) -> Floats:
        return np.where(sums[:, 1] == 0, 1.0, divide(2 * sums[:, 0], sums[:, 1]))

    return estimate(value, None if documents else "No document was looked at by both.", table, statistic, how)


def estimate(
    value: float | None,
    reason: str | None,
    table: Floats,
    statistic: Callable[[Floats], Floats],
    how: Bootstrap,
) -> Estimate:
    n = table.shape[0]
    if value is None:
        return Estimate(None, n, reason=reason)
    lists = draws(n, how.resamples, how.seed)
    found = resample(table, lambda sums: statistic(sums)[:, None], lists)
    return bounded(value, n, found[:, 0], how.level)


def _counted(
    documents: Sequence[str],
    at: npt.NDArray[np.int64],
    first: npt.NDArray[Any],
    counts: RatingCounts,
    kept: npt.NDArray[np.bool_] | None = None,
) -> Floats:
    """Documents x columns: the sum of `first` over items, then how often each label was given.

    Args:
        at: of each item, the place of its document.
        kept: which items count; None: all.
    """
    given = counts.given if kept is None else counts.given * kept[counts.item]
    rows, columns = [at, at[counts.item]], [0 * at, 1 + counts.label]
    return _table((len(documents), 1 + counts.labels), rows, columns, [first, given])


def _table(
    shape: tuple[int, int],
    rows: Sequence[npt.NDArray[np.int64]],
    columns: Sequence[npt.NDArray[np.int64]],
    values: Sequence[npt.NDArray[Any]],
) -> Floats:
    """Sums of values by place; one of many columns is sparse, since most of them are empty."""
    from scipy.sparse import csr_array

    placed = np.concatenate(values).astype(np.float64), (np.concatenate(rows), np.concatenate(columns))
    table: Any = csr_array(placed, shape=shape)
    found: Floats = table if shape[1] > WIDE else table.toarray()
    return found


def _places(units: Iterable[Sequence[Hashable | None]]) -> dict[Hashable | None, int]:
    labels = {label for unit in units for label in unit if label is not None}
    return {label: at for at, label in enumerate(sorted(labels, key=str))}


def _at(rows: Sequence[tuple[Any, ...]], documents: Sequence[str]) -> npt.NDArray[np.int64]:
    """Of each row, which begins with a doc_id, the place of its document."""
    place = {doc_id: at for at, doc_id in enumerate(documents)}
    return np.array([place[row[0]] for row in rows], dtype=np.int64)
