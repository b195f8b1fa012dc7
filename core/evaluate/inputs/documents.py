"""Files of concept documents against gold: another file, or gold of a workspace."""

from __future__ import annotations

from pathlib import Path

from core.evaluate.concept_scope import Scope
from core.evaluate.evaluation import Evaluation
from core.evaluate.families.inputs import Known
from core.evaluate.inputs.gold import Gold, corpus_of, gold_of_file, gold_of_workspace
from core.evaluate.inputs.options import Options
from core.evaluate.inputs.statuses import StatusFile, read_statuses, share_documents
from core.evaluate.score import evaluate
from core.evaluate.settings import Settings
from core.index.tree import LabelTree
from core.metrics.mem_syn_con import Training
from core.store import corpora
from core.store.workspace import Workspace


def evaluate_files(
    predictions: Path,
    gold: Path,
    settings: Settings | None = None,
    scope: Scope | None = None,
    *,
    training: Training | None = None,
    tree: LabelTree | None = None,
) -> Evaluation:
    """Score one file against another, with no workspace. Gold is complete in every document it holds.

    Args:
        training: what the model under test was trained on, for the families that ask.
        tree: the index whose closeness is measured.

    Raises:
        InputError: a file cannot be read, or the two share no document.
    """
    right, said = gold_of_file(gold), read_statuses(predictions)
    return _scored(said, right, gold.name, predictions.name, settings, scope, training, tree)


def evaluate_file(
    workspace: Workspace,
    predictions: Path,
    gold: str,
    settings: Settings | None = None,
    scope: Scope | None = None,
    *,
    training: Training | None = None,
    tree: LabelTree | None = None,
) -> Evaluation:
    """Score a file against gold of a workspace; its texts, where the file has none, are those of the corpus.

    Raises:
        InputError: the file cannot be read, shares no document with the gold, or the gold may be of several
            corpora.
        NotFoundError: no such gold set, curator or decision.
    """
    corpus = corpus_of(workspace, gold)
    right, said = gold_of_workspace(workspace, gold, corpus), read_statuses(predictions)
    said.texts = {p.doc_id: p.text for p in corpora.passages(workspace, corpus)} | said.texts
    return _scored(said, right, gold, predictions.name, settings, scope, training, tree)


def _scored(
    said: StatusFile,
    right: Gold,
    gold: str,
    predictions: str,
    settings: Settings | None,
    scope: Scope | None,
    training: Training | None,
    tree: LabelTree | None,
) -> Evaluation:
    scope = scope or Scope()
    share_documents(predictions, said.documents, gold, right.documents.documents)
    texts = {**said.texts, **right.texts}
    known = Known(
        gold_mentions=right.mentions,
        predicted_mentions=lambda: said.mentions,
        gold_by_mention=right.by_mention,
        predicted_by_mention=True,
        confidences=(lambda: said.confidences) if said.confidences else None,
        texts=(lambda: texts) if texts else None,
        training=training,
        tree=tree,
    )
    return evaluate(
        right.documents,
        said.documents,
        settings,
        scope,
        name=said.reference,
        exhaustive=right.exhaustive,
        labels={**scope.labels, **said.labels, **right.labels},
        known=known,
    )


def score(predictions: Path, gold: Path, options: Options, workspace: Workspace | None) -> Evaluation:
    """The two files as a command line names them."""
    return evaluate_files(predictions, gold, **options.of_concepts(workspace))
