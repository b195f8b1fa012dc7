"""Agreement of raters on nominal labels, none of whom is gold.

    agreement([("present", "absent"), ...])          # two raters: observed agreement and Cohen's kappa
    fleiss([[2, 1], [3, 0]])                         # the same number of raters on every item
    alpha([("present", None, "absent"), ...])        # any number of raters, ratings may be missing
    pairwise_f1({"d1": {"HP:1"}}, {"d1": set()})     # F1 of one against the other, the same either way round

What an item is, the caller decides and says. Over a union of what any rater proposed every item is
positive for somebody, so kappa on it is pessimistic: pairwise F1 stands beside it (metric-definitions,
section 8 and R28). Labels that are more or less alike, such as concepts, have a distance: see `alpha`, and
`core.metrics.near_agreement` for concepts of documents.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from core.metrics.definition import Family, Metric
from core.metrics.documents import Sets, compare, ratios
from core.metrics.rating_counts import RatingCounts, count_ratings, of_table

FAMILY = Family(
    title="Agreement of raters",
    item="an item that two or more rate, such as a concept of a document or a pair of claims",
    range="[-1, 1]",
    source="Full-Text HPO Extraction Benchmarking Framework, section 4.2; metric-definitions, section 8",
    undefined="No documents. Both silent everywhere: 1 (rule V1).",
    metrics={
        "observed": Metric(
            "Observed agreement",
            "On which share of the items do both say the same?",
            "p_o = items with equal labels / items",
            range="[0, 1]",
            undefined="No item rated by both.",
        ),
        "kappa": Metric(
            "Cohen's kappa",
            "How far is their agreement above what two raters with these habits reach by chance?",
            "κ = (p_o - p_e) / (1 - p_e), p_e = Σ_k p_A(k) · p_B(k)",
            undefined="No item rated by both, or both give one and the same label to everything (p_e = 1)."
            " One rater constant: 0 by the formula.",
        ),
        "pairwise_f1": Metric(
            "Pairwise F1",
            "How much of what either names does the other name, too?",
            "2·both / (2·both + only A + only B), summed over documents: micro F1 of one against the other",
            range="[0, 1]",
        ),
        "fleiss": Metric(
            "Fleiss' kappa",
            "How far do several raters agree above chance, where all of them rated every item?",
            "κ = (P̄ - P̄_e) / (1 - P̄_e), P̄ = mean over items of (Σ_j n_ij² - m) / (m(m - 1)), P̄_e = Σ_j p_j²,"
            " p_j = share of label j among all ratings, m raters",
            undefined="No item, fewer than two raters, another number of raters on some item (take alpha),"
            " or one label for everything.",
        ),
        "alpha": Metric(
            "Krippendorff's alpha",
            "How far do raters agree above chance, whoever rated what?",
            "α = 1 - D_o / D_e; D_o = 1/n Σ_u Σ ordered pairs of different labels in u, each 1/(m_u - 1);"
            " D_e = (n² - Σ_c n_c²) / (n(n - 1)); items with fewer than two ratings are left out",
            undefined="No item with two ratings, or one label for everything (D_e = 0).",
        ),
        "hierarchy_alpha": Metric(
            "Hierarchy-aware alpha",
            "How far do raters agree on concepts, if naming a close relative is half a disagreement and not a"
            " whole one?",
            "α with D_o and D_e weighted by the distance of the two labels: 1 - similarity of their concepts,"
            " 1 where only one names a concept or the status differs; concepts that only one names are paired"
            " one to one where they are alike",
            source="core.metrics.near_alpha; Krippendorff's alpha with a distance. metric-definitions has no"
            " entry",
            undefined="No item with two ratings, or no two different labels.",
        ),
        "hierarchy_f1": Metric(
            "Hierarchy-aware pairwise F1",
            "How much of what either names does the other name, too, or something alike?",
            "2·Σ similarity of paired concepts / (named by A + named by B), summed over documents; equal"
            " concepts first, what is left paired one to one where it is alike",
            range="[0, 1]",
            source="core.metrics.near_agreement. metric-definitions has no entry",
        ),
    },
)

_NO_ITEM = "No item was rated by both."
_ONE_LABEL = "Both give one and the same label to every item, so chance agreement is complete."
_NONE_RATED = "No item was rated."
_FEW_RATERS = "An item needs at least two raters."
_UNEQUAL = "Not every item has the same number of raters: see Krippendorff's alpha."
NONE_TWICE = "No item was rated by two."
ALL_ALIKE = "Every rating is one and the same label, so chance agreement is complete."

Distance = Callable[[Sequence[Any], Sequence[Any]], npt.NDArray[np.float64] | Sequence[float]]
"""How far apart each two labels are, in [0, 1], the same either way round; of different labels only."""
PAIRS_AT_ONCE = 1_000_000
"""Pairs of labels whose distance is asked for in one call: bounds memory, changes no result."""


@dataclass(frozen=True, slots=True)
class Agreement:
    observed: float | None
    """Share of items with equal labels, in [0, 1]."""
    expected: float | None
    """The share to expect by chance from how often each rater uses each label, in [0, 1]."""
    kappa: float | None
    """In [-1, 1]; None: undefined, and `reason` says why."""
    n: int
    """Items rated by both."""
    missing: int = 0
    """Items left out because a label is missing."""
    reason: str | None = None


def agreement(pairs: Iterable[tuple[Hashable | None, Hashable | None]]) -> Agreement:
    """Observed agreement and Cohen's kappa, nominal labels compared as they are.

    Args:
        pairs: one (label of A, label of B) for each item; None: missing, which removes the item.
    """
    everything = list(pairs)
    rated = [(a, b) for a, b in everything if a is not None and b is not None]
    n, missing = len(rated), len(everything) - len(rated)
    if not n:
        return Agreement(None, None, None, 0, missing, _NO_ITEM)
    # whole numbers until the last step: equal tables give equal values, and "complete" is exact
    equal = sum(a == b for a, b in rated)
    of_a, of_b = Counter(a for a, _ in rated), Counter(b for _, b in rated)
    chance = sum(count * of_b[label] for label, count in of_a.items())
    observed, expected = equal / n, chance / n**2
    if chance == n**2:
        return Agreement(observed, expected, None, n, missing, _ONE_LABEL)
    return Agreement(observed, expected, (equal * n - chance) / (n**2 - chance), n, missing)


def pairwise_f1(a: Sets, b: Sets) -> float | None:
    """Micro F1 of two raters' sets over the documents of either, in [0, 1]; None where there is none."""
    documents = {d: a.get(d, frozenset()) for d in a.keys() | b.keys()}
    outcomes = compare(documents, b)
    if not outcomes:
        return None
    both = sum(len(o.tp) for o in outcomes)
    return ratios(both, sum(len(o.fp) for o in outcomes), sum(len(o.fn) for o in outcomes)).f1


@dataclass(frozen=True, slots=True)
class Coefficient:
    """A chance-corrected coefficient of any number of raters."""

    value: float | None
    """At most 1; 0 is chance. None: undefined, and `reason` says why."""
    observed: float | None
    """Fleiss: agreement, P̄. Alpha: disagreement, D_o. In [0, 1]."""
    expected: float | None
    """The same by chance: P̄_e, D_e."""
    n: int
    """Items that count."""
    left_out: int = 0
    """Items with fewer than two ratings."""
    reason: str | None = None


def fleiss(table: Sequence[Sequence[int]] | npt.NDArray[np.integer]) -> Coefficient:
    """Fleiss' kappa, every item rated by the same m ≥ 2 raters.

    Args:
        table: one row per item, one column per label: how many raters gave it that label, from 0.
    """
    if not len(table):
        return Coefficient(None, None, None, 0, reason=_NONE_RATED)
    return fleiss_of(of_table(np.asarray(table, dtype=np.int64)))


def fleiss_of(counts: RatingCounts) -> Coefficient:
    """`fleiss` from counts without their empty places."""
    n, raters = len(counts.m), np.unique(counts.m).tolist()
    if not n:
        return Coefficient(None, None, None, 0, reason=_NONE_RATED)
    if len(raters) > 1 or raters[0] < 2:
        return Coefficient(None, None, None, n, reason=_UNEQUAL if len(raters) > 1 else _FEW_RATERS)
    m = raters[0]
    # whole numbers until the last step: equal tables give equal values, and "complete" is exact
    alike = int(counts.squares.sum()) - n * m
    chance = sum(count**2 for count in counts.totals().tolist())
    observed, expected = alike / (n * m * (m - 1)), chance / (n * m) ** 2
    if chance == (n * m) ** 2:
        return Coefficient(None, observed, expected, n, reason=ALL_ALIKE)
    return Coefficient((observed - expected) / (1 - expected), observed, expected, n)


def alpha(units: Iterable[Sequence[Hashable | None]], distance: Distance | None = None) -> Coefficient:
    """Krippendorff's alpha over items with two or more ratings.

        D_o = 1/n Σ_u Σ_{i ≠ j in u} δ(i, j) / (m_u - 1)       D_e = Σ_{i ≠ j} δ(i, j) / (n(n - 1))

    over ordered pairs of ratings: of one item in D_o, of all items in D_e. δ is 1 for different labels unless
    a distance says otherwise; with δ = 1 for all of them this is the nominal alpha.

    Args:
        units: the ratings of each item, in any order; None: missing.
        distance: δ of different labels.
    """
    if distance is None:
        return nominal_alpha(count_ratings(units))
    counted = [Counter(label for label in unit if label is not None) for unit in units]
    rated = [unit for unit in counted if unit.total() >= 2]
    totals = Counter[Hashable]()
    for unit in rated:
        totals.update(unit)
    apart, chance = _weighted(rated, totals, distance) if rated else ({}, 0.0)
    return _alpha(apart, chance, totals.total(), len(rated), len(counted) - len(rated))


def nominal_alpha(counts: RatingCounts) -> Coefficient:
    """`alpha` without a distance, from how many raters gave each item each label."""
    rated = counts.m >= 2
    m, unlike = counts.m[rated], (counts.m**2 - counts.squares)[rated]
    apart = {size: float(unlike[m == size].sum()) for size in np.unique(m).tolist()}
    totals = counts.totals(rated).tolist()
    ratings = sum(totals)
    chance = ratings**2 - sum(count * count for count in totals)
    return _alpha(apart, chance, ratings, len(m), len(counts.m) - len(m))


def _alpha(apart: dict[int, float], chance: float, ratings: int, n: int, left_out: int) -> Coefficient:
    """From distances of ordered pairs of ratings, `apart` by the number of ratings of their item and `chance`
    over all of them."""
    if not n:
        return Coefficient(None, None, None, 0, left_out, NONE_TWICE)
    observed = sum(value / (m - 1) for m, value in sorted(apart.items())) / ratings
    expected = chance / (ratings * (ratings - 1))
    if not expected:
        return Coefficient(None, observed, expected, n, left_out, ALL_ALIKE)
    return Coefficient(1 - observed / expected, observed, expected, n, left_out)


def _weighted(
    rated: Sequence[Counter[Hashable]], totals: Counter[Hashable], distance: Distance
) -> tuple[dict[int, float], float]:
    """Distances of ordered pairs of ratings: in all items with so many ratings, and over all together."""
    labels = sorted(totals, key=str)
    place = {label: i for i, label in enumerate(labels)}
    together: dict[int, Counter[tuple[int, int]]] = {}
    for unit in rated:
        held = sorted((place[label], count) for label, count in unit.items())
        pairs = together.setdefault(unit.total(), Counter())
        for k, (i, count) in enumerate(held):
            for j, other in held[k + 1 :]:
                pairs[i, j] += 2 * count * other
    apart = {}
    for m, pairs in together.items():
        keys = sorted(pairs)
        lengths = _distances(distance, [labels[i] for i, _ in keys], [labels[j] for _, j in keys])
        apart[m] = float(np.dot([pairs[key] for key in keys], lengths)) if keys else 0.0
    sizes = np.array([totals[label] for label in labels], dtype=np.float64)
    chance, step = 0.0, max(1, PAIRS_AT_ONCE // len(labels))
    for start in range(0, len(labels), step):
        rows, columns = np.triu_indices(min(step, len(labels) - start), 1 + start, len(labels))
        lengths = _distances(distance, [labels[start + i] for i in rows], [labels[j] for j in columns])
        chance += 2 * float(np.dot(sizes[start + rows] * sizes[columns], lengths)) if len(rows) else 0.0
    return apart, chance


def _distances(distance: Distance, left: Sequence[Any], right: Sequence[Any]) -> npt.NDArray[np.float64]:
    return np.asarray(distance(left, right) if left else [], dtype=np.float64)
