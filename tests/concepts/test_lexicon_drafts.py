"""What the dictionary annotator makes of mentions: drafts, status, confidence, reasons; building, running."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.concepts import lexicon as module
from core.concepts.lexicon import Lexicon
from core.errors import NotFoundError
from core.records import Assertion, ConceptClass, Passage
from tests.concepts.findings import LEXICON, ROOT, concepts, draft, found


def test_one_draft_for_a_concept_with_all_its_mentions_in_order() -> None:
    text = "Renal cysts, a kidney cyst and later renal cysts."
    (made,) = (d for d in LEXICON.annotate(text) if d.concept == "T:3")
    assert [e.quote for e in made.evidence] == ["Renal cysts", "kidney cyst", "renal cysts"]
    assert [e.start for e in made.evidence] == [0, 15, 37]
    assert made.label == "Renal cyst"
    assert made.concept_class is ConceptClass.EXPLICIT
    assert made.stage == "lexicon"
    assert all(e.grounded for e in made.evidence)


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("Renal cysts.", Assertion.AFFIRMED),
        ("No renal cysts.", Assertion.NEGATED),
        ("Possible renal cysts.", Assertion.UNCERTAIN),
        ("No renal cysts at birth. Renal cysts at two.", Assertion.AFFIRMED),
        ("No renal cysts at birth. Possible renal cysts at two.", Assertion.UNCERTAIN),
        ("Possible renal cysts at birth. Renal cysts at two.", Assertion.AFFIRMED),
    ],
)
def test_status_of_several_mentions(text: str, status: Assertion) -> None:
    assert draft(text, "T:3").assertion is status


def test_drafts_come_in_order_of_first_mention() -> None:
    assert [d.concept for d in LEXICON.annotate("Obesity, deafness, renal cyst, obesity.")] == [
        "T:28",
        "T:5",
        "T:3",
    ]


def test_confidence_falls_with_the_distance_between_name_and_text() -> None:
    said = [
        draft("renal hypoplasia", "T:2"),
        draft("renal and hepatic cysts", "T:3"),
        draft("kidney hypoplasia", "T:2"),
        draft("ocular manifestations", "T:27"),
    ]
    confidences = [d.confidence for d in said]
    assert confidences == sorted(confidences, reverse=True)
    assert len(set(confidences)) == 4
    assert all(0 < c < 1 for c in confidences)


def test_a_nested_concept_is_less_sure_than_one_that_stands_alone() -> None:
    nested = draft("sensorineural hearing loss", "T:5").confidence
    assert nested < draft("hearing loss", "T:5").confidence
    assert draft("sensorineural hearing loss. Hearing loss.", "T:5").confidence > nested


@pytest.mark.parametrize(
    ("text", "concept", "reason"),
    [
        ("renal hypoplasia", "T:2", "'renal hypoplasia' is the name of the concept."),
        ("hearing loss", "T:5", "'hearing loss' is a synonym of the concept."),
        (
            "renal cysts",
            "T:3",
            "'renal cysts' matches the name 'Renal cyst' but for plural, spelling or word order.",
        ),
        (
            "kidney cyst",
            "T:3",
            "'kidney cyst' matches the name 'Renal cyst' by words of the same meaning.",
        ),
        (
            "disorder of the eye",
            "T:27",
            "'disorder of the eye' matches the name 'Abnormality of the eye'"
            " with 'disorder' for 'abnormality'.",
        ),
        (
            "palmar and plantar pits",
            "T:7",
            "'palmar and plantar pits' says the name 'Palmar pits' in a coordination.",
        ),
        (
            "sensorineural hearing loss",
            "T:5",
            "'hearing loss' is a synonym of the concept, inside 'sensorineural hearing loss'.",
        ),
    ],
)
def test_the_reason_is_a_sentence_for_the_curator(text: str, concept: str, reason: str) -> None:
    assert draft(text, concept).reason == reason


# --- building and running ---------------------------------------------------------------------------------


def test_only_live_concepts_below_the_root_are_proposed() -> None:
    assert found("All findings, an old finding, elsewhere.") == {}
    everything = Lexicon.build(concepts())
    assert set(found("All findings, an old finding, elsewhere.", everything)) == {ROOT, "X:1"}


def test_a_root_that_is_not_there() -> None:
    with pytest.raises(NotFoundError, match="T:404"):
        Lexicon.build(concepts(), root="T:404")


def test_no_concepts() -> None:
    assert Lexicon.build([]).annotate("Renal cysts.") == []


def test_run_keeps_the_passage_ids() -> None:
    passages = [Passage(i, "c", f"d{i}", i, text) for i, text in ((7, "Renal cyst."), (9, "Nothing."))]
    result = dict(module.run(passages, LEXICON))
    assert [d.concept for d in result[7]] == ["T:3"]
    assert result[9] == []


def test_a_lexicon_can_be_sent_to_another_process() -> None:
    text = "Palmar and plantar pits, no renal cysts, sensorineural hearing loss (SNHL)."
    copy = pickle.loads(pickle.dumps(LEXICON))  # noqa: S301
    assert copy.annotate(text) == LEXICON.annotate(text)


def test_the_order_of_the_concepts_does_not_matter() -> None:
    backwards = Lexicon.build(reversed(concepts()), root=ROOT)
    text = "Palmar and plantar pits, ear anomalies, no renal cysts, hearing loss, cleft lip and palate."
    assert sorted(backwards.annotate(text), key=repr) == sorted(LEXICON.annotate(text), key=repr)


PIECES = """
renal kidney hypoplasia cysts and or , . palmar plantar pits no possible (ASD) cleft lip / palate - the of
hearing loss sensorineural 👩‍⚕️ cafe\u0301 İ thumbs short broad mild to severe intellectual disability
"""
WORDS = st.sampled_from(PIECES.split())


@given(st.lists(WORDS, max_size=25).map(" ".join) | st.text(max_size=80))
def test_every_quote_stands_at_its_offsets(text: str) -> None:
    for made in LEXICON.annotate(text):
        assert made.evidence
        for evidence in made.evidence:
            assert evidence.start is not None
            assert evidence.end is not None
            assert evidence.quote == text[evidence.start : evidence.end]
            assert evidence.quote.strip() == evidence.quote != ""
        assert made.assertion in {e.assertion for e in made.evidence}


@pytest.mark.parametrize("before", ["👩‍⚕️ ", "cafe\u0301 ", "İİ ", "𝔘𝔫 ", "\u200b", "\r\n"])
def test_offsets_behind_letters_of_more_than_one_unit(before: str) -> None:
    text = before + "renal cysts"
    (evidence,) = draft(text, "T:3").evidence
    assert (evidence.start, evidence.end) == (len(before), len(text))
