"""What a text denies by calling it normal or not changed, in a small ontology."""

from __future__ import annotations

import pytest

from core.concepts.lexicon import Lexicon
from tests.concepts.findings import lexicon_of

_MADE = (
    ("T:1", "Root", ()),
    ("T:2", "Abnormal reflex", ()),
    ("T:3", "Reduced tendon reflexes", ("Decreased deep tendon reflexes",)),
    ("T:4", "Hyperreflexia", ("Increased deep tendon reflexes",)),
    ("T:5", "Hepatomegaly", ("Enlarged liver",)),
    ("T:6", "Splenomegaly", ("Enlarged spleen",)),
    ("T:7", "Muscle weakness", ()),
    ("T:8", "Abnormal brain morphology", ()),
    ("T:9", "Abnormality of the brain", ()),
    ("T:10", "Abnormal blood sodium concentration", ()),
    ("T:11", "Elevated circulating creatine kinase concentration", ()),
    ("T:12", "Tremor", ()),
    ("T:13", "Hearing abnormality", ()),
    ("T:14", "Intellectual disability", ()),
    ("T:15", "Decreased circulating creatine kinase concentration", ()),
    ("T:16", "Fever", ()),
    ("T:17", "Jaundice", ()),
    ("T:18", "Growth abnormality", ()),
    ("T:19", "Abnormality of skull size", ()),
    ("T:20", "Increased head circumference", ()),
    ("T:21", "Decreased head circumference", ()),
    ("T:22", "Abnormality of chromosomes", ()),
    ("T:23", "Abnormal liver function", ()),
    ("T:24", "Abnormal brain function", ()),
    ("T:25", "Abnormal breath sound", ()),
    ("T:26", "Abnormality of the eye", ()),
    ("T:27", "EEG abnormality", ()),
    ("T:28", "Hematuria", ()),
    ("T:29", "Abnormal lung morphology", ()),
)
_ABOVE = {"T:3": "T:2", "T:4": "T:2"}


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return lexicon_of(_MADE, _ABOVE)


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("Reflexes were normal.", {"T:2"}),
        ("Deep tendon reflexes were normal.", {"T:2", "T:3"}),
        ("The patient's hearing was normal.", {"T:13"}),
        ("The liver was not enlarged.", {"T:5"}),
        ("Liver and spleen were not enlarged.", {"T:5", "T:6"}),
        ("Tremor was not increased.", set()),
        ("Strength, intelligence and hearing were normal.", {"T:7", "T:14", "T:13"}),
        ("MRI of the brain was normal.", {"T:8"}),
        ("The brain was normal.", {"T:9"}),
        ("Serum sodium and CK were normal.", {"T:10", "T:11", "T:15"}),
        ("CK was not elevated.", {"T:11"}),
        ("Patients with half-normal hearing.", set()),
        ("The femur was normal.", set()),
        ("Liver and spleen were not palpable.", {"T:5", "T:6"}),
        ("She was afebrile and anicteric.", {"T:16", "T:17"}),
        ("She was not afebrile.", set()),
        ("Liver and brain function tests were normal.", {"T:23", "T:24"}),
        ("Normal liver and brain function.", {"T:23", "T:24"}),
        ("The lungs were clear.", {"T:25"}),
        ("The cause of the tremor was clear.", set()),
        ("Power 5/5 throughout.", {"T:7"}),
        ("Lungs clear, spleen not enlarged.", {"T:25", "T:6"}),
        ("He was back to normal.", set()),
        ("The eyes looked healthy.", {"T:26"}),
        ("Despite the tremor his hearing was normal.", {"T:13"}),
        ("Apart from tremor his hearing was normal.", set()),
        ("Hearing, tested with headphones, was normal.", {"T:13"}),
        ("Cranial MRI revealed no abnormality.", {"T:8"}),
        ("Chest X-ray was normal.", {"T:29"}),
        ("The EEG was not abnormal.", set()),
        ("A sleep-deprived EEG obtained a week after the event was normal.", {"T:27"}),
        ("Urine dipstick was negative for blood.", {"T:28"}),
        ("Blood cultures were negative for fungi.", set()),
        ("Urinalysis was negative for protein and blood.", {"T:28"}),
        ("Urine culture was negative for bacteria. Blood was drawn.", set()),
        ("Urine was sterile. Stool was negative for blood.", set()),
        ("Urine was negative for blood cells.", set()),
        ("Growth parameters were within the reference range.", {"T:18"}),
        ("Growth parameters were normal.", {"T:18"}),
        ("Head circumference was normal.", {"T:19"}),
        ("Cells with normal chromosomes were used.", set()),
        ("He has normal hearing and intelligence.", {"T:13", "T:14"}),
        ("He has normal hearing and tremor.", {"T:13"}),
    ],
)
def test_what_is_normal_or_not_changed_is_denied(lexicon: Lexicon, text: str, denied: set[str]) -> None:
    drafts = lexicon.annotate(text)
    assert {draft.concept for draft in drafts if str(draft.assertion) == "negated"} == denied
    assert {draft.concept for draft in drafts} - denied <= {"T:12"}


def test_what_is_abnormal_is_found(lexicon: Lexicon) -> None:
    for text, status in (
        ("The EEG was grossly abnormal.", "affirmed"),
        ("His EEG was abnormal.", "affirmed"),
    ):
        assert [(d.concept, str(d.assertion)) for d in lexicon.annotate(text)] == [("T:27", status)]
    assert lexicon.annotate("The femur was abnormal.") == []


def test_the_reason_says_what_denies_it(lexicon: Lexicon) -> None:
    (draft,) = lexicon.annotate("CK was not elevated.")
    assert draft.reason == (
        "'CK was not elevated' denies 'Elevated circulating creatine kinase concentration'."
    )
    (draft,) = lexicon.annotate("Hearing was normal.")
    assert draft.reason == "'Hearing' is said to be normal, which denies 'Hearing abnormality'."


def test_an_absence_of_seizures_is_no_absence_seizure() -> None:
    made = (("T:1", "Root", ()), ("T:2", "Seizure", ("Seizures",)), ("T:3", "Absence seizure", ()))
    lexicon = lexicon_of(made, {"T:3": "T:2"})
    for text, expected in (
        ("The absence of seizures was remarkable.", {"T:2": "negated"}),
        ("The absence of ataxia and seizures was remarkable.", {"T:2": "negated"}),
        ("Seizures were present in three and absent in four.", {"T:2": "affirmed"}),
        ("He had absence seizures.", {"T:2": "affirmed", "T:3": "affirmed"}),
    ):
        assert {draft.concept: str(draft.assertion) for draft in lexicon.annotate(text)} == expected
