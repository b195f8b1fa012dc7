"""What an oracle run takes from gold, read from the workspace (`core.concepts.oracle`)."""

from __future__ import annotations

from typing import NamedTuple

from core.concepts.oracle import KINDS, Kind, Oracle
from core.errors import InputError
from core.records import Assertion, Curie, GoldSet, Span
from core.store import corpora, ontologies
from core.store.gold import corrections, gold_set, imported_set, strongest
from core.store.mentions import answers
from core.store.workspace import Workspace


class Chosen(NamedTuple):
    """Which oracle, and whose answers."""

    kind: Kind
    gold: str
    """A pinned reference (`core.store.gold`)."""

    def __str__(self) -> str:
        """Such as `gold sentences of imported:alpha@1`."""
        return f"gold {self.kind} of {self.gold}"


def choose(
    workspace: Workspace, corpus: str, kind: str | None, gold: str | None, *, direct: bool = False
) -> Chosen | None:
    """Check the choice; None where no oracle is named.

    Raises:
        InputError: no such oracle, no gold for it, a gold without one, or claims beside gold sentences.
        NotFoundError: no such gold of this corpus.
    """
    if kind is None:
        if gold is not None:
            raise InputError(
                "A run takes nothing from gold unless it is an oracle run. Name one with --oracle, or leave "
                "--gold out."
            )
        return None
    if kind not in KINDS:
        raise InputError(f"There is no oracle {kind!r}. Choose one of {', '.join(KINDS)}.")
    if gold is None:
        raise InputError(f"Whose {kind} are to be taken must be said: name the gold with --gold.")
    if kind == "sentences" and direct:
        raise InputError("Gold sentences stand in the place of claims. Leave --direct out.")
    return Chosen(kind, gold_set(workspace, gold, corpus).reference)


def read(workspace: Workspace, corpus: str, ontology_id: int, chosen: Chosen) -> Oracle:
    """The gold of a corpus in the form that stages take it.

    Raises:
        InputError: no document of the gold is complete, or no mention has a place and sentences are asked
            for.
    """
    gold = gold_set(workspace, chosen.gold, corpus)
    alt_ids = ontologies.alt_id_map(workspace, ontology_id)
    statuses: dict[str, dict[Curie, Assertion]] = {}
    for doc_id in sorted(gold.recall_documents):
        mine = statuses.setdefault(doc_id, {})
        for concept, status in gold.documents.get(doc_id, {}).items():
            current = alt_ids.get(concept, concept)
            mine[current] = strongest(mine.get(current), status)
    if not statuses:
        raise InputError(
            f"No document of {gold.reference} is complete: there is no oracle to ask. Close some."
        )
    places: dict[str, dict[Curie, list[Span]]] = {}
    for doc_id, concept, span in _spans(workspace, gold, corpus):
        held = places.setdefault(doc_id, {}).setdefault(alt_ids.get(concept, concept), [])
        if span not in held:
            held.append(span)
    if chosen.kind == "sentences" and not any(doc_id in statuses for doc_id in places):
        raise InputError(
            f"{gold.reference} says of no concept where it stands, so its sentences are not known. Choose "
            "another gold, or the oracle candidates."
        )
    return Oracle(chosen.kind, statuses, places)


def _spans(workspace: Workspace, gold: GoldSet, corpus: str) -> list[tuple[str, Curie, Span]]:
    """(doc_id, concept as the gold has it, place)"""
    if gold.reference.startswith("reviewed@"):
        doc_ids = {passage: doc_id for doc_id, passage in corpora.passage_ids(workspace, corpus).items()}
        given = answers(workspace, gold.reference)
        return [
            (doc_ids[passage], concept, span)
            for (passage, concept), several in given.items()
            if passage in doc_ids
            for answer in several
            for span in answer.spans
        ]
    rows = corpora.imported_annotations(workspace, imported_set(workspace, gold.reference, corpus).id)
    changes = corrections(workspace, gold.reference, corpus)
    found = [
        (doc_id, a.concept, a.span)
        for _, doc_id, a in rows
        if a.span is not None and (doc_id, a.concept) not in changes
    ]
    return found + [(*place, span) for place, answer in changes.items() for span in answer.spans]
