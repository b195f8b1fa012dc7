"""Threshold table, `seed_literal_area` and Youden: metric-definitions 6.3 and 6.4, and scikit-learn."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.metrics.bootstrap import draws
from core.metrics.near_pairs import near_pairs
from core.metrics.thresholds import MEASURES, THRESHOLDS, area, table, youden


class Alike:
    """Similarities by hand; nobody's parent."""

    def __init__(self, similar=()):
        self.similar = {frozenset(pair): value for pair, value in dict(similar).items()}

    def between(self, ids, first, second):
        pairs = zip(first.tolist(), second.tolist(), strict=True)
        return np.array([self.similar.get(frozenset((ids[a], ids[b])), 0.0) for a, b in pairs], dtype=float)

    def adjacent(self, ids, first, second):
        return np.ones(len(first), dtype=bool)  # parents and children count for nothing here


def rows(gold, predicted, similar=(), **options):
    return table(near_pairs(gold, predicted, Alike(similar), THRESHOLDS[0]), **options)


def column(found, measure):
    return [found.estimates[f"{measure}:{t}"].value for t in THRESHOLDS]


def close(value):
    return pytest.approx(value, abs=1e-9)


# --- the table ----------------------------------------------------------------------------------------------


def test_by_hand():
    # gold a b c, predicted a x y: a-a always, x-b up to 0.7, y-c up to 0.9 -> TP 3 3 3 2 2 1, of 3 and 3
    found = rows({"d": set("abc")}, {"d": set("axy")}, {("x", "b"): 0.7, ("y", "c"): 0.9})
    expected = [close(tp / 3) for tp in (3, 3, 3, 2, 2, 1)]
    for measure in MEASURES:
        assert column(found, measure) == expected
    assert found.estimates["mean_f1"].value == close(14 / 18)
    assert [len(pairs) for pairs in found.matched] == [3, 3, 3, 2, 2, 1]


def test_thresholds_are_inclusive():
    found = rows({"d": {"a"}}, {"d": {"x"}}, {("a", "x"): 0.6})
    assert column(found, "f1") == [1, 1, 0, 0, 0, 0]


def test_at_one_different_ids_with_similarity_one_match():
    assert column(rows({"d": {"a"}}, {"d": {"x"}}, {("a", "x"): 1.0}), "f1") == [1] * 6


def test_parents_and_children_are_no_match_by_themselves():
    assert column(rows({"d": {"a"}}, {"d": {"x"}}, {("a", "x"): 0.4}), "f1") == [0] * 6


def test_the_largest_matching_counts_not_a_greedy_one():
    # x is like a and b, y like a alone; a greedy pass may give a to x
    found = rows({"d": {"a", "b"}}, {"d": {"x", "y"}}, {("x", "a"): 0.9, ("x", "b"): 0.5, ("y", "a"): 0.5})
    assert column(found, "recall") == [1, 0.5, 0.5, 0.5, 0.5, 0]


def test_an_exact_pair_may_give_way_to_two():
    # a-a, or a-b with x-a
    found = rows({"d": {"a", "b"}}, {"d": {"a", "x"}}, {("a", "b"): 0.5, ("a", "x"): 0.5})
    assert column(found, "recall") == [1, 0.5, 0.5, 0.5, 0.5, 0.5]


def test_counts_are_pooled_over_documents():
    # d: 1 of 1 gold, 1 predicted; e: 0 of 3 gold, 1 predicted
    found = rows({"d": {"a"}, "e": set("bcf")}, {"d": {"a"}, "e": {"z"}})
    assert column(found, "precision") == [close(1 / 2)] * 6
    assert column(found, "recall") == [close(1 / 4)] * 6
    assert column(found, "f1") == [close(1 / 3)] * 6


def test_vacuous_zero_and_nothing_at_all():
    assert column(rows({"d": set()}, {}), "f1") == [1] * 6
    assert rows({"d": set()}, {}).estimates["seed_literal_area"].value == 0
    for gold, said in (({"d": {"a"}}, {}), ({"d": set()}, {"d": {"a"}})):
        assert [column(rows(gold, said), m) for m in MEASURES] == [[0] * 6] * 3
    found = rows({}, {}, index_lists=draws(0)).estimates
    assert all(e.value is None and e.reason for e in found.values())


def test_intervals_are_of_the_resamples_given():
    found = rows(
        {"d": {"a"}, "e": {"b"}},
        {"d": {"a"}, "e": {"c"}},
        index_lists=np.array([[0, 0], [0, 1], [1, 1]]),
    ).estimates["mean_f1"]
    assert [found.value, found.low, found.high] == [0.5, close(0.025), close(0.975)]


SETS = st.dictionaries(
    st.sampled_from("12"), st.frozensets(st.sampled_from("abcdef"), max_size=4), max_size=2
)
SIMILAR = st.dictionaries(
    st.tuples(st.sampled_from("abc"), st.sampled_from("def")), st.sampled_from([0.4, 0.5, 0.65, 0.9, 1.0])
)


@settings(deadline=None, max_examples=60)
@given(SETS, SETS, SIMILAR)
def test_the_matching_is_the_largest_there_is_and_never_grows_with_the_threshold(gold, predicted, similar):
    found = rows(gold, predicted, similar)
    sizes = [len(pairs) for pairs in found.matched]
    assert sizes == sorted(sizes, reverse=True)
    pairs = {frozenset(pair): value for pair, value in similar.items()}
    for t, size in zip(THRESHOLDS, sizes, strict=True):
        best = 0
        for d in gold:
            long, short = sorted((list(gold[d]), list(predicted.get(d, ()))), key=len, reverse=True)
            best += max(
                sum(a == b or pairs.get(frozenset((a, b)), 0) >= t for a, b in zip(short, way, strict=True))
                for way in permutations(long, len(short))
            )
        assert size == best
    for estimate in found.estimates.values():
        assert estimate.value is None or 0 <= estimate.value <= 1


# --- the area -----------------------------------------------------------------------------------------------


def test_the_area_by_hand():
    # P = TP / 4, R = TP / 2 for TP 2 2 1 1 0 0: from (0, 0) over (1/2, 1/4) to (1, 1/2)
    # trapezoids: 1/2 * 1/8 + 1/2 * 3/8 = 1/4
    similar = {("w", "a"): 0.6, ("x", "b"): 0.8}
    found = rows({"d": {"a", "b"}}, {"d": set("wxyz")}, similar)
    assert column(found, "recall") == [1, 1, 0.5, 0.5, 0, 0]
    assert found.estimates["seed_literal_area"].value == close(1 / 4)


@settings(deadline=None, max_examples=40)
@given(SETS, SETS, SIMILAR)
def test_the_area_restates_its_ends(gold, predicted, similar):
    # R26: P = k * R, so the area is k * (R_last^2 - R_first^2) / 2
    found = rows(gold, predicted, similar)
    said, right = (sum(len(sets.get(d, ())) for d in gold) for sets in (predicted, gold))
    if said and right:
        recalls = column(found, "recall")
        expected = right / said * (max(recalls) ** 2 - min(recalls) ** 2) / 2
        assert found.estimates["seed_literal_area"].value == close(expected)


def test_points_are_sorted_by_recall_then_precision():
    # (0.2, 0.9), (0.2, 1.0), (0.6, 0.5) -> 0 + 0.4 * 0.75; unsorted input
    precisions, recalls = np.array([[1.0, 0.5, 0.9]]), np.array([[0.2, 0.6, 0.2]])
    assert area(precisions, recalls) == close(np.array([0.3]))


def test_the_area_is_the_trapezoid_of_scikit_learn():
    from sklearn.metrics import auc

    generator = np.random.default_rng(11)
    for _ in range(300):
        recalls = generator.permutation(generator.choice(100, 6, replace=False)) / 100
        precisions = generator.random(6)
        order = np.argsort(recalls)
        expected = auc(recalls[order], precisions[order])
        assert area(precisions[None], recalls[None])[0] == close(expected)


# --- Youden -------------------------------------------------------------------------------------------------


def test_youden_by_hand():
    # same: 0.9 0.8 0.4; not: 0.5 0.3. J(0.8) = 2/3 - 0; J(0.4) = 1 - 1/2
    found = youden([(0.9, True), (0.5, False), (0.8, True), (0.3, False), (0.4, True)])
    assert (found.threshold, found.j, found.n) == (0.8, close(2 / 3), 5)
    assert [p.threshold for p in found.curve] == [0.9, 0.8, 0.5, 0.4, 0.3]  # collinear points stay


def test_a_pair_is_the_same_from_the_threshold_on():
    assert youden([(0.7, True), (0.699, False)]).threshold == 0.7


def test_of_equal_j_the_highest_threshold_wins():
    # J(0.9) = 1/2; J(0.6) = 1 - 1/2
    assert youden([(0.9, True), (0.8, False), (0.6, True), (0.5, False)]).threshold == 0.9


def test_j_equal_but_for_rounding_is_a_tie():
    # J(0.9) = 1/3; J(0.5) = 2/3 - 1/3, which floats make a little less or more
    pairs = [(0.9, True), (0.7, False), (0.5, True), (0.3, True), (0.2, False), (0.1, False)]
    assert youden(pairs).threshold in (0.9, 0.3)
    by_threshold = {p.threshold: p.j for p in youden(pairs).curve}
    assert youden(pairs).threshold == max(
        t for t, j in by_threshold.items() if j > max(by_threshold.values()) - 1e-12
    )


@pytest.mark.parametrize("pairs", [[], [(0.9, True)], [(0.9, False), (0.2, False)]])
def test_one_class_is_no_basis(pairs):
    found = youden(pairs)
    assert (found.threshold, found.j, found.n, found.curve) == (None, None, len(pairs), ())
    assert "both kinds" in found.reason


@pytest.mark.parametrize("pairs", [[(0.2, True), (0.9, False)], [(0.5, True), (0.5, False)]])
def test_without_separation_there_is_no_threshold(pairs):
    # J <= 0 everywhere; scikit-learn's first point, at infinity with J = 0, is no threshold either
    found = youden(pairs)
    assert (found.threshold, found.j) == (None, 0)
    assert "chance" in found.reason


def test_youden_does_not_minimise_the_number_of_errors():
    # R25: 1 same at 0.6, 9 not: 3 at 0.7, 6 below. J(0.6) = 1 - 1/3 is best and makes 3 errors; calling
    # nothing the same makes 1
    pairs = [(0.6, True), *[(0.7, False)] * 3, *[(0.1, False)] * 6]
    assert (youden(pairs).threshold, youden(pairs).j) == (0.6, close(2 / 3))


def test_rates_are_those_of_scikit_learn():
    from sklearn.metrics import roc_curve

    generator = np.random.default_rng(9)
    for _ in range(300):
        n = int(generator.integers(2, 30))
        similarity = generator.integers(0, 12, n) / 12  # ties
        same = generator.random(n) < 0.5
        same[:2] = True, False
        fpr, tpr, thresholds = roc_curve(same, similarity, drop_intermediate=False)
        found = youden(zip(similarity.tolist(), same.tolist(), strict=True))
        assert [p.threshold for p in found.curve] == thresholds[1:].tolist()  # theirs begin at infinity
        assert [p.true_positive_rate for p in found.curve] == pytest.approx(tpr[1:], abs=1e-9)
        assert [p.false_positive_rate for p in found.curve] == pytest.approx(fpr[1:], abs=1e-9)
        j = tpr - fpr
        if j.max() > 1e-12:
            assert found.threshold == thresholds[j >= j.max() - 1e-12].max()
            assert found.j == close(j.max())
        else:
            assert found.threshold is None


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(st.sampled_from([0.0, 0.25, 0.5, 1.0]), st.booleans())), st.randoms())
def test_order_does_not_matter_and_perfect_separation_is_one(pairs, random):
    found = youden(pairs)
    assert youden(random.sample(pairs, len(pairs))) == found
    assert found.j is None or 0 <= found.j <= 1
    apart = [(0.5 + s / 2, True) for s, _ in pairs] + [(0.49 * s, False) for s, _ in pairs]
    if pairs:
        assert youden(apart).j == 1
        assert youden(apart).threshold == 0.5 + min(s for s, _ in pairs) / 2
