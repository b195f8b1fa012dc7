"""Bounds of precision, recall and F1 against gold whose completeness is not known.

    items = judge(gold, predicted, confidences, sure=0.8)
    score(items, index_lists=draws(len(gold))).estimates["optimistic:precision"]

True positives and misses by exact id, counts pooled over documents:

    conservative   every prediction outside the gold is a false positive
    optimistic     only those with a confidence >= `sure` (inclusive) are; without confidences none is
    expected       the mean of the two, separately for P, R and F1: a midpoint, not an expectation

Recall is the same in all three. A confident prediction outside the gold counts against the system; the
optimism lies in forgiving the unsure ones. Where some predictions bear a confidence and others none, the
latter are forgiven, too.

Source: Full-Text HPO Extraction Benchmarking Framework, section 4.4; metric-definitions 6.2, R24.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.metrics.bootstrap import Draws, Floats
from core.metrics.definition import Estimate, Family, Metric
from core.metrics.documents import ALL_SKIPPED, VACUOUS, Sets, Vacuous
from core.metrics.sums import formulas, ratio


def _reading(s: Any, fp: Floats) -> Floats:
    """Precision, recall and F1, shape (rows, 3)."""
    tp, fn = s.tp, s.fn
    ratios = (ratio(tp, tp + fp), ratio(tp, tp + fn), ratio(2 * tp, 2 * tp + fp + fn))
    nothing = tp + s.sure + s.forgiven + fn == 0
    empty = np.nan if s.of_nothing is None else s.of_nothing
    return np.where(nothing[:, None], empty, np.column_stack(ratios))


FAMILY = Family(
    title="Bounds for gold of unknown completeness",
    item="a concept of a document (sets: a concept counts once per document)",
    source="Full-Text HPO Extraction Benchmarking Framework, section 4.4; metric-definitions 6.2",
    undefined="No documents: undefined. Neither gold nor predictions: 1. Any other zero denominator, 0 / 0:"
    " 0.",
    metrics={
        "conservative": Metric(
            "Conservative bound",
            "What are P, R and F1 if everything outside the gold is wrong?",
            "P, R, F1 of ΣTP, ΣFP, ΣFN; FP = every prediction outside the gold",
            of=lambda s: _reading(s, s.sure + s.forgiven),
            per="measure",
        ),
        "optimistic": Metric(
            "Optimistic bound",
            "What are P, R and F1 if only what the system was sure of counts as wrong?",
            "P, R, F1 of ΣTP, ΣFP, ΣFN; FP = predictions outside the gold with a confidence of at least the"
            " chosen one (0.8); without confidences none",
            of=lambda s: _reading(s, s.sure),
            per="measure",
        ),
        "expected": Metric(
            "Midpoint of the bounds",
            "Where is the middle between the two bounds?",
            "(conservative + optimistic) / 2, separately for P, R and F1; not an expectation",
            of=lambda s: (_reading(s, s.sure + s.forgiven) + _reading(s, s.sure)) / 2,
            per="measure",
        ),
    },
)
READINGS = tuple(FAMILY.metrics)
MEASURES = ("precision", "recall", "f1")
VALUES = FAMILY.names(MEASURES)
"""Names of estimates."""
NO_DOCUMENTS = "No document has complete gold."

Predictions = Sequence[tuple[Any, float | None]]
"""Ids with their confidence in [0, 1], or None; the same id more than once keeps the highest."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One document: each list sorted by id."""

    doc_id: str
    tp: tuple[Any, ...]
    sure: tuple[Any, ...]
    """Outside the gold in either reading."""
    forgiven: tuple[Any, ...]
    """Outside the gold in the conservative reading only."""
    fn: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class BoundScores:
    estimates: dict[str, Estimate]
    """Every name of `VALUES`."""
    resampled: dict[str, Floats]
    """The same: value in each resample, shape (resamples,)."""
    judged: tuple[Judged, ...]


def judge(gold: Sets, predicted: Mapping[str, Predictions], sure: float = 0.8) -> tuple[Judged, ...]:
    """The gold documents, sorted; a document without predictions counts as an empty prediction."""
    found = []
    for doc_id in sorted(gold):
        right = gold[doc_id]
        said = highest(predicted.get(doc_id, ()))
        outside = [i for i in said if i not in right]
        sure_of = {i for i in outside if (c := said[i]) is not None and c >= sure}
        found.append(
            Judged(
                doc_id,
                tp=_sorted(i for i in said if i in right),
                sure=_sorted(sure_of),
                forgiven=_sorted(i for i in outside if i not in sure_of),
                fn=_sorted(i for i in right if i not in said),
            )
        )
    return tuple(found)


def highest(predictions: Predictions) -> dict[Any, float | None]:
    """Every id with its highest confidence; None only where no copy bears one.

    Raises:
        ValueError: a confidence is not in [0, 1].
    """
    for i, confidence in predictions:
        if confidence is not None and not 0 <= confidence <= 1:
            raise ValueError(f"a confidence lies in [0, 1]: that of {i!r} is {confidence}")
    found = dict(predictions)
    if len(found) == len(predictions):
        return found
    found = {}
    for i, confidence in predictions:
        known = found.get(i)
        found[i] = confidence if known is None else known if confidence is None else max(known, confidence)
    return found


def score(
    judged: Sequence[Judged],
    *,
    vacuous: Vacuous = "one",
    index_lists: Iterable[Draws] | Draws = (),
    level: float = 0.95,
) -> BoundScores:
    """Pooled values with intervals over documents.

    Args:
        vacuous: what all readings score where there is neither gold nor predictions.
        index_lists: resamples over `judged` in their order; empty for no intervals.
    """
    n = len(judged)
    sides = ("tp", "sure", "forgiven", "fn")

    def settled(sums: Any) -> None:
        sums.of_nothing = VACUOUS[vacuous]

    found = formulas(
        FAMILY,
        {side: np.array([len(getattr(d, side)) for d in judged], dtype=np.float64) for side in sides},
        strata=MEASURES,
        further=settled,
        n=lambda name: n,
        reason=lambda name: ALL_SKIPPED if n else NO_DOCUMENTS,
        index_lists=index_lists,
        level=level,
    )
    return BoundScores(*found, tuple(judged))


def _sorted(ids: Iterable[Any]) -> tuple[Any, ...]:
    found = tuple(ids)
    return tuple(sorted(found, key=str)) if len(found) > 1 else found
