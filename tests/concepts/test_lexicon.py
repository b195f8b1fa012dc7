"""What the dictionary annotator takes for a name, and what not: one hand-written sentence for every rule."""

from __future__ import annotations

import pytest

from core.concepts.lexicon import Lexicon
from core.records import Assertion, Concept, Synonym
from tests.concepts.findings import ROOT, concepts, draft, found


@pytest.mark.parametrize(
    ("text", "concept", "quote"),
    [
        ("Renal hypoplasia was seen.", "T:2", "Renal hypoplasia"),
        ("RENAL HYPOPLASIA was seen.", "T:2", "RENAL HYPOPLASIA"),
        ("Several renal cysts.", "T:3", "renal cysts"),
        ("A cyst, hepatic cyst.", "T:4", "hepatic cyst"),
        ("Hypoplasia of the kidneys.", "T:2", "Hypoplasia of the kidneys"),
        ("The kidneys were hypoplastic.", "T:2", "kidneys were hypoplastic"),
        ("Kidney hypoplasia.", "T:2", "Kidney hypoplasia"),
        ("Short thumbs on both sides.", "T:15", "Short thumbs"),
        ("The thumbs are usually short.", "T:15", "thumbs are usually short"),
        ("Neurosensory hearing loss.", "T:6", "Neurosensory hearing loss"),
        ("Haemorrhages.", "T:26", "Haemorrhages"),
        ("An ulcer of the stomach.", "T:30", "ulcer of the stomach"),
        ("α-thalassaemia", "T:31", "α-thalassaemia"),
        ("A pre-auricular pit.", "T:22", "pre-auricular pit"),
        ("A gastro-oesophageal reflux.", "T:42", "gastro-oesophageal reflux"),
        ("An arterio-venous fistula.", "T:43", "arterio-venous fistula"),
        ("An earlobe crease.", "T:32", "earlobe crease"),
        ("An ear-lobe crease.", "T:32", "ear-lobe crease"),
        ("Café au lait spots.", "T:33", "Café au lait spots"),
        ("Raynaud's phenomenon.", "T:29", "Raynaud's phenomenon"),
        ("Sjögren’s phenomenon.", "T:35", "Sjögren’s phenomenon"),
        ("Mild intellectual disability.", "T:23", "Mild intellectual disability"),
        ("Her intellectual disability is mild.", "T:23", "intellectual disability is mild"),
        ("A tumour of the skin.", "T:34", "tumour of the skin"),
        ("A cutaneous neoplasm.", "T:34", "cutaneous neoplasm"),
        ("Renal\nhypoplasia over two lines.", "T:2", "Renal\nhypoplasia"),
        ("Cleft lip and palate.", "T:20", "Cleft lip and palate"),
    ],
)
def test_a_name_is_found_in_other_words(text: str, concept: str, quote: str) -> None:
    assert found(text)[concept] == [quote]


@pytest.mark.parametrize(
    ("text", "concept"),
    [
        ("An ocular abnormality.", "T:27"),
        ("Ocular manifestations.", "T:27"),
        ("A disorder of the kidney.", "T:1"),
        ("Renal malformations.", "T:1"),
        ("Cutaneous cancer.", "T:34"),
    ],
)
def test_a_name_is_found_with_a_word_that_says_nearly_the_same(text: str, concept: str) -> None:
    assert concept in found(text)


@pytest.mark.parametrize(
    "text",
    [
        "Many men came by.",  # the stem of mania
        "Renal. Hypoplasia was seen elsewhere.",
        "Renal; hypoplasia",
        "renal (right) hypoplasia",
        "renal function and growth hypoplasia",
        "She was non-obese; no anti-obesity drug.",
        "Vitamin deficiency.",
        "Protein deficiency.",
        "asd",
        "Old finding. Elsewhere. All findings.",
        "",
        "…",
    ],
)
def test_what_is_no_name(text: str) -> None:
    assert found(text) == {}


def test_a_capital_letter_is_a_word_of_a_name() -> None:
    assert set(found("vitamin A deficiency")) == {"T:17"}
    assert set(found("vitamin D deficiency")) == {"T:18"}
    assert set(found("protein S deficiency")) == {"T:19"}


def test_one_word_names_may_be_derived_by_a_regular_ending() -> None:
    assert found("obesity") == {"T:28": ["obesity"]}
    assert found("obese patients") == {"T:28": ["obese"]}
    assert found("he was obese and short") == {"T:28": ["obese"]}


def test_an_adjective_that_describes_another_noun_is_no_finding() -> None:
    assert found("obese phenotypes") == {}
    assert found("obese and short phenotypes") == {}
    assert found("obese, short phenotypes") == {}


# --- coordinations ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("palmar and plantar pits", {"T:7": "palmar and plantar pits", "T:8": "plantar pits"}),
        ("palmar and plantar pits with fever", {"T:7": "palmar and plantar pits", "T:8": "plantar pits"}),
        ("renal and hepatic cysts", {"T:3": "renal and hepatic cysts", "T:4": "hepatic cysts"}),
        (
            "hepatic, pancreatic and renal cysts",
            {"T:4": "hepatic, pancreatic and renal cysts", "T:3": "renal cysts"},
        ),
        ("short and broad thumbs", {"T:15": "short and broad thumbs", "T:16": "broad thumbs"}),
        ("short/broad thumbs", {"T:15": "short/broad thumbs", "T:16": "broad thumbs"}),
        ("thumbs were short and broad", {"T:15": "thumbs were short", "T:16": "thumbs were short and broad"}),
        (
            "parathyroid adenoma or hyperplasia",
            {"T:9": "parathyroid adenoma", "T:10": "parathyroid adenoma or hyperplasia"},
        ),
        (
            "hypoplasia of the radius or ulna",
            {"T:40": "hypoplasia of the radius", "T:41": "hypoplasia of the radius or ulna"},
        ),
        (
            "mild-to-severe intellectual disability",
            {
                "T:23": "mild-to-severe intellectual disability",
                "T:24": "severe intellectual disability",
                "T:25": "intellectual disability",
            },
        ),
        ("vomiting or nausea", {"T:38": "vomiting or nausea", "T:39": "vomiting"}),
    ],
)
def test_coordination(text: str, expected: dict[str, str]) -> None:
    assert found(text) == {concept: [quote] for concept, quote in expected.items()}


@pytest.mark.parametrize(
    "text",
    [
        "a palmar crease and a plantar pit",
        "renal failure; hepatic cysts",
        "palmar skin of the very small left hand and plantar pits",
        "kidneys, and hypoplasia was seen",
    ],
)
def test_what_is_no_coordination_of_a_name(text: str) -> None:
    assert not {"T:7", "T:3", "T:2"} & set(found(text))


def test_what_is_said_in_one_piece_is_not_read_out_of_a_coordination_too() -> None:
    assert found("renal cysts, and the cysts grew") == {"T:3": ["renal cysts"]}


# --- nested and ambiguous names ---------------------------------------------------------------------------


def test_a_shorter_name_stands_in_a_longer_one_only_if_it_is_an_ancestor() -> None:
    assert set(found("sensorineural hearing loss")) == {"T:6", "T:5"}
    assert set(found("basal cell carcinoma")) == {"T:13"}
    assert set(found("basal cell carcinoma and another carcinoma")) == {"T:13", "T:12"}


def test_most_specific_only() -> None:
    specific = Lexicon.build(concepts(), root=ROOT, nested=False)
    assert set(found("sensorineural hearing loss", specific)) == {"T:6"}
    assert set(found("sensorineural hearing loss; hearing loss", specific)) == {"T:6", "T:5"}


def test_a_name_inside_a_coordinated_name_stands() -> None:
    assert set(found("cleft lip and palate")) == {"T:20", "T:21"}


def test_a_concepts_own_name_outweighs_the_synonym_of_another() -> None:
    assert set(found("ear anomalies")) == {"T:36"}


def test_a_name_of_two_concepts_is_proposed_for_both_with_less_confidence() -> None:
    twins = [
        Concept("T:1", "Low drive", synonyms=(Synonym("Poor drive", "EXACT"),)),
        Concept("T:2", "Little zeal", synonyms=(Synonym("Poor drive", "EXACT"),)),
    ]
    lexicon = Lexicon.build(twins)
    drafts = lexicon.annotate("poor drive")
    assert {d.concept for d in drafts} == {"T:1", "T:2"}
    assert all(d.confidence < lexicon.annotate("low drive")[0].confidence for d in drafts)
    assert all("names other concepts too" in d.reason for d in drafts)


# --- abbreviations ----------------------------------------------------------------------------------------


def test_an_abbreviation_that_the_text_defines_is_a_mention() -> None:
    text = "Basal cell carcinomas (BCCs) were rare. No BCCs were seen at follow-up."
    made = draft(text, "T:13")
    assert [(e.quote, e.assertion) for e in made.evidence] == [
        ("Basal cell carcinomas", Assertion.AFFIRMED),
        ("BCCs", Assertion.AFFIRMED),
        ("BCCs", Assertion.NEGATED),
    ]


def test_an_abbreviation_of_the_ontology_must_be_written_like_it() -> None:
    assert found("ASD was repaired") == {"T:11": ["ASD"]}
    assert found("asd was repaired") == {}


def test_an_abbreviation_that_the_text_gives_another_meaning_is_not_meant() -> None:
    assert found("Autism spectrum disorder (ASD) is common. ASD runs in families.") == {}


def test_letters_in_brackets_that_are_made_of_other_words_define_nothing() -> None:
    assert found("An atrial septal defect (WHO) was seen. The WHO came.")["T:11"] == ["atrial septal defect"]
