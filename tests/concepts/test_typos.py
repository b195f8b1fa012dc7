"""Words misspelt by one letter, in a small ontology."""

from __future__ import annotations

import pytest

from core.concepts.lexicon import Lexicon
from core.concepts.lexicon.typos import is_slip
from tests.concepts.findings import lexicon_of

_MADE = (
    ("T:1", "Root", ()),
    ("T:2", "Hepatomegaly", ()),
    ("T:3", "Hyperthermia", ()),
    ("T:4", "Hypothermia", ()),
    ("T:5", "Macroglossia", ()),
    ("T:6", "Pulmonary stenosis", ()),
    ("T:7", "Stenosis", ()),
    ("T:8", "Blushing", ()),
    ("T:9", "Hopelessness", ()),
    ("T:10", "Ataxia", ()),
    ("T:11", "Fetal pulmonary seizures", ()),
    ("T:12", "Seizures", ()),
    ("T:13", "Efferent arteriopathy", ()),
    ("T:14", "Hyperchloremia", ()),
)


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return lexicon_of(_MADE)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("There was hepatomegally.", {"T:2"}),  # one too many
        ("There was hepatomegly.", {"T:2"}),  # one missing
        ("There was hepatonegaly.", {"T:2"}),  # a wrong one
        ("There was heaptomegaly.", {"T:2"}),  # two in each other's place
        ("Hepatomegally was found.", {"T:2"}),
        ("Pulmonray stenosis.", {"T:6", "T:7"}),
        ("There was hepatmeglay, then HEPATOMEGALLY.", set()),  # two slips, and a symbol
        ("Treated by the Pulmonray Stenosis Group.", {"T:7"}),  # a name
        ("Hyprthermia.", set()),  # either of two
        ("Microglossia.", set()),  # another prefix
        ("Ataxai.", set()),  # short
        ("Brushing his teeth.", set()),  # short but for its ending
        ("Homelessness was frequent.", set()),  # right as it is
        ("Afferent arteriopathy.", set()),  # another first letter
        ("Hyperchlorimia, hyperchloremic.", {"T:14"}),
    ],
)
def test_one_letter_may_be_wrong(lexicon: Lexicon, text: str, found: set[str]) -> None:
    assert {draft.concept for draft in lexicon.annotate(text)} == found


def test_it_is_told_and_less_sure(lexicon: Lexicon) -> None:
    (right,) = lexicon.annotate("There was hepatomegaly.")
    (misspelt,) = lexicon.annotate("There was hepatomegally.")
    assert misspelt.reason == (
        "'hepatomegally' matches the name 'Hepatomegaly' but for a misspelling of one letter."
    )
    assert misspelt.evidence[0].quote == "hepatomegally"
    assert (right.confidence, misspelt.confidence) == (0.8, 0.42)


def test_it_hides_no_name_inside_that_is_right(lexicon: Lexicon) -> None:
    found = lexicon.annotate("Fetal pulmonray seizures.")
    assert {draft.concept for draft in found} == {"T:11", "T:12"}


def test_a_learned_word_is_right(lexicon: Lexicon) -> None:
    taught = lexicon.taught([("T:3", "hyperchlorimia")], ())
    assert [draft.concept for draft in taught.annotate("Hyperchlorimia.")] == ["T:3"]
    assert [draft.concept for draft in lexicon.annotate("Hyperchlorimia.")] == ["T:14"]


def test_a_word_of_a_definition_is_right() -> None:
    defined = {"T:2": "An enlarged liver, not to be taken for hepatomegaloy."}
    assert lexicon_of(_MADE, definitions=defined).annotate("There was hepatomegaloy.") == []


@pytest.mark.parametrize(
    ("one", "other", "slip"),
    [
        ("seizures", "siezures", True),
        ("retention", "retension", True),
        ("selenite", "selenate", False),
        ("stenosis", "stenoses", False),
        ("paresthesia", "parasthesia", True),
        ("polydactyly", "polydactly", True),
        ("dysphagia", "dsyphagia", True),
        ("hypotension", "hypertension", False),
        ("anemia", "anemias", False),
    ],
)
def test_a_slip_leaves_beginning_and_ending(one: str, other: str, slip: bool) -> None:
    assert is_slip(one, other) is is_slip(other, one) is slip
