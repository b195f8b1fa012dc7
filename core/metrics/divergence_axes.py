"""Task 2 of BioDivergence: along which axes two studies diverge (metric-definitions 9.3).

Per pair a gold and a predicted set over a label space: all thirteen axes, or the nine primary ones. The
primary view intersects gold and prediction with the nine and keeps every pair, also those whose gold becomes
empty. All pairs are scored, whatever their conflict type.

Micro values pool over pairs and axes; where no pair has any axis on either side they are 1 (rule V1: sets,
and nothing to find), otherwise Z0. Macro values are means over all axes of the space, an axis that never
occurs contributes 0 (Z0). No pairs: every value undefined (rule N0).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from core.metrics.bootstrap import Floats
from core.metrics.definition import Family, Metric
from core.metrics.pair_labels import AXES
from core.metrics.pair_scores import NO_PAIRS, Lists
from core.metrics.sums import Scored, blanked, divide, formulas, ratio
from core.records import Axis

_SOURCE = "BioDivergence (paper 004), section 7 and M.3; metric-definitions 9.3"
_MICRO = "No pairs: undefined. No axis on either side of any pair: 1. Any other denominator of 0: 0."


def _pooled(s: Any, top: Floats, bottom: Floats) -> Floats:
    return np.where(s.right + s.spurious + s.missed == 0, 1.0, ratio(top, bottom))


FAMILY = Family(
    title="Divergence axes (task 2)",
    item="an axis of a claim pair",
    source=_SOURCE,
    undefined="No pairs: undefined. An axis that never occurs contributes 0.",
    metrics={
        "micro_f1": Metric(
            "Micro F1",
            "How well are axes found, over all pairs together?",
            "2TP / (2TP + FP + FN), counts pooled over pairs and axes",
            undefined=_MICRO,
            of=lambda s: _pooled(s, 2 * s.right, 2 * s.right + s.spurious + s.missed),
        ),
        "micro_precision": Metric(
            "Micro precision",
            "Of the axes named, which share is right?",
            "TP / (TP + FP), counts pooled over pairs and axes",
            undefined=_MICRO,
            of=lambda s: _pooled(s, s.right, s.right + s.spurious),
            opens="precision",
        ),
        "micro_recall": Metric(
            "Micro recall",
            "Of the axes to find, which share was named?",
            "TP / (TP + FN), counts pooled over pairs and axes",
            undefined=_MICRO,
            of=lambda s: _pooled(s, s.right, s.right + s.missed),
            opens="recall",
        ),
        "macro_f1": Metric(
            "Macro F1",
            "How well are axes found, rare ones as much as frequent ones?",
            "mean over all axes of the space of the axis' F1",
            of=lambda s: s.f1.mean(axis=1),
        ),
        "macro_precision": Metric(
            "Macro precision",
            "Averaged over axes: where an axis is named, how often is it right?",
            "mean over all axes of the space of the axis' precision",
            of=lambda s: s.precision.mean(axis=1),
            opens="precision",
        ),
        "macro_recall": Metric(
            "Macro recall",
            "Averaged over axes: where an axis explains the difference, how often is it named?",
            "mean over all axes of the space of the axis' recall",
            of=lambda s: s.recall.mean(axis=1),
            opens="recall",
        ),
        "exact_match": Metric(
            "Exact match",
            "For which share of the pairs is the whole set of axes right?",
            "pairs with equal sets / pairs; two empty sets are equal",
            undefined="No pairs: undefined.",
            of=lambda s: divide(s.exact, s.pairs),
        ),
        "precision": Metric(
            "Precision of an axis",
            "Where this axis is named, how often is it right?",
            "TP / (TP + FP) of the axis",
            of=lambda s: s.precision,
            per="axis",
            opens="precision",
        ),
        "recall": Metric(
            "Recall of an axis",
            "Where this axis explains the difference, how often is it named?",
            "TP / (TP + FN) of the axis",
            of=lambda s: s.recall,
            per="axis",
            opens="recall",
        ),
        "f1": Metric(
            "F1 of an axis",
            "How well is this axis found?",
            "2TP / (2TP + FP + FN) of the axis",
            source=_SOURCE + ", R50: provisional axes are too rare to be scored one by one",
            of=lambda s: s.f1,
            per="axis",
        ),
    },
)

MEASURES = ("precision", "recall", "f1")
OVERALL = tuple(name for name, row in FAMILY.computed.items() if not row.per)
NOWHERE = "Neither gold nor prediction has the axis; it counts as 0 in the macro mean."


def score(
    gold: Sequence[Collection[Axis]],
    predicted: Sequence[Collection[Axis]],
    space: Sequence[Axis] = AXES,
    *,
    index_lists: Lists = (),
    level: float = 0.95,
) -> Scored:
    """Values of `OVERALL`, and `precision:AXIS`, `recall:AXIS` and `f1:AXIS` of each axis of the space.

    Args:
        gold: one collection per pair; duplicates count once.
        predicted: of the same pairs in the same order.
        space: axes outside it are not scored, on either side.

    Raises:
        ValueError: the sides differ in length, or a label is none of the thirteen axes.
    """
    pairs = [(_inside(g, space), _inside(p, space)) for g, p in zip(gold, predicted, strict=True)]
    k = len(space)
    place = {axis: i for i, axis in enumerate(space)}
    table = np.zeros((len(pairs), 3 * k + 2))
    for row, (right, said) in enumerate(pairs):
        for block, found in enumerate((right & said, said - right, right - said)):
            for axis in found:
                table[row, block * k + place[axis]] = 1.0
        table[row, 3 * k :] = (right == said, 1.0)
    blocks = {name: table[:, i * k : (i + 1) * k] for i, name in enumerate(("tp", "fp", "fn"))}
    values = formulas(
        FAMILY,
        {**blocks, "exact": table[:, 3 * k], "pairs": table[:, 3 * k + 1]},
        strata=[axis.value for axis in space],
        further=_derived,
        n=lambda name: len(pairs),
        reason=lambda name: NO_PAIRS,
        index_lists=index_lists,
        level=level,
    )
    there = table[:, : 3 * k].sum(axis=0).reshape(3, k).sum(axis=0) > 0
    return blanked(values, {a.value for a, any_ in zip(space, there, strict=True) if not any_}, NOWHERE)


def _inside(axes: Collection[Axis], space: Sequence[Axis]) -> frozenset[Axis]:
    found = frozenset(axes)
    if not found <= frozenset(AXES):
        raise ValueError(f"{sorted(map(str, found - frozenset(AXES)))[0]!r} is none of the thirteen axes")
    return found & frozenset(space)


def _derived(s: Any) -> None:
    """From sums of TP, FP and FN per axis, shape (rows, axes) each."""
    s.precision, s.recall = ratio(s.tp, s.tp + s.fp), ratio(s.tp, s.tp + s.fn)
    s.f1 = ratio(2 * s.tp, 2 * s.tp + s.fp + s.fn)
    s.right, s.spurious, s.missed = (counts.sum(axis=1) for counts in (s.tp, s.fp, s.fn))
