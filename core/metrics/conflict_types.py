"""Task 1 of BioDivergence: which of six ways two claims relate in (metric-definitions 9.2).

One item is a pair with one gold and one predicted type. Per class TP, FP and FN over pairs; precision, recall
and F1 by rule Z0, so a class that neither side knows scores 0. No pairs: every value undefined (rule N0).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from core.metrics.bootstrap import Floats
from core.metrics.definition import Family, Metric
from core.metrics.pair_labels import CLASSES
from core.metrics.pair_scores import NO_PAIRS, Lists
from core.metrics.sums import Scored, blanked, divide, formulas, ratio
from core.records import ConflictType

_SOURCE = "BioDivergence (paper 004), section 7; metric-definitions 9.2"


def _kappa(s: Any) -> Floats:
    # whole numbers until the last step, so that complete chance agreement is seen exactly
    chance = (s.support * s.given).sum(axis=1)
    return divide(s.right.sum(axis=1) * s.pairs - chance, s.pairs * s.pairs - chance)


FAMILY = Family(
    title="Conflict type (task 1)",
    item="a claim pair",
    source=_SOURCE,
    undefined="No pairs: undefined. A denominator of 0: 0.",
    metrics={
        "macro_f1": Metric(
            "Macro F1 over six types",
            "How well are all types told apart, rare ones as much as frequent ones?",
            "mean F1 over all six types; one that neither side knows contributes 0",
            source=_SOURCE + ", R29",
            of=lambda s: s.f1.mean(axis=1),
        ),
        "macro_f1_observed": Metric(
            "Macro F1 over observed types",
            "The same over the types that occur at all: what the column of the paper holds?",
            "mean F1 over types with gold or predicted pairs; scikit-learn's default",
            source=_SOURCE + ", R29: the paper calls it six-class, its own baseline is a five-class mean",
            of=lambda s: divide(s.f1.sum(axis=1), (s.support + s.given > 0).sum(axis=1)),
        ),
        "accuracy": Metric(
            "Accuracy",
            "Which share of the pairs has the right type?",
            "pairs with the right type / pairs",
            undefined="No pairs: undefined.",
            of=lambda s: divide(s.right.sum(axis=1), s.pairs),
        ),
        "weighted_f1": Metric(
            "Weighted F1",
            "How well are types told where most pairs are?",
            "Σ support · F1 / n over types, support = gold pairs of the type",
            of=lambda s: divide((s.support * s.f1).sum(axis=1), s.pairs),
        ),
        "kappa": Metric(
            "Cohen's κ",
            "How far do gold and prediction agree beyond chance?",
            "(p_o - p_e) / (1 - p_e), p_e = Σ over types of share in gold · share in prediction",
            range="[-1, 1]",
            source=_SOURCE + " and 8",
            undefined="No pairs, or both sides know one and the same type only: undefined. One side"
            " constant: 0.",
            of=_kappa,
        ),
        "precision": Metric(
            "Precision of a type",
            "Of the pairs given this type, which share has it?",
            "TP / (TP + FP) of the type",
            of=lambda s: ratio(s.right, s.given),
            per="type",
        ),
        "recall": Metric(
            "Recall of a type",
            "Of the pairs that have this type, which share was given it?",
            "TP / (TP + FN) of the type",
            of=lambda s: ratio(s.right, s.support),
            per="type",
        ),
        "f1": Metric(
            "F1 of a type",
            "How well is this type told from all others?",
            "2TP / (2TP + FP + FN) of the type; Ctx F1 and Dir F1 are those of contextual and direct"
            " contradictions",
            source=_SOURCE + ", E.1: below 100 gold pairs exploratory",
            of=lambda s: s.f1,
            per="type",
        ),
    },
)

OVERALL = tuple(name for name, row in FAMILY.computed.items() if not row.per)
EVALUABLE = 100
"""Gold pairs below which the values of a type are exploratory (BioDivergence, E.1)."""
NAMES = FAMILY.names([c.value for c in CLASSES])
_ONE_TYPE = "Gold and prediction know one and the same type only, so chance agreement is complete."
NOWHERE = "Neither gold nor prediction has the type; it counts as 0 in the mean over six types."
_K = len(CLASSES)
_PLACE = {c.value: i for i, c in enumerate(CLASSES)}


def score(
    gold: Sequence[ConflictType],
    predicted: Sequence[ConflictType],
    *,
    index_lists: Lists = (),
    level: float = 0.95,
) -> Scored:
    """Values of `NAMES` over pairs, given in the same order on both sides.

    Raises:
        ValueError: the sides differ in length, or a label is outside the schema (see `pair_labels.repaired`).
    """
    cells = [_cell(g, p) for g, p in zip(gold, predicted, strict=True)]
    table = np.zeros((len(cells), _K * _K))
    table[np.arange(len(cells)), cells] = 1.0
    found = formulas(
        FAMILY,
        {"counts": table},
        strata=[c.value for c in CLASSES],
        further=_derived,
        n=lambda name: len(cells),
        reason=lambda name: NO_PAIRS if not cells else _ONE_TYPE,
        index_lists=index_lists,
        level=level,
    )
    counts = table.sum(axis=0).reshape(_K, _K)
    there = counts.sum(axis=0) + counts.sum(axis=1) > 0
    return blanked(found, {c.value for c, any_ in zip(CLASSES, there, strict=True) if not any_}, NOWHERE)


def _cell(gold: str, predicted: str) -> int:
    for side in (gold, predicted):
        if side not in _PLACE:
            raise ValueError(f"{side!r} is none of the six conflict types")
    return _PLACE[gold] * _K + _PLACE[predicted]


def _derived(s: Any) -> None:
    """From counts of (gold, predicted), shape (rows, 36)."""
    counts = s.counts.reshape(-1, _K, _K)
    s.right = np.diagonal(counts, axis1=1, axis2=2)
    s.support, s.given = counts.sum(axis=2), counts.sum(axis=1)
    s.pairs = s.support.sum(axis=1)
    s.f1 = ratio(2 * s.right, s.support + s.given)
