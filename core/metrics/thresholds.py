"""How much the choice of a similarity threshold decides, and which one labelled pairs speak for.

    rows = table(near_pairs(gold, predicted, kin, least=0.5))      # P / R / F1 at 0.5, 0.6 ... 1.0
    youden([(0.9, True), (0.4, False), ...])                        # the threshold that separates best

**Threshold table.** At threshold t a prediction e may match a gold id g of its document if e = g or
similarity(e, g) >= t; TP(t) is the size of the largest one-to-one matching, pooled over documents, and P, R
and F1 follow by rule V1. At 1 different ids with similarity 1 do match. `mean_f1` is the mean over the rows.

**seed_literal_area** is what the snippet of the source computes: points sorted by (recall, precision),
trapezoids, no anchor. It is not an AUPRC: predictions and gold are fixed, so P = TP / |predicted| and
R = TP / |gold| lie on one line through the origin, and the area only restates its end points.

**Youden.** Labelled pairs (similarity, whether the two mean the same); a pair is called the same from t on,
inclusive. J(t) = TPR(t) - FPR(t) over the distinct similarities; the result is the t of the largest J, ties
(within 1e-12) the highest t. It balances the two rates and does not minimise the number of errors.

Source: Full-Text HPO Extraction Benchmarking Framework, sections 5.3 and 5.4; metric-definitions 6.3, 6.4,
R25, R26.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from core.metrics.bootstrap import Draws, Floats
from core.metrics.definition import Estimate, Family, Metric
from core.metrics.near_pairs import Integers, NearPairs
from core.metrics.sums import formulas, ratio

_SOURCE = "Full-Text HPO Extraction Benchmarking Framework, section 5.4; metric-definitions 6.4"


def _ratio(s: Any, top: Floats, bottom: Floats) -> Floats:
    return np.where(s.said + s.gold == 0, 1.0, ratio(top, bottom))


def _precision(s: Any) -> Floats:
    return _ratio(s, s.hits, s.said)


def _recall(s: Any) -> Floats:
    return _ratio(s, s.hits, s.gold)


def _f1(s: Any) -> Floats:
    return _ratio(s, 2 * s.hits, s.said + s.gold)


def area(precisions: Floats, recalls: Floats) -> Floats:
    """`seed_literal_area` of each row of points, shape (rows, points) -> (rows,)."""
    order = np.lexsort((precisions, recalls), axis=-1)
    p, r = (np.take_along_axis(side, order, axis=-1) for side in (precisions, recalls))
    found: Floats = np.sum(np.diff(r) * (p[:, 1:] + p[:, :-1]) / 2, axis=-1)
    return found


FAMILY = Family(
    title="Similarity thresholds",
    item="a concept of a document (sets; assertions are ignored)",
    source=_SOURCE,
    undefined="No documents: undefined. Neither gold nor predictions: 1. Any other zero denominator: 0.",
    metrics={
        "precision": Metric(
            "Precision at a threshold",
            "Which share of the proposals is right, if concepts at least this similar are taken as the same?",
            "ΣTP(t) / Σ|predicted|, TP(t) = largest one-to-one matching of pairs with similarity >= t",
            of=_precision,
            per="threshold",
        ),
        "recall": Metric(
            "Recall at a threshold",
            "Which share of the gold was found, if concepts at least this similar are taken as the same?",
            "ΣTP(t) / Σ|gold|, TP(t) = largest one-to-one matching of pairs with similarity >= t",
            of=_recall,
            per="threshold",
        ),
        "f1": Metric(
            "F1 at a threshold",
            "How much does the score depend on what is taken as the same?",
            "2ΣTP(t) / (Σ|predicted| + Σ|gold|)",
            of=_f1,
            per="threshold",
        ),
        "mean_f1": Metric(
            "Mean F1 over thresholds",
            "How good are the proposals, without settling on one threshold?",
            "arithmetic mean of F1 over the rows of the table",
            of=lambda s: _f1(s).mean(axis=1),
        ),
        "seed_literal_area": Metric(
            "Area over the threshold table (not an AUPRC)",
            "What does the source's own snippet give, for comparison with its figures?",
            "rows sorted by (recall, precision), Σ (R_i - R_(i-1)) · (P_i + P_(i-1)) / 2, no anchor",
            range="[0, 0.5]",
            direction="none",
            source=_SOURCE + ", R26: points of one line through the origin, so it only restates their ends",
            of=lambda s: area(_precision(s), _recall(s)),
        ),
        "youden": Metric(
            "Youden threshold",
            "From which similarity on should two concepts be taken as the same?",
            "the t with the largest J(t) = TPR(t) - FPR(t) over the distinct similarities of labelled pairs;"
            " ties (within 1e-12): the highest t",
            direction="none",
            source="Full-Text HPO Extraction Benchmarking Framework, section 5.3; metric-definitions 6.3",
            undefined="Pairs of one class only, or no J above 0: undefined.",
        ),
    },
)
THRESHOLDS = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
MEASURES = ("precision", "recall", "f1")
NO_DOCUMENTS = "No document has complete gold."
ONE_CLASS = "Labelled pairs of both kinds are needed, the same and not the same."
NO_SEPARATION = "No threshold separates the pairs better than chance: no J is above 0."

_TIE = 1e-12


class RocPoint(NamedTuple):
    """What calling pairs the same from `threshold` on, inclusive, does."""

    threshold: float
    true_positive_rate: float
    false_positive_rate: float

    @property
    def j(self) -> float:
        return self.true_positive_rate - self.false_positive_rate


@dataclass(frozen=True, slots=True)
class Youden:
    threshold: float | None
    """None: undefined, and `reason` says why."""
    j: float | None
    """The largest, in [0, 1]; 0: no threshold separates the classes, so there is none. None: undefined."""
    n: int
    """Labelled pairs."""
    curve: tuple[RocPoint, ...]
    """Every distinct similarity, highest first, collinear points included; empty with one class only."""
    reason: str | None = None


def youden(pairs: Iterable[tuple[float, bool]]) -> Youden:
    """The threshold that separates labelled pairs best.

    Args:
        pairs: (similarity, whether the two are equivalent), in any order.

    Raises:
        ValueError: a similarity is no number.
    """
    rows = list(pairs)
    similarity = np.array([s for s, _ in rows], dtype=np.float64)
    if np.isnan(similarity).any():
        raise ValueError("a similarity is no number (NaN)")
    same = np.array([bool(e) for _, e in rows], dtype=np.bool_)
    positives, negatives = int(same.sum()), int((~same).sum())
    if not positives or not negatives:
        return Youden(None, None, len(rows), (), ONE_CLASS)
    order = np.argsort(-similarity, kind="stable")
    ranked = similarity[order]
    last = np.append(np.flatnonzero(np.diff(ranked)), len(ranked) - 1)
    tpr = np.cumsum(same[order])[last] / positives
    fpr = np.cumsum(~same[order])[last] / negatives
    curve = tuple(
        RocPoint(*point) for point in zip(*(c.tolist() for c in (ranked[last], tpr, fpr)), strict=True)
    )
    best = max(point.j for point in curve)
    if best <= _TIE:
        return Youden(None, best, len(rows), curve, NO_SEPARATION)
    chosen = next(point for point in curve if best - point.j <= _TIE)
    return Youden(chosen.threshold, chosen.j, len(rows), curve)


@dataclass(frozen=True, slots=True)
class ThresholdTable:
    estimates: dict[str, Estimate]
    """`precision:0.5`, ... of every threshold, `mean_f1` and `seed_literal_area`."""
    resampled: dict[str, Floats]
    """The same: value in each resample, shape (resamples,)."""
    thresholds: tuple[float, ...]
    matched: tuple[Integers, ...]
    """At every threshold the pairs of `near` that its matching holds."""
    near: NearPairs


def largest(near: NearPairs, threshold: float) -> Integers:
    """The pairs of a largest one-to-one matching of ids that are the same or at least so similar."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    allowed = np.flatnonzero(near.exact | (near.similarity >= threshold))
    if not len(allowed):
        return allowed
    rows, columns = near.prediction[allowed], near.golden[allowed]
    shape = len(near.predicted.ids), len(near.gold.ids)
    links = csr_array((np.ones(len(allowed), dtype=np.int8), (rows, columns)), shape=shape)
    partner = maximum_bipartite_matching(links, perm_type="column")
    found: Integers = allowed[partner[rows] == columns]
    return found


def table(
    near: NearPairs,
    thresholds: Sequence[float] = THRESHOLDS,
    *,
    index_lists: Iterable[Draws] | Draws = (),
    level: float = 0.95,
) -> ThresholdTable:
    """P, R and F1 at every threshold, with intervals over documents.

    Args:
        near: pairs from `near_pairs` with `least` no higher than the lowest threshold.
        thresholds: in (0, 1], ascending, at least one.
        index_lists: resamples over `near.documents` in their order; empty for no intervals.
    """
    n = len(near.documents)
    matched = tuple(largest(near, t) for t in thresholds)
    hits = [np.bincount(near.document_of(pairs), minlength=n) for pairs in matched]
    found = formulas(
        FAMILY,
        {
            "said": near.predicted.sizes(n).reshape(-1, 1),
            "gold": near.gold.sizes(n).reshape(-1, 1),
            "hits": np.column_stack(hits),
        },
        strata=[float(t) for t in thresholds],
        n=lambda name: n,
        reason=lambda name: NO_DOCUMENTS,
        index_lists=index_lists,
        level=level,
    )
    return ThresholdTable(*found, tuple(thresholds), matched, near)
