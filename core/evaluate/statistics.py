"""Size and breadth of a run's labels, of a gold set, and of all of a corpus (HI-ALD, table 1)."""

from __future__ import annotations

from dataclasses import dataclass

from core.evaluate.concept_scope import scope
from core.evaluate.families.inputs import Statuses
from core.evaluate.settings import Settings
from core.metrics.statistics import Statistics, statistics
from core.records import Curie
from core.store import ontologies, runs
from core.store.gold import gold_set
from core.store.workspace import Workspace


@dataclass(frozen=True, slots=True)
class DataStatistics:
    """One row of the table."""

    name: str
    """Run id or gold reference."""
    kind: str
    """`run` or `gold`."""
    corpus: str
    ontology: str | None
    """NAME@VERSION; None where none is known: then there is no coverage."""
    root: Curie | None
    counts: Statistics


def run_statistics(workspace: Workspace, run_id: str, settings: Settings | None = None) -> DataStatistics:
    """What a run proposes, against the concepts below the root that it was asked for.

    Args:
        settings: which assertions count; default affirmed and uncertain, as in an evaluation.

    Raises:
        NotFoundError: no such run.
    """
    run = runs.find_run(workspace, run_id)
    ontology = ontologies.ontology_by_id(workspace, run.ontology_id).reference if run.ontology_id else None
    labels = runs.predictions(workspace, run_id)
    return _counted(
        workspace, run_id, "run", run.corpus, labels, ontology, run.settings.get("root"), settings
    )


def gold_statistics(
    workspace: Workspace,
    reference: str,
    corpus: str,
    ontology: str | None = None,
    root: Curie | None = None,
    settings: Settings | None = None,
) -> DataStatistics:
    """What a gold set holds. Of reviewed gold, passages are those that somebody has decided on.

    Args:
        ontology: NAME[@VERSION] to cover; None: no coverage.
        root: cover only what is below it; default the ontology's own root.

    Raises:
        InputError: no such form of reference, or no such root.
        NotFoundError: no such gold or ontology.
    """
    gold = gold_set(workspace, reference, corpus)
    return _counted(workspace, gold.reference, "gold", corpus, gold.documents, ontology, root, settings)


def _counted(
    workspace: Workspace,
    name: str,
    kind: str,
    corpus: str,
    documents: Statuses,
    ontology: str | None,
    root: Curie | None,
    settings: Settings | None,
) -> DataStatistics:
    wanted = (settings or Settings()).assertions
    alt_ids, below, reference = {}, None, None
    if ontology is not None:
        row = ontologies.find_ontology(workspace, ontology)
        reference, root = row.reference, root or row.root
        chosen = scope(workspace, reference, root)
        alt_ids = dict(chosen.alt_ids)
        live, _ = ontologies.is_a(workspace, row.id)
        # the root is what is asked about, no answer
        below = {c for c in live if c != root and (chosen.keep is None or chosen.keep(c))}
    labels = {
        doc_id: {alt_ids.get(c, c) for c, status in statuses.items() if status in wanted}
        for doc_id, statuses in documents.items()
    }
    return DataStatistics(name, kind, corpus, reference, root, statistics(labels, below))
