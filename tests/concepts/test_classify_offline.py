"""Stage 2 offline: the class follows from how a candidate was found."""

from __future__ import annotations

from dataclasses import replace

from core.concepts import classify
from core.concepts.classify.support import Support
from core.records import Assertion, Candidate, ConceptClass, Evidence
from tests.concepts.offline_parts import labels, records, run, start, tools

NESTED = "She has sensorineural hearing loss and no seizures."


def test_explicit_by_its_own_words_logically_implicit_inside_longer_ones() -> None:
    made = run(NESTED, "generate classify")
    assert {c.label: c.concept_class for c in made.candidates} == {
        "Sensorineural hearing impairment": ConceptClass.EXPLICIT,
        "Hearing impairment": ConceptClass.LOGICALLY_IMPLICIT,
        "Seizure": ConceptClass.EXPLICIT,
    }
    reasons = {r.concept: r.reason for r in records(made, "classify", "kept")}
    assert reasons["HP:0000365"] == "Named only inside 'sensorineural hearing loss', which implies it."


def test_a_concept_that_is_also_named_apart_is_explicit() -> None:
    made = run("Sensorineural hearing loss. The hearing loss grew.", "generate classify")
    assert {c.concept_class for c in made.candidates} == {ConceptClass.EXPLICIT}


def test_a_negated_candidate_stays_negated() -> None:
    made = run(NESTED, "generate classify")
    assert {c.label: c.assertion for c in made.candidates}["Seizure"] is Assertion.NEGATED


def test_a_class_that_the_profile_leaves_out_is_dropped_with_a_reason() -> None:
    made = run(NESTED, "generate classify", tools(classes=(ConceptClass.EXPLICIT,)))
    assert labels(made) == ["Sensorineural hearing impairment", "Seizure"]
    (record,) = records(made, "classify", "dropped")
    assert record.concept == "HP:0000365"
    assert record.payload == {"class": "logically_implicit"}
    assert record.reason is not None
    assert record.reason.endswith("The task profile leaves this class out.")


def near(concept: str, label: str, name: str) -> Candidate:
    evidence = (Evidence(name, 0, len(name), True, Assertion.AFFIRMED),)
    return Candidate(concept, label, name=name, score=0.9, claim=0, evidence=evidence)


def test_similarity_alone_is_not_relevant() -> None:
    made = replace(start("kidney imaging"), candidates=(near("HP:0000107", "Renal cyst", "kidney imaging"),))
    (judged,) = classify.run([made], tools())
    assert judged.candidates == ()
    (record,) = records(judged, "classify", "dropped")
    assert record.payload == {"class": "not_relevant"}
    assert record.reason == "Near in meaning only: the words share no finding."


def test_similarity_borne_out_by_words_is_pragmatically_implicit() -> None:
    support = Support(tools())
    assert support.missing("bilateral seizures", "HP:0001250") == (
        "Near in meaning only: the words say something else too."
    )
    assert support.missing("fever", "HP:0001954") is None  # "Recurrent fever" but for a word
    assert support.missing("hypothyroidism", "HP:0000851") is None
    made = replace(
        start("hypothyroidism"),
        candidates=(near("HP:0000851", "Congenital hypothyroidism", "hypothyroidism"),),
    )
    (judged,) = classify.run([made], tools())
    assert [c.concept_class for c in judged.candidates] == [ConceptClass.PRAGMATICALLY_IMPLICIT]
