"""Names of processes that follow by a pattern: families of Funk et al. 2016, J Biomed Semantics 7:52."""

from __future__ import annotations

import pytest

from core.concepts.lexicon import Lexicon
from core.concepts.lexicon.processes import in_other_words
from core.records import Assertion, Concept, Synonym

_MADE = (
    ("0", "biological_process", ""),
    ("1", "positive regulation of cell proliferation", "0"),
    ("2", "negative regulation of cell proliferation", "0"),
    ("3", "cell proliferation", "0"),
    ("4", "cholesterol biosynthetic process", "0"),
    ("5", "Notch signaling pathway", "0"),
    ("6", "response to insulin stimulus", "0"),
    ("7", "T cell differentiation", "0"),
    ("8", "gene expression", "0"),
    ("9", "apoptotic process", "0"),
    ("10", "transcription", "0"),
    ("11", "cell migration", "0"),
    ("12", "negative regulation of cholesterol biosynthetic process", "0"),
    ("13", "positive regulation of transport", "0"),
    ("14", "transport", "0"),
    ("15", "vitamin A metabolic process", "0"),
    ("16", "vitamin metabolic process", "0"),
)


def concepts(prefix: str) -> list[Concept]:
    return [
        Concept(
            prefix + number,
            name,
            synonyms=(Synonym("apoptosis", "EXACT"),) if number == "9" else (),
            parents=(prefix + parent,) if parent else (),
        )
        for number, name, parent in _MADE
    ]


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return Lexicon.build(concepts("GO:"), root="GO:0")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It stimulates the proliferation of cells.", {"1", "3"}),
        ("Cell proliferation was suppressed.", {"2", "3"}),
        ("Negative regulation of cell proliferation.", {"2", "3"}),
        ("Statins block cholesterol synthesis.", {"4", "12"}),
        ("Cholesterol is synthesized in the liver.", {"4"}),
        ("Notch signalling is needed.", {"5"}),
        ("The insulin response was slow.", {"6"}),
        ("Differentiation of T lymphocytes.", {"7"}),
        ("It is expressed in the lens.", {"8"}),
        ("Apoptotic cells were counted.", {"9"}),
        ("The gene is transcribed.", {"10"}),
        ("Migratory cells; the cells migrate.", {"11"}),
        ("Active transport needs energy.", {"14"}),
        ("Metabolism of vitamins.", {"16"}),
        ("An expressive face.", set()),
    ],
)
def test_texts_say_processes_in_other_words(lexicon: Lexicon, text: str, expected: set[str]) -> None:
    assert {draft.concept.removeprefix("GO:") for draft in lexicon.annotate(text)} == expected


def test_a_name_by_pattern_is_less_sure_and_tells_what_was_changed(lexicon: Lexicon) -> None:
    sure = {d.label: d for d in lexicon.annotate("Inhibition of cell proliferation.")}
    made, given = sure["negative regulation of cell proliferation"], sure["cell proliferation"]
    assert made.confidence is not None
    assert given.confidence is not None
    assert made.confidence < given.confidence, "and the exact name inside it is not hidden"
    assert made.assertion is Assertion.AFFIRMED
    assert made.reason is not None
    assert "with 'inhibition of' for 'negative regulation of'" in made.reason


def test_patterns_are_of_processes_alone() -> None:
    elsewhere = Lexicon.build(concepts("T:"), root="T:0")
    assert elsewhere.says("cholesterol synthesis") == frozenset()
    assert elsewhere.says("expression") == frozenset()


def test_a_given_name_keeps_its_concept() -> None:
    several = [*concepts("GO:"), Concept("GO:20", "inhibition of cell proliferation", parents=("GO:0",))]
    assert Lexicon.build(several, root="GO:0").says("inhibition of cell proliferation") == {"GO:20"}


def test_operator_and_head_are_changed_together() -> None:
    made = {
        " ".join(said.words): said.family
        for said in in_other_words(["negative", "regulation", "of", "sterol", "catabolic", "process"])
    }
    assert made["suppression of sterol catabolic process"] == "regulation"
    assert made["negative regulation of sterol breakdown"] == "metabolism"
    assert made["suppression of sterol breakdown"] == "regulation and metabolism"
    assert len(made) == 6 + 3 + 6 * 3, "names stay a bounded number"
