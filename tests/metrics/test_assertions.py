"""Joint, stratified and confusion values of assertions (metric-definitions 5), by hand and against
scikit-learn."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import (
    accuracy_score,
    confusion_matrix,
    multilabel_confusion_matrix,
    precision_recall_fscore_support,
)

from core.metrics import FAMILIES
from core.metrics.assertions import HEADLINE, VALUES, score
from core.metrics.bootstrap import draws
from core.metrics.statuses import STATUSES, compare, compare_mentions, pairing

A, N, U = STATUSES
MEASURES = ("precision", "recall", "f1")


def values(gold, predicted, kind="joint", **more):
    found = score(compare(gold, predicted), **more).estimates
    names = [f"{m}:{kind}" for m in MEASURES] if kind in STATUSES else [f"{kind}_{m}" for m in MEASURES]
    return tuple(found[name].value for name in names)


def value(name, gold, predicted):
    return score(compare(gold, predicted)).estimates[name]


GOLD = {"d1": [("a", A), ("b", N), ("c", U)], "d2": [("a", A)], "d3": []}
SAID = {"d1": [("a", A), ("b", A), ("d", N)], "d2": [("a", A)], "d3": [], "elsewhere": [("a", N)]}
"""Triples: 4 in gold, 4 proposed, 2 on both sides. Terms: 4, 4, and 3 on both. `elsewhere` has no gold."""


def test_a_true_positive_needs_document_id_and_status():
    assert values(GOLD, SAID) == pytest.approx((2 / 4, 2 / 4, 2 / 4), abs=1e-9)
    assert values(GOLD, SAID, "term") == pytest.approx((3 / 4, 3 / 4, 3 / 4), abs=1e-9)


def test_the_same_id_in_another_document_is_no_match():
    assert values({"d1": [("a", A)], "d2": []}, {"d1": [], "d2": [("a", A)]}) == (0.0, 0.0, 0.0)


def test_a_repeated_gold_cannot_match_twice():
    # the sketch of the paper gives precision 2.0 here (R17)
    assert values({"d": [("x", A), ("x", A)]}, {"d": [("x", A)]}) == (1.0, 1.0, 1.0)
    assert values({"d": [("x", A)]}, {"d": [("x", A), ("x", A)]}) == (1.0, 1.0, 1.0)


def test_the_multiset_variant_counts_repeats_and_has_its_own_name():
    # negated 3 against 2, affirmed 1 against 2, uncertain 0 against 1: TP = 2 + 1 = 3 of 4 gold, 5 proposed
    gold = {"d": [("x", N)] * 3 + [("x", A)]}
    said = {"d": [("x", N)] * 2 + [("x", A)] * 2 + [("x", U)]}
    found = score(compare(gold, said), compare_mentions(gold, said)).estimates
    mention = tuple(found[f"joint_mention_{m}"].value for m in MEASURES)
    assert mention == pytest.approx((3 / 5, 3 / 4, 2 / 3), abs=1e-9)
    assert tuple(found[f"joint_{m}"].value for m in MEASURES) == pytest.approx((2 / 3, 1, 0.8), abs=1e-9)


def test_without_mentions_the_multiset_variant_is_undefined_and_says_so():
    found = value("joint_mention_f1", GOLD, SAID)
    assert (found.value, found.reason) == (None, "The single mentions of both sides are not known.")


# --- zero rules -------------------------------------------------------------------------------------------


def test_no_documents_every_value_is_undefined_and_says_why():
    found = score(compare({}, {"d": [("a", A)]}), compare_mentions({}, {}), index_lists=draws(0, 10))
    for name in VALUES:
        estimate = found.estimates[name]
        assert (estimate.value, estimate.low, estimate.n) == (None, None, 0)
        assert estimate.reason == "The gold holds no complete document."


def test_nothing_on_either_side_is_one_but_absent_statuses_and_an_empty_matrix_are_undefined():
    found = score(compare({"d": []}, {}), compare_mentions({"d": []}, {})).estimates
    for kind in ("joint", "term", "joint_mention"):
        assert [found[f"{kind}_{m}"].value for m in MEASURES] == [1.0, 1.0, 1.0]
    for status in STATUSES:
        assert [found[f"{m}:{status}"].value for m in MEASURES] == [None, None, None]
        assert "neither in the gold" in found[f"f1:{status}"].reason
    assert found["mean_f1"].value is None
    assert found["accuracy"].value is None
    assert found["accuracy"].reason == "No concept is named by both sides."


@pytest.mark.parametrize(("gold", "said"), [([("a", N)], []), ([], [("a", N)])])
def test_silence_against_gold_and_noise_against_none_are_zero(gold, said):
    for kind in ("joint", "term", N):
        assert values({"d": gold}, {"d": said}, kind) == (0.0, 0.0, 0.0)
    assert value("accuracy", {"d": gold}, {"d": said}).value is None


# --- each status by itself --------------------------------------------------------------------------------


def test_strata_restrict_both_sides_to_the_status():
    # affirmed: gold a1 a2, proposed a1 a2 b1; negated: gold b1, proposed d1; uncertain: gold c1 alone
    assert values(GOLD, SAID, A) == pytest.approx((2 / 3, 1.0, 0.8), abs=1e-9)
    assert values(GOLD, SAID, N) == (0.0, 0.0, 0.0)
    assert values(GOLD, SAID, U) == (0.0, 0.0, 0.0)
    assert value("mean_f1", GOLD, SAID).value == pytest.approx(0.8 / 3, abs=1e-9)


def test_a_status_absent_from_both_sides_is_undefined_and_in_no_mean():
    gold, said = {"d": [("a", A), ("b", N)]}, {"d": [("a", A), ("b", A)]}
    assert values(gold, said, U) == (None, None, None)
    # F1 affirmed 2/3, negated 0; uncertain is no third value
    assert value("mean_f1", gold, said).value == pytest.approx(1 / 3, abs=1e-9)


# --- confusion matrix -------------------------------------------------------------------------------------


def test_rows_are_gold_and_columns_predicted_and_only_shared_concepts_count():
    terms = compare(GOLD, SAID)
    assert terms.confusion() == [[2, 0, 0], [1, 0, 0], [0, 0, 0]]  # b: gold negated, proposed affirmed
    assert value("accuracy", GOLD, SAID).value == pytest.approx(2 / 3, abs=1e-9)


@pytest.mark.parametrize(
    ("gold", "said", "cells"),
    [
        ({A}, {A}, [(A, A)]),
        ({A}, {N}, [(A, N)]),
        ({A, N}, {N}, [(N, N)]),  # equal statuses first; affirmed is left over and goes nowhere
        ({A, N}, {N, U}, [(A, U), (N, N)]),
        ({A, N}, {U}, [(A, U)]),  # the rest in canonical order: affirmed before negated
        ({N}, {A, U}, [(N, A)]),
        ({A, N, U}, {A, N, U}, [(A, A), (N, N), (U, U)]),
        ({A, N, U}, {A}, [(A, A)]),
        (set(), {A}, []),
        ({A}, set(), []),
    ],
)
def test_several_statuses_pair_equal_ones_first_then_in_canonical_order(gold, said, cells):
    terms = compare({"d": [("x", s) for s in gold]}, {"d": [("x", s) for s in said]})
    table = terms.confusion()
    assert [(g, p) for i, g in enumerate(STATUSES) for j, p in enumerate(STATUSES) if table[i][j]] == cells
    assert sum(map(sum, table)) == len(cells)


def test_no_status_is_paired_twice():
    for g in range(8):
        for p in range(8):
            cells = pairing(g, p)
            assert len({i for i, _ in cells}) == len({j for _, j in cells}) == len(cells)
            assert len(cells) == min(g.bit_count(), p.bit_count())


def test_an_unknown_status_is_refused_by_name():
    with pytest.raises(ValueError, match="'denied' is no assertion status"):
        compare({"d": [("a", "denied")]}, {})


# --- scikit-learn -----------------------------------------------------------------------------------------


def random_labels(generator, documents=12, ids=6):
    return {
        f"d{d:02}": [(f"x{i}", generator.choice(STATUSES)) for i in range(ids) if generator.random() < 0.5]
        for d in range(documents)
    }


@pytest.mark.parametrize("start", range(0, 300, 30))
def test_equal_to_scikit_learn(start):
    for seed in range(start, start + 30):
        generator = random.Random(seed)
        gold, said = random_labels(generator), random_labels(generator)
        terms = compare(gold, said)
        found = score(terms).estimates
        pairs = [
            (status, dict(said[d])[concept])
            for d, held in gold.items()
            for concept, status in held
            if concept in dict(said[d])
        ]
        right, proposed = zip(*pairs, strict=True)
        expected = confusion_matrix(right, proposed, labels=[s.value for s in STATUSES])
        assert terms.confusion() == expected.tolist()
        assert found["accuracy"].value == pytest.approx(accuracy_score(right, proposed), abs=1e-9)

        columns = [(f"x{i}", s) for i in range(6) for s in STATUSES]
        truth, guess = (
            np.array([[column in set(side[d]) for column in columns] for d in gold]) for side in (gold, said)
        )
        p, r, f, _ = precision_recall_fscore_support(truth, guess, average="micro", zero_division=0)
        assert [found[f"joint_{m}"].value for m in MEASURES] == pytest.approx([p, r, f], abs=1e-9)
        counts = multilabel_confusion_matrix(truth, guess)  # one matrix for each column
        for i, status in enumerate(STATUSES):
            (_, fp), (fn, tp) = counts[i::3].sum(axis=0)
            expected = [tp / (tp + fp), tp / (tp + fn), 2 * tp / (2 * tp + fp + fn)]
            assert [found[f"{m}:{status}"].value for m in MEASURES] == pytest.approx(expected, abs=1e-9)


# --- properties -------------------------------------------------------------------------------------------

LABELS = st.dictionaries(
    st.sampled_from("pqrs"),
    st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from(STATUSES)), max_size=6),
    max_size=4,
)
SINGLE = st.dictionaries(
    st.sampled_from("pqrs"),
    st.dictionaries(st.sampled_from("abcd"), st.sampled_from(STATUSES)).map(lambda d: list(d.items())),
    max_size=4,
)


@settings(max_examples=40, deadline=None)
@given(LABELS, LABELS, st.randoms(use_true_random=False))
def test_order_does_not_matter_and_values_stay_in_range(gold, said, generator):
    found = score(compare(gold, said), compare_mentions(gold, said)).estimates
    mixed = [
        {d: generator.sample(side[d], len(side[d])) for d in generator.sample(list(side), len(side))}
        for side in (gold, said)
    ]
    assert score(compare(*mixed), compare_mentions(*mixed)).estimates == found
    assert all(e.value is None or 0 <= e.value <= 1 for e in found.values())


@settings(max_examples=40, deadline=None)
@given(LABELS)
def test_a_perfect_prediction_scores_one_wherever_it_is_defined(gold):
    found = score(compare(gold, gold), compare_mentions(gold, gold)).estimates
    assert {e.value for e in found.values()} <= {1.0, None}
    assert not gold or found[HEADLINE].value == 1.0


@settings(max_examples=40, deadline=None)
@given(SINGLE, SINGLE)
def test_joint_never_exceeds_term_where_no_id_has_two_statuses(gold, said):
    found = score(compare(gold, said)).estimates
    if gold:
        assert found["joint_f1"].value <= found["term_f1"].value + 1e-12


@settings(max_examples=40, deadline=None)
@given(LABELS, LABELS)
def test_turning_the_sides_turns_precision_into_recall_and_the_matrix_on_its_side(gold, said):
    both = sorted({*gold, *said})
    gold, said = ({d: side.get(d, []) for d in both} for side in (gold, said))
    assert values(gold, said) == tuple(values(said, gold)[i] for i in (1, 0, 2))
    assert compare(said, gold).confusion() == np.transpose(compare(gold, said).confusion()).tolist()


# --- intervals --------------------------------------------------------------------------------------------


def test_intervals_are_reproducible_and_equal_to_scoring_each_resample_anew():
    generator = random.Random(9)
    gold, said = random_labels(generator, 8, 4), random_labels(generator, 8, 4)
    index_lists = np.array([[generator.randrange(8) for _ in range(8)] for _ in range(40)])
    terms, mentions = compare(gold, said), compare_mentions(gold, said)
    found = score(terms, mentions, index_lists=index_lists)
    names = sorted(gold)
    for row, indices in zip(
        np.column_stack(list(found.resampled.values())), index_lists.tolist(), strict=True
    ):
        drawn = [
            {f"{k:02}": side[names[i]] for k, i in enumerate(indices)} for side in (gold, said)
        ]  # a document drawn twice is two documents
        again = score(compare(*drawn), compare_mentions(*drawn)).estimates
        expected = [np.nan if again[name].value is None else again[name].value for name in VALUES]
        assert row == pytest.approx(expected, abs=1e-9, nan_ok=True)
    assert score(terms, mentions, index_lists=index_lists).estimates == found.estimates
    low, high = np.percentile(found.resampled[HEADLINE], [2.5, 97.5])
    assert (found.estimates[HEADLINE].low, found.estimates[HEADLINE].high) == pytest.approx((low, high))


def test_resamples_without_the_status_are_dropped_and_counted():
    gold = {"d1": [("a", N)], "d2": [("a", A)]}
    found = score(compare(gold, gold), index_lists=np.array([[0, 0], [0, 1], [1, 1]])).estimates
    assert (found["f1:negated"].dropped, found["f1:negated"].low) == (1, 1.0)


def test_every_value_is_registered():
    assert {name.split(":")[0] for name in VALUES} == set(FAMILIES["assertions"].metrics)
