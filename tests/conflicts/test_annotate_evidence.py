"""Where the quotes of an answer stand: in the claim, else in the abstract, else nowhere."""

from __future__ import annotations

import pytest

from core.records import Level
from tests.conflicts.labelling import (
    ABSTRACT_A,
    ABSTRACT_B,
    CLAIM_A,
    CLAIM_B,
    good,
    scene,
)
from tests.conflicts.pairs import task


def placed(quote: str) -> tuple[Level, str | None]:
    with scene(good(evidence_a=[{"quote": quote, "role": "finding"}], evidence_b=[])) as on:
        (span,) = on.ask()[0].evidence
    if not span.grounded:
        assert (span.quote, span.end) == (quote, None)
        return span.level, None
    assert ABSTRACT_A[span.start : span.end] == span.quote
    return span.level, span.quote


@pytest.mark.parametrize(
    ("quote", "level", "words"),
    [
        ("the syrup shortened cough", Level.CLAIM, "the syrup shortened cough"),
        ("The  SYRUP shortened\ncough", Level.CLAIM, "the syrup shortened cough"),
        ("“shortened cough by two days.”", Level.CLAIM, "shortened cough by two days."),
        ("the sirup shortened cough", Level.CLAIM, "the syrup shortened cough"),
        ("Adults with cough", Level.ABSTRACT, "Adults with cough"),
        ("2016", Level.ABSTRACT, "2016"),
        ("cough", Level.CLAIM, "cough"),
        ("the syrup shortened fever", Level.ABSTRACT, None),
        ("the syrup did not shorten cough", Level.ABSTRACT, None),
        ("shortened cough by three days", Level.ABSTRACT, None),
        ("in the intensive care unit", Level.ABSTRACT, None),
    ],
)
def test_quotes_stand_in_the_claim_else_in_the_abstract_else_nowhere(
    quote: str, level: Level, words: str | None
) -> None:
    assert placed(quote) == (level, words)


def test_an_exact_quote_of_the_abstract_is_not_taken_for_like_words_of_the_claim() -> None:
    text = "The syrup shortened the cough by two days."
    abstract = f"{text} {CLAIM_A}"
    with scene(good(evidence_a=[{"quote": "syrup shortened the cough"}], evidence_b=[])) as on:
        (span,) = on.ask(task(CLAIM_A, CLAIM_B, abstract, ABSTRACT_B))[0].evidence
    assert (span.level, span.start) == (Level.ABSTRACT, 4)


def test_a_quote_belongs_to_its_own_side() -> None:
    with scene(good(evidence_a=[{"quote": "intensive care"}], evidence_b=[{"quote": "outpatients"}])) as on:
        label, _ = on.ask()
    assert [span.grounded for span in label.evidence] == [False, False]
