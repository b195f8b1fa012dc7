"""A corpus in a workspace, labels for it, and decisions on them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.exchange import add_corpus
from core.records import (
    Action,
    Annotation,
    Answer,
    Assertion,
    Concept,
    ConceptClass,
    NewDecision,
    Ontology,
    Span,
)
from core.store import Workspace, corpora, ontologies
from core.store.decisions import add_curator, append

TEXTS = {
    "d1": "No seizures. Later, seizures 😀 and short stature.",
    "d2": "Mother had a fever; cafe\u0301-au-lait spots were possible.",
    "d3": "Nothing of note.",
}

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """`write(name, documents, **metadata)` makes a JSONL or JSON file of documents."""

    def make(name: str, documents: list[dict[str, Any]], **metadata: Any) -> Path:
        path = tmp_path / name
        if path.suffix == ".jsonl":
            lines = [{"metadata": metadata}, *documents] if metadata else documents
            path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
        else:
            path.write_text(json.dumps({"metadata": metadata, "documents": documents}), encoding="utf-8")
        return path

    return make


def label(concept: str, **fields: Any) -> dict[str, Any]:
    return {"concept_id": concept, "assertion_status": "affirmed", **fields}


GOLD = [
    {
        "doc_id": "d1",
        "text": TEXTS["d1"],
        "title": "First",
        "article": "A1",
        "pmid": "012",
        "annotations": [
            label("HP:0001250", label="Seizure", text_span="seizures", start_offset=20, end_offset=28),
            label(
                "HP:0001250",
                label="Seizure",
                assertion_status="negated",
                text_span="seizures",
                start_offset=3,
                end_offset=11,
            ),
            label("HP:0004322", label="Short stature"),
        ],
    },
    {"doc_id": "d2", "text": TEXTS["d2"], "annotations": [label("HP:0000957", assertion_status="uncertain")]},
    {"doc_id": "d3", "text": TEXTS["d3"], "annotations": []},
]


@pytest.fixture
def gold_file(write: Write) -> Path:
    return write(
        "gold.json", GOLD, dataset_id="tiny", version="3", language="en", is_exhaustively_annotated=True
    )


@pytest.fixture
def corpus(workspace: Workspace, gold_file: Path) -> Workspace:
    """A workspace with the corpus `tiny` and a small ontology `hp@1`."""
    add_corpus(workspace, gold_file, name="tiny")
    concepts = (
        Concept("HP:0000118", "Phenotypic abnormality"),
        Concept("HP:0001250", "Seizure", parents=("HP:0000118",), alt_ids=("HP:0002279",)),
        Concept("HP:0004322", "Short stature", parents=("HP:0000118",)),
        Concept("HP:0000957", "Cafe-au-lait spot", parents=("HP:0000118",)),
    )
    ontologies.add_ontology(workspace, Ontology("hp", "1", "HP:0000118", "a" * 64, concepts))
    return workspace


class Curators:
    """Decides on items by document and concept."""

    def __init__(self, workspace: Workspace):
        self.workspace = workspace
        self.passages = corpora.passage_ids(workspace, "tiny")
        self.count = 0

    def decide(
        self, curator: str, action: Action, doc_id: str, concept: str | None = None, **fields: Any
    ) -> int:
        add_curator(self.workspace, curator, curator.title())
        self.count += 1
        new = NewDecision(
            f"c{self.count}", curator, action, passage_id=self.passages[doc_id], subject=concept, **fields
        )
        (outcome,) = append(self.workspace, [new])
        assert outcome.refused is None, outcome.refused
        assert outcome.number is not None
        return outcome.number

    def accept(
        self, curator: str, doc_id: str, concept: str, name: str, status: Assertion, *spans: Span
    ) -> int:
        answer = Answer(concept, name, status, ConceptClass.EXPLICIT, spans)
        return self.decide(curator, Action.ACCEPT, doc_id, concept, answer=answer, milliseconds=900)


@pytest.fixture
def curators(corpus: Workspace) -> Curators:
    return Curators(corpus)


def annotations_of(workspace: Workspace, index: int = 0) -> list[tuple[str, Annotation]]:
    held = corpora.list_annotation_sets(workspace)[index]
    return [
        (doc_id, annotation) for _, doc_id, annotation in corpora.imported_annotations(workspace, held.id)
    ]
