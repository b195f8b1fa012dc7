"""Documents, passages and the annotations they carry."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from core.records.vocabulary import Assertion, ConceptClass, Curie


@dataclass(frozen=True, slots=True)
class Span:
    """`quote == text[start:end]` wherever the span is grounded."""

    start: int
    end: int
    quote: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """A quote that supports a proposal. Ungrounded: the quote does not stand at the offsets, or anywhere."""

    quote: str
    start: int | None
    end: int | None
    grounded: bool
    assertion: Assertion | None = None
    """Status of this one mention, where it differs from mention to mention."""


@dataclass(frozen=True, slots=True)
class Annotation:
    """A concept that somebody (gold) or something (silver) says a document expresses."""

    concept: Curie
    label: str | None = None
    assertion: Assertion = Assertion.AFFIRMED
    span: Span | None = None
    """None for a document-level annotation."""
    concept_class: ConceptClass | None = None
    confidence: float | None = None
    """In [0, 1]; None where the source states none."""
    reason: str | None = None
    run: str | None = None
    """What made the label, where a machine did."""
    ungrounded: Evidence | None = None
    """A quote that does not stand in the text where the source says; `span` is None then."""


@dataclass(frozen=True, slots=True)
class Document:
    """One passage (or abstract) with whatever annotations its file carries."""

    doc_id: str
    text: str
    annotations: tuple[Annotation, ...] = ()
    title: str | None = None
    article: str | None = None
    """Article the passage belongs to; None means the document is its own article."""
    meta: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Passage:
    """A document in a workspace."""

    id: int
    corpus: str
    doc_id: str
    text_id: int
    text: str
    title: str | None = None
    meta: dict[str, Any] = field(default_factory=dict)
    article: str | None = None
    """Article the passage belongs to; None: the passage is its own article."""
