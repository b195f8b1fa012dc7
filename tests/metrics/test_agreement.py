"""Agreement of two raters: by hand, and as scikit-learn has it."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from core.metrics.agreement import agreement, pairwise_f1

LABELS = st.sampled_from(["affirmed", "negated", "uncertain", "absent"])


def test_kappa_by_hand():
    # 20 yes/yes, 5 yes/no, 10 no/yes, 15 no/no: p_o 35/50; p_e 25/50 * 30/50 + 25/50 * 20/50 = 1/2; κ 2/5
    table = {("yes", "yes"): 20, ("yes", "no"): 5, ("no", "yes"): 10, ("no", "no"): 15}
    found = agreement(pair for pair, n in table.items() for _ in range(n))
    assert (found.observed, found.expected) == (pytest.approx(0.7), pytest.approx(0.5))
    assert found.kappa == pytest.approx(0.4)
    assert (found.n, found.missing, found.reason) == (50, 0, None)


def test_opposites_reach_minus_one():
    assert agreement([("yes", "no"), ("no", "yes")]).kappa == -1


def test_one_rater_constant_gives_zero():
    assert agreement([("yes", "yes"), ("yes", "no")]).kappa == 0


def test_one_label_for_everything_is_undefined():
    found = agreement([("yes", "yes")] * 7)
    assert (found.observed, found.expected, found.kappa, found.n) == (1, 1, None, 7)
    assert "one and the same label" in found.reason


def test_constant_on_different_labels_is_no_agreement_beyond_chance():
    found = agreement([("yes", "no")] * 3)
    assert (found.observed, found.expected, found.kappa) == (0, 0, 0)


@pytest.mark.parametrize("pairs", [[], [("yes", None), (None, "no"), (None, None)]])
def test_nothing_rated_by_both_is_undefined(pairs):
    found = agreement(pairs)
    assert (found.observed, found.expected, found.kappa, found.n) == (None, None, None, 0)
    assert (found.missing, found.reason) == (len(pairs), "No item was rated by both.")


@settings(deadline=None)
@given(st.lists(st.tuples(LABELS, LABELS), min_size=1, max_size=60))
def test_as_scikit_learn_has_it(pairs):
    found = agreement(pairs)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scikit-learn warns where kappa is undefined
        expected = cohen_kappa_score([a for a, _ in pairs], [b for _, b in pairs])
    if np.isnan(expected):
        assert found.kappa is None
    else:
        assert found.kappa == pytest.approx(expected)
    assert agreement([(b, a) for a, b in pairs]).kappa == found.kappa


def test_pairwise_f1_by_hand_and_the_same_either_way_round():
    a = {"d1": {1, 2}, "d2": {3}, "d3": set()}
    b = {"d1": {1}, "d2": set(), "d4": {4}}
    assert pairwise_f1(a, b) == pairwise_f1(b, a) == pytest.approx(2 * 1 / (2 * 1 + 2 + 1))


def test_pairwise_f1_of_silence():
    assert pairwise_f1({"d1": set()}, {"d1": set()}) == 1
    assert pairwise_f1({}, {}) is None
    assert pairwise_f1({"d1": {1}}, {"d1": set()}) == 0
