"""Wilson intervals: by hand, as statsmodels has them, and at the ends."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

from core.metrics.proportion import NOTHING, difference, share, wilson


def test_by_hand():
    # level Φ(2) - Φ(-2), so z = 2: centre (8 + 2) / (10 + 4) = 5/7; half 2/14 · √(8·2/10 + 1) = √2.6 / 7
    low, high = wilson(8, 10, math.erf(2 / math.sqrt(2)))
    assert low == pytest.approx(5 / 7 - math.sqrt(2.6) / 7, abs=1e-9)
    assert high == pytest.approx(5 / 7 + math.sqrt(2.6) / 7, abs=1e-9)


def test_as_statsmodels_has_it_on_300_random_inputs():
    generator = np.random.default_rng(13)
    for _ in range(300):
        n = int(generator.integers(1, 5000))
        k = int(generator.integers(0, n + 1))
        level = float(generator.uniform(0.5, 0.999))
        assert wilson(k, n, level) == pytest.approx(
            proportion_confint(k, n, alpha=1 - level, method="wilson"), abs=1e-9
        )


@pytest.mark.parametrize("n", [1, 3, 40_000])
def test_the_ends_are_exact(n):
    # k = 0: high is z² / (n + z²); k = n mirrors it
    z = 1.959963984540054
    assert wilson(0, n) == (0.0, pytest.approx(z * z / (n + z * z), abs=1e-9))
    assert wilson(n, n) == (pytest.approx(n / (n + z * z), abs=1e-9), 1.0)


def test_of_nothing_it_is_undefined():
    assert wilson(0, 0) == (None, None)
    assert (share(0, 0).value, share(0, 0).low, share(0, 0).n, share(0, 0).reason) == (None, None, 0, NOTHING)


def test_a_share_counts_its_items():
    found = share(1, 4)
    assert (found.value, found.n) == (0.25, 4)
    assert (found.low, found.high) == wilson(1, 4)


@given(st.integers(0, 10_000), st.integers(1, 10_000), st.floats(0.01, 0.999))
def test_it_holds_the_share_stays_in_range_and_mirrors(k, more, level):
    n = k + more
    low, high = wilson(k, n, level)
    assert 0 <= low <= k / n + 1e-12
    assert k / n - 1e-12 <= high <= 1
    assert wilson(n - k, n, level) == pytest.approx((1 - high, 1 - low), abs=1e-9)
    wider = wilson(k, n, (1 + level) / 2)
    assert wider[0] <= low + 1e-12
    assert wider[1] >= high - 1e-12


@pytest.mark.parametrize(("k", "n", "level"), [(-1, 3, 0.95), (4, 3, 0.95), (1, 3, 0.0), (1, 3, 1.0)])
def test_what_is_no_share_is_refused(k, n, level):
    with pytest.raises(ValueError, match="no interval"):
        wilson(k, n, level)


def test_a_difference_by_the_example_and_as_statsmodels_has_it():
    assert difference(90, 100, 32, 40) == pytest.approx((-0.021, 0.254), abs=1e-3)
    generator = np.random.default_rng(13)
    for _ in range(200):
        n, m = (int(size) for size in generator.integers(1, 400, 2))
        k, j = int(generator.integers(0, n + 1)), int(generator.integers(0, m + 1))
        expected = confint_proportions_2indep(k, n, j, m, method="newcomb", compare="diff")
        assert difference(k, n, j, m) == pytest.approx(expected, abs=1e-9)
    assert difference(0, 0, 1, 2) == difference(1, 2, 0, 0) == (None, None)
