"""Concept-document files read for scoring: statuses, mentions, confidences and texts."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from core.errors import InputError
from core.evaluate.families.inputs import Mention
from core.formats import Reading, read_documents
from core.formats.source import Source
from core.records import Annotation, Assertion, ConceptClass, Curie
from core.store.gold import strongest


@dataclass(slots=True)
class StatusFile:
    """A concept-document file read for scoring."""

    reference: str
    """`file:NAME@` and the first 12 hex digits of the content's sha256: its version."""
    exhaustive: bool | None
    """As its metadata say; None if they do not."""
    documents: dict[str, dict[Curie, Assertion]] = field(default_factory=dict)
    labels: dict[Curie, str] = field(default_factory=dict)
    mentions: dict[str, list[Mention]] = field(default_factory=dict)
    """Every mention, and one without offsets for each label of a whole document."""
    confidences: dict[str, dict[Curie, float]] = field(default_factory=dict)
    """The highest of each concept, where the file states any."""
    texts: dict[str, str] = field(default_factory=dict)
    """Of the documents that have one."""


def read_statuses(path: Path) -> StatusFile:
    """Document-level statuses of a file in any format that `core.formats` reads.

    Several mentions of a concept make one status of the document: affirmed beats uncertain beats negated
    beats another person's; the statuses of the mentions are kept with them. Concepts classed as not relevant
    are left out. Texts may be missing, and quotes need not stand in them.

    Raises:
        InputError: the file cannot be read, a row is wrong, or a document occurs twice.
    """
    source = read_documents(path, reading=Reading(keep_ungrounded=True, without_texts=True))
    found = StatusFile(Source(path).reference, source.metadata.is_exhaustively_annotated)
    for document in source.documents():
        statuses: dict[Curie, Assertion] = {}
        mentions: list[Mention] = []
        confidences: dict[Curie, float] = {}
        for a in document.annotations:
            if a.concept_class is not ConceptClass.NOT_RELEVANT:
                statuses[a.concept] = strongest(statuses.get(a.concept), a.assertion)
                mentions.append(_mention(a))
                if a.confidence is not None:
                    confidences[a.concept] = max(a.confidence, confidences.get(a.concept, 0.0))
                if a.label:
                    found.labels.setdefault(a.concept, a.label)
        found.documents[document.doc_id] = statuses
        found.mentions[document.doc_id] = mentions
        if confidences:
            found.confidences[document.doc_id] = confidences
        if document.text:
            found.texts[document.doc_id] = document.text
    return found


def share_documents(predictions: str, said: Iterable[str], gold: str, right: Collection[str]) -> None:
    """Raise InputError where the two, so called, have no document in common; empty gold passes."""
    if right and set(right).isdisjoint(said):
        raise InputError(
            f"{predictions} and {gold} share no document: the first has ids like "
            f"{next(iter(said), '')!r}, the second like {next(iter(right))!r}. Use the same doc_id in both."
        )


def _mention(a: Annotation) -> Mention:
    """Of a quote that does not stand in its text, the words alone are known."""
    if a.span is not None:
        return Mention(a.span.start, a.span.end, a.concept, a.assertion, a.span.quote)
    return Mention(None, None, a.concept, a.assertion, a.ungrounded.quote if a.ungrounded else None)
