"""The concept-document schema: a superset of section 9.1 of the full-text HPO evaluation framework (003).

    {"metadata": {...}, "documents": [{"doc_id", "text", "annotations": [{"concept_id", ...}]}]}

These models are the specification: `data/schemas/` holds them as JSON Schema. Fields that the models do not
know stay in the metadata and in `Document.meta`; on an annotation they are left out and counted.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from core.formats.strict_json import LARGEST, MAX_DEPTH
from core.records import Annotation, Document

Status = Literal["affirmed", "negated", "uncertain", "other_person"]
Class = Literal["explicit", "logically_implicit", "pragmatically_implicit", "not_relevant"]

CURIE = r"^[A-Za-z_][A-Za-z0-9_.\-]*:[^\s/]\S*$"
"""A prefix, a colon and a local part; an IRI is not one."""
_ADDRESS = re.compile(
    r"https?://(?:purl\.obolibrary\.org/obo|purl\.bioontology\.org/ontology/[A-Za-z0-9]+)/"
    r"([A-Za-z][A-Za-z0-9]*)_([A-Za-z0-9]+)"
)
"""The addresses of OBO ontologies, and those under which HI-ALD names concepts of HOIP."""
_UNDERSCORED = re.compile(r"([A-Za-z][A-Za-z0-9]*)_([A-Z]?[0-9]+)")


def curie(text: str) -> str:
    """An id as a CURIE: `http://purl.obolibrary.org/obo/HP_0001250` and `HP_0001250` are `HP:0001250`. What
    is neither an address of an ontology nor such an id stays as it is."""
    text = text.strip()
    if match := _ADDRESS.fullmatch(text) or _UNDERSCORED.fullmatch(text):
        return f"{match[1]}:{match[2]}"
    return text


def _storable(text: str) -> str:
    """Refuse what neither UTF-8 nor the store can hold unchanged."""
    if "\0" in text:
        raise ValueError("holds a NUL character")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ValueError(f"holds half of a surrogate pair at character {error.start}") from None
    return text


def _storable_value(value: Any, depth: int = 0) -> None:
    if depth > MAX_DEPTH:
        raise ValueError(f"is nested more than {MAX_DEPTH} levels deep")
    if isinstance(value, str):
        _storable(value)
    elif isinstance(value, dict):
        for key, member in value.items():
            _storable(key)
            _storable_value(member, depth + 1)
    elif isinstance(value, list):
        for member in value:
            _storable_value(member, depth + 1)


def _id(value: Any) -> Any:
    return curie(value) if isinstance(value, str) else value


def _blank_is_none(value: Any) -> Any:
    return None if value == "" else value


_Storable = AfterValidator(_storable)
Text = Annotated[str, _Storable]
Filled = Annotated[str, Field(pattern=r"\S"), _Storable]
Curie = Annotated[str, Field(pattern=CURIE), _Storable, BeforeValidator(_id)]
Words = Annotated[Text | None, BeforeValidator(_blank_is_none)]
"""An empty string says nothing, so it is read as null."""


class Model(BaseModel):
    model_config = ConfigDict(strict=True, extra="allow")

    @model_validator(mode="after")
    def _extra_is_storable(self) -> Self:
        for name, value in (self.model_extra or {}).items():
            try:
                _storable_value({name: value})
            except ValueError as error:
                raise ValueError(f"the field {name!r} {error}") from None
        return self


class Metadata(Model):
    """What a file says about itself. Every field may be missing; unknown ones are kept."""

    dataset_id: Text | None = None
    version: Text | None = None
    language: Text | None = None
    document_type: Text | None = Field(default=None, description="Such as pubmed_abstract.")
    annotation_guidelines: Text | None = None
    inter_annotator_kappa: float | None = Field(default=None, ge=-1, le=1, allow_inf_nan=False)
    is_exhaustively_annotated: bool | None = Field(
        default=None,
        description="True: what is not annotated is not there, so recall can be computed.",
    )

    def value(self) -> dict[str, Any]:
        """As written to files: without the fields that are null."""
        return self.model_dump(exclude_none=True)


class AnnotationRow(Model):
    """One concept said to be in a document; document-level where there is no quote."""

    model_config = ConfigDict(
        title="Annotation",
        json_schema_extra={"anyOf": [{"required": ["concept_id"]}, {"required": ["hpo_id"]}]},
    )

    concept_id: Curie | None = Field(
        default=None,
        description="A CURIE of any ontology, such as HP:0001250; HP_0001250 and addresses are read, too.",
    )
    hpo_id: Curie | None = Field(default=None, description="Another name of concept_id.")
    label: Words = None
    assertion_status: Status = "affirmed"
    text_span: Annotated[str, Field(min_length=1), _Storable] | None = Field(
        default=None, description="The quote: text[start_offset:end_offset]. Without offsets it is looked up."
    )
    start_offset: int | None = Field(
        default=None, ge=0, le=LARGEST, description="0-based, in Unicode code points."
    )
    end_offset: int | None = Field(
        default=None, ge=1, le=LARGEST, description="End-exclusive, in Unicode code points."
    )
    concept_class: Class | None = Field(
        default=None, alias="class", description="Of a label with a class: how it is said."
    )
    confidence: float | None = Field(
        default=None, ge=0, le=1, allow_inf_nan=False, description="Of a machine label."
    )
    run: Words = Field(default=None, description="Of a machine label: what made it.")
    reason: Words = Field(default=None, description="Of a machine label.")

    @model_validator(mode="after")
    def _one_concept(self) -> Self:
        if self.concept_id is None and self.hpo_id is None:
            raise ValueError("concept_id is missing")
        if None not in (self.concept_id, self.hpo_id) and self.concept_id != self.hpo_id:
            raise ValueError(f"concept_id {self.concept_id} and hpo_id {self.hpo_id} differ")
        return self

    @model_validator(mode="after")
    def _both_offsets(self) -> Self:
        start, end = self.start_offset, self.end_offset
        if (start is None) != (end is None):
            raise ValueError("start_offset and end_offset go together: give both or neither")
        if start is not None and end is not None and start >= end:
            raise ValueError(f"end_offset {end} is not after start_offset {start}")
        return self

    @property
    def of_a_machine(self) -> bool:
        return self.run is not None or self.confidence is not None

    @property
    def curie(self) -> str:
        return self.concept_id or self.hpo_id or ""


class DocumentRow(Model):
    """One document. Unknown fields are kept with it."""

    model_config = ConfigDict(title="Document")

    doc_id: Filled
    text: Filled | None = Field(
        default=None, description="Left out only where labels come for texts that are known already."
    )
    title: Words = None
    article: Words = Field(default=None, description="The article a passage belongs to; null: its own.")
    annotations: list[AnnotationRow] = []

    @property
    def meta(self) -> dict[str, Any]:
        return dict(self.model_extra or {})


class DocumentsFile(Model):
    """A JSON file of concept documents."""

    model_config = ConfigDict(title="Concept documents")

    metadata: Metadata = Metadata()
    documents: list[DocumentRow]


class MetadataLine(Model):
    """The first line of a JSONL file may hold the metadata."""

    metadata: Metadata


def annotation_value(annotation: Annotation) -> dict[str, Any]:
    """An annotation as the schema writes it. The fields of machine labels appear only where they are set."""
    place = annotation.span or annotation.ungrounded
    machine = {
        "class": annotation.concept_class,
        "confidence": annotation.confidence,
        "run": annotation.run,
        "reason": annotation.reason,
    }
    return {
        "concept_id": annotation.concept,
        "label": annotation.label,
        "assertion_status": annotation.assertion,
        "text_span": place.quote if place else None,
        "start_offset": place.start if place else None,
        "end_offset": place.end if place else None,
        **{name: v for name, v in machine.items() if v is not None},
    }


def document_value(document: Document) -> dict[str, Any]:
    """A document as the schema writes it, the fields of `meta` beside the known ones."""
    known: dict[str, Any] = {"doc_id": document.doc_id, "text": document.text}
    known |= {"title": document.title} if document.title is not None else {}
    known |= {"article": document.article} if document.article is not None else {}
    known["annotations"] = [annotation_value(a) for a in document.annotations]
    return {**known, **{name: v for name, v in document.meta.items() if name not in known}}
