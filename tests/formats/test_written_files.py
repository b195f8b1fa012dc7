"""Files that the libraries of their formats wrote (`written/make.py`): read as what went into them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.formats import Reading
from core.records import Annotation, Assertion, Document, Span
from tests.formats.written import make

WRITTEN = Path(__file__).parent / "written"
TEXT = "Seizures in \u03b2-thalassaemia \U0001f600.\nNo fever. Short and broad thumbs, perhaps ataxia."
NEGATED, UNCERTAIN = Assertion.NEGATED, Assertion.UNCERTAIN
# offsets counted by hand: the title has 29 characters, so the abstract starts at 30
FIRST = Document(
    "7",
    TEXT,
    (
        Annotation("HP:0001250", span=Span(0, 8, "Seizures")),
        Annotation("MESH:D017086", span=Span(12, 26, "\u03b2-thalassaemia")),
        Annotation("OMIM:613985", span=Span(12, 26, "\u03b2-thalassaemia")),
        Annotation("HP:0001945", assertion=NEGATED, span=Span(33, 38, "fever"), confidence=0.9),
        Annotation("HP:0009778", span=Span(40, 45, "Short")),
        Annotation("HP:0009778", span=Span(56, 62, "thumbs")),
        Annotation("HP:0001251", assertion=UNCERTAIN, span=Span(72, 78, "ataxia")),
    ),
    title="Seizures in \u03b2-thalassaemia \U0001f600.",
    meta={"journal": "Made up"},
)
SECOND = Document(
    "8",
    "One sentence.\nAnother, with fever.",
    (Annotation("HP:0001945", span=Span(28, 33, "fever")),),
)


@pytest.mark.parametrize("name", ["bioc.xml", "bioc.json", "bioc.jsonl"])
def test_bioc(read, name: str) -> None:
    found = read(WRITTEN / name, "bioc")
    assert found.errors == []
    assert found.documents == [FIRST, SECOND]
    assert found.notes.sentences() == [
        "Mentions that name no concept, left out: 1.",
        "Relations, left out: 1.",
        "Mentions in several pieces, with a quote for each: 1.",
        "Infon 'note', left out: 1.",
        "Scores outside 0 to 1, left out: 1.",
    ]


def test_pubtator(read) -> None:
    (found,) = read(WRITTEN / "bioc.pubtator").documents
    assert (found.text, found.title) == (TEXT, FIRST.title)
    assert [(a.concept, a.span) for a in found.annotations] == [
        ("HP:0001250", Span(0, 8, "Seizures")),
        ("HP:0001251", Span(72, 78, "ataxia")),
    ]


SEIZURE = Annotation("HP:0001250", "Seizure")
NO_FEVER = Annotation("HP:0001945", "Fever", NEGATED)


def test_a_phenopacket_names_its_document_by_its_own_id_or_by_the_subject(read) -> None:
    path = WRITTEN / "phenopacket.json"
    for known in ("p1", "7", "phenopacket"):
        found = read(path, "phenopackets", Reading(texts={known: "A text."}.get))
        assert found.documents == [Document(known, "A text.", (SEIZURE, NO_FEVER))]
        assert found.notes.sentences() == [
            "Field 'diseases', left out: 1.",
            "Field 'onset' of a feature, left out: 1.",
            "References given as evidence, left out: 1.",
        ]
    assert read(path, "phenopackets", Reading(texts={}.get)).errors[0].doc_id == "p1"


def test_a_cohort_is_its_members_and_a_family_its_proband(read) -> None:
    reading = Reading(without_texts=True)
    cohort = read(WRITTEN / "cohort.json", "phenopackets", reading)
    assert [(d.doc_id, d.annotations) for d in cohort.documents] == [
        ("p1", (SEIZURE, NO_FEVER)),
        ("p2", (NO_FEVER,)),
    ]
    family = read(WRITTEN / "family.json", "phenopackets", reading)
    assert [d.doc_id for d in family.documents] == ["p1"]
    assert family.notes.left_out["Relatives in a Family"] == 1


def test_names_as_in_the_schema_and_those_of_version_1_are_read(write, read) -> None:
    packet = {
        "id": "p1",
        "phenotypic_features": [{"type": {"id": "HP:0001250"}, "negated": True}],
        "meta_data": {},
    }
    (found,) = read(
        write("a.json", json.dumps(packet)), "phenopackets", Reading(without_texts=True)
    ).documents
    assert found.annotations == (Annotation("HP:0001250", assertion=NEGATED),)


OF_FASTHPOCR = (
    ("HP:0001263", "Global developmental delay", 12, 38, "global developmental\ndelay"),
    ("HP:0001263", "Developmental delay", 19, 38, "developmental\ndelay"),
    ("HP:0001250", "Seizures", 40, 48, "seizures"),
    ("HP:0004322", "Short stature", 55, 68, "short stature"),
    ("HP:0000252", "Microcephaly", 73, 85, "microcephaly"),
    ("HP:0000365", "Hearing loss", 89, 101, "hearing loss"),
)


@pytest.mark.parametrize(("name", "categories"), [("fasthpocr.txt", 6), ("fasthpocr_plain.txt", 0)])
def test_fasthpocr(read, name: str, categories: int) -> None:
    """Version 0.1.4; a quote over two lines is written over two lines, with and without categories."""
    found = read(WRITTEN / name, "fasthpocr", Reading(texts=lambda _: make.TEXT))
    assert found.errors == []
    (document,) = found.documents
    assert document.annotations == tuple(
        Annotation(concept, label, span=Span(start, end, quote))
        for concept, label, start, end, quote in OF_FASTHPOCR
    )
    assert sum(found.notes.left_out.values()) == categories
