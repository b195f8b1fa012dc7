"""Expected claims by the paper's table and by hand."""

from __future__ import annotations

import pytest

from core.conflicts.extract import claims_of
from core.records import Article

ACCEPTED = (
    "The intervention significantly improved survival in the treatment arm.",
    "The isolate was resistant to colistin in the surveillance cohort.",
    "No significant difference in mortality was observed between groups.",
    "The prevalence of resistance was 18% in the exposed group.",
)
FILTERED = (
    "Background: We summarize prior work on the pathway.",
    "Methods: We retrospectively reviewed 120 records.",
    "Further studies are needed to confirm the mechanism.",
    "This paper presents the study design and setting.",
)


def claimed(text: str) -> list[str]:
    return [claim.text for claim in claims_of(Article("alpha", text, "trials"))]


@pytest.mark.parametrize("sentence", ACCEPTED)
def test_sentences_the_paper_accepts_are_claims(sentence: str) -> None:
    """Paper 004, Table 25, left column."""
    assert claimed(sentence) == [sentence]


@pytest.mark.parametrize("sentence", FILTERED)
def test_sentences_the_paper_filters_are_none(sentence: str) -> None:
    """Paper 004, Table 25, right column."""
    assert claimed(sentence) == []
