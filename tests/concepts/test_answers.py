"""Answers led back to candidates and places."""

from __future__ import annotations

import pytest

from core.concepts.answers import Sorted, placed
from core.llm import quoted
from core.records import Candidate

TEXT = "He had no hypothyroidism, but raised blood pressure and a normal gait at the left side."


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("raised blood pressure", "raised blood pressure"),
        ("raised blood presure", "raised blood pressure"),
        ("RAISED  blood pressure", "raised blood pressure"),
        ("hyperthyroidism", None),
        ("an abnormal gait at the left side", None),
        ("a normal gait at the right side", None),
        ("not in the passage", None),
    ],
)
def test_a_near_match_with_the_opposite_meaning_is_none(quote: str, found: str | None) -> None:
    evidence = quoted(quote, TEXT)
    assert evidence is not None
    assert evidence.grounded == (found is not None)
    assert evidence.quote == (found or quote)
    if found:
        assert TEXT[evidence.start : evidence.end] == found
    else:
        assert (evidence.start, evidence.end) == (None, None)


def test_no_quote_no_evidence() -> None:
    assert quoted("", TEXT) is None


@pytest.mark.parametrize(
    ("words", "start"),
    [
        ("HYPOTHYROIDISM", 10),
        (" gait ", TEXT.index("gait")),
        ("thyroid", None),
        ("", None),
        ("a.normal", None),
        ("gaits", None),
    ],
)
def test_names_are_placed_where_they_stand_as_words(words: str, start: int | None) -> None:
    found = placed(words, TEXT)
    assert (found.start if found else None) == start
    if found:
        assert TEXT[found.start : found.end] == found.quote


def answers(*concepts: tuple[str, str]) -> Sorted[str]:
    return Sorted(Candidate(curie, label, name=label, score=1.0) for curie, label in concepts)


@pytest.mark.parametrize(
    "stated", ["X:1", "x_1", "X1", "http://example.org/X_1", "Small head", "small-head."]
)
def test_what_a_candidate_may_be_called(stated: str) -> None:
    sheet = answers(("X:1", "Small head"), ("X:2", "Large head"))
    assert sheet.find(stated) == "X:1"
    assert bool(sheet.notes) == (stated != "X:1")
    assert sheet.strays == []


@pytest.mark.parametrize("stated", ["X:11", "X", "", "head", "X:1 X:2", "a" * 5000, "/"])
def test_what_is_no_candidate(stated: str) -> None:
    sheet = answers(("X:1", "Small head"), ("X:2", "Large head"))
    assert sheet.find(stated) is None
    assert len(sheet.strays) == 1
    assert len(sheet.strays[0]) <= 80


def test_the_first_answer_stands() -> None:
    sheet = answers(("X:1", "Small head"))
    sheet.put("X:1", "yes")
    sheet.put("X:1", "yes")
    assert sheet.notes == {}
    sheet.put("X:1", "no")
    assert sheet.answers == {"X:1": "yes"}
    assert sheet.notes == {"X:1": ["answered more than once; the first answer stands"]}
