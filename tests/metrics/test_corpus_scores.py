"""Micro, macro and weighted P / R / F1 against worked examples, scikit-learn and properties."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import precision_recall_fscore_support

from core.metrics.bootstrap import draws
from core.metrics.corpus import VALUES, score
from core.metrics.documents import Outcome, compare, count

MEASURES = ("precision", "recall", "f1")


def outcome(name, tp, fp, fn, **more):
    """A document with that many distinct ids of each kind."""
    ids = iter(range(tp + fp + fn))
    return Outcome(name, *(tuple(next(ids) for _ in range(k)) for k in (tp, fp, fn)), **more)


def values(scores, average):
    return tuple(scores.estimates[f"{average}_{m}"].value for m in MEASURES)


THREE = (outcome("A", 2, 1, 1), outcome("B", 4, 6, 1), outcome("C", 2, 0, 6))
"""The three-document example of section 4.3."""


@pytest.mark.parametrize(
    ("average", "expected"),
    [
        ("macro", (0.6889, 0.5722, 0.5333)),
        ("micro", (0.5333, 0.5000, 0.5161)),
        ("weighted", (0.7500, 0.5000, 0.4917)),
    ],
)
def test_the_three_document_example(average, expected):
    found = values(score(THREE), average)
    assert tuple(round(v, 4) for v in found) == expected


def test_the_three_document_example_exactly():
    found = score(THREE)
    macro = ((2 / 3 + 4 / 10 + 1) / 3, (2 / 3 + 4 / 5 + 2 / 8) / 3, (2 / 3 + 8 / 15 + 4 / 10) / 3)
    assert values(found, "macro") == pytest.approx(macro, abs=1e-12)
    spread = [2 / 3, 8 / 15, 4 / 10]  # population form: ddof = 0
    mean = sum(spread) / 3
    std = (sum((v - mean) ** 2 for v in spread) / 3) ** 0.5
    assert found.estimates["macro_f1"].std == pytest.approx(std, abs=1e-12)
    assert values(found, "weighted") == pytest.approx((12 / 16, 8 / 16, (2 + 8 / 3 + 3.2) / 16), abs=1e-12)
    assert values(found, "micro") == pytest.approx((8 / 15, 8 / 16, 16 / 31), abs=1e-12)
    assert count(THREE)._asdict() == {
        "documents": 3,
        "documents_precision": 3,
        "documents_complete": 3,
        "vacuous": 0,
        "tp": 8,
        "fp": 7,
        "fn": 8,
        "gold": 16,
        "predicted": 15,
        "undecided": 0,
    }


def test_std_is_the_population_deviation_over_documents():
    found = score((outcome("a", 0, 1, 1), outcome("b", 0, 1, 1), outcome("c", 1, 3, 3)))  # F1 0, 0, 0.25
    assert round(found.estimates["macro_f1"].std, 3) == 0.118
    assert found.estimates["macro_f1"].n == 3
    assert found.estimates["micro_f1"].std is None


def test_std_of_one_document_is_zero():
    assert score((outcome("a", 1, 1, 1),)).estimates["macro_f1"].std == 0.0


# --- zero rules -------------------------------------------------------------------------------------------


def test_no_documents_every_value_is_undefined_and_says_why():
    found = score((), index_lists=draws(0, 10))
    for name in VALUES:
        estimate = found.estimates[name]
        assert (estimate.value, estimate.low, estimate.n) == (None, None, 0)
        assert estimate.reason == "The gold standard holds no documents."
    assert found.estimates["macro_f1"].std is None


@pytest.mark.parametrize(("vacuous", "value"), [("one", 1.0), ("zero", 0.0), ("skip", None)])
def test_all_documents_vacuous(vacuous, value):
    outcomes = (outcome("a", 0, 0, 0), outcome("b", 0, 0, 0))
    found = score(outcomes, vacuous=vacuous)
    assert values(found, "micro") == (value, value, value)
    assert values(found, "macro") == (value, value, value)
    assert values(found, "weighted") == (None, None, None)
    assert found.estimates["weighted_f1"].reason.startswith("The complete documents hold no gold")
    assert count(outcomes).vacuous == 2
    if value is None:
        assert found.estimates["micro_f1"].reason.startswith("No scored document holds")
        assert found.estimates["macro_f1"].n == 0


@pytest.mark.parametrize(
    ("vacuous", "macro_f1", "n", "std"),
    [("one", 0.75, 2, 0.25), ("zero", 0.25, 2, 0.25), ("skip", 0.5, 1, 0.0)],
)
def test_one_vacuous_document_among_two(vacuous, macro_f1, n, std):
    outcomes = (outcome("a", 0, 0, 0), outcome("b", 1, 1, 1))
    found = score(outcomes, vacuous=vacuous)
    estimate = found.estimates["macro_f1"]
    assert (estimate.value, estimate.n, estimate.std) == (pytest.approx(macro_f1), n, pytest.approx(std))
    assert values(found, "micro") == (0.5, 0.5, 0.5)  # no count changes
    assert values(found, "weighted") == (0.5, 0.5, 0.5)
    assert found.estimates["weighted_f1"].n == n
    assert count(outcomes).vacuous == 1


def test_silence_against_gold_is_zero_not_undefined():
    found = score((outcome("a", 0, 0, 2),))
    for average in ("micro", "macro", "weighted"):
        assert values(found, average) == (0.0, 0.0, 0.0)


def test_noise_without_gold_is_zero_but_weighs_nothing():
    found = score((outcome("a", 0, 2, 0),))
    assert values(found, "micro") == (0.0, 0.0, 0.0)
    assert values(found, "macro") == (0.0, 0.0, 0.0)
    assert values(found, "weighted") == (None, None, None)


def test_weighted_ignores_the_errors_of_documents_without_gold_micro_does_not():
    found = score((outcome("a", 2, 0, 0), outcome("b", 0, 2, 0)))
    assert values(found, "weighted") == (1.0, 1.0, 1.0)
    assert values(found, "micro") == (0.5, 1.0, pytest.approx(2 / 3))


# --- gold that is still being made ------------------------------------------------------------------------


def test_open_gold_each_value_rests_on_the_documents_it_may_use():
    outcomes = compare(
        {"X": {1, 2}, "Y": {4}, "Z": {8}},
        {"X": {1, 3, 9}, "Y": {4, 5, 6, 7}, "Z": {7}},
        decided={"X": {3}, "Y": {5, 6}},
        complete={"X"},
    )
    found, totals = score(outcomes), count(outcomes)
    assert values(found, "micro") == pytest.approx((2 / 5, 1 / 2, 1 / 2))
    assert values(found, "macro") == pytest.approx(((1 / 2 + 1 / 3) / 2, 1 / 2, 1 / 2))
    assert values(found, "weighted") == pytest.approx((1 / 2, 1 / 2, 1 / 2))
    assert {name: e.n for name, e in found.estimates.items()} == {
        "micro_precision": 2,
        "macro_precision": 2,
        **{f"{a}_{m}": 1 for a in ("micro", "macro") for m in ("recall", "f1")},
        **{f"weighted_{m}": 1 for m in MEASURES},
    }
    assert totals.undecided == 3
    assert (totals.gold, totals.predicted) == (2, 5)


def test_open_gold_with_nothing_closed_has_precision_only():
    found = score(compare({"Y": {4}}, {"Y": {4, 5}}, decided={"Y": {5}}, complete=set()))
    assert values(found, "micro") == (0.5, None, None)
    assert values(found, "macro") == (0.5, None, None)
    assert values(found, "weighted") == (None, None, None)
    assert "closed in review" in found.estimates["macro_f1"].reason


def test_open_gold_with_nothing_decided_has_no_value_and_says_so():
    found = score(compare({"Y": {4}}, {"Y": {5}}, decided={}, complete=set()))
    assert found.estimates["micro_precision"].value is None
    assert found.estimates["micro_precision"].reason == "No document has a decided proposal."


# --- scikit-learn -----------------------------------------------------------------------------------------


def indicator_matrices(seed, documents=30, labels=12):
    generator = np.random.default_rng(seed)
    gold = generator.random((documents, labels)) < generator.uniform(0.02, 0.4)
    flips = generator.random((documents, labels)) < 0.15
    return gold, gold ^ flips


def as_sets(matrix):
    return {f"d{i:03}": set(np.flatnonzero(row).tolist()) for i, row in enumerate(matrix)}


def test_equal_to_scikit_learn_on_300_random_corpora():
    """Transposed, so that scikit-learn's labels are our documents and `average=None` gives each one's values;
    its `macro` and `weighted` are their means, which one in ten corpora checks by itself."""
    for seed in range(300):
        gold, predicted = indicator_matrices(seed, documents=5 + seed % 25)
        found = score(compare(as_sets(gold), as_sets(predicted)), vacuous="zero")
        theirs = {"micro": precision_recall_fscore_support(gold, predicted, average="micro", zero_division=0)}
        *each, weights = precision_recall_fscore_support(gold.T, predicted.T, average=None, zero_division=0)
        theirs["macro"] = np.mean(each, axis=1)
        if weights.any():
            theirs["weighted"] = np.average(each, axis=1, weights=weights)
        for average, expected in theirs.items():
            assert values(found, average) == pytest.approx(tuple(expected)[:3], abs=1e-9), (seed, average)
            if seed % 10 == 0 and average != "micro":
                own = precision_recall_fscore_support(gold.T, predicted.T, average=average, zero_division=0)
                assert values(found, average) == pytest.approx(own[:3], abs=1e-9), (seed, average)
        spread = [found.estimates[f"macro_{m}"].std for m in MEASURES]
        assert spread == pytest.approx(np.std(each, axis=1), abs=1e-9), seed


def test_equal_to_scikit_learn_per_sample():
    gold, predicted = indicator_matrices(1)
    found = score(compare(as_sets(gold), as_sets(predicted)), vacuous="zero")
    expected = precision_recall_fscore_support(gold, predicted, average="samples", zero_division=0)[:3]
    assert values(found, "macro") == pytest.approx(expected, abs=1e-9)


# --- properties -------------------------------------------------------------------------------------------

sets = st.dictionaries(st.sampled_from("abcdefgh"), st.frozensets(st.integers(0, 9)), max_size=8)
rules = st.sampled_from(["one", "zero", "skip"])


@given(sets, sets, rules)
@settings(max_examples=150, deadline=None)
def test_every_value_lies_in_range_and_weighted_recall_is_micro_recall(gold, predicted, vacuous):
    outcomes = compare(gold, predicted)
    found, totals = score(outcomes, vacuous=vacuous), count(outcomes)
    for name in VALUES:
        value = found.estimates[name].value
        assert value is None or 0 <= value <= 1
        assert (value is None) == (found.estimates[name].reason is not None)
    weighted = found.estimates["weighted_recall"].value
    if weighted is not None:
        assert weighted == pytest.approx(found.estimates["micro_recall"].value, abs=1e-12)
        assert totals.gold == totals.tp + totals.fn


@given(sets, sets, rules, st.randoms())
@settings(max_examples=100, deadline=None)
def test_order_of_documents_and_names_of_ids_do_not_matter(gold, predicted, vacuous, random):
    documents = list(gold)
    random.shuffle(documents)
    renamed = [f"HP:{i}" for i in range(10)]
    random.shuffle(renamed)
    shuffled_gold = {d: {renamed[i] for i in gold[d]} for d in documents}
    shuffled_predictions = {d: {renamed[i] for i in ids} for d, ids in reversed(predicted.items())}
    sides = compare(gold, predicted), compare(shuffled_gold, shuffled_predictions)
    ours, theirs = (score(side, vacuous=vacuous, index_lists=draws(len(gold), 20)) for side in sides)
    assert ours.estimates == theirs.estimates
    assert count(sides[0]) == count(sides[1])


@given(sets.filter(lambda s: any(s.values())))
@settings(max_examples=50, deadline=None)
def test_a_perfect_prediction_scores_one_everywhere(gold):
    found = score(compare(gold, gold), index_lists=draws(len(gold), 20))
    for name in VALUES:
        estimate = found.estimates[name]
        bound = 1.0 if len(gold) > 1 else None
        assert (estimate.value, estimate.low, estimate.high) == (1.0, bound, bound)


@given(sets, sets)
@settings(max_examples=50, deadline=None)
def test_swapping_gold_and_prediction_swaps_precision_and_recall(gold, predicted):
    both = {d: gold.get(d, frozenset()) for d in gold.keys() | predicted.keys()}
    other = {d: predicted.get(d, frozenset()) for d in both}
    ours, theirs = score(compare(both, other)), score(compare(other, both))
    for average in ("micro", "macro"):
        p, r, f = values(ours, average)
        assert (
            (r, p, f) == pytest.approx(values(theirs, average)) if both else (p, r, f) == (None, None, None)
        )
