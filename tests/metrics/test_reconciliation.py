"""Task 4, reconciliation (metric-definitions 9.5, R32, R33)."""

import math
import random
from importlib.metadata import version

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rouge_score import rouge_scorer
from sacrebleu.metrics.bleu import BLEU

from core.metrics.bootstrap import draws
from core.metrics.reconciliation import (
    LEXICAL,
    SIGNATURE,
    Encoder,
    corpus_bleu,
    rouge_l,
    score,
    slot_overlap,
    versions,
)

NEAR = 1e-9
WORDS = [
    "the",
    "drug",
    "dose",
    "of",
    "in",
    "adults",
    "lowered",
    "raised",
    ",",
    ".",
    "5",
    "mg",
    "HbA1c",
    "non-small",
]
SLOTS = frozenset({"contextual_contradiction", "geography"})


def sentences(rng, n, least=0):
    return [" ".join(rng.choices(WORDS, k=rng.randint(least, 14))) for _ in range(n)]


def values(said, right, slots=None, encoder=None):
    slots = [SLOTS] * len(said) if slots is None else slots
    return {name: e.value for name, e in score(said, right, slots, encoder).scores.estimates.items()}


def test_bleu_is_sacrebleus_corpus_bleu_on_300_random_inputs():
    """Same options as the signature says; an empty hypothesis stays in with its reference."""
    rng = random.Random(17)
    scorer = BLEU(tokenize="13a", lowercase=False, smooth_method="exp", effective_order=False)
    for _ in range(300):
        n = rng.randint(1, 6)
        said, right = sentences(rng, n), sentences(rng, n, least=1)
        if rng.random() < 0.5:  # something in common
            said[0] = right[0]
        expected = scorer.corpus_score(said, [right]).score / 100
        assert values(said, right)["bleu"] == pytest.approx(expected, abs=NEAR)
    assert str(scorer.get_signature()).startswith(SIGNATURE)


def test_bleu_of_sums_is_sacrebleus_of_the_same_sums():
    rng = random.Random(19)
    for _ in range(300):
        total = sorted((rng.randint(0, 30) for _ in range(4)), reverse=True)
        correct = [rng.randint(0, t) if rng.random() < 0.8 else 0 for t in total]
        said, right = rng.randint(0, 30), rng.randint(1, 30)
        expected = BLEU.compute_bleu(list(correct), total, said, right, smooth_method="exp").score / 100
        row = np.array([[*correct, *total, said, right]], dtype=float)
        assert corpus_bleu(row)[0] == pytest.approx(expected, abs=NEAR)


def test_bleu_by_hand():
    """`a b c d e` against `a b c d f`: 4/5, 3/4, 2/3 and 1/2 of the n-grams match, no brevity penalty: the
    geometric mean is (4/5 * 3/4 * 2/3 * 1/2) ** (1/4) = 0.2 ** (1/4)."""
    assert values(["a b c d e"], ["a b c d f"])["bleu"] == pytest.approx(0.2**0.25, abs=NEAR)


def test_case_is_kept():
    assert values(["THE DRUG LOWERED MORTALITY"], ["the drug lowered mortality"])["bleu"] == 0.0


def test_mean_of_sentence_bleu_uses_the_effective_order():
    """One word against the same word: with the effective order 1, without it 0 (no 2-grams)."""
    found = values(["mortality"], ["mortality"])
    assert (found["bleu_sentence_mean"], found["bleu"]) == (pytest.approx(1.0, abs=NEAR), 0.0)
    rng = random.Random(23)
    scorer = BLEU(tokenize="13a", effective_order=True)
    said, right = sentences(rng, 40), sentences(rng, 40, least=1)
    expected = np.mean([scorer.sentence_score(h, [r]).score / 100 for h, r in zip(said, right, strict=True)])
    assert values(said, right)["bleu_sentence_mean"] == pytest.approx(float(expected), abs=NEAR)


def test_rouge_l_is_that_of_the_package_on_300_random_inputs():
    rng = random.Random(29)
    scorer = rouge_scorer.RougeScorer(["rougeL"], use_stemmer=False)
    said, right = sentences(rng, 300), sentences(rng, 300)
    for h, r in zip(said, right, strict=True):
        assert rouge_l(h, r) == pytest.approx(scorer.score(r, h)["rougeL"].fmeasure, abs=NEAR)
    kept = [(h, r) for h, r in zip(said, right, strict=True) if r.strip()]
    expected = np.mean([scorer.score(r, h)["rougeL"].fmeasure for h, r in kept])
    assert values(said, right)["rouge_l"] == pytest.approx(float(expected), abs=NEAR)


def test_rouge_l_by_hand():
    """`lowered in adults` against `lowered mortality in old adults`: LCS 3, P 3/3, R 3/5, F 3/4. No stemmer:
    `adult` is not `adults`."""
    assert rouge_l("Lowered in adults", "lowered mortality in old adults") == pytest.approx(3 / 4, abs=NEAR)
    assert rouge_l("adult", "adults") == 0.0


@pytest.mark.parametrize(
    ("hypothesis", "slots", "expected"),
    [
        ("A contextual contradiction by geography.", SLOTS, 1.0),
        ("Geography explains it.", SLOTS, 1 / 2),
        ("contextual-contradiction", SLOTS, 1 / 2),  # what is no letter or digit separates words
        ("a contextual and geographic contradiction", SLOTS, 0.0),  # not in a row, not whole words
        ("GEOGRAPHY", {"geography"}, 1.0),
        ("the clinical setting differs", {"clinical_setting"}, 1.0),
        ("the clinical settings differ", {"clinical_setting"}, 0.0),  # whole words only
        ("preclinical setting", {"clinical_setting"}, 0.0),
        ("year and time period, but year / time period", {"year_time_period"}, 1.0),
        ("", SLOTS, 0.0),
        ("no conflict", {"no_conflict"}, 1.0),
    ],
)
def test_slots_are_named_as_whole_words_in_a_row(hypothesis, slots, expected):
    assert slot_overlap(hypothesis, slots) == pytest.approx(expected, abs=NEAR)


def test_slots_are_a_set():
    """A confounder that is an axis counts once, so one of two slots is named."""
    assert slot_overlap("geography", ["geography", "no_conflict", "geography"]) == 0.5
    with pytest.raises(ValueError, match="conflict type"):
        slot_overlap("anything", [])


def test_a_template_filled_from_gold_scores_one_on_slots():
    """R33: by construction, which is why it is never ranked with real systems."""
    said = "This is a contextual_contradiction; axes: geography; confounder: geography."
    assert slot_overlap(said, SLOTS) == 1.0


def test_an_empty_hypothesis_scores_zero_and_stays_in():
    right = ["the drug lowered mortality", "the drug raised mortality"]
    found = score([right[0], " "], right, [SLOTS] * 2).scores.estimates
    assert found["rouge_l"].value == pytest.approx(1 / 2, abs=NEAR)
    assert found["bleu_sentence_mean"].value == pytest.approx(1 / 2, abs=NEAR)
    assert found["slot_overlap"].value == 0.0
    # matches 4/4, 3/3, 2/2, 1/1; 4 words against 8: brevity penalty exp(1 - 8/4)
    assert found["bleu"].value == pytest.approx(math.exp(-1), abs=NEAR)
    assert found["rouge_l"].n == 2
    assert set(values([""], ["some reference"]).values()) == {0.0}


def test_pairs_without_a_reference_are_skipped_and_counted():
    found = score(["x y", "geography"], ["x y", " \n"], [SLOTS] * 2)
    assert (found.skipped, found.pairs[1]) == (1, None)
    assert found.scores.estimates["rouge_l"].n == 1
    assert found.scores.estimates["rouge_l"].value == 1.0
    assert found.scores.estimates["slot_overlap"].value == 0.0


@pytest.mark.parametrize("texts", [([], []), (["said"], [""])])
def test_without_references_everything_is_undefined(texts):
    found = score(*texts, [SLOTS] * len(texts[0])).scores.estimates
    assert set(found) == set(LEXICAL)
    for estimate in found.values():
        assert (estimate.value, estimate.n, estimate.std) == (None, 0, None)
        assert "reference" in estimate.reason


def vectors(texts):
    """Of length 2, 1 or 0, at angles that give round cosines."""
    known = {"east": (2, 0), "north": (0, 1), "west": (-1, 0), "between": (1, 1), "nowhere": (0, 0)}
    return np.array([known[text] for text in texts], dtype=np.float32)


def test_semantic_similarity_is_the_mean_cosine_clipped_and_names_its_encoder():
    """east-east 1, east-between 1/sqrt 2, east-north 0, east-west -1 clipped to 0, no vector 0, empty 0."""
    said = ["east", "between", "north", "west", "nowhere", ""]
    found = score(said, ["east"] * 6, [SLOTS] * 6, Encoder("compass", vectors))
    assert found.scores.estimates["semsim:compass"].value == pytest.approx((1 + 0.5**0.5) / 6, abs=NEAR)
    assert [round(one.semsim, 9) for one in found.pairs] == [1, round(0.5**0.5, 9), 0, 0, 0, 0]
    assert not any(name.startswith("semsim") for name in values(said, ["east"] * 6))


def test_packages_are_named_with_their_versions():
    assert versions() == {"sacrebleu": version("sacrebleu"), "rouge-score": version("rouge-score")}


def test_std_is_the_population_form():
    """ROUGE-L 1 and 0: mean 1/2, std 1/2 (ddof 0)."""
    assert score(["x", "y"], ["x", "z"], [SLOTS] * 2).scores.estimates["rouge_l"].std == 0.5


TEXTS = st.lists(st.sampled_from([*WORDS, "é", "İ", "\U0001f9ea", ""]), max_size=8).map(" ".join)


@settings(max_examples=50)
@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=5), st.randoms())
def test_order_does_not_matter_and_values_stay_in_range(pairs, rng):
    found = values(*zip(*pairs, strict=True))
    again = values(*zip(*rng.sample(pairs, len(pairs)), strict=True))
    for name, value in found.items():
        assert value == (None if value is None else pytest.approx(again[name], abs=NEAR))
        assert value is None or -NEAR <= value <= 1 + NEAR


@settings(max_examples=50)
@given(TEXTS.filter(lambda text: len(text.split()) >= 4))
def test_a_perfect_prediction_is_one(text):
    found = values([text], [text])
    assert found["bleu"] == pytest.approx(1.0, abs=NEAR)
    assert found["bleu_sentence_mean"] == pytest.approx(1.0, abs=NEAR)
    assert rouge_l("the drug", "the drug") == 1.0


def test_resamples_of_bleu_equal_sacrebleu_on_the_drawn_pairs():
    rng = random.Random(31)
    said, right = sentences(rng, 8, least=4), sentences(rng, 8, least=4)
    lists = next(iter(draws(8, 15, seed=1)))
    found = score(said, right, [SLOTS] * 8, index_lists=lists)
    scorer = BLEU(tokenize="13a", smooth_method="exp", effective_order=False)
    naive = [scorer.corpus_score([said[i] for i in r], [[right[i] for i in r]]).score / 100 for r in lists]
    assert found.scores.resampled["bleu"] == pytest.approx(naive, abs=NEAR)
