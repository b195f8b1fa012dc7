"""Measured findings: which concept a direction or a number says, in a small ontology."""

from __future__ import annotations

import pytest

from core.concepts.lexicon import Lexicon
from tests.concepts.findings import lexicon_of

_MADE = (
    ("T:1", "Phenotypic abnormality", ()),
    ("T:2", "Elevated circulating creatine kinase concentration", ()),
    ("T:3", "Hypokalemia", ()),
    ("T:4", "Hyperkalemia", ()),
    ("T:5", "Decreased serum iron", ()),
    ("T:6", "Increased circulating ferritin concentration", ()),
    ("T:7", "Increased serum zinc", ()),
    ("T:8", "Elevated circulating alkaline phosphatase concentration", ()),
    ("T:9", "Short stature", ("Decreased body height",)),
    ("T:10", "Increased urinary zinc level", ()),
    ("T:11", "Microcephaly", ()),
    ("T:12", "Macrocephaly", ()),
    ("T:13", "Decreased body weight", ()),
    ("T:14", "Small for gestational age", ()),
    ("T:15", "Growth delay", ()),
)
_DEFINED = {
    "T:3": "An abnormally decreased potassium concentration in the blood.",
    "T:4": "An abnormally increased potassium concentration in the blood.",
}


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return lexicon_of(_MADE, definitions=_DEFINED)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Creatine kinase was raised.", {"T:2"}),
        ("CK levels were markedly increased.", {"T:2"}),
        ("Elevated CK and ferritin.", {"T:2", "T:6"}),
        ("Iron was low, ferritin and zinc were raised.", {"T:5", "T:6", "T:7"}),
        ("There was an increase in ferritin.", {"T:6"}),
        ("Creatine kinase was 3.2-fold elevated.", {"T:2"}),
        ("Creatine kinase was 3.2-fold the limit.", {"T:2"}),
        ("Height was 95 cm (-3.4 SD).", {"T:9"}),
        ("Height was 95 cm (-1.4 SD).", set()),
        ("Potassium was 2.1 mmol/l (normal 3.5-5.0).", {"T:3"}),
        ("Potassium was 6.1 mmol/l (3.5-5.0).", {"T:4"}),
        ("Potassium was 4.1 mmol/l (3.5-5.0).", set()),
        ("Serum alkaline phosphatase: 485 (38–126) U/l.", {"T:8"}),
        ("Potassium was 2.1 mmol/l, normal range 3.5-5.0 mmol/l.", {"T:3"}),
        ("Potassium 6.1 mmol/l; reference 3.5 to 5.0.", {"T:4"}),
        ("Potassium was 4.1 mmol/l, normal range 3.5-5.0 mmol/l.", set()),
        ("Ferritin was 1200 ug/l, normal: < 400.", {"T:6"}),
        ("Ferritin 1200 ug/l (normal up to 400).", {"T:6"}),
        ("Creatine kinase 12,345 U/l (normal range, 30-200 U/l).", {"T:2"}),
        ("Creatine kinase 12 345 U/l (30–200).", {"T:2"}),
        ("Potassium 2,1 mmol/l (3,5-5,0).", {"T:3"}),
        ("Ferritin 250 x 10^9/l (150-400).", set()),
        ("Ferritin 450 × 10⁹/l (150–400 × 10⁹/l).", {"T:6"}),
        ("Creatine kinase was 3.2-fold the upper limit of normal.", {"T:2"}),
        ("Potassium dropped to 2.1 mmol/l.", {"T:3"}),
        ("Increased zinc in the urine.", {"T:10"}),
        ("Creatine kinase was elevated and zinc was high.", {"T:2", "T:7"}),
        ("Ferritin was higher in the treated group than in controls.", set()),
        ("The tea significantly increased ferritin.", set()),
        ("Low-zinc diet.", set()),
    ],
)
def test_a_measurement_says_a_finding(lexicon: Lexicon, text: str, expected: set[str]) -> None:
    assert {draft.concept for draft in lexicon.annotate(text)} == expected


def test_what_would_be_normal_denies_nothing(lexicon: Lexicon) -> None:
    for said in ("(normal: < 400)", "(normal < 400 ug/l)", "(normal up to 400)"):
        (draft,) = lexicon.annotate(f"Ferritin 1200.5 ug/l {said}.")
        assert (draft.concept, str(draft.assertion)) == ("T:6", "affirmed")
        assert draft.evidence[0].quote == "Ferritin 1200.5"


def test_a_denied_measurement_is_negated_and_the_reason_names_what_it_says(lexicon: Lexicon) -> None:
    (draft,) = lexicon.annotate("No elevation of potassium was seen.")
    assert (draft.concept, str(draft.assertion)) == ("T:4", "negated")
    (draft,) = lexicon.annotate("Potassium was low.")
    assert draft.reason == "'Potassium was low' tells a measurement of which 'Hypokalemia' speaks."
    assert [e.quote for e in draft.evidence] == ["Potassium was low"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("OFC was at -3.4 SD.", {"T:11"}),
        ("Head circumference was 2.5 SD above the mean.", {"T:12"}),
        ("Weight, height and OFC were all below the 3rd percentile.", {"T:9", "T:11", "T:13"}),
        ("Height 110 cm (<3rd centile), weight 20 kg (25th centile).", {"T:9"}),
        ("Height was less than the third percentile.", {"T:9"}),
        ("OFC at the 99th centile.", {"T:12"}),
        ("OFC at the 3rd centile, height at the 97th centile.", set()),
        ("OFC was below the 25th percentile.", set()),
        ("OFC was not below the 3rd percentile.", set()),
        ("Birth weight was below the 3rd percentile.", {"T:14"}),
        ("At birth, weight was below the 3rd percentile.", {"T:14"}),
        ("The femur length was below the 3rd percentile.", set()),
        ("All growth parameters were below the 3rd percentile.", {"T:15"}),
        ("Height was below the 3rd percentile in the treated group.", set()),
    ],
)
def test_a_size_far_from_the_mean_is_a_finding(lexicon: Lexicon, text: str, expected: set[str]) -> None:
    assert {draft.concept for draft in lexicon.annotate(text)} == expected
