"""Forms in which texts write a name: letters with numbers, brackets, commas, words between, modifiers."""

from __future__ import annotations

import pytest

from core.concepts.lexicon import Lexicon
from tests.concepts.findings import lexicon_of

_MADE = (
    ("T:1", "Root", ()),
    ("T:2", "Low apolipoprotein A1", ()),
    ("T:3", "Short thumb", ("Short thumbs",)),
    ("T:4", "Broad thumb", ("Broad thumbs",)),
    ("T:5", "Heart murmur", ()),
    ("T:6", "Systolic heart murmur", ()),
    ("T:7", "Absent radius", ()),
    ("T:8", "poly(A) tail shortening", ()),
    ("T:9", "NAD(P)H oxidation", ()),
    ("T:10", "1,25-dihydroxyvitamin D deficiency", ()),
    ("T:11", "anterior/posterior pattern formation", ()),
    ("T:12", "transcription, DNA-dependent", ()),
    ("T:13", "Artery disease", ()),
    ("T:14", "Coronary artery atherosclerosis", ("Coronary disease",)),
    ("T:15", "Hypohidrosis", ("Decreased sweating",)),
    ("T:16", "Apnea", ()),
    ("T:17", "Unilateral renal agenesis", ()),
    ("T:18", "translation", ()),
    ("T:19", "Submucous cleft palate", ()),
    ("T:20", "Cleft palate", ()),
    ("T:21", "Rheumatoid factor positive", ()),
    ("T:22", "Diabetes mellitus", ()),
    ("T:23", "Diabetes insipidus", ()),
    ("T:24", "Hypothyroidism", ()),
    ("T:25", "Hyperthyroidism", ()),
    ("T:26", "Hepatomegaly", ()),
    ("T:27", "Splenomegaly", ()),
    ("T:28", "Intrahepatic cholestasis", ()),
    ("T:29", "Extrahepatic cholestasis", ()),
    ("T:30", "Skin ulcer", ()),
)
_ABOVE = {"T:6": "T:5", "T:14": "T:13", "T:19": "T:20"}


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return lexicon_of(_MADE, _ABOVE)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Low apolipoprotein A-1 was found.", {"T:2"}),
        ("He had short, broad thumbs.", {"T:3", "T:4"}),
        ("A thumb, short, and wide.", {"T:3"}),
        ("Fingers, broad thumbs.", {"T:4"}),
        ("A systolic heart murmur.", {"T:6", "T:5"}),
        ("A systolic murmur was heard.", {"T:6", "T:5"}),
        ("He had diabetes.", {"T:22"}),
        ("Diabetic nephropathy, in nondiabetics, too.", set()),
        ("Diabetes insipidus.", {"T:23"}),
        ("Hypo- or hyperthyroidism.", {"T:24", "T:25"}),
        ("Hypo-/hyperthyroidism.", {"T:24", "T:25"}),
        ("Hepato- and splenomegaly.", {"T:26", "T:27"}),
        ("Intra- or extrahepatic cholestasis.", {"T:28", "T:29"}),
        ("Anti- and hyperthyroidism.", {"T:25"}),
        ("Her skin had a rash or ulcers.", {"T:30"}),
        ("Her skin was clear, without rash or ulcers.", set()),
        ("A murmur, systolic, was heard.", {"T:6", "T:5"}),
        ("Cleft palate, submucous.", {"T:19", "T:20"}),
        ("Cleft palate, submucous fibrosis.", {"T:20"}),
        ("The left radius was absent.", {"T:7"}),
        ("Absent left radius.", {"T:7"}),
        ("Absence of the left radius.", {"T:7"}),
        ("Absent tibia and left radius.", set()),
        ("It triggers poly(A) tail shortening.", {"T:8"}),
        ("NAD(P)H oxidation rises.", {"T:9"}),
        ("A 1,25-dihydroxyvitamin D deficiency.", {"T:10"}),
        ("Its anterior/posterior pattern formation fails.", {"T:11"}),
        ("The gene acts in transcription, DNA-dependent.", {"T:12"}),
        ("A lack of transcription, DNA-dependent replication stops.", set()),
        ("She had coronary artery disease.", {"T:13", "T:14"}),
        ("He had negligible sweating.", {"T:15"}),
        ("An apneic spell was seen.", {"T:16"}),
        ("An apneic mattress was bought.", set()),
        ("He was apneic, while she was awake.", {"T:16"}),
        ("Left renal agenesis.", {"T:17"}),
        ("The form was translated.", set()),
    ],
)
def test_a_form_says_a_name(lexicon: Lexicon, text: str, expected: set[str]) -> None:
    assert {draft.concept for draft in lexicon.annotate(text)} == expected


def test_a_first_half_is_quoted_up_to_the_word_that_says_its_end(lexicon: Lexicon) -> None:
    found = lexicon.annotate("There was no hepato- or splenomegaly at birth.")
    assert {(d.concept, d.evidence[0].quote, d.assertion.value) for d in found} == {
        ("T:26", "hepato- or splenomegaly", "negated"),
        ("T:27", "splenomegaly", "negated"),
    }


def test_the_reason_tells_of_words_between(lexicon: Lexicon) -> None:
    (draft,) = lexicon.annotate("Absent left radius.")
    assert draft.reason == (
        "'Absent left radius' says the name 'Absent radius' with other words or a comma between."
    )


def test_a_test_that_was_negative_denies_that_it_is_positive(lexicon: Lexicon) -> None:
    (draft,) = lexicon.annotate("Rheumatoid factor came back negative.")
    assert (draft.concept, str(draft.assertion)) == ("T:21", "negated")
    assert draft.reason == (
        "'Rheumatoid factor' is said to be negative, which denies 'Rheumatoid factor positive'."
    )
