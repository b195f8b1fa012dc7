"""What a page needs around an evaluation: which gold there is, and under which items rows are reviewed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from core.records import Curie
from core.store import documents, ontologies, queue, runs
from core.store.gold import list_references
from core.store.workspace import Workspace

Place = tuple[str, Curie]
"""A document and a concept."""


def gold_references(workspace: Workspace, run_id: str) -> list[str]:
    """Every gold that a run can be scored against, imported sets first."""
    return list_references(workspace, runs.find_run(workspace, run_id).corpus)


def review_items(
    workspace: Workspace, run_id: str, wanted: Sequence[Place], curator: str | None = None
) -> list[int | None]:
    """Under which item each concept of a document of the run's corpus is reviewed, under this id or an
    alternative one; as `concept_items`."""
    run = runs.find_run(workspace, run_id)
    alt_ids = ontologies.alt_id_map(workspace, run.ontology_id) if run.ontology_id else {}
    return concept_items(workspace, run.corpus, wanted, alt_ids, curator)


def concept_items(
    workspace: Workspace,
    corpus: str,
    wanted: Sequence[Place],
    alt_ids: Mapping[Curie, Curie] = MappingProxyType({}),
    curator: str | None = None,
) -> list[int | None]:
    """Under which item each concept of a document is reviewed, in one pass whatever their number.

    Where nobody has spoken of a concept yet it is the document's first item, beside which a missed concept is
    added.

    Args:
        alt_ids: old id -> the id that now stands for it.
        curator: only items that this curator may see count; None: all.

    Returns:
        As many as were wanted, in that order. None: there is nothing to review in the document, or the corpus
        holds no such document.
    """
    passages = documents.passages_of(workspace, corpus, {doc_id for doc_id, _ in wanted})
    rows = queue.items_of_passages(workspace, sorted(passages.values()))
    if curator is not None:
        seen = queue.visible(workspace, [row.id for row in rows], curator)
        rows = [row for row in rows if row.id in seen]
    first: dict[int, int] = {}
    own: dict[tuple[int, Curie], int] = {}
    for row in rows:
        first.setdefault(row.passage_id, row.id)
        own.setdefault((row.passage_id, alt_ids.get(row.subject, row.subject)), row.id)
    places = [(passages.get(doc_id, 0), concept) for doc_id, concept in wanted]
    return [own.get((passage, concept), first.get(passage)) for passage, concept in places]


class Queued(NamedTuple):
    """A list of rows as a queue."""

    items: tuple[int, ...]
    """Each once, in the order of the rows."""
    without: int
    """Rows that have nothing to review."""
    shared: int
    """Rows whose item a row above has already."""


def queued(found: Sequence[int | None]) -> Queued:
    """The queue of rows that are reviewed under these items."""
    known = [item for item in found if item is not None]
    items = tuple(dict.fromkeys(known))
    return Queued(items, len(found) - len(known), len(known) - len(items))
