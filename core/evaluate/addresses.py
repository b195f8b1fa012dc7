"""What a page needs around an evaluation: which gold there is, and where an item is reviewed."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from core.records import Curie
from core.store import corpora, ontologies, queue, runs
from core.store.gold import list_references
from core.store.workspace import Workspace


def gold_references(workspace: Workspace, run_id: str) -> list[str]:
    """Every gold that a run can be scored against, imported sets first."""
    return list_references(workspace, runs.find_run(workspace, run_id).corpus)


def review_address(workspace: Workspace, run_id: str, doc_id: str, concept: Curie) -> dict[str, str]:
    """Query parameters of the review page for one concept of a document of the run's corpus, under this id or
    an alternative one. Empty where there is nothing to review."""
    run = runs.find_run(workspace, run_id)
    passage = corpora.passage_ids(workspace, run.corpus).get(doc_id)
    if passage is None:
        return {}
    alt_ids = ontologies.alt_id_map(workspace, run.ontology_id) if run.ontology_id else {}
    return concept_address(workspace, passage, concept, alt_ids)


def concept_address(
    workspace: Workspace,
    passage_id: int,
    concept: Curie,
    alt_ids: Mapping[Curie, Curie] = MappingProxyType({}),
) -> dict[str, str]:
    """The item of a concept; where nobody has spoken of it yet, the passage's first item, beside which a
    missed concept is added. Empty for a passage without items."""
    items = queue.items_of_passages(workspace, [passage_id])
    own = [item for item in items if alt_ids.get(item.subject, item.subject) == concept]
    return {"item": str((own or items)[0].id)} if items else {}
