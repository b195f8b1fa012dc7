"""Estimates of a whole set, against plain formulas, all draws of a small set, and a known truth."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from core.metrics.draw import by_size, by_stratum, inclusion, order
from core.metrics.whole_set import NO_HELP, NONE_CLOSED, OUTSIDE, of_passages, precision


def test_the_worked_example() -> None:
    found = precision([True, True, False, True], [0.9, 0.8, 0.7, 0.6], np.full(4, 0.4), 10, 0.7)
    assert (found.value, found.n, found.of, found.method, found.slope) == (0.75, 4, 10, "wilson", 0.0)
    assert (found.low, found.high) == (pytest.approx(0.381, abs=5e-4), pytest.approx(0.936, abs=5e-4))


def test_unbiased_over_all_35_draws_of_4_from_7() -> None:
    truth = [True, False, True, True, False, False, True]
    values = [
        precision([truth[at] for at in drawn], [None] * 4, np.full(4, 4 / 7), 7, None).value
        for drawn in combinations(range(7), 4)
    ]
    assert len(values) == 35
    assert np.mean(values) == pytest.approx(4 / 7, abs=1e-12)


def plain(y, f, pi, size, mean_f):
    """Review-budget, section 3, written out; no answer is unsure."""
    n, w = len(y), [1 / one for one in pi]
    y_w = sum(a * b for a, b in zip(w, y, strict=True)) / sum(w)
    f_w = sum(a * b for a, b in zip(w, f, strict=True)) / sum(w)
    top = sum(a * (b - f_w) * (c - y_w) for a, b, c in zip(w, f, y, strict=True))
    slope = top / sum(a * (b - f_w) ** 2 for a, b in zip(w, f, strict=True))
    value = y_w + slope * (mean_f - f_w)
    e = [c - y_w - slope * (b - f_w) for b, c in zip(f, y, strict=True)]
    variance = n / (n - 2) * sum((1 - a) * (b / a) ** 2 for a, b in zip(pi, e, strict=True)) / size**2
    g, s = np.log(value / (1 - value)), np.sqrt(variance) / (value * (1 - value))
    t = stats.t(n - 2).ppf(0.975)
    return slope, variance, value, 1 / (1 + np.exp(t * s - g)), 1 / (1 + np.exp(-t * s - g))


@pytest.mark.parametrize("equal", [True, False])
def test_equal_to_the_formulas_written_out(equal: bool) -> None:
    for seed in range(20):
        rng = np.random.default_rng(seed)
        size, n = 200, 60
        f = rng.random(size)
        y = rng.random(size) < 0.3 + 0.6 * f
        q = np.ones(size) if equal else 0.5 + rng.random(size)
        u = rng.random(size)
        queue = order([f"{at:03}" for at in range(size)], u, q)
        pi = inclusion(u[queue], q[queue], n, size, equal)
        drawn = queue[:n]
        found = precision([bool(one) for one in y[drawn]], list(f[drawn]), pi, size, float(f.mean()))
        measured = (found.slope, found.variance, found.value, found.low, found.high)
        assert measured == pytest.approx(plain(y[drawn], f[drawn], pi, size, f.mean()), abs=1e-9)
        assert found.method == "regression"
        turned = rng.permutation(n)
        again = precision(
            [bool(y[drawn][at]) for at in turned], list(f[drawn][turned]), pi[turned], size, f.mean()
        )
        assert (again.value, again.low) == pytest.approx((found.value, found.low), abs=1e-12)


def test_without_use_of_confidences_it_rests_on_decisions_alone() -> None:
    y = [True] * 30 + [False] * 10
    pi = np.full(40, 0.4)
    for f, mean in ([0.9] * 40, 0.9), ([None] * 40, None):
        found = precision(y, f, pi, 100, mean)
        e2 = 30 * 0.25**2 + 10 * 0.75**2
        assert (found.value, found.slope, found.method, found.reason) == (0.75, 0.0, "decisions", NO_HELP)
        assert found.variance == pytest.approx(40 / 39 * 0.6 * e2 / 0.16 / 100**2, abs=1e-12)


def test_few_decisions_few_of_an_answer_and_unequal_chances() -> None:
    few_wrong = precision([True] * 36 + [False] * 4, [0.5] * 40, np.full(40, 0.4), 100, 0.5)
    assert few_wrong.method == "wilson"
    unequal = precision([True, False, True], [None] * 3, np.array([0.2, 0.3, 0.4]), 10, None)
    assert unequal.value == pytest.approx((5 + 2.5) / (5 + 10 / 3 + 2.5), abs=1e-12)
    assert (unequal.low, unequal.high, unequal.method) == (None, None, None)
    assert unequal.reason is not None


def test_nothing_decided_and_everything_decided() -> None:
    nothing = precision([], [], np.ones(0), 10, 0.5)
    assert (nothing.value, nothing.n, nothing.of) == (None, 0, 10)
    assert nothing.reason == "No drawn item is decided."
    census = precision([True, False, True, True], [0.1, 0.2, 0.3, 0.4], np.ones(4), 4, 0.25)
    assert (census.value, census.low, census.high, census.variance) == (0.75, 0.75, 0.75, 0.0)


def test_unsure_answers_have_bounds_and_take_over_from_one_in_twenty() -> None:
    y = [True] * 20 + [False] * 12 + [None] * 8
    found = precision(y, [None] * 40, np.full(40, 0.4), 100, None)
    assert (found.value, found.n, found.unsure) == (0.625, 32, 8)
    assert (found.if_wrong, found.if_right) == (0.5, 0.7)
    assert found.is_open
    assert not precision([True] * 39 + [None], [None] * 40, np.full(40, 0.4), 100, None).is_open
    assert not precision([True] * 40, [None] * 40, np.full(40, 0.4), 100, None).is_open


def test_95_per_cent_intervals_hold_in_93_to_97_per_cent_of_1_000_draws() -> None:
    rng = np.random.default_rng(3)
    size, n = 1_050, 100
    f = rng.beta(8, 2, size)
    y = rng.random(size) < 0.6 + 0.28 * f
    truth, held = y.mean(), 0
    for _ in range(1_000):
        drawn = rng.permutation(size)[:n]
        found = precision(list(map(bool, y[drawn])), list(f[drawn]), np.full(n, n / size), size, f.mean())
        held += found.low <= truth <= found.high
    assert 930 <= held <= 970


def test_passages_count_as_one_unit_each() -> None:
    rng = np.random.default_rng(8)
    proposed = rng.integers(0, 9, 24)
    right = rng.binomial(proposed, 0.8)
    pi = np.full(24, 24 / 90)
    found = of_passages(right.tolist(), [0] * 24, proposed.tolist(), pi, 90)["precision"]
    value, mean = right.sum() / proposed.sum(), proposed.mean()
    e = (right - value * proposed) / mean
    variance = 24 / 23 * (1 - 24 / 90) * (e**2).sum() / 24**2
    g, s = np.log(value / (1 - value)), np.sqrt(variance) / (value * (1 - value))
    t = stats.t(23).ppf(0.975)
    bounds = (1 / (1 + np.exp(t * s - g)), 1 / (1 + np.exp(-t * s - g)))
    assert (found.value, found.variance) == pytest.approx((value, variance), abs=1e-12)
    assert (found.low, found.high) == pytest.approx(bounds, abs=1e-9)


def test_few_passages_and_empty_ones() -> None:
    one = of_passages([2], [1], [3], np.full(1, 0.1), 10)
    assert {name: found.value for name, found in one.items()} == dict.fromkeys(("precision", "recall", "f1"))
    few = of_passages([2, 1], [0, 1], [3, 1], np.full(2, 0.2), 10)
    assert {name: found.value for name, found in few.items()} == pytest.approx(
        {"precision": 3 / 4, "recall": 3 / 4, "f1": 6 / 8}
    )
    assert all(found.low is None and found.reason for found in few.values())
    empty = of_passages([0, 0], [0, 0], [0, 0], np.full(2, 0.2), 10)
    assert (empty["precision"].value, empty["precision"].reason) == (
        None,
        "Nothing is proposed in the passages that are decided.",
    )
    assert empty["recall"].value is empty["f1"].value is None
    census = of_passages([2, 1], [0, 2], [3, 1], np.ones(2), 2)
    for name, value in {"precision": 3 / 4, "recall": 3 / 5, "f1": 6 / 9}.items():
        assert (census[name].value, census[name].low, census[name].high) == (value, value, value)


def test_nothing_closed_and_nothing_proposed_where_something_is_missing() -> None:
    nothing = of_passages([], [], [], np.ones(0), 10)
    assert all((found.value, found.n) == (None, 0) for found in nothing.values())
    assert all(found.reason == NONE_CLOSED for found in nothing.values())
    missed = of_passages([0] * 12, [1, 0] * 6, [0] * 12, np.full(12, 0.2), 60)
    assert missed["precision"].value is None
    assert (missed["recall"].value, missed["recall"].low, missed["recall"].reason) == (0.0, None, OUTSIDE)
    assert missed["f1"].value == 0.0


def test_recall_and_f1_of_passages_by_the_influences_written_out() -> None:
    """Review-budget, section 3."""
    rng = np.random.default_rng(4)
    size, k = 90, 24
    n = rng.integers(0, 9, size)
    tp, m = rng.binomial(n, 0.8), rng.poisson(1.5, size)
    u, q = rng.random(size), by_size(n)
    queue = order([f"{at:02}" for at in range(size)], u, q)
    pi, drawn = inclusion(u[queue], q[queue], k, size), queue[:k]
    found = of_passages(tp[drawn].tolist(), m[drawn].tolist(), n[drawn].tolist(), pi, size)
    right, missing, proposed = tp[drawn], m[drawn], n[drawn]
    a, b, c = (sum(x / pi) / sum(1 / pi) for x in (right, missing, proposed))
    f1 = 2 * a / (a + b + c)
    influence = {
        "precision": (right - a / c * proposed) / c,
        "recall": (b * right - a * missing) / (a + b) ** 2,
        "f1": ((2 - f1) * right - f1 * missing - f1 * proposed) / (a + b + c),
    }
    for name, value in {"precision": a / c, "recall": a / (a + b), "f1": f1}.items():
        variance = k / (k - 1) * sum((1 - pi) * (influence[name] / pi) ** 2) / size**2
        g, s = np.log(value / (1 - value)), np.sqrt(variance) / (value * (1 - value))
        t = stats.t(k - 1).ppf(0.975)
        bounds = (1 / (1 + np.exp(t * s - g)), 1 / (1 + np.exp(-t * s - g)))
        one = found[name]
        assert (one.value, one.variance) == pytest.approx((value, variance), abs=1e-12)
        assert (one.low, one.high) == pytest.approx(bounds, abs=1e-9)
        assert (one.n, one.of, one.method, one.slope) == (k, size, "decisions", 0.0)


def test_intervals_of_passages_hold_in_93_to_97_per_cent_of_1_000_draws() -> None:
    rng = np.random.default_rng(6)
    size, k = 300, 60
    n = rng.poisson(5, size)
    tp, m = rng.binomial(n, 0.82), rng.poisson(2, size)
    truth = {
        "precision": tp.sum() / n.sum(),
        "recall": tp.sum() / (tp.sum() + m.sum()),
        "f1": 2 * tp.sum() / (tp.sum() + m.sum() + n.sum()),
    }
    held = dict.fromkeys(truth, 0)
    for _ in range(1_000):
        drawn = rng.permutation(size)[:k]
        found = of_passages(*(x[drawn].tolist() for x in (tp, m, n)), np.full(k, k / size), size)
        for name, value in truth.items():
            held[name] += found[name].low <= value <= found[name].high
    assert all(930 <= held[name] <= 970 for name in truth), held


def test_draws_by_stratum_are_unbiased_and_their_intervals_hold() -> None:
    """Three strata, of which the smallest is right least often: 1,000 draws of 150 of 1,200."""
    rng = np.random.default_rng(9)
    strata = ["a"] * 800 + ["b"] * 300 + ["c"] * 100
    size, n = len(strata), 150
    y = rng.random(size) < np.repeat([0.9, 0.7, 0.4], [800, 300, 100])
    q = by_stratum(strata, {"a": 0.9, "b": 0.7, "c": 0.4})
    truth, held, values = y.mean(), 0, []
    for _ in range(1_000):
        u = rng.random(size)
        queue = np.argsort(u / q)[: n + 1]
        pi, drawn = inclusion(u[queue], q[queue], n, size), queue[:n]
        found = precision(list(map(bool, y[drawn])), [None] * n, pi, size, None)
        values.append(found.value)
        held += found.low <= truth <= found.high
    assert abs(np.mean(values) - truth) < 0.004
    assert 930 <= held <= 970


@pytest.mark.parametrize(("f", "mean"), [([0.5, 1.2], 0.5), ([0.5, -0.1], 0.5), ([0.5, 0.5], float("nan"))])
def test_a_confidence_outside_0_and_1_is_refused(f: list[float], mean: float) -> None:
    with pytest.raises(ValueError, match=r"a confidence lies in \[0, 1\]"):
        precision([True, False], f, np.full(2, 0.2), 10, mean)
