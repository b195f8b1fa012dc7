"""Logistic regression, for weights that are kept as numbers and applied without any library."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt


def weights(
    rows: npt.NDArray[np.float64],
    labels: npt.NDArray[np.int64],
    strength: float,
    count: Sequence[float] | None = None,
) -> npt.NDArray[np.float64]:
    """A row of weights for each class, the intercept last: (classes, features + 1); of two classes one row,
    that of the later one.

    Args:
        rows: (n, features).
        labels: (n,).
        strength: inverse strength of the penalty.
        count: how much each row counts; None: all alike.
    """
    from sklearn.linear_model import LogisticRegression
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):
        made = LogisticRegression(C=strength, max_iter=2_000).fit(rows, labels, sample_weight=count)
    return np.hstack([made.coef_, made.intercept_[:, None]])
