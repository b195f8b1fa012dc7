"""The strict form: exactly the fields and values of section 9.1 of the full-text HPO evaluation framework.

It holds HPO concepts of the patient only, no class, confidence, run or reason, no nulls, and four document
types. What a document set says beyond that is left out and counted. Reading needs no strict form: the
schema is a subset.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, BinaryIO, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

from core.errors import InputError
from core.formats.documents import Metadata, document_value
from core.formats.json import write_object_of
from core.formats.rows import shown
from core.records import Assertion, Document

DocumentType = Literal["case_report", "discharge_summary", "progress_note", "physical_exam"]
OTHERS = "annotations of another person"
"""What they are counted under; the form knows three statuses."""
HPO_ID = r"^HP:[0-9]{7}$"


def _no_defaults(schema: dict[str, Any]) -> None:
    """A field that is not there is not there: the values below stand for nothing in a file."""
    for field in schema["properties"].values():
        field.pop("default", None)


class Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", json_schema_extra=_no_defaults)


class StrictMetadata(Strict):
    dataset_id: str = ""
    version: str = ""
    language: str = ""
    document_type: DocumentType = "case_report"
    annotation_guidelines: str = ""
    inter_annotator_kappa: float = 0
    is_exhaustively_annotated: bool = False


class StrictAnnotation(Strict):
    hpo_id: Annotated[str, Field(pattern=HPO_ID)]
    label: str = ""
    assertion_status: Literal["affirmed", "negated", "uncertain"]
    text_span: str = ""
    start_offset: int = 0
    end_offset: int = 0


class StrictDocument(Strict):
    doc_id: str
    text: str
    annotations: list[StrictAnnotation]


class StrictFile(Strict):
    """Concept documents in the strict form of section 9.1."""

    metadata: StrictMetadata = StrictMetadata()
    documents: list[StrictDocument] = []


def write(metadata: Metadata, documents: Iterable[Document], out: BinaryIO) -> dict[str, int]:
    """Write the strict form; returns how often each field was left out.

    Raises:
        InputError: a concept is no HPO concept. Nothing of the file must be kept then.
    """
    left_out: Counter[str] = Counter()
    head = _kept(metadata.value(), StrictMetadata, left_out)
    if head.get("document_type") not in (None, *get_args(DocumentType)):
        del head["document_type"]
        left_out["document_type"] += 1
    write_object_of(head, _documents(documents, left_out), out)
    return dict(left_out)


def _documents(documents: Iterable[Document], left_out: Counter[str]) -> Iterator[dict[str, Any]]:
    for document in documents:
        value = _kept(document_value(document), StrictDocument, left_out)
        own = [a for a in value["annotations"] if a["assertion_status"] != Assertion.OTHER_PERSON]
        if others := len(value["annotations"]) - len(own):
            left_out[OTHERS] += others
        value["annotations"] = [_annotation(a, document.doc_id, left_out) for a in own]
        yield value


def _annotation(value: dict[str, Any], doc_id: str, left_out: Counter[str]) -> dict[str, Any]:
    given = {"hpo_id": value.pop("concept_id"), **{name: v for name, v in value.items() if v is not None}}
    try:
        kept = _kept(given, StrictAnnotation, left_out)
        StrictAnnotation.model_validate(kept)
    except ValueError:
        raise InputError(
            f"Document {shown(doc_id)} has the concept {shown(given['hpo_id'])}, and the format paper003 "
            "holds HPO concepts only. Export with --format json."
        ) from None
    return kept


def _kept(value: dict[str, Any], model: type[Strict], left_out: Counter[str]) -> dict[str, Any]:
    left_out.update(name for name in value if name not in model.model_fields)
    return {name: v for name, v in value.items() if name in model.model_fields}
