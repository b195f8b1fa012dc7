"""Two concept-document files, no workspace."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import NamedTuple

from core.errors import InputError
from core.evaluate.record import Evaluation
from core.evaluate.score import evaluate
from core.evaluate.settings import Scope, Settings
from core.formats import Reading, read_documents
from core.records import Assertion, ConceptClass, Curie, GoldSet
from core.store.gold import strongest


class StatusFile(NamedTuple):
    """A concept-document file read for scoring."""

    reference: str
    """`file:NAME@` and the first 12 hex digits of the content's sha256: its version."""
    documents: dict[str, dict[Curie, Assertion]]
    labels: dict[Curie, str]
    exhaustive: bool | None
    """As its metadata say; None if they do not."""


def read_statuses(path: Path, *, format: str | None = None) -> StatusFile:
    """Document-level statuses of a file in any format that `core.formats` reads.

    Several mentions of a concept make one status: affirmed beats uncertain beats negated. Concepts classed as
    not relevant are left out. Texts may be missing, and quotes need not stand in them.

    Raises:
        InputError: the file cannot be read, a row is wrong, or a document occurs twice.
    """
    source = read_documents(path, format, Reading(keep_ungrounded=True, without_texts=True))
    found: dict[str, dict[Curie, Assertion]] = {}
    labels: dict[Curie, str] = {}
    for document in source.documents():
        statuses = found[document.doc_id] = {}
        for a in document.annotations:
            if a.concept_class is not ConceptClass.NOT_RELEVANT:
                statuses[a.concept] = strongest(statuses.get(a.concept), a.assertion)
                if a.label:
                    labels.setdefault(a.concept, a.label)
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    exhaustive = source.metadata.is_exhaustively_annotated
    return StatusFile(f"file:{path.name}@{digest[:12]}", found, labels, exhaustive)


def evaluate_files(
    predictions: Path, gold: Path, settings: Settings | None = None, scope: Scope | None = None
) -> Evaluation:
    """Score one file against another. The gold file is complete in every document it holds.

    Raises:
        InputError: a file cannot be read, or the two share no document.
    """
    right, said = read_statuses(gold), read_statuses(predictions)
    if right.documents.keys().isdisjoint(said.documents):
        raise InputError(
            f"{predictions.name} and {gold.name} share no document: the first has ids like "
            f"{next(iter(said.documents))!r}, the second like {next(iter(right.documents))!r}. "
            "Use the same doc_id in both."
        )
    return evaluate(
        GoldSet(right.reference, right.documents, frozenset(right.documents)),
        said.documents,
        settings,
        scope,
        name=said.reference,
        exhaustive=right.exhaustive,
        labels=said.labels | right.labels,
    )
