"""From sums to values (core.metrics.sums)."""

import numpy as np

from core.metrics.sums import divide


def test_division_by_zero_is_what_the_caller_says():
    assert divide(np.array([1.0, 3.0]), np.array([0.0, 2.0]), 0.0).tolist() == [0.0, 1.5]
    assert np.isnan(divide(np.array([1.0]), np.array([0.0]))[0])
