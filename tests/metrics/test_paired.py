"""Two systems on the same documents: p-values from SciPy and by hand, and every case that has none."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from core.metrics import corpus
from core.metrics.bootstrap import draws
from core.metrics.differences import bootstrap_p
from core.metrics.documents import compare
from core.metrics.paired import (
    NOT_APPLICABLE,
    corpus_differences,
    f1_differences,
    shared,
    t_test,
    wilcoxon,
)
from tests.repeats import times

GOLD = {"a": {1, 2}, "b": {3}, "c": {4}, "d": set()}
FIRST = {"a": {1}, "b": {9}, "c": {4}, "d": set()}  # F1 2/3, 0, 1, 1
SECOND = {"a": {1, 2}, "b": {3, 9}, "c": set(), "d": {5}}  # F1 1, 2/3, 0, 0

F1S = st.sampled_from([0.0, 1 / 3, 0.4, 0.5, 2 / 3, 0.8, 1.0])


def test_differences_are_second_minus_first_per_document():
    found = f1_differences(compare(GOLD, FIRST), compare(GOLD, SECOND))
    assert found == pytest.approx([1 / 3, 2 / 3, -1, -1])


def test_only_documents_scored_in_both_are_compared():
    first = compare(GOLD, FIRST, complete={"a", "b", "c"})
    second = compare({d: GOLD[d] for d in "bcd"}, SECOND)
    assert [[o.doc_id for o in side] for side in shared(first, second)] == [["b", "c"], ["b", "c"]]
    skipping = shared(compare(GOLD, FIRST), compare(GOLD, FIRST), vacuous="skip")
    assert [o.doc_id for o in skipping[0]] == ["a", "b", "c"]


def test_t_by_hand():
    # mean 0.2; deviations -0.1, 0, 0.1: sd (n - 1) 0.1; t = 0.2 / (0.1 / √3) = 2√3
    # Student's t with 2 degrees of freedom: p = 1/2 - t / (2 √(2 + t²)) = 1/2 - √3 / √14
    found = t_test([0.1, 0.2, 0.3])
    assert found.statistic == pytest.approx(2 * 3**0.5)
    assert found.p == pytest.approx(0.5 - (3 / 14) ** 0.5)
    assert (found.n, found.differing, found.reason) == (3, 3, None)
    assert found.mean_difference == pytest.approx(0.2)


def test_the_test_is_one_sided():
    better, worse = t_test([0.1, 0.2, 0.3]), t_test([-0.1, -0.2, -0.3])
    assert better.p + worse.p == pytest.approx(1)
    assert better.p < 0.05 < worse.p


def test_wilcoxon_by_counting_signs():
    # ranks 1 to 4, the loss has rank 2: w = 8; of 16 sign patterns three reach 8 (losses: none, {1}, {2})
    found = wilcoxon([0.1, -0.2, 0.3, 0.4, 0.0])
    reach = sum(
        sum(rank for rank, gain in zip((1, 2, 3, 4), signs, strict=True) if gain) >= 8
        for signs in itertools.product((0, 1), repeat=4)
    )
    assert (found.statistic, found.p) == (8, pytest.approx(reach / 16))
    assert (found.n, found.differing) == (5, 4)


def test_gains_equal_as_fractions_are_ties():
    # 1 - 2/3, 2/3 - 1/3 and 1/3 - 0 differ in the last bit only: 2 of 2³ sign patterns of one rank each
    # reach w = 4 (ranks 2, 2, 2: w is 6 or 4)
    assert len({1 - 2 / 3, 2 / 3 - 1 / 3, 1 / 3 - 0.0}) > 1
    found = wilcoxon([1 - 2 / 3, 2 / 3 - 1 / 3, -(1 / 3)])
    assert (found.statistic, found.p) == (4, pytest.approx(4 / 8))


@settings(deadline=None, max_examples=times(15, 50))  # SciPy counts permutations where few documents tie
@given(st.lists(st.tuples(F1S, F1S), max_size=70))
def test_as_scipy_does_it(pairs):
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    differences = [b - a for a, b in pairs]
    t, w = t_test(differences), wilcoxon(differences)
    differing = sum(a != b for a, b in pairs)
    assert (t.differing, w.differing) == (differing, differing)
    if differing < 2:
        assert (t.p, w.p, t.statistic, w.statistic) == (None,) * 4
        return
    rounded = [round(d, 12) for d in differences]
    assert w.p == pytest.approx(stats.wilcoxon([d for d in rounded if d], alternative="greater").pvalue)
    if len(set(rounded)) == 1:
        assert t.p is None
        assert "same amount" in t.reason
    else:
        expected = stats.ttest_rel(second, first, alternative="greater")
        assert (t.p, t.statistic) == (
            pytest.approx(expected.pvalue, abs=1e-9),
            pytest.approx(expected.statistic, rel=1e-6, abs=1e-9),
        )


@pytest.mark.parametrize("test", [t_test, wilcoxon])
@pytest.mark.parametrize(
    ("differences", "why"),
    [
        ([], "No document is scored in both."),
        ([0.0], NOT_APPLICABLE),
        ([0.0, 0.0, 0.0], NOT_APPLICABLE),
        ([0.0, 0.5, 0.0], "Only one document differs; a test needs at least two."),
        ([0.5], "Only one document differs; a test needs at least two."),
    ],
)
def test_where_there_is_no_test_it_says_why(test, differences, why):
    found = test(differences)
    assert (found.p, found.statistic, found.reason) == (None, None, why)
    assert found.is_applicable == (why != NOT_APPLICABLE)
    assert found.to_json()["p"] is None


def test_equal_gains_everywhere_leave_the_t_test_without_spread():
    assert t_test([0.25, 0.25, 0.25]).p is None
    assert wilcoxon([0.25, 0.25, 0.25]).p == pytest.approx(1 / 8)


def micro_differences(first, second, resamples):
    found = corpus_differences(first, second, resamples=resamples)
    return {name: found[name].estimate for name in ("micro_precision", "micro_recall", "micro_f1")}


def test_difference_of_micro_values_by_hand():
    # first: TP 2 FP 1 FN 2 -> P 2/3, R 1/2, F1 4/7; second: TP 3 FP 2 FN 1 -> P 3/5, R 3/4, F1 2/3
    found = micro_differences(compare(GOLD, FIRST), compare(GOLD, SECOND), 200)
    assert [e.value for e in found.values()] == pytest.approx([3 / 5 - 2 / 3, 1 / 4, 2 / 3 - 4 / 7])
    assert [e.n for e in found.values()] == [4, 4, 4]
    assert all(-1 <= e.low <= e.value <= e.high <= 1 for e in found.values())


def test_a_system_against_itself_differs_by_nothing():
    same = compare(GOLD, FIRST)
    found = micro_differences(same, same, 50)
    assert {(e.value, e.low, e.high) for e in found.values()} == {(0.0, 0.0, 0.0)}


def test_without_common_documents_the_difference_is_undefined():
    found = micro_differences(compare({"a": {1}}, {}), compare({"b": {1}}, {}), 50)
    assert {(e.value, e.low, e.n) for e in found.values()} == {(None, None, 0)}
    assert all(e.reason for e in found.values())


# --- two-sided --------------------------------------------------------------------------------------------


def test_two_sided_t_by_hand():
    # t = 2√3 as above; both tails of Student's t with 2 degrees of freedom: 1 - 2√3 / √14
    better, worse = t_test([0.1, 0.2, 0.3], "two-sided"), t_test([-0.1, -0.2, -0.3], "two-sided")
    assert better.p == worse.p == pytest.approx(1 - 2 * (3 / 14) ** 0.5, abs=1e-9)
    assert (better.statistic, worse.statistic) == (pytest.approx(12**0.5), pytest.approx(-(12**0.5)))


def test_two_sided_wilcoxon_by_counting_signs():
    # ranks 1 to 4, the loss has rank 2: rank sums 8 and 2; 2 or less on either side: losses none, {1}, {2},
    # and the same for gains: 6 of 16 sign patterns
    found = wilcoxon([0.1, -0.2, 0.3, 0.4, 0.0], "two-sided")
    assert (found.statistic, found.p) == (2, pytest.approx(6 / 16, abs=1e-9))


def test_two_sided_as_scipy_does_it_on_300_random_inputs():
    generator = np.random.default_rng(13)
    for _ in range(300):
        # 25 and more, some of them tied: where SciPy does not count permutations
        differences = np.round(generator.normal(0.02, 0.2, generator.integers(25, 80)), 2).tolist()
        kept = [d for d in differences if d]
        assert t_test(differences, "two-sided").p == pytest.approx(
            stats.ttest_1samp(differences, 0).pvalue, abs=1e-9
        )
        assert wilcoxon(differences, "two-sided").p == pytest.approx(stats.wilcoxon(kept).pvalue, abs=1e-9)


# --- paired bootstrap -------------------------------------------------------------------------------------


def test_bootstrap_p_by_hand():
    nan = np.nan
    # of 9 resamples with a value, 2 are at or below 0: 2 (1 + 2) / (1 + 9)
    assert bootstrap_p(np.array([1, 2, 3, -1, 0, 1, 1, 1, nan, 1.0])) == pytest.approx(0.6, abs=1e-9)
    assert bootstrap_p(np.array([-1.0] * 99)) == pytest.approx(2 / 100, abs=1e-9)
    assert bootstrap_p(np.array([0.0] * 5)) == 1
    assert bootstrap_p(np.array([-1e-17, 1e-17, 1, 1])) == 1  # ties: 3 of 4 would be above without rounding
    assert bootstrap_p(np.array([nan, nan])) is None
    assert bootstrap_p(np.array([])) is None


def naive_values(outcomes):
    """Micro P, R, F1; macro P, R, F1; weighted P, R, F1, one document at a time (rules V1 and Z0)."""

    def divide(top, bottom):
        return top / bottom if bottom else 0.0

    counts = [(len(o.tp), len(o.fp), len(o.fn)) for o in outcomes]
    rows = [
        (1.0, 1.0, 1.0)
        if not tp + fp + fn
        else (divide(tp, tp + fp), divide(tp, tp + fn), divide(2 * tp, 2 * tp + fp + fn))
        for tp, fp, fn in counts
    ]
    tp, fp, fn = (sum(column) for column in zip(*counts, strict=True))
    micro = (
        [1.0] * 3
        if not tp + fp + fn
        else [divide(tp, tp + fp), divide(tp, tp + fn), divide(2 * tp, 2 * tp + fp + fn)]
    )
    macro = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
    weights = [tp + fn for tp, _, fn in counts]
    if not sum(weights):
        return [*micro, *macro, *([np.nan] * 3)]
    weighted = [
        sum(w * row[k] for w, row in zip(weights, rows, strict=True)) / sum(weights) for k in range(3)
    ]
    return [*micro, *macro, *weighted]


def test_paired_intervals_equal_a_naive_loop_over_documents_on_the_same_draws():
    generator = np.random.default_rng(5)
    gold, first, second = (
        {f"{i:02}": set(np.flatnonzero(generator.random(6) < 0.4).tolist()) for i in range(12)}
        for _ in range(3)
    )
    a, b = compare(gold, first), compare(gold, second)
    found = corpus_differences(a, b, resamples=150, seed=7, level=0.9)
    (lists,) = draws(12, 150, 7)
    rows = np.array(
        [
            np.subtract(naive_values([b[i] for i in picked]), naive_values([a[i] for i in picked]))
            for picked in lists
        ]
    )
    whole = np.subtract(naive_values(b), naive_values(a))
    for i, name in enumerate(corpus.VALUES):
        kept = rows[~np.isnan(rows[:, i]), i]
        estimate, p = found[name]
        assert estimate.value == pytest.approx(whole[i], abs=1e-9)
        assert (estimate.low, estimate.high) == pytest.approx(np.percentile(kept, [5, 95]), abs=1e-9)
        assert estimate.dropped == 150 - len(kept)
        kept = np.round(kept, 12)
        tail = min((kept <= 0).sum(), (kept >= 0).sum())
        assert p == pytest.approx(min(1, 2 * (1 + tail) / (1 + len(kept))), abs=1e-9)


def test_the_same_draws_give_the_same_and_swapped_systems_mirror():
    a, b = compare(GOLD, FIRST), compare(GOLD, SECOND)
    there, again, back = (corpus_differences(*s, resamples=100) for s in ((a, b), (a, b), (b, a)))
    assert there == again
    for name in corpus.VALUES:
        assert back[name].estimate.value == pytest.approx(-there[name].estimate.value, abs=1e-9)
        assert back[name].estimate.low == pytest.approx(-there[name].estimate.high, abs=1e-9)
        assert back[name].p == there[name].p


def test_weighted_values_without_gold_have_no_difference():
    silent = compare({"a": set(), "b": set()}, {"a": {1}})
    found = corpus_differences(silent, silent, resamples=10)
    assert (found["weighted_f1"].estimate.value, found["weighted_f1"].p) == (None, None)
    assert found["weighted_f1"].estimate.reason
    assert found["macro_f1"].p == 1
