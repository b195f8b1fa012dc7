"""Task 5, evidence spans on the claims (metric-definitions 9.6, R34)."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.metrics.bootstrap import draws
from core.metrics.conflict_spans import MEASURES, Claims, Marked, score, score_pair

NEAR = 1e-9
A = "The drug lowered mortality, in adults."  # The drug lowered mortality , in adults .   8 tokens
B = "No effect of the drug."  # No effect of the drug .   6 tokens
CLAIMS = Claims(A, B)


def at(side, words):
    text = A if side == "a" else B
    start = text.index(words)
    return Marked(side, start, start + len(words), words)


def quote(words, side=None):
    return Marked(side, None, None, words)


def ratios(found):
    return pytest.approx((found.iou, found.f1, found.precision, found.recall), abs=NEAR)


def test_by_hand():
    """Gold: lowered, mortality, the comma (a) and No, effect (b): 5 tokens. Predicted: mortality, the comma,
    in, adults (a): 4. Shared 2, union 7: IoU 2/7, P 2/4, R 2/5, F1 4/9."""
    found = score_pair(
        CLAIMS, [at("a", "lowered mortality,"), at("b", "No effect")], [at("a", "mortality, in adults")]
    )
    assert ratios(found) == (2 / 7, 4 / 9, 2 / 4, 2 / 5)
    assert found.way == "places"


def test_one_shared_character_is_enough():
    """`wered mor` touches two words: both count whole. Gold: The; predicted: lowered, mortality."""
    found = score_pair(CLAIMS, [at("a", "lowered")], [at("a", "wered mor")])
    assert ratios(found) == (1 / 2, 2 / 3, 1 / 2, 1.0)


def test_spaces_alone_and_spans_without_a_character_mark_nothing():
    assert score_pair(CLAIMS, [Marked("a", 3, 4)], []) is None
    assert score_pair(CLAIMS, [Marked("a", 1, 1)], []) is None


def test_signs_are_tokens():
    assert ratios(score_pair(CLAIMS, [at("a", "."), at("b", ".")], [at("a", ".")])) == (
        1 / 2,
        2 / 3,
        1.0,
        1 / 2,
    )


def test_spans_of_a_side_are_united():
    """Overlapping and repeated spans count each token once, on either side."""
    gold = [at("a", "lowered mortality"), at("a", "mortality"), at("a", "lowered mortality")]
    assert ratios(score_pair(CLAIMS, gold, [at("a", "lowered"), at("a", "mortality")])) == (1, 1, 1, 1)


def test_sides_are_told_apart_although_their_tokens_have_the_same_numbers():
    """Token 1 of A is `drug`, token 1 of B is `effect`: nothing is shared. So also where both claims are of
    one article and even one text."""
    assert ratios(score_pair(CLAIMS, [at("a", "drug")], [at("b", "effect")])) == (0, 0, 0, 0)
    same = Claims(A, A)
    assert ratios(score_pair(same, [at("a", "drug")], [Marked("b", 4, 8, "drug")])) == (0, 0, 0, 0)


def test_offsets_outside_the_claim_mark_only_what_is_within():
    """As where evidence of an abstract runs into the claim: `The` alone is reached."""
    assert ratios(score_pair(CLAIMS, [at("a", "The drug")], [Marked("a", -20, 3, "")])) == (
        1 / 2,
        2 / 3,
        1,
        1 / 2,
    )
    assert score_pair(CLAIMS, [Marked("a", 900, 950)], [at("a", "drug")]) is None


def test_an_empty_prediction_scores_zero_and_stays_in():
    found = score([(CLAIMS, [at("a", "drug")], []), (CLAIMS, [at("a", "drug")], [at("a", "drug")])])
    for measure in MEASURES:
        assert found.scores.estimates[measure].value == pytest.approx(1 / 2, abs=NEAR)
    assert found.scores.estimates["iou"].n == 2
    assert found.scores.estimates["iou"].std == pytest.approx(1 / 2, abs=NEAR)


def test_pairs_without_gold_tokens_are_skipped_and_counted():
    found = score([(CLAIMS, [], [at("a", "drug")]), (CLAIMS, [at("a", "drug")], [at("a", "drug")])])
    assert (found.without_gold, found.pairs[0]) == (1, None)
    assert (found.scores.estimates["f1"].value, found.scores.estimates["f1"].n) == (1.0, 1)


@pytest.mark.parametrize("pairs", [[], [(CLAIMS, [], [at("a", "drug")])]])
def test_without_gold_everything_is_undefined(pairs):
    for estimate in score(pairs).scores.estimates.values():
        assert (estimate.value, estimate.n, estimate.std) == (None, 0, None)
        assert estimate.reason


def test_mean_f1_is_the_mean_of_the_pairs_f1():
    """P 1, R 1/2 (F1 2/3), and P 1/2, R 1 (F1 2/3): mean 2/3, not the 3/4 of mean P 3/4 and mean R 3/4."""
    gold = [at("a", "lowered mortality")]
    pairs = [(CLAIMS, gold, [at("a", "lowered")]), (CLAIMS, [at("a", "lowered")], gold)]
    found = {m: score(pairs).scores.estimates[m].value for m in MEASURES}
    assert found["f1"] == pytest.approx(2 / 3, abs=NEAR)
    assert (found["precision"], found["recall"]) == (0.75, 0.75)


# --- the fall-back ------------------------------------------------------------------------------------------


def test_a_quote_without_offsets_is_located_exactly_then_whatever_its_case():
    gold = [at("b", "the drug")]
    for said in (quote("the drug", "b"), quote("THE DRUG", "b"), quote("the drug")):
        found = score_pair(CLAIMS, gold, [said])
        assert ratios(found) == (1, 1, 1, 1)
        assert found.way == "places"
    # of no side, the exact occurrence in B comes before the one in A that differs in case
    assert ratios(score_pair(CLAIMS, [at("a", "The drug")], [quote("the drug")])) == (0, 0, 0, 0)


def test_the_first_occurrence_is_taken():
    claims = Claims("more and more", "less")
    assert ratios(score_pair(claims, [Marked("a", 0, 4)], [quote("more", "a")])) == (1, 1, 1, 1)
    assert ratios(score_pair(claims, [Marked("a", 9, 13)], [quote("more", "a")])) == (0, 0, 0, 0)


def test_a_quote_that_is_not_there_makes_bags_of_the_whole_pair():
    """Gold words: lowered, mortality. Predicted: mortality (located) and `It lowered, lowered it`, which is
    not in the claims: mortality, it, lowered, lowered, it. Shared: lowered once, mortality: 2. Union
    2 + 5 - 2 = 5. IoU 2/5, P 2/5, R 2/2, F1 4/7."""
    found = score_pair(
        CLAIMS, [at("a", "lowered mortality")], [at("a", "mortality"), quote("It lowered, lowered it")]
    )
    assert ratios(found) == (2 / 5, 4 / 7, 2 / 5, 1.0)
    assert found.way == "bags"


def test_multiplicity_counts_in_bags():
    """Gold `the drug` twice, once a side (The, drug, the, drug in lower case); predicted `drug drug drug`:
    shared 2, gold 4, predicted 3, union 5."""
    found = score_pair(CLAIMS, [at("a", "The drug"), at("b", "the drug")], [quote("drug drug drug")])
    assert ratios(found) == (2 / 5, 4 / 7, 2 / 3, 2 / 4)


def test_signs_are_no_words_of_a_bag():
    """Gold a comma alone: its bag is empty, so everything is 0 (Z0), and the pair stays in."""
    found = score_pair(CLAIMS, [at("a", ",")], [quote("not there , at all")])
    assert (ratios(found), found.way) == ((0, 0, 0, 0), "bags")


def test_lost_quotes_that_are_identical_collapse():
    once = score_pair(CLAIMS, [at("a", "drug")], [quote("a drug")])
    twice = score_pair(CLAIMS, [at("a", "drug")], [quote("a drug"), quote("a drug")])
    assert once == twice
    assert ratios(once) == (1 / 2, 2 / 3, 1 / 2, 1.0)


def test_blank_quotes_say_nothing():
    found = score_pair(CLAIMS, [at("a", "drug")], [quote(" "), at("a", "drug")])
    assert (ratios(found), found.way) == ((1, 1, 1, 1), "places")


def test_both_ways_are_told_apart():
    """One pair by places with IoU 1, one by bags with IoU 1/2: mean 3/4, and each beside it."""
    gold = [at("a", "drug")]
    found = score([(CLAIMS, gold, gold), (CLAIMS, gold, [quote("a drug")])])
    estimates = found.scores.estimates
    assert found.bags == 1
    assert [estimates[k].value for k in ("iou", "iou:places", "iou:bags")] == pytest.approx([0.75, 1, 0.5])
    assert [estimates[k].n for k in ("iou", "iou:places", "iou:bags")] == [2, 1, 1]
    alone = score([(CLAIMS, gold, gold)]).scores.estimates["iou:bags"]
    assert (alone.value, alone.reason) == (None, "No pair was scored with bags of words.")


# --- properties ---------------------------------------------------------------------------------------------


def spans(text, side):
    places = st.tuples(st.integers(0, len(text)), st.integers(0, len(text)))
    return st.lists(places, max_size=3).map(
        lambda found: [Marked(side, min(p), max(p), text[min(p) : max(p)]) for p in found]
    )


BOTH = st.tuples(spans(A, "a"), spans(B, "b")).map(lambda both: [*both[0], *both[1]])


def brute(gold, said):
    """Tokens by hand: runs of letters, or one sign, told by walking through the text."""

    def tokens(marks):
        found = set()
        for side, text in (("a", A), ("b", B)):
            covered = {i for m in marks if m.side == side for i in range(m.start, m.end)}
            number, i = 0, 0
            while i < len(text):
                if text[i] == " ":
                    i += 1
                    continue
                j = i + 1
                while text[i].isalnum() and j < len(text) and text[j].isalnum():
                    j += 1
                if covered & set(range(i, j)):
                    found.add((side, number))
                number, i = number + 1, j
        return found

    return tokens(gold), tokens(said)


@settings(max_examples=60)
@given(BOTH, BOTH, st.randoms())
def test_equal_to_sets_of_tokens_made_by_walking_through_the_text(gold, said, rng):
    g, p = brute(gold, said)
    found = score_pair(CLAIMS, gold, said)
    if not g:
        assert found is None
        return
    shared = len(g & p)
    expected = (
        shared / len(g | p),
        2 * shared / (len(g) + len(p)),
        shared / len(p) if p else 0,
        shared / len(g),
    )
    assert ratios(found) == expected
    assert score_pair(CLAIMS, rng.sample(gold, len(gold)), rng.sample(said, len(said))) == found
    mirrored = score_pair(CLAIMS, said, gold)
    if mirrored is not None:  # symmetric in IoU and F1; precision and recall change places
        assert ratios(mirrored) == (found.iou, found.f1, found.recall, found.precision)


@given(BOTH)
def test_a_perfect_prediction_is_one(gold):
    found = score_pair(CLAIMS, gold, gold)
    assert found is None or ratios(found) == (1, 1, 1, 1)


def test_resamples_equal_a_naive_loop_and_drop_those_without_gold():
    rng = random.Random(37)
    pool = [at("a", "drug"), at("b", "No effect"), at("a", "in adults"), quote("not there")]
    pairs = [(CLAIMS, rng.sample(pool[:3], rng.randint(0, 2)), rng.sample(pool, 2)) for _ in range(6)]
    lists = next(iter(draws(6, 40, seed=6)))
    found = score(pairs, index_lists=lists)
    for measure in MEASURES:
        naive = [score([pairs[i] for i in row]).scores.estimates[measure].value for row in lists]
        expected = np.array([np.nan if value is None else value for value in naive])
        assert found.scores.resampled[measure] == pytest.approx(expected, abs=NEAR, nan_ok=True)
        assert found.scores.estimates[measure].dropped == int(np.isnan(expected).sum())
