"""Raw indices of a recogniser against concept documents: U-RC and U-CS of what was generated, be it a leaf of
the tree or not (metric-definitions 1.5)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from core.evaluate.concept_scope import Scope
from core.evaluate.evaluation import Evaluation
from core.evaluate.families import unseen
from core.evaluate.families.inputs import Inputs, Known
from core.evaluate.inputs.gold import gold_of_file
from core.evaluate.inputs.options import Options
from core.evaluate.inputs.statuses import share_documents
from core.evaluate.settings import Settings
from core.formats.index_answers import Index, read_answers
from core.formats.source import Source
from core.index.tree import LabelTree
from core.metrics.documents import compare
from core.metrics.mem_syn_con import Training
from core.records import Curie
from core.store.workspace import Workspace

FAMILIES = (unseen.FAMILY,)
"""Those that raw indices can be scored by."""


def evaluate_indices(
    predictions: Path,
    gold: Path,
    settings: Settings | None = None,
    scope: Scope | None = None,
    *,
    training: Training | None = None,
    tree: LabelTree | None = None,
) -> Evaluation:
    """Score a file of raw indices on a label tree; a gold document without any was given none.

    An index that is a leaf is the concept there; any other stays what it is, and can share a prefix with the
    gold but is never exact.

    Raises:
        InputError: a file cannot be read, or the two share no document.
    """
    settings, scope = replace(settings or Settings(), families=FAMILIES), scope or Scope()
    training = training.current(scope.alt_ids) if training else None
    tree = tree.current(scope.alt_ids) if tree else None
    right, said = gold_of_file(gold), read_answers(predictions)
    documents = right.documents.documents
    share_documents(predictions.name, said, gold.name, documents)
    wanted = frozenset(settings.assertions)
    held = {
        doc_id: {now for c, s in statuses.items() if s in wanted and (now := scope.current(c)) is not None}
        for doc_id, statuses in documents.items()
    }
    concepts: dict[Index, Curie] = {index: c for c, index in tree.indices.items()} if tree else {}
    answers: dict[str, set[Curie | Index]] = {
        doc_id: {concepts.get(index, index) for index in said.get(doc_id, ())} for doc_id in held
    }
    known = Known(training=training, tree=tree, lineage=scope.lineage)
    result = unseen.evaluate(Inputs(settings, compare(held, answers), {}, {}, right.labels, known))
    every = [index for doc_id in held for index in said.get(doc_id, ())]
    return Evaluation(
        Source(predictions).reference,
        right.documents.reference,
        settings,
        {unseen.FAMILY: result},
        {
            "documents": len(held),
            "indices": len(every),
            "indices_that_are_no_leaf": sum(index not in concepts for index in every),
            "documents_without_indices": len(held.keys() - said.keys()),
            "unscored_documents": len(said.keys() - held.keys()),
            "learned_from": 0,
        },
        (),
        "mentions",
    )


def score(predictions: Path, gold: Path, options: Options, workspace: Workspace | None) -> Evaluation:
    """The two files as a command line names them."""
    return evaluate_indices(predictions, gold, **options.of_concepts(workspace))
