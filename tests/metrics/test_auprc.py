"""Area under the precision-recall curve: by hand, against scikit-learn, and the cases it cannot see."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.metrics.auprc import rank, score
from core.metrics.bootstrap import counts, draws


def area(gold, predicted):
    return score(rank(gold, predicted)).estimates["auprc"].value


def close(value):
    return pytest.approx(value, abs=1e-9)


def test_by_hand():
    # a 0.9 right, x 0.8 wrong, b 0.7 right, c never: P 1 at R 1/3, P 2/3 at R 2/3 -> 1/3 + 2/9
    gold, said = {"d": {"a", "b", "c"}}, {"d": [("b", 0.7), ("x", 0.8), ("a", 0.9)]}
    found = score(rank(gold, said)).estimates
    assert found["auprc"].value == close(5 / 9)
    assert found["share_found"].value == close(2 / 3)
    precision, recall = rank(gold, said).points()
    assert precision.tolist() == [1, 1 / 2, close(2 / 3)]
    assert recall.tolist() == [close(1 / 3), close(1 / 3), close(2 / 3)]


def test_equal_confidences_enter_together():
    # a and x at once: P 1/2 at R 1, whichever comes first
    for said in ([("a", 0.5), ("x", 0.5)], [("x", 0.5), ("a", 0.5)]):
        assert area({"d": {"a"}}, {"d": said}) == close(0.5)


def test_documents_are_pooled_into_one_ranking():
    # d: a 0.9 right, e: x 0.8 wrong, d: b 0.7 right: 1/2 + 1/2 * 2/3
    gold = {"d": {"a", "b"}, "e": set()}
    assert area(gold, {"d": [("a", 0.9), ("b", 0.7)], "e": [("x", 0.8)]}) == close(1 / 2 + 1 / 3)


def test_an_id_keeps_its_highest_confidence_per_document():
    # a at 0.9 in d; a in e is another item
    said = {"d": [("a", 0.1), ("x", 0.5), ("a", 0.9)], "e": [("a", 0.2)]}
    assert area({"d": {"a"}, "e": set()}, said) == close(1)
    assert len(rank({"d": {"a"}, "e": set()}, said).ids) == 3


def test_predictions_without_a_confidence_enter_last_and_together():
    # x 0.0 wrong, then a and y: P 1/3 at R 1
    assert area({"d": {"a"}}, {"d": [("a", None), ("y", None), ("x", 0.0)]}) == close(1 / 3)


def test_a_copy_with_a_confidence_counts_before_one_without():
    assert area({"d": {"a"}}, {"d": [("a", None), ("a", 0.5), ("x", 0.1)]}) == close(1)


def test_gold_that_is_never_predicted_lowers_the_area():
    assert area({"d": {"a", "b"}, "e": {"c", "f"}}, {"d": [("a", 0.9)]}) == close(1 / 4)


def test_no_prediction_and_nothing_right_score_zero():
    assert area({"d": {"a"}}, {}) == 0
    assert area({"d": {"a"}}, {"d": [("x", 0.9)]}) == 0


def test_no_gold_and_no_documents_are_undefined():
    for gold in ({"d": set()}, {}):
        found = score(rank(gold, {"d": [("x", 0.9)]}), index_lists=draws(len(gold), 10)).estimates
        assert all(e.value is None and e.reason and e.low is None for e in found.values())
    _, recall = rank({"d": set()}, {"d": [("x", 0.9)]}).points()
    assert np.isnan(recall).all()


def test_documents_without_gold_are_not_scored():
    assert area({"d": {"a"}}, {"d": [("a", 0.5)], "e": [("x", 0.9)]}) == close(1)


def random_predictions(generator, retrieve_all):
    """Ten documents, confidences with ties."""
    gold = {
        str(d): set(generator.choice(12, generator.integers(0, 5), replace=False).tolist()) for d in range(9)
    }
    gold["9"] = {1}
    said = {}
    for d, ids in gold.items():
        chosen = set(generator.choice(12, generator.integers(0, 6), replace=False).tolist())
        if retrieve_all:
            chosen |= ids
        said[d] = [(i, round(float(generator.random()), 1)) for i in chosen]
    return gold, said


@pytest.mark.parametrize("retrieve_all", [True, False])
def test_equal_to_scikit_learn_but_for_the_share_of_gold_it_cannot_see(retrieve_all):
    from sklearn.metrics import average_precision_score

    generator = np.random.default_rng(17)
    for _ in range(300):
        gold, said = random_predictions(generator, retrieve_all)
        rows = [(i in gold[d], c) for d, ids in said.items() for i, c in ids]
        found, everything = sum(right for right, _ in rows), sum(map(len, gold.values()))
        if not found:
            assert area(gold, said) == 0
            continue
        theirs = average_precision_score(*map(np.array, zip(*rows, strict=True)))
        assert area(gold, said) == close(theirs * found / everything)
        if retrieve_all:
            assert found == everything


def test_points_are_those_of_scikit_learn_where_all_gold_is_retrieved():
    from sklearn.metrics import precision_recall_curve

    generator = np.random.default_rng(18)
    for _ in range(300):
        gold, said = random_predictions(generator, True)
        rows = [(i in gold[d], c) for d, ids in said.items() for i, c in ids]
        precision, recall, _ = precision_recall_curve(*map(np.array, zip(*rows, strict=True)))
        ours = rank(gold, said).points()
        assert ours[0][::-1] == pytest.approx(precision[:-1], abs=1e-9)  # theirs end with an anchor
        assert ours[1][::-1] == pytest.approx(recall[:-1], abs=1e-9)


def test_resamples_are_what_copied_documents_would_score():
    generator = np.random.default_rng(4)
    gold, said = random_predictions(generator, False)
    lists = generator.integers(0, 10, (40, 10))
    names = sorted(gold)
    expected = []
    for row in lists:
        copied = {f"{k}": names[i] for k, i in enumerate(row)}
        expected.append(
            area({k: gold[d] for k, d in copied.items()}, {k: said[d] for k, d in copied.items()})
        )
    assert counts(lists, 10).sum() == 400
    found = score(rank(gold, said), index_lists=lists).estimates["auprc"]
    low, high = np.percentile(expected, [2.5, 97.5])
    assert (found.low, found.high) == (close(low), close(high))
    assert found.dropped == 0


def test_resamples_without_gold_are_dropped():
    found = score(
        rank({"d": {"a"}, "e": set()}, {"d": [("a", 0.5)]}), index_lists=np.array([[1, 1], [0, 1], [0, 0]])
    ).estimates["auprc"]
    assert (found.dropped, found.low, found.high) == (1, 1, 1)


GOLD = st.dictionaries(st.sampled_from("12"), st.frozensets(st.sampled_from("abc"), min_size=1), min_size=1)
SAID = st.dictionaries(
    st.sampled_from("12"),
    st.lists(st.tuples(st.sampled_from("abcdef"), st.none() | st.sampled_from([0.0, 0.4, 1.0]))),
)


@settings(deadline=None, max_examples=60)
@given(GOLD, SAID, st.randoms())
def test_range_perfection_and_order(gold, said, random):
    found = area(gold, said)
    assert 0 <= found <= 1
    assert area(gold, {d: random.sample(rows, len(rows)) for d, rows in reversed(said.items())}) == found
    assert area(gold, {d: [(i, 0.5) for i in ids] for d, ids in gold.items()}) == close(1)
