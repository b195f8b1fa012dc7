"""The bands of Landis and Koch: below 0 poor, then every fifth to 1, the end inclusive."""

import pytest

from core.metrics.kappa_words import in_words


@pytest.mark.parametrize(
    ("kappa", "said"),
    [
        (-1.0, "-1.00, poor"),
        (-0.01, "-0.01, poor"),
        (-0.004, "0.00, slight"),
        (0.0, "0.00, slight"),
        (0.2, "0.20, slight"),
        (0.204, "0.20, slight"),
        (0.21, "0.21, fair"),
        (0.4, "0.40, fair"),
        (0.41, "0.41, moderate"),
        (0.6, "0.60, moderate"),
        (0.62, "0.62, substantial"),
        (0.8, "0.80, substantial"),
        (0.81, "0.81, almost perfect"),
        (1.0, "1.00, almost perfect"),
        (None, None),
    ],
)
def test_every_band_at_both_its_ends(kappa, said):
    assert in_words(kappa) == said
