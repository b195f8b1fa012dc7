"""Values over pairs: paired differences, and runs that differ in their seed (metric-definitions 0.5, 0.6)."""

import numpy as np
import pytest

from core.metrics import conflict_types
from core.metrics.bootstrap import draws
from core.metrics.pair_labels import CLASSES
from core.metrics.pair_scores import difference, over_seeds
from core.metrics.sums import divide

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


def test_division_by_zero_is_what_the_caller_says():
    assert divide(np.array([1.0, 3.0]), np.array([0.0, 2.0]), 0.0).tolist() == [0.0, 1.5]
    assert np.isnan(divide(np.array([1.0]), np.array([0.0]))[0])
