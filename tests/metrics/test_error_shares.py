"""Shares of the kinds of errors, against Figure 4 of paper 000 and an interval of statsmodels' formula."""

from __future__ import annotations

import pytest
from scipy import stats

from core.metrics.error_shares import UNSURE, error_shares
from core.records import ErrorType

FIGURE_4 = {
    ErrorType.MISSING_GOLD: (18, 0.173, None),
    ErrorType.CONTEXT: (31, 0.298, 31 / 86),
    ErrorType.OVERREACH: (28, 0.269, 28 / 86),
    ErrorType.TRIGGER: (11, 0.106, 11 / 86),
    ErrorType.GRANULARITY: (11, 0.106, 11 / 86),
    ErrorType.SCOPE: (5, 0.048, 5 / 86),
}
"""Count, the share that the paper prints, and the share of the 86 true errors."""


def test_figure_4_of_paper_000() -> None:
    found = error_shares([error for error, (n, *_) in FIGURE_4.items() for _ in range(n)])
    assert (found.classified, found.true_errors, found.unsure, found.open) == (104, 86, 0, 0)
    for error, (n, printed, of_true) in FIGURE_4.items():
        assert found.counts[error] == n
        assert found.of_apparent[error].value == pytest.approx(printed, abs=5e-4)
        interval = stats.binomtest(n, 104).proportion_ci(method="wilson")
        shown = found.of_apparent[error]
        assert (shown.low, shown.high) == pytest.approx((interval.low, interval.high), abs=1e-12)
        if of_true is not None:
            assert found.of_true[error].value == pytest.approx(of_true)
    assert ErrorType.MISSING_GOLD not in found.of_true
    assert sum(one.value or 0 for one in found.of_apparent.values()) == pytest.approx(1)
    assert sum(one.value or 0 for one in found.of_true.values()) == pytest.approx(1)


def test_unsure_and_open_ones_are_in_neither_share() -> None:
    found = error_shares([ErrorType.MISSING_GOLD, ErrorType.SCOPE, ErrorType.SCOPE, UNSURE, None, None])
    assert (found.classified, found.true_errors, found.unsure, found.open) == (3, 2, 1, 2)
    assert found.of_apparent[ErrorType.SCOPE].value == pytest.approx(2 / 3)
    assert found.of_true[ErrorType.SCOPE].value == 1.0
    assert found.of_true[ErrorType.CONTEXT].value == 0.0


def test_without_a_denominator_there_is_no_share() -> None:
    nothing = error_shares([None, UNSURE]).to_json()
    assert set(nothing["share_of_apparent"].values()) == set(nothing["share_of_true"].values()) == {None}
    assert set(nothing["interval_of_apparent"].values()) == {None}
    assert nothing["counts"] == {
        **{error.value: 0 for error in ErrorType},
        "unsure": 1,
        "open": 1,
    }
    right = error_shares([ErrorType.MISSING_GOLD] * 3)
    assert right.of_apparent[ErrorType.MISSING_GOLD].value == 1.0
    assert {one.value for one in right.of_true.values()} == {None}
    assert {one.reason for one in right.of_true.values()} == {"No true error is classified."}
