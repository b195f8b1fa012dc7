"""Area under the precision-recall curve of predictions that say how sure they are.

    curve = rank(gold, predicted)
    score(curve, index_lists=draws(len(gold))).estimates["auprc"]

Predictions of all documents are pooled and sorted by confidence, highest first; equal confidences enter
together. After group i the precision P_i is over what has entered, and the recall R_i over **all** gold ids,
found or not:

    AUPRC = Σ_i (R_i - R_(i-1)) · P_i,  R_0 = 0        (step form, nothing is interpolated)

An id counts once per document, with its highest confidence. Predictions without a confidence enter last,
together: they can be ranked against nothing, and leaving them out would flatter a system that is silent about
what it is unsure of.

scikit-learn's average_precision_score sees the predictions alone: it equals AUPRC · (all gold ids) / (gold
ids found), so the two agree where every gold id was found.

Source: metric-definitions 6.5, R26 (in place of the Full-Text HPO Extraction Benchmarking Framework, section
5.4, whose area lies under points of one line).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from core.metrics.bootstrap import Draws, Floats, bounded, counted
from core.metrics.bounds import Predictions, highest
from core.metrics.definition import Estimate, Family, Metric
from core.metrics.documents import Sets
from core.metrics.sums import by_name, divide

FAMILY = Family(
    title="Area under the precision-recall curve",
    item="a concept of a document (sets: with its highest confidence)",
    source="metric-definitions 6.5",
    metrics={
        "auprc": Metric(
            "AUPRC",
            "Does the system know what it knows: are its sure proposals right, and how far do they reach?",
            "Σ (R_i - R_(i-1)) · P_i over groups of equal confidence, highest first; R over all gold ids",
            undefined="No documents or no gold concept: undefined. No prediction: 0.",
        ),
        "share_found": Metric(
            "Gold found at any confidence",
            "How far can the curve reach at most?",
            "gold concepts among the predictions / all gold concepts: the recall at which the curve ends, and"
            " AUPRC / scikit-learn's average precision",
            undefined="No documents or no gold concept: undefined.",
        ),
    },
)
NO_DOCUMENTS = "No document has complete gold."
NO_GOLD = "The complete documents hold no gold concept."

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Curve:
    """All predictions, highest confidence first; those without one last. Columns of shape (predictions,)."""

    documents: tuple[str, ...]
    gold: Integers
    """Gold ids of each document, shape (documents,)."""
    document: Integers
    ids: tuple[Any, ...]
    right: npt.NDArray[np.bool_]
    confidence: Floats
    """NaN where the prediction bears none."""
    ends: Integers
    """One past the last prediction of each group of equal confidence."""

    def points(self) -> tuple[Floats, Floats]:
        """(precision, recall) after each group; recall is NaN without gold."""
        tp = np.cumsum(self.right)[self.ends - 1].astype(np.float64)
        total = float(self.gold.sum())
        return tp / self.ends, tp / total if total else np.full(len(tp), np.nan)


@dataclass(frozen=True, slots=True)
class CurveScores:
    estimates: dict[str, Estimate]
    resampled: dict[str, Floats]
    """Value in each resample, shape (resamples,); NaN where it has none."""
    curve: Curve


def rank(gold: Sets, predicted: Mapping[str, Predictions]) -> Curve:
    """The predictions of the gold documents in the order of their confidence.

    Ties are in order of document and id, so that nothing depends on the order of input.
    """
    documents = tuple(sorted(gold))
    numbers: list[int] = []
    ids: list[Any] = []
    right: list[bool] = []
    said: list[float] = []
    for number, doc_id in enumerate(documents):
        of, golden = highest(predicted.get(doc_id, ())), gold[doc_id]
        for i in sorted(of, key=str) if len(of) > 1 else of:
            confidence = of[i]
            numbers.append(number)
            ids.append(i)
            right.append(i in golden)
            said.append(np.nan if confidence is None else confidence)
    confidences = np.array(said, dtype=np.float64)
    order = np.argsort(-confidences, kind="stable")  # NaN last
    ranked = confidences[order]
    changes = ~(ranked[1:] == ranked[:-1]) & ~(np.isnan(ranked[1:]) & np.isnan(ranked[:-1]))
    ends = np.append(np.flatnonzero(changes) + 1, len(ids)) if ids else np.zeros(0, dtype=np.int64)
    return Curve(
        documents,
        np.array([len(gold[doc_id]) for doc_id in documents], dtype=np.int64),
        np.array(numbers, dtype=np.int64)[order],
        tuple(ids[place] for place in order.tolist()),
        np.array(right, dtype=np.bool_)[order],
        ranked,
        ends.astype(np.int64),
    )


def score(curve: Curve, *, index_lists: Iterable[Draws] | Draws = (), level: float = 0.95) -> CurveScores:
    """The area, and how far the curve reaches, with intervals over documents.

    Args:
        index_lists: resamples over `curve.documents` in their order; empty for no intervals.
    """
    n, gold = len(curve.documents), int(curve.gold.sum())
    entering = _entering(curve)
    parts = [_areas(curve, entering, block) for block in counted(index_lists, n)] if n else []
    resampled = np.concatenate(parts) if parts else np.zeros((0, 2))
    values = _areas(curve, entering, np.ones((1, n)))[0]
    reason = None if gold else NO_GOLD if n else NO_DOCUMENTS
    estimates = {}
    for i, name in enumerate(FAMILY.metrics):
        if reason is not None:
            estimates[name] = Estimate(None, n, dropped=len(resampled), reason=reason)
        else:
            estimates[name] = bounded(float(values[i]), n, resampled[:, i], level)
    return CurveScores(estimates, by_name(tuple(FAMILY.metrics), resampled), curve)


def _entering(curve: Curve) -> Any:
    """What enters the list with each group, a column per document, sparse, shape (2 x groups, documents):
    first all predictions, then the right ones."""
    from scipy.sparse import csr_array

    groups = np.repeat(np.arange(len(curve.ends)), np.diff(curve.ends, prepend=0))
    rows = np.concatenate((groups, groups[curve.right] + len(curve.ends)))
    columns = np.concatenate((curve.document, curve.document[curve.right]))
    shape = 2 * len(curve.ends), len(curve.documents)
    return csr_array((np.ones(len(rows)), (rows, columns)), shape=shape)


def _areas(curve: Curve, entering: Any, weights: Floats) -> Floats:
    """(area, share found) where document d counts `weights[:, d]` times, shape (resamples, 2).

    Args:
        entering: see `_entering`; a group holds predictions of few documents.
    """
    total = weights @ curve.gold
    found = np.asarray(entering @ np.ascontiguousarray(weights.T))
    entered, gained = found[: len(curve.ends)], found[len(curve.ends) :]
    precision = divide(np.cumsum(gained, axis=0), np.cumsum(entered, axis=0), 0.0)
    area = (gained * precision).sum(axis=0)
    return np.column_stack((divide(area, total), divide(gained.sum(axis=0), total)))
