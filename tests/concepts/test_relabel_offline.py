"""Stage 3 offline: what was missed comes in, what the words contradict goes out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.concepts import relabel
from core.concepts.profile import Hypernyms
from core.records import Assertion, Candidate, Evidence
from tests.concepts.offline_parts import labels, records, run, start, tools


def test_a_name_with_other_words_between_is_added() -> None:
    text = "He had no proximal upper leg weakness and renal left cortical cysts."
    made = run(text, "generate relabel")
    added = {r.concept: r for r in records(made, "relabel", "added")}
    assert "HP:0000107" in added  # Renal cyst
    assert added["HP:0000107"].payload["name"] == "renal left cortical cysts"
    (cyst,) = [c for c in made.candidates if c.concept == "HP:0000107"]
    assert cyst.stage == "relabel"
    assert cyst.claim == 0
    assert cyst.assertion is Assertion.NEGATED or cyst.assertion is Assertion.AFFIRMED
    assert [text[e.start : e.end] for e in cyst.evidence] == ["renal left cortical cysts"]


@pytest.mark.parametrize(
    "text",
    [
        "The renal function was normal, a cyst was seen.",
        "Renal failure with cysts.",
        "A renal artery that passes a cyst wall.",
    ],
)
def test_words_of_different_phrases_make_no_name(text: str) -> None:
    assert "Renal cyst" not in labels(run(text, "generate relabel"))


NESTED = "Sensorineural hearing loss without seizures. Ataxia."


@pytest.mark.parametrize(
    ("policy", "text", "kept"),
    [
        (Hypernyms.KEEP, "Sensorineural hearing loss.", True),
        (Hypernyms.KEEP_NAMED_APART, "Sensorineural hearing loss.", False),
        (Hypernyms.KEEP_NAMED_APART, "Sensorineural hearing loss. Hearing loss.", True),
        (Hypernyms.DROP, "Sensorineural hearing loss. Hearing loss.", False),
    ],
)
def test_hypernyms_as_the_profile_says(policy: Hypernyms, text: str, kept: bool) -> None:
    made = run(text, "generate classify relabel", tools(hypernyms=policy))
    assert ("Hearing impairment" in labels(made)) is kept
    dropped = [r.concept for r in records(made, "relabel", "dropped")]
    assert dropped == ([] if kept else ["HP:0000365"])


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("A seizure medication was given.", False),
        ("A seizure medication was given for seizures.", True),
        ("Seizure, medication and rest.", True),
    ],
)
def test_words_that_only_name_something_else(text: str, kept: bool) -> None:
    made = run(text, "generate relabel")
    assert ("Seizure" in labels(made)) is kept
    if not kept:
        (record,) = records(made, "relabel", "dropped")
        assert record.reason == "The words only name something else."


def test_denied_and_doubted_concepts_stay() -> None:
    made = run("No seizures. Possible ataxia. Cataract was not a feature.", "generate relabel")
    assert {c.label: c.assertion for c in made.candidates} == {
        "Seizure": Assertion.NEGATED,
        "Ataxia": Assertion.UNCERTAIN,
        "Cataract": Assertion.NEGATED,
    }


def test_similarity_gives_way_to_a_related_concept_that_the_same_words_name() -> None:
    quote = "mild seizures"
    evidence = (Evidence(quote, 0, len(quote), True, Assertion.AFFIRMED),)
    near = Candidate("HP:0007359", "Focal-onset seizure", name=quote, score=0.8, claim=0, evidence=evidence)
    said = run("mild seizures", "generate")
    made = replace(said, candidates=(*said.candidates, near))
    (checked,) = relabel.run([made], tools())
    assert labels(checked) == ["Seizure"]
    (record,) = records(checked, "relabel", "dropped")
    assert record.reason == "The same words name Seizure."


def test_the_passage_has_a_record_that_explains() -> None:
    (record,) = records(run("Seizures.", "generate relabel"), "relabel", "rated")
    assert record.concept is None
    assert record.reason == "1 listed, 0 missed and added, 0 contradicted."


def test_records_only_grow() -> None:
    before = run(NESTED, "generate")
    (after,) = relabel.run([before], tools())
    assert after.records[: len(before.records)] == before.records
    assert start(NESTED).records == ()
