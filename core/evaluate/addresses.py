"""What a page needs around an evaluation: which gold there is, and where an item is reviewed."""

from __future__ import annotations

from core.records import Curie
from core.store import corpora, ontologies, queue, runs
from core.store.gold import list_references
from core.store.workspace import Workspace


def gold_references(workspace: Workspace, run_id: str) -> list[str]:
    """Every gold that a run can be scored against, imported sets first."""
    return list_references(workspace, runs.find_run(workspace, run_id).corpus)


def review_address(workspace: Workspace, run_id: str, doc_id: str, concept: Curie) -> dict[str, str]:
    """Query parameters of the review page for one concept of a document of the run's corpus.

    `item` where the concept was ever proposed or decided there (under this id or an alternative one), else
    `passage`: a miss that nobody has spoken of yet is added from there. Empty for an unknown document.
    """
    run = runs.find_run(workspace, run_id)
    passage = corpora.passage_ids(workspace, run.corpus).get(doc_id)
    if passage is None:
        return {}
    alt_ids = ontologies.alt_id_map(workspace, run.ontology_id) if run.ontology_id else {}
    for item in queue.items_of_passages(workspace, [passage]):
        if alt_ids.get(item.concept, item.concept) == concept:
            return {"item": str(item.id)}
    return {"passage": str(passage)}
