"""Two abstracts in memory: claims of each, pairs that seem to disagree, and what is no pair of abstracts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.conflicts.side_by_side import MOST_PAIRS, compare
from core.errors import InputError
from core.records import ConflictType
from pages.widgets.start.two_abstracts import EXAMPLES

PAIRS = Path(__file__).parents[2] / "data" / "demo" / "abstract_pairs.jsonl"
A = "Aspirin reduced the risk of stroke in 2,000 women compared with placebo. All were over 60 years old."
B = "Aspirin did not reduce the risk of stroke in 1,500 women compared with placebo. All were under 50."


def test_what_is_found_stands_in_the_texts() -> None:
    found = compare(A, B)
    for text, claims in zip(found.texts, found.claims, strict=True):
        assert claims
        assert all(text[one.start : one.end] == one.text for one in claims)
    (first, *_) = found.disagreeing
    assert (first.pair.a.article_uid, first.pair.b.article_uid) == ("A", "B")
    assert "reduced" in first.pair.a.text
    assert "did not reduce" in first.pair.b.text


def test_the_sides_change_places_with_the_texts() -> None:
    assert [(x.pair.b.text, x.pair.a.text) for x in compare(B, A).disagreeing] == [
        (x.pair.a.text, x.pair.b.text) for x in compare(A, B).disagreeing
    ]


def test_the_example_of_the_page_disagrees_by_dose() -> None:
    (found,) = compare(*EXAMPLES).disagreeing
    assert found.label.conflict_type is ConflictType.CONTEXTUAL_CONTRADICTION
    assert "dose" in found.label.reconciliation


def test_pairs_written_by_hand_with_a_conflict_are_mostly_found_and_those_without_never() -> None:
    """Of 12 pairs with a type that a person gave; the rules may miss some conflicts, not make any."""
    rows = [json.loads(line) for line in PAIRS.read_text("utf-8").splitlines()]
    found = {row["pair_id"]: bool(compare(row["abstract_a"], row["abstract_b"]).disagreeing) for row in rows}
    conflicts = {row["pair_id"] for row in rows if row["conflict_type"] != "no_conflict"}
    assert {pair for pair, said in found.items() if said} <= conflicts
    assert sum(found.values()) >= 0.7 * len(conflicts)


def test_what_does_not_speak_of_the_same_is_not_held_against_each_other() -> None:
    other = (
        "Meropenem was active against 97% of Klebsiella isolates from blood cultures in this survey of 2019."
    )
    assert compare(A, other).pairs == ()


@pytest.mark.parametrize(
    ("a", "b", "said"),
    [
        ("Too short.", B, "Abstract A is too short"),
        (A, "", "Abstract B is too short"),
        (A, A, "are the same"),
    ],
)
def test_what_are_no_two_abstracts_is_said(a: str, b: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        compare(a, b)


def test_a_long_text_is_read_as_far_as_its_most_promising_pairs() -> None:
    many = " ".join(f"Drug {n} reduced mortality by {n}% compared with placebo." for n in range(1, 40))
    assert len(compare(many, many.replace("reduced", "increased")).pairs) <= MOST_PAIRS
