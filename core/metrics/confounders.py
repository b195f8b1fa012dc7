"""Task 3 of BioDivergence: the one axis that explains most of the difference (metric-definitions 9.4).

Accuracy over pairs whose gold names a confounder; a prediction of none is wrong there. Pairs whose gold names
none are in no value; those of them that were given one are counted. "Exact" in Table 5 of the paper is the
same number (R31). No such pair: undefined.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.metrics.definition import Family, Metric
from core.metrics.pair_labels import AXES
from core.metrics.pair_scores import NO_PAIRS, Lists
from core.metrics.sums import Scored, divide, formulas
from core.records import Axis

FAMILY = Family(
    title="Dominant confounder (task 3)",
    item="a claim pair whose gold names a confounder",
    source="BioDivergence (paper 004), section 7; metric-definitions 9.4, R31",
    metrics={
        "accuracy": Metric(
            "Accuracy",
            "Of the pairs with a dominant confounder, which share was given the right one?",
            "pairs with the right confounder / pairs whose gold names one; none predicted is wrong",
            undefined="No pair's gold names a confounder (or, of one confounder, that one): undefined.",
            of=lambda s: divide(s.right, s.support),
            per="confounder",
            whole=lambda s: divide(s.right.sum(axis=1), s.support.sum(axis=1)),
        ),
        "spurious": Metric(
            "Confounder where gold has none",
            "How many pairs were given a confounder although their gold names none?",
            "pairs with a null gold and a prediction that is not null; a count, in no accuracy",
            range="[0, pairs]",
            direction="lower",
            undefined="Never: a count.",
        ),
    },
)
HEADLINE = "accuracy"
_NONE = "No pair's gold names a dominant confounder."
_NONE_OF = "No pair's gold names this confounder."


def score(
    gold: Sequence[Axis | None],
    predicted: Sequence[Axis | None],
    *,
    index_lists: Lists = (),
    level: float = 0.95,
) -> Scored:
    """`accuracy`, and `accuracy:AXIS` over the pairs whose gold is that axis.

    Raises:
        ValueError: the sides differ in length, or a label is none of the thirteen axes.
    """
    pairs = list(zip(gold, predicted, strict=True))
    place = {axis: i for i, axis in enumerate(AXES)}
    table = np.zeros((len(pairs), 2 * len(AXES)))
    for row, (right, said) in enumerate(pairs):
        for side in (right, said):
            if side is not None and side not in place:
                raise ValueError(f"{side!r} is none of the thirteen axes")
        if right is not None:
            table[row, place[right]] = right == said
            table[row, len(AXES) + place[right]] = 1.0
    support = dict(zip(AXES, table[:, len(AXES) :].sum(axis=0).astype(int).tolist(), strict=True))

    def n(name: str) -> int:
        _, _, axis = name.partition(":")
        return int(support[Axis(axis)]) if axis else sum(support.values())

    axes = len(AXES)
    return formulas(
        FAMILY,
        {"right": table[:, :axes], "support": table[:, axes:]},
        strata=[axis.value for axis in AXES],
        n=n,
        reason=lambda name: NO_PAIRS if not pairs else _NONE_OF if ":" in name else _NONE,
        index_lists=index_lists,
        level=level,
    )


def spurious(gold: Sequence[Axis | None], predicted: Sequence[Axis | None]) -> int:
    """Pairs with a null gold and a confounder predicted."""
    return sum(right is None and said is not None for right, said in zip(gold, predicted, strict=True))
