"""Claims as they can be read alone: texts written for this test, expected by reading."""

from __future__ import annotations

import pytest

from core.conflicts.extract import claims_of
from core.conflicts.extract.alone import alone, groups, is_boilerplate
from core.records import Article

ABSTRACT = (
    "Group A received 20 mg of zetavir daily. Patients were randomised to placebo (group B, n = 40)."
    " Arm 1 (n = 30) was larger. Pain fell in group A."
)


def test_an_abstract_says_who_is_in_a_group() -> None:
    found = groups(ABSTRACT)
    assert found["group a"] == "20 mg of zetavir daily"
    assert "placebo" in found["group b"]
    assert "arm 1" not in found, "a number of people says nothing of what they had"


@pytest.mark.parametrize(
    ("claim", "title", "before", "expected"),
    [
        ("Pain was lower in group A.", None, None, "Pain was lower in group A (20 mg of zetavir daily)."),
        ("Zetavir reduced postoperative headache in women.", "A title", "Before.", None),
        ("The difference persisted.", None, "Pain was less.", "Pain was less. The difference persisted."),
        ("The second group had less pain.", "Gout.", None, "Gout: The second group had less pain."),
        ("Scores were lower in group C.", "Gout", None, "Gout: Scores were lower in group C."),
        ("Scores were lower in group C.", None, None, None),
    ],
)
def test_what_a_claim_leaves_open_is_said(
    claim: str, title: str | None, before: str | None, expected: str | None
) -> None:
    assert alone(claim, ABSTRACT, title, before) == expected


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("The difference was significant (P = 0.01).", True),
        ("No serious adverse events occurred.", True),
        ("Both treatments were well tolerated.", True),
        ("No new safety signals were observed.", True),
        ("Baseline pain scores did not differ between the groups.", True),
        ("Pain was similar at baseline, but lower with zetavir on day 7.", False),
        ("Zetavir was well tolerated.", False),
        ("Headache was less frequent in both groups.", False),
    ],
)
def test_boilerplate_names_no_subject(claim: str, expected: bool) -> None:
    assert is_boilerplate(claim) is expected


def test_offsets_stay_those_of_the_text() -> None:
    text = f"{ABSTRACT} Pain was significantly lower in group A than in group B (P = 0.01)."
    found = claims_of(Article("a", text, "trials", title="Zetavir for gout"))
    last = found[-1]
    assert text[last.start : last.end] == last.text
    assert "group A (20 mg of zetavir daily)" in last.alone
    assert not last.boilerplate
