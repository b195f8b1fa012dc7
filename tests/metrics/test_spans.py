"""Span tiers by hand, against a search through all matchings, and against nervaluate
(metric-definitions 7)."""

import random
from functools import lru_cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nervaluate import Evaluator

from core.metrics import FAMILIES
from core.metrics.bootstrap import draws
from core.metrics.spans import HEADLINE, TIERS, VALUES, Span, compare, score

MEASURES = ("precision", "recall", "f1")


def values(gold, predicted, tier):
    found = score(compare({"d": gold}, {"d": predicted})).estimates
    return tuple(found[f"{tier}_{m}"].value for m in MEASURES)


def credits(gold, predicted):
    compared = compare({"d": gold}, {"d": predicted})
    return {tier: float(matching.credit.sum()) for tier, matching in compared.tiers.items()}


# gold [0, 10) a; the prediction moves away from it
@pytest.mark.parametrize(
    ("said", "strict", "exact", "partial", "type_", "semeval"),
    [
        ((0, 10, "a"), 1, 1, 1, 1, 1),
        ((0, 10, "b"), 0, 1, 1, 0, 1),
        ((0, 9, "a"), 0, 0, 1, 1, 0.5),
        ((0, 9, "b"), 0, 0, 1, 0, 0.5),
        ((9, 30, "a"), 0, 0, 1, 1, 0.5),  # one character is enough
        ((3, 4, "a"), 0, 0, 1, 1, 0.5),  # inside
        ((10, 20, "a"), 0, 0, 0, 0, 0),  # touching is no overlap
        ((40, 50, "a"), 0, 0, 0, 0, 0),
    ],
)
def test_what_each_tier_credits(said, strict, exact, partial, type_, semeval):
    found = credits([(0, 10, "a")], [said])
    expected = dict(zip(TIERS, (strict, exact, partial, type_, semeval), strict=True))
    assert found == expected


def test_one_gold_hit_by_two_predictions_is_one_true_positive():
    gold, said = [(0, 10, "a")], [(0, 4, "a"), (5, 10, "a")]
    assert values(gold, said, "partial") == pytest.approx((1 / 2, 1.0, 2 / 3), abs=1e-9)
    assert values(gold, said, "type") == pytest.approx((1 / 2, 1.0, 2 / 3), abs=1e-9)
    assert values(gold, said, "partial_semeval") == pytest.approx((0.25, 0.5, 1 / 3), abs=1e-9)


def test_one_prediction_over_two_gold_spans_is_one_true_positive():
    gold, said = [(0, 4, "a"), (5, 10, "a")], [(0, 10, "a")]
    assert values(gold, said, "partial") == pytest.approx((1.0, 1 / 2, 2 / 3), abs=1e-9)


def test_an_overlapping_prediction_listed_first_does_not_use_up_the_gold():
    # greedy matching in list order leaves (2, 6) unmatched; the optimum is (0, 3)-(0, 2) and (2, 6)-(2, 6)
    gold, said = [(2, 6, "a"), (0, 2, "a")], [(0, 3, "a"), (2, 6, "a")]
    assert values(gold, said, "partial") == (1.0, 1.0, 1.0)
    assert credits(gold, said)["partial_semeval"] == 1.5


def test_identical_spans_collapse_and_those_of_other_ids_do_not():
    assert values([(0, 5, "a"), (0, 5, "a")], [(0, 5, "a")], "strict") == (1.0, 1.0, 1.0)
    assert values([(0, 5, "a")], [(0, 5, "a"), (0, 5, "b")], "exact") == pytest.approx((0.5, 1, 2 / 3))


def test_a_long_span_that_shares_one_character_counts():
    # nervaluate asks for 1 % of the gold span
    assert credits([(0, 1000, "a")], [(999, 1200, "a")])["type"] == 1.0


def test_an_id_mismatch_is_spurious_and_missed():
    found = compare({"d": [(0, 5, "a")]}, {"d": [(0, 5, "b")]})
    assert values([(0, 5, "a")], [(0, 5, "b")], "strict") == (0.0, 0.0, 0.0)
    assert len(found.tiers["strict"].gold) == 0


def test_of_equal_matchings_the_one_with_most_pairs_of_the_same_span_and_id_is_reported():
    compared = compare({"d": [(0, 5, "a"), (0, 5, "b")]}, {"d": [(0, 5, "b"), (0, 6, "a")]})
    matching = compared.tiers["partial"]
    said = compared.spans(compared.predicted[matching.predicted])
    gold = compared.spans(compared.gold[matching.gold])
    assert list(zip(said, gold, strict=True)) == [
        (Span("d", 0, 5, "b"), Span("d", 0, 5, "b")),
        (Span("d", 0, 6, "a"), Span("d", 0, 5, "a")),
    ]


def test_offsets_of_another_document_are_another_place():
    compared = compare({"d": [(0, 5, "a")], "e": []}, {"d": [], "e": [(0, 5, "a")], "f": [(0, 5, "a")]})
    found = score(compared).estimates
    assert {e.value for e in found.values()} == {0.0}
    assert len(compared.predicted) == 1  # f has no gold and is not scored


def test_counts_are_pooled_over_documents():
    # strict: 1 of 3 predictions and 1 of 2 gold spans
    gold = {"d": [(0, 5, "a")], "e": [(0, 5, "a")]}
    said = {"d": [(0, 5, "a")], "e": [(0, 6, "a"), (7, 8, "a")]}
    found = score(compare(gold, said)).estimates
    strict = tuple(found[f"strict_{m}"].value for m in MEASURES)
    assert strict == pytest.approx((1 / 3, 1 / 2, 2 / 5), abs=1e-9)
    assert found[HEADLINE].n == 2


@pytest.mark.parametrize("span", [(5, 5, "a"), (5, 4, "a"), (-1, 4, "a")])
def test_a_span_without_a_character_is_refused(span):
    with pytest.raises(ValueError, match="a span holds a character"):
        compare({"d": [span]}, {})


# --- zero rules -------------------------------------------------------------------------------------------


def test_no_documents_every_value_is_undefined_and_says_why():
    found = score(compare({}, {"d": [(0, 1, "a")]}), index_lists=draws(0, 5)).estimates
    assert {(e.value, e.n, e.low, e.reason) for e in found.values()} == {
        (None, 0, None, "The gold holds no complete document.")
    }


def test_nothing_on_either_side_is_one():
    assert {e.value for e in score(compare({"d": []}, {"d": []})).estimates.values()} == {1.0}


@pytest.mark.parametrize(("gold", "said"), [([(0, 1, "a")], []), ([], [(0, 1, "a")])])
def test_silence_against_gold_and_noise_against_none_are_zero(gold, said):
    assert {e.value for e in score(compare({"d": gold}, {"d": said})).estimates.values()} == {0.0}


# --- against a search through all matchings, and nervaluate -----------------------------------------------


def worth(tier, p, g):
    """Credit of a pair, written from the table of tiers."""
    overlap, same_span = max(p[0], g[0]) < min(p[1], g[1]), p[:2] == g[:2]
    return {
        "strict": float(p == g),
        "exact": float(same_span),
        "partial": float(overlap),
        "type": float(overlap and p[2] == g[2]),
        "partial_semeval": 1.0 if same_span else 0.5 * overlap,
    }[tier]


def best(tier, said, gold):
    """The largest total credit, by trying every gold for every prediction."""

    @lru_cache(None)
    def of(i, free):
        if i == len(said):
            return 0.0
        taken = (
            worth(tier, said[i], gold[j]) + of(i + 1, free - {j})
            for j in free
            if worth(tier, said[i], gold[j])
        )
        return max([of(i + 1, free), *taken])

    return of(0, frozenset(range(len(gold))))


@pytest.mark.parametrize("start", range(0, 300, 60))
def test_equal_to_a_search_through_all_matchings(start):
    for seed in range(start, start + 60):
        generator = random.Random(seed)
        gold, said = (
            sorted(
                {
                    (s, s + generator.randint(1, 6), generator.choice("ab"))
                    for s in generator.choices(range(12), k=generator.randint(0, 6))
                }
            )
            for _ in range(2)
        )
        expected = {tier: best(tier, tuple(said), tuple(gold)) for tier in TIERS}
        assert credits(gold, said) == pytest.approx(expected, abs=1e-9)


def simple_document(generator):
    """A document in which no span overlaps two of the other side: every place has its own 20 characters."""
    gold, said = [], []
    for place in range(0, 20 * generator.randint(1, 8), 20):
        start, end = place + generator.randint(1, 5), place + generator.randint(8, 15)
        label, kind = generator.choice("ABC"), generator.random()
        if kind < 0.8:
            gold.append((start, end, label))
        if kind < 0.3 or kind > 0.8:
            said.append((start, end, label))
        elif kind < 0.45:
            said.append((start, end, generator.choice("ABC")))
        elif kind < 0.6:
            said.append((start + generator.choice((-1, 0, 1)), end + 2, generator.choice("ABC")))
        elif kind < 0.65:
            said.append((end, end + 3, label))  # touches
    return gold, said


def as_nervaluate(spans):
    return [{"label": label, "start": start, "end": end - 1} for start, end, label in spans]


@pytest.mark.parametrize("start", range(0, 300, 60))
def test_f1_equals_nervaluate_where_no_span_overlaps_two_of_the_other_side(start):
    names = {"strict": "strict", "exact": "exact", "type": "ent_type", "partial_semeval": "partial"}
    for seed in range(start, start + 60):
        gold, said = simple_document(random.Random(seed))
        if gold or said:  # nothing on either side: 1 here (V1), 0 there
            theirs = Evaluator([as_nervaluate(gold)], [as_nervaluate(said)], ["A", "B", "C"], loader="dict")
            overall = theirs.evaluate()["overall"]
            found = score(compare({"d": gold}, {"d": said})).estimates
            ours = {tier: found[f"{tier}_f1"].value for tier in names}
            assert ours == pytest.approx({t: overall[n].f1 for t, n in names.items()}, abs=1e-9), seed


def test_nervaluate_differs_where_a_prediction_listed_first_uses_up_the_gold():
    gold, said = [(0, 10, "A")], [(0, 8, "A"), (0, 10, "A")]
    theirs = Evaluator([as_nervaluate(gold)], [as_nervaluate(said)], ["A"], loader="dict")
    found = theirs.evaluate()["overall"]["strict"]
    assert (found.correct, found.spurious) == (0, 1)
    assert values(gold, said, "strict") == pytest.approx((1 / 2, 1.0, 2 / 3), abs=1e-9)


# --- properties -------------------------------------------------------------------------------------------

SPANS = st.lists(
    st.tuples(st.integers(0, 12), st.integers(1, 6), st.sampled_from("ab")).map(
        lambda s: (s[0], s[0] + s[1], s[2])
    ),
    max_size=7,
)
DOCUMENTS = st.dictionaries(st.sampled_from("pqr"), SPANS, max_size=3)


@settings(max_examples=30, deadline=None)
@given(DOCUMENTS, DOCUMENTS, st.randoms(use_true_random=False))
def test_order_does_not_matter_and_looser_tiers_are_never_lower(gold, said, generator):
    found = score(compare(gold, said)).estimates
    mixed = [
        {d: generator.sample(side[d], len(side[d])) for d in generator.sample(list(side), len(side))}
        for side in (gold, said)
    ]
    assert score(compare(*mixed)).estimates == found
    if gold:
        for m in MEASURES:
            strict, exact, partial, type_, semeval = (found[f"{t}_{m}"].value for t in TIERS)
            assert 0 <= strict <= exact <= semeval + 1e-12 <= partial + 2e-12 <= 1 + 1e-9
            assert strict <= type_ <= partial


@settings(max_examples=30, deadline=None)
@given(DOCUMENTS)
def test_a_perfect_prediction_scores_one_in_every_tier(gold):
    found = {e.value for e in score(compare(gold, gold)).estimates.values()}
    assert found == ({1.0} if gold else {None})


@settings(max_examples=30, deadline=None)
@given(SPANS, SPANS)
def test_turning_the_sides_turns_precision_into_recall(gold, said):
    found, turned = (score(compare({"d": a}, {"d": b})).estimates for a, b in ((gold, said), (said, gold)))
    for tier in TIERS:
        p, r, f = (found[f"{tier}_{m}"].value for m in MEASURES)
        assert [turned[f"{tier}_{m}"].value for m in MEASURES] == pytest.approx([r, p, f], abs=1e-12)


def test_intervals_are_reproducible_and_equal_to_scoring_each_resample_anew():
    generator = random.Random(4)
    sides = []
    for _ in range(2):
        places = [(s, s + generator.randint(1, 6), generator.choice("ab")) for s in range(0, 60, 3)]
        sides.append({f"d{d}": generator.sample(places, generator.randint(0, 5)) for d in range(7)})
    gold, said = sides
    index_lists = np.array([[generator.randrange(7) for _ in range(7)] for _ in range(30)])
    found = score(compare(gold, said), index_lists=index_lists)
    for row, indices in zip(
        np.column_stack(list(found.resampled.values())), index_lists.tolist(), strict=True
    ):
        drawn = [{f"{k}": side[f"d{i}"] for k, i in enumerate(indices)} for side in (gold, said)]
        again = score(compare(*drawn)).estimates
        assert row == pytest.approx([again[name].value for name in VALUES], abs=1e-9)
    assert score(compare(gold, said), index_lists=index_lists).estimates == found.estimates


def test_every_value_is_registered():
    assert set(VALUES) == set(FAMILIES["spans"].metrics)
    assert HEADLINE in VALUES
