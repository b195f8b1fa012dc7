"""Differences of two sets of values on the same resamples, and runs that differ in their seed
(metric-definitions 0.5, 0.6)."""

import numpy as np
import pytest

from core.metrics import conflict_types, corpus
from core.metrics.bootstrap import draws
from core.metrics.definition import Estimate
from core.metrics.differences import difference, over_seeds, with_test
from core.metrics.documents import Outcome
from core.metrics.pair_labels import CLASSES
from core.metrics.sums import Scored

NO, DIRECT, *_ = CLASSES


def test_check_three_seeds_of_the_paper():
    """R19: Table 6 prints 0.083 +- 0.118 for the seeds 0, 0 and 0.25; ddof = 1 would give 0.144."""
    found = over_seeds([0.0, 0.0, 0.25])
    assert found.value == pytest.approx(0.25 / 3, abs=1e-9)
    assert found.std == pytest.approx(0.25 * 2**0.5 / 3, abs=1e-9)
    assert (f"{found.value:.3f}", f"{found.std:.3f}", found.n) == ("0.083", "0.118", 3)


def test_one_seed_has_no_spread_and_none_no_value():
    assert (over_seeds([0.4]).value, over_seeds([0.4]).std) == (0.4, 0.0)
    assert (over_seeds([]).value, over_seeds([]).std, over_seeds([]).n) == (None, None, 0)
    assert over_seeds([None, 0.4, None]).n == 1


def scores(said, seed=1):
    gold = [NO, DIRECT, NO, DIRECT]
    return conflict_types.score(gold, said, index_lists=draws(4, 50, seed))


def test_differences_are_paired():
    """Two more of four pairs are right: + 1/2; the interval is that of the differences on each resample."""
    before, after = scores([NO, NO, DIRECT, DIRECT]), scores([NO, DIRECT, NO, DIRECT])
    found = difference(before, after)["accuracy"]
    assert found.value == pytest.approx(1 / 2, abs=1e-9)
    by_hand = after.resampled["accuracy"] - before.resampled["accuracy"]
    assert [found.low, found.high] == pytest.approx(np.percentile(by_hand, [2.5, 97.5]), abs=1e-9)
    assert found.n == 4


def test_no_change_is_zero_everywhere():
    one = scores([NO, NO, DIRECT, DIRECT])
    found = difference(one, one)["macro_f1"]
    assert (found.value, found.low, found.high) == (0.0, 0.0, 0.0)


def test_a_value_that_either_side_lacks_has_no_difference():
    constant = conflict_types.score([NO, NO], [NO, NO])
    varied = conflict_types.score([NO, NO], [NO, DIRECT])
    found = difference(constant, varied)["kappa"]
    assert (found.value, found.reason) == (None, constant.estimates["kappa"].reason)


def test_sides_that_were_not_resampled_alike_are_refused():
    with pytest.raises(ValueError, match="same resamples"):
        difference(scores([NO] * 4), conflict_types.score([NO], [NO]))


def test_corpus_values_on_three_draws():
    """Draws aa, bb, ab: before 2/4, 0/2, 1/3; after 2/2, 2/4, 2/3; differences 1/2, 1/2, 1/3."""
    lists = np.array([[0, 0], [1, 1], [0, 1]])
    a = (Outcome("a", ("w",), ("x",), ("y",)), Outcome("b", (), ("x",), ("y",)))
    b = (Outcome("a", ("w",), (), ("y",)), Outcome("b", ("w",), ("x",), ("y",)))
    before, after = (corpus.score(one, index_lists=lists) for one in (a, b))
    found = difference(before, after)["micro_precision"]
    assert found.value == pytest.approx(2 / 3 - 1 / 3, abs=1e-9)
    assert found.low == pytest.approx(1 / 3 + 0.05 * (1 / 2 - 1 / 3), abs=1e-9)
    assert found.high == pytest.approx(1 / 2, abs=1e-9)
    assert found.n == 2


# --- any values -------------------------------------------------------------------------------------------


def side(value, *resampled, n=4):
    """One value and, if any are given, what it is in each resample."""
    held = {"f1": np.array(resampled, dtype=float)} if resampled else {}
    return Scored({"f1": Estimate(value, n)}, held)


def test_difference_and_p_by_hand():
    """Differences 0.2, 0, undefined, 0.4, 0.1: bounds are percentiles of four, h = 3q; one of them is not
    above 0: p = 2 (1 + 1) / (1 + 4)."""
    before, after = side(0.5, 0.5, 0.5, np.nan, 0.4, 0.5, n=3), side(0.75, 0.7, 0.5, 0.9, 0.8, 0.6)
    found = with_test(before, after, 0.9)["f1"]
    assert found.estimate.value == pytest.approx(0.25, abs=1e-9)
    assert found.estimate.low == pytest.approx(0.15 * 0.1, abs=1e-9)
    assert found.estimate.high == pytest.approx(0.2 + 0.85 * 0.2, abs=1e-9)
    assert (found.estimate.n, found.estimate.dropped) == (3, 1)
    assert found.p == pytest.approx(4 / 5, abs=1e-9)
    assert difference(before, after, 0.9)["f1"] == found.estimate


def test_values_without_resamples_differ_without_an_interval():
    for before in (side(0.5), side(0.5, 0.4, 0.6)):
        found = with_test(before, side(0.75))["f1"]
        assert (found.estimate.value, found.estimate.low, found.estimate.high, found.p) == (
            0.25,
            None,
            None,
            None,
        )


def test_a_value_of_one_side_alone_has_no_difference():
    assert difference(side(0.5), Scored({"kappa": Estimate(0.1, 4)}, {})) == {}
    assert difference(Scored({}, {}), side(0.5)) == {}
