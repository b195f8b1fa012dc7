"""Conservative and optimistic bounds: by hand, with every edge case of metric-definitions 6.2."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.metrics.bootstrap import draws
from core.metrics.bounds import MEASURES, READINGS, VALUES, judge, score


def values(gold, predicted, sure=0.8):
    return {name: e.value for name, e in score(judge(gold, predicted, sure)).estimates.items()}


def one(gold, predicted, sure=0.8):
    """Reading -> (precision, recall, F1) of one document."""
    found = values({"d": set(gold)}, {"d": predicted}, sure)
    return {reading: [found[f"{reading}:{m}"] for m in MEASURES] for reading in READINGS}


def close(*expected):
    return [pytest.approx(value, abs=1e-9) for value in expected]


def test_by_hand():
    # gold a b c; predicted a, b right; x sure, y and z not. TP 2, FN 1.
    # conservative FP 3: P 2/5, R 2/3, F1 4/8. optimistic FP 1: P 2/3, R 2/3, F1 4/6. expected: the means.
    said = [("a", 0.1), ("b", 0.9), ("x", 0.9), ("y", 0.79), ("z", None)]
    assert one("abc", said) == {
        "conservative": close(2 / 5, 2 / 3, 4 / 8),
        "optimistic": close(2 / 3, 2 / 3, 4 / 6),
        "expected": close((2 / 5 + 2 / 3) / 2, 2 / 3, (4 / 8 + 4 / 6) / 2),
    }


def test_the_midpoint_of_f1_is_not_the_f1_of_midpoints():
    # above: expected P 8/15, R 2/3, their harmonic mean 16/27, not 7/12
    said = [("a", 0.1), ("b", 0.9), ("x", 0.9), ("y", 0.79), ("z", None)]
    precision, recall, f1 = one("abc", said)["expected"]
    assert f1 == pytest.approx(7 / 12, abs=1e-9)
    assert 2 * precision * recall / (precision + recall) == pytest.approx(16 / 27, abs=1e-9)


@pytest.mark.parametrize(
    ("confidence", "is_sure"), [(0.8, True), (0.7999999, False), (1.0, True), (0.0, False)]
)
def test_a_confidence_of_eight_tenths_is_sure(confidence, is_sure):
    (document,) = judge({"d": set()}, {"d": [("x", confidence)]})
    assert (document.sure, document.forgiven) == ((("x",), ()) if is_sure else ((), ("x",)))


def test_how_sure_is_an_option():
    assert one("a", [("a", None), ("x", 0.6)], sure=0.6)["optimistic"] == close(1 / 2, 1, 2 / 3)


def test_without_confidences_none_is_a_false_positive():
    found = one("ab", [("a", None), ("x", None), ("y", None)])
    assert found["optimistic"] == close(1, 1 / 2, 2 / 3)
    assert found["conservative"] == close(1 / 3, 1 / 2, 2 / 5)


def test_a_duplicated_id_keeps_its_highest_confidence():
    for copies in ([("x", 0.9), ("x", 0.2)], [("x", 0.2), ("x", 0.9)], [("x", None), ("x", 0.9)]):
        (document,) = judge({"d": {"a"}}, {"d": copies})
        assert document.sure == ("x",)
    (document,) = judge({"d": {"a"}}, {"d": [("a", 0.1), ("a", 0.9), ("x", 0.9), ("x", 0.9)]})
    assert (document.tp, document.sure) == (("a",), ("x",))  # counted once


def test_a_vacuous_document_scores_one_in_all_readings():
    assert set(values({"d": set()}, {}).values()) == {1.0}


def test_nothing_over_nothing_is_zero_where_something_was_forgiven():
    # no gold, one unsure prediction: the optimistic reading has TP = FP = FN = 0, but is not vacuous
    assert set(values({"d": set()}, {"d": [("x", 0.1)]}).values()) == {0.0}


def test_silence_on_gold_scores_zero():
    assert set(values({"d": {"a"}}, {}).values()) == {0.0}


def test_without_documents_nothing_is_defined():
    found = score(judge({}, {"d": [("x", 0.9)]}), index_lists=draws(0)).estimates
    assert tuple(found) == VALUES
    assert all(e.value is None and e.n == 0 and e.reason for e in found.values())


def test_documents_are_pooled():
    # d: TP 1, sure 1. e: FN 1, forgiven 1. Conservative P 1/3, optimistic 1/2, R 1/2.
    gold = {"d": {"a"}, "e": {"b"}}
    found = values(gold, {"d": [("a", 0.5), ("x", 0.9)], "e": [("y", 0.1)], "f": [("z", 1.0)]})
    assert [found["conservative:precision"], found["optimistic:precision"]] == close(1 / 3, 1 / 2)
    assert found["expected:recall"] == pytest.approx(1 / 2, abs=1e-9)


def test_intervals_are_of_the_resamples_given():
    # d is right, e is surely wrong; dd, de, ee give precision 1, 1/2, 0
    judged = judge({"d": {"a"}, "e": {"b"}}, {"d": [("a", 1.0)], "e": [("x", 1.0)]})
    found = score(judged, index_lists=np.array([[0, 0], [0, 1], [1, 1]])).estimates["expected:precision"]
    assert [found.value, found.low, found.high] == close(0.5, 0.025, 0.975)


IDS = st.sampled_from("abcde")
GOLD = st.dictionaries(st.sampled_from("12"), st.frozensets(IDS), min_size=1)
SAID = st.dictionaries(
    st.sampled_from("12"), st.lists(st.tuples(IDS, st.none() | st.sampled_from([0.0, 0.5, 0.8, 1.0])))
)


@settings(deadline=None, max_examples=60)
@given(GOLD, SAID, st.randoms())
def test_optimistic_is_no_lower_recall_is_the_same_and_order_does_not_matter(gold, said, random):
    found = values(gold, said)
    for measure in MEASURES:
        low, high = found[f"conservative:{measure}"], found[f"optimistic:{measure}"]
        assert 0 <= low <= high <= 1
        assert found[f"expected:{measure}"] == pytest.approx((low + high) / 2, abs=1e-9)
    assert found["conservative:recall"] == found["optimistic:recall"]
    shuffled = {d: random.sample(rows, len(rows)) for d, rows in reversed(said.items())}
    assert values(gold, shuffled) == found
    assert set(values(gold, {d: [(i, None) for i in ids] for d, ids in gold.items()}).values()) == {1.0}
