"""What is no confidence and no count is refused, never scored."""

from math import inf, nan

import numpy as np
import pytest

from core.metrics.agreement import fleiss
from core.metrics.auprc import rank
from core.metrics.bounds import judge
from core.metrics.discordant import mcnemar
from core.metrics.documents import ratios
from core.metrics.gold_quality import density, per_document
from core.metrics.placement import ranked
from core.metrics.proportion import share, wilson
from core.metrics.rating_counts import of_table
from core.metrics.slices import made
from core.metrics.thresholds import youden

GOLD = {"d": {"A", "B"}}


@pytest.mark.parametrize("confidence", [nan, inf, -0.1, 1.1])
def test_a_confidence_outside_0_to_1(confidence):
    said = {"d": [("A", 0.5), ("C", confidence)]}
    for refused in (lambda: judge(GOLD, said), lambda: rank(GOLD, said)):
        with pytest.raises(ValueError, match="'C'"):
            refused()


def test_what_bears_no_confidence_is_no_fault():
    said = {"d": [("A", None), ("C", 0.0), ("D", 1)]}
    assert judge(GOLD, said)[0].tp == ("A",)
    assert rank(GOLD, said).ids == ("D", "C", "A")


@pytest.mark.parametrize(
    "refused",
    [
        lambda: ratios(-1, 0, 2),
        lambda: ratios(1, -1, 0),
        lambda: mcnemar(3, -1),
        lambda: wilson(-1, 4),
        lambda: share(5, 4),
        lambda: made("x", 1, -2, 0, 3, (3, 1.0)),
        lambda: density([3, -1], [10, 10]),
        lambda: density([3, 1], [10, nan]),
        lambda: per_document([2, -2]),
        lambda: fleiss([[2, 0], [3, -1]]),
        lambda: of_table(np.array([[2, 0], [3, -1]])),
        lambda: youden([(0.5, True), (nan, False)]),
        lambda: ranked([(("X:1", None), nan), (("X:2", None), 0.5)]),
    ],
)
def test_negative_counts_and_what_is_no_number(refused):
    with pytest.raises(ValueError, match=r"\w"):
        refused()
