"""Fleiss' kappa and Krippendorff's alpha: by hand, and as statsmodels and krippendorff have them."""

import math
import warnings

import krippendorff
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import fleiss_kappa

from core.metrics.agreement import PAIRS_AT_ONCE, agreement, alpha, fleiss

RATING = st.sampled_from(["affirmed", "negated", "uncertain", "absent", None])
UNITS = st.lists(st.lists(RATING, min_size=1, max_size=5), max_size=30)


def random_tables(n=300, seed=13):
    """Items x raters, labels 0 to k - 1."""
    generator = np.random.default_rng(seed)
    for _ in range(n):
        items, raters = int(generator.integers(1, 40)), int(generator.integers(2, 7))
        yield generator, generator.integers(0, generator.integers(1, 6), (items, raters))


# --- Cohen, on the same random inputs -------------------------------------------------------------------


def tabulate(units):
    """Items x labels, in order of their names: how many raters gave it."""
    rows = [[label for label in unit if label is not None] for unit in units]
    names = sorted({label for row in rows for label in row}, key=str)
    return [[row.count(name) for name in names] for row in rows]


def test_cohen_as_scikit_learn_has_it_on_300_random_inputs():
    for _, table in random_tables():
        a, b = table[:, 0].tolist(), table[:, 1].tolist()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # scikit-learn warns where kappa is undefined
            expected = cohen_kappa_score(a, b)
        found = agreement(zip(a, b, strict=True))
        if math.isnan(expected):
            assert found.kappa is None
            assert found.expected == 1
        else:
            assert found.kappa == pytest.approx(expected, abs=1e-9)


# --- Fleiss -----------------------------------------------------------------------------------------------


def test_fleiss_by_hand():
    # three raters, items (3, 0), (2, 1), (0, 3): P_i 1, (4 + 1 - 3)/6 = 1/3, 1; mean 7/9
    # p = (5/9, 4/9): P_e = 41/81; kappa = (63 - 41)/(81 - 41) = 22/40
    found = fleiss([[3, 0], [2, 1], [0, 3]])
    assert found.observed == pytest.approx(7 / 9, abs=1e-9)
    assert found.expected == pytest.approx(41 / 81, abs=1e-9)
    assert found.value == pytest.approx(0.55, abs=1e-9)
    assert (found.n, found.reason) == (3, None)


def test_fleiss_as_statsmodels_has_it_on_300_random_inputs():
    for _, raters in random_tables():
        counts = tabulate(raters.tolist())
        found = fleiss(counts)
        if len(counts[0]) == 1:  # statsmodels divides 0 by 0
            assert found.value is None
        else:
            assert found.value == pytest.approx(fleiss_kappa(np.array(counts)), abs=1e-9)


@pytest.mark.parametrize(
    ("table", "why"),
    [
        ([], "No item was rated."),
        ([[2, 1], [2, 0]], "see Krippendorff's alpha"),
        ([[1, 0], [0, 1]], "at least two raters"),
        ([[0, 0]], "at least two raters"),
        ([[3, 0], [3, 0]], "one and the same label"),
        ([[3], [3]], "one and the same label"),
    ],
)
def test_where_fleiss_is_undefined_it_says_why(table, why):
    found = fleiss(table)
    assert found.value is None
    assert why in found.reason


def test_complete_agreement_on_two_labels_is_one():
    assert fleiss([[2, 0], [0, 2]]).value == 1
    assert alpha([("a", "a"), ("b", "b")]).value == 1


def test_two_raters_of_fleiss_share_their_habits():
    # Cohen 2/5 on 20, 5, 10, 15 (test_agreement); Fleiss pools: p = 55/100, P_e = 0.55² + 0.45² = 0.505,
    # kappa = (0.7 - 0.505) / 0.495
    counts = [[2, 0]] * 20 + [[1, 1]] * 15 + [[0, 2]] * 15
    assert fleiss(counts).value == pytest.approx(0.195 / 0.495, abs=1e-9)


# --- Krippendorff -----------------------------------------------------------------------------------------


def test_alpha_by_hand():
    # units (a, a), (a, b), (b, b, a), (b, -): the last is not pairable. n = 7, n_a = 4, n_b = 3
    # D_o = 1/7 (0 + 2/1 + 4/2) = 4/7; D_e = (49 - 16 - 9)/42 = 4/7: alpha 0
    found = alpha([("a", "a"), ("a", "b"), ("b", "b", "a"), ("b", None)])
    assert (found.observed, found.expected) == (pytest.approx(4 / 7), pytest.approx(4 / 7))
    assert found.value == pytest.approx(0, abs=1e-9)
    assert (found.n, found.left_out) == (3, 1)


def test_alpha_as_krippendorff_has_it_on_300_random_inputs():
    for generator, raters in random_tables():
        data = raters.astype(float)
        data[generator.random(data.shape) < 0.3] = np.nan
        units = [[None if math.isnan(v) else int(v) for v in row] for row in data]
        found = alpha(units)
        labels = {v for unit in units for v in unit if v is not None and _rated(unit)}
        if len(labels) < 2:
            assert found.value is None
        else:
            domain = sorted({v for unit in units for v in unit if v is not None})
            expected = krippendorff.alpha(data.T, level_of_measurement="nominal", value_domain=domain)
            assert found.value == pytest.approx(expected, abs=1e-9)


def _rated(unit):
    return sum(v is not None for v in unit) > 1


def test_alpha_with_a_distance_as_krippendorff_has_it_on_300_random_inputs():
    # krippendorff's interval alpha is the one with squared differences, here scaled into [0, 1]
    def squares(left, right):
        return [(a - b) ** 2 / 25 for a, b in zip(left, right, strict=True)]

    for generator, raters in random_tables():
        data = raters.astype(float)
        data[generator.random(data.shape) < 0.2] = np.nan
        units = [[None if math.isnan(v) else int(v) for v in row] for row in data]
        found = alpha(units, squares)
        labels = {v for unit in units for v in unit if v is not None and _rated(unit)}
        if len(labels) < 2:
            assert found.value is None
        else:
            domain = sorted({v for unit in units for v in unit if v is not None})
            expected = krippendorff.alpha(data.T, level_of_measurement="interval", value_domain=domain)
            assert found.value == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("units", "why", "left_out"),
    [
        ([], "No item was rated by two.", 0),
        ([("a", None), (None, "b"), (None, None), ()], "No item was rated by two.", 4),
        ([("a", "a"), ("a", "a", "a"), ("b",)], "one and the same label", 1),
    ],
)
def test_where_alpha_is_undefined_it_says_why(units, why, left_out):
    for found in (alpha(units), alpha(units, lambda left, right: np.ones(len(left)))):
        assert found.value is None
        assert why in found.reason
        assert found.left_out == left_out


def test_labels_at_no_distance_are_one_label():
    assert alpha([("a", "b"), ("b", "a")], lambda left, right: np.zeros(len(left))).value is None


@settings(deadline=None)
@given(UNITS)
def test_with_every_distance_one_alpha_is_the_nominal_one(units):
    plain, weighted = alpha(units), alpha(units, lambda left, right: np.ones(len(left)))
    assert (plain.n, plain.left_out, plain.reason) == (weighted.n, weighted.left_out, weighted.reason)
    assert plain.value == (None if weighted.value is None else pytest.approx(weighted.value, abs=1e-9))


@settings(deadline=None)
@given(UNITS, st.randoms(use_true_random=False))
def test_order_of_items_and_raters_and_names_of_labels_do_not_matter(units, random):
    shuffled = [random.sample(unit, len(unit)) for unit in random.sample(units, len(units))]
    renamed = [[None if label is None else f"x{label}" for label in unit] for unit in units]
    assert alpha(shuffled) == alpha(units)
    assert alpha(renamed).value == alpha(units).value
    square = [unit for unit in units if len(unit) == 3 and None not in unit]
    mixed = [random.sample(unit, 3) for unit in random.sample(square, len(square))]
    assert fleiss(tabulate(mixed)) == fleiss(tabulate(square))


@settings(deadline=None)
@given(UNITS)
def test_values_stay_in_range_and_agreement_is_best(units):
    found = alpha(units)
    assert found.value is None or -1 <= found.value <= 1
    square = [unit for unit in units if len(unit) == 3 and None not in unit]
    value = fleiss(tabulate(square)).value
    assert value is None or -0.5 - 1e-9 <= value <= 1  # -1/(m - 1) at the least
    best = alpha([[unit[0]] * 3 for unit in square])
    assert best.value in (None, 1)


def test_more_labels_than_fit_in_one_call():
    # 1,500 labels: 1,124,250 pairs, over the block of a million; every unit differs, all labels equally far
    units = [(i, i + 1) for i in range(0, 1500, 2)]
    assert len(units) * 2 * (len(units) * 2 - 1) / 2 > PAIRS_AT_ONCE
    assert alpha(units, lambda left, right: np.ones(len(left))).value == pytest.approx(
        alpha(units).value, abs=1e-9
    )
