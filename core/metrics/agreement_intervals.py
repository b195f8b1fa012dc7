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

from core.metrics.agreement import NONE_TWICE, agreement, fleiss, nominal_alpha, tabulate
from core.metrics.bootstrap import Floats, bounded, draws, resample
from core.metrics.definition import Estimate
from core.metrics.documents import ratios
from core.metrics.sums import divide

Ratings = Sequence[tuple[str, Sequence[Hashable | None]]]
"""One (doc_id, the ratings of one item) each; None: missing."""


class Bootstrap(NamedTuple):
    """How intervals are drawn."""

    resamples: int = 1000
    """0: no intervals."""
    seed: int = 13
    level: float = 0.95


def observed(ratings: Ratings, documents: Sequence[str], how: Bootstrap) -> Estimate:
    """The share of items, rated by two or more, on which all who rated say the same; see `kappa`."""
    rated = [
        (d, {label for label in unit if label is not None}, len(unit) - unit.count(None))
        for d, unit in ratings
    ]
    counted = [(doc_id, float(len(said) == 1), 1.0) for doc_id, said, m in rated if m > 1]
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
    table = np.zeros((len(documents), 2 * k + 2))
    at = _at(rated, documents)
    given = np.array([(labels[a], labels[b]) for _, (a, b) in rated], dtype=np.int64).reshape(-1, 2)
    np.add.at(table[:, 0], at, 1)
    np.add.at(table[:, 1], at, given[:, 0] == given[:, 1])
    np.add.at(table, (at, 2 + given[:, 0]), 1)
    np.add.at(table, (at, 2 + k + given[:, 1]), 1)

    def statistic(sums: Floats) -> Floats:
        n, equal = sums[:, 0], sums[:, 1]
        chance = (sums[:, 2 : 2 + k] * sums[:, 2 + k :]).sum(axis=1)
        return divide(equal * n - chance, n**2 - chance)

    return estimate(found.kappa, found.reason, table, statistic, how)


def alpha_estimate(ratings: Ratings, documents: Sequence[str], how: Bootstrap) -> Estimate:
    """Nominal alpha of any number of raters; see `kappa` for `documents`."""
    counts = tabulate(unit for _, unit in ratings)
    found = nominal_alpha(counts)
    m = counts.sum(axis=1)
    pairable = m >= 2
    at, counts, m = _at(ratings, documents)[pairable], counts[pairable], m[pairable]
    table = np.zeros((len(documents), 1 + counts.shape[1]))
    np.add.at(table[:, 0], at, (m**2 - (counts**2).sum(axis=1)) / (m - 1))
    np.add.at(table[:, 1:], at, counts)

    def statistic(sums: Floats) -> Floats:
        apart, n = sums[:, 0], sums[:, 1:].sum(axis=1)
        # 1 - (apart / n) / (chance / (n (n - 1)))
        return 1 - divide(apart * (n - 1), n**2 - (sums[:, 1:] ** 2).sum(axis=1))

    return estimate(found.value, found.reason, table, statistic, how)


def fleiss_estimate(ratings: Ratings, documents: Sequence[str], how: Bootstrap) -> Estimate:
    """Fleiss' kappa; see `kappa` for `documents`."""
    counts = tabulate(unit for _, unit in ratings)
    found = fleiss(counts)
    table = np.zeros((len(documents), 1 + counts.shape[1]))
    if found.value is None:
        return estimate(None, found.reason, table, _nothing, Bootstrap(0))
    m = int(counts[0].sum())
    at = _at(ratings, documents)
    np.add.at(table[:, 0], at, (counts**2).sum(axis=1) - m)
    np.add.at(table[:, 1:], at, counts)

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
    if value is None:
        return Estimate(None, len(table), reason=reason)
    lists = draws(len(table), how.resamples, how.seed)
    found = resample(table, lambda sums: statistic(sums)[:, None], lists)
    return bounded(value, len(table), found[:, 0], how.level)


def _nothing(sums: Floats) -> Floats:
    return np.full(len(sums), np.nan)


def _places(units: Iterable[Sequence[Hashable | None]]) -> dict[Hashable | None, int]:
    labels = {label for unit in units for label in unit if label is not None}
    return {label: at for at, label in enumerate(sorted(labels, key=str))}


def _at(rows: Sequence[tuple[Any, ...]], documents: Sequence[str]) -> npt.NDArray[np.int64]:
    """Of each row, which begins with a doc_id, the place of its document."""
    place = {doc_id: at for at, doc_id in enumerate(documents)}
    return np.array([place[row[0]] for row in rows], dtype=np.int64)
