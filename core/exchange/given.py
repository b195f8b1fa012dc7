"""Documents that a name stands for on the command line: a file, a gold reference, or a run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from core.exchange.export import proposal_documents
from core.exchange.gold import gold_documents
from core.formats import read_documents
from core.learners.splits import Labelled
from core.ontology.load import load
from core.records import PRESENT, Concept, ConceptClass, Document
from core.store import Workspace, ontologies, runs
from core.store.changes import CORRECTED, IMPORTED

_GOLD = (IMPORTED, CORRECTED, "reviewed@")


def is_file(name: str) -> bool:
    """Whether a file has this name: nothing else can be meant then."""
    return Path(name).is_file()


def documents_of(workspace: Workspace | None, name: str) -> Iterator[Document]:
    """The documents of a file of concept documents, of gold, or of a run with what it proposes.

    Raises:
        InputError, NotFoundError: the file cannot be read, a row of it is wrong, or there is no such gold or
            run.
    """
    if is_file(name) or workspace is None:
        return read_documents(Path(name)).documents()
    if name.startswith(_GOLD):
        return gold_documents(workspace, name).documents
    return proposal_documents(workspace, runs.find_run(workspace, name)).documents


def labelled(documents: Iterator[Document]) -> list[Labelled]:
    """Passages with the concepts that they affirm, or hold to be uncertain."""
    return [
        Labelled(
            one.doc_id,
            one.text,
            frozenset(
                a.concept
                for a in one.annotations
                if a.assertion in PRESENT and a.concept_class is not ConceptClass.NOT_RELEVANT
            ),
        )
        for one in documents
    ]


def concepts_of(workspace: Workspace | None, name: str) -> tuple[Concept, ...]:
    """The concepts of an ontology file, or of `NAME[@VERSION]` of the workspace.

    Raises:
        InputError, NotFoundError: there is no such ontology, or the file cannot be read.
    """
    if is_file(name) or workspace is None:
        return load(Path(name), name="ontology").concepts
    row = ontologies.find_ontology(workspace, name)
    return ontologies.read_ontology(workspace, row.name, row.version).concepts
