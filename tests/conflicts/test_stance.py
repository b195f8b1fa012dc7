"""What learned weights say of claims: worked out by hand from made-up weights; sense from plain sentences."""

from __future__ import annotations

import math

import pytest

from core.conflicts.stance.learned import Effects, conflict, corrected, effects, signs
from core.conflicts.stance.words import says_no, words
from core.records import Direction

UP, DOWN, SAME, UNCLEAR = Direction.INCREASED, Direction.DECREASED, Direction.UNCHANGED, Direction.UNCLEAR


def test_a_claim_as_words_pairs_and_what_the_rules_read() -> None:
    found = words("Pain fell by 12.5% (P = 0.03) not p>0.2", DOWN, True)
    assert {"pain", "fell", "pain fell", "p-below", "p-above", "rule: decreased", "rule: negated"} <= found
    assert not any(any(letter.isdigit() for letter in one) for one in found)


def test_five_words() -> None:
    assert [says_no(text) for text in ("No change.", "without", "nothing", "Noradrenaline rose.")] == [
        True, True, False, False,
    ]  # fmt: skip


def test_chances_are_those_of_the_weights() -> None:
    """Base (0, 1, 0); "pain" adds 1 to less: e, e, 1 of a sum of 2e + 1."""
    weights = {"(base)": (0.0, 1.0, 0.0), "pain": (1.0, 0.0, 0.0)}
    whole = 2 * math.e + 1
    assert effects("Pain.", weights) == pytest.approx((math.e / whole, math.e / whole, 1 / whole))


def test_the_chance_of_a_conflict_is_that_of_the_weights() -> None:
    told = {"Pain fell.": Effects(0.8, 0.1, 0.1), "Pain did not fall.": Effects(0.1, 0.8, 0.1)}
    a, b = told
    found = signs(a, b, told.__getitem__)
    assert found["effect against none"] == pytest.approx(0.1 * 0.2 + 0.8 * 0.9)
    assert found["less against more"] == pytest.approx(0.8 * 0.1 + 0.1 * 0.1)
    assert (found["both read"], found["read otherwise"], found["one side says no"]) == (1, 1, 1)
    weights = {"(base)": (-1.0,), **dict.fromkeys(found, (0.0,)), "read otherwise": (3.0,)}
    assert conflict(a, b, weights, told.__getitem__) == pytest.approx(1 / (1 + math.exp(-2)))


@pytest.mark.parametrize(
    ("a", "b", "disagree"),
    [
        ("Zinc significantly reduced the duration of fever (p < 0.01).",
         "There was no significant difference in the duration of fever with zinc (p = 0.4).", True),
        ("Zinc significantly reduced the duration of fever (p < 0.01).",
         "Fever was significantly shorter with zinc than with placebo (P = 0.002).", False),
        ("No significant effect on mortality was found.", "Mortality did not differ between groups.", False),
        ("Mortality was significantly higher with the drug.",
         "Mortality was significantly lower with the drug.", True),
    ],
)  # fmt: skip
def test_findings_that_disagree_are_told_from_those_that_agree(a: str, b: str, disagree: bool) -> None:
    assert (conflict(a, b) >= 0.5) is disagree
    assert conflict(a, b) == pytest.approx(conflict(b, a))


@pytest.mark.parametrize(
    ("claim", "direction"),
    [
        ("The drug prolongs survival without significant side effects.", UP),
        ("Pain was significantly lower in the drug group (P = 0.01).", DOWN),
        ("There was no significant difference between groups in pain (P = 0.6).", SAME),
        ("The isolate was resistant to colistin.", UNCLEAR),
    ],
)
def test_the_corrected_direction(claim: str, direction: Direction) -> None:
    assert corrected(claim) is direction
