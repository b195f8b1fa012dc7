"""A run of a workspace against gold: raw, and corrected by what people decided."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from core.errors import InputError
from core.evaluate.concept_scope import Scope
from core.evaluate.concept_scope import scope as for_ontology
from core.evaluate.evaluation import Evaluation, ReviewedEvaluation, reviewed
from core.evaluate.families.inputs import Known
from core.evaluate.garbage import paused
from core.evaluate.inputs.gold import Gold, gold_of_file, gold_of_workspace
from core.evaluate.inputs.of_run import known_after_review, known_of_run
from core.evaluate.readings import Readings
from core.evaluate.score import evaluate
from core.evaluate.settings import Settings
from core.index.tree import LabelTree
from core.metrics.mem_syn_con import Training
from core.records import Assertion, Curie
from core.store import corpora, learned, ontologies, proposals, runs
from core.store.changes import CORRECTED, imported_of
from core.store.decisions import chain_head
from core.store.gold import corrected, gold_set, list_references, parse_reviewed
from core.store.workspace import Workspace

Labels = dict[str, dict[Curie, Assertion]]
"""doc_id -> concept -> status"""


@paused()
def evaluate_run(
    workspace: Workspace,
    run_id: str,
    gold: str | Path,
    settings: Settings | None = None,
    scope: Scope | None = None,
    *,
    review: str | None = None,
    training: Training | None = None,
    tree: LabelTree | None = None,
    earlier: ReviewedEvaluation | None = None,
    readings: Readings | None = None,
) -> ReviewedEvaluation:
    """Score a run before and after review: the same proposals, raw and corrected by decisions, same gold.

    Args:
        gold: a gold reference (`core.store.gold`), or a file of concept documents.
        scope: default: every concept, with the alternative ids of the run's ontology.
        review: the `reviewed@NUMBER:POLICY` whose decisions correct the run. Default: the gold itself where
            that is reviewed; else the adjudicated decisions, or those of the only curator.
        training: what the model under test was trained on, for the families that ask.
        tree: the index whose closeness is measured.
        earlier: the same run against the same gold at the same revision of the workspace; only families are
            scored then, as far as the settings count alike.
        readings: of the same run, gold and review at the same revision; what is read anew is added.

    Raises:
        InputError: no such form of reference, or a file that cannot be read or names no document of the run.
        NotFoundError: no such run, gold set, curator or decision.
    """
    run, readings = runs.find_run(workspace, run_id), readings or Readings()
    settings = settings or Settings()
    taught = frozenset() if settings.in_sample else _taught(workspace, run_id, readings)
    chosen = _apart(_gold(workspace, gold, run.corpus, readings), taught, run)
    labels = {**chosen.labels, **readings.once("labels", lambda: _labels(workspace, run))}
    scope = _scope(workspace, run, scope, readings)

    counted = {"scope": scope, "exhaustive": chosen.exhaustive, "labels": labels}
    against = partial(evaluate, chosen.documents, settings=settings, readings=readings, **counted)
    review = review or _default_review(workspace, run.corpus, chosen.documents.reference)
    known = known_of_run(workspace, run, chosen, scope or Scope(), review, training, tree, readings)
    whole = readings.once("predictions", lambda: runs.predictions(workspace, run_id))
    raw = _without(whole, taught)
    before = against(raw, name=run_id, known=known, earlier=earlier.before if earlier else None)
    found = ReviewedEvaluation(before)
    if review is not None:
        found = _after(workspace, run, before, review, whole, taught, known, against, earlier, readings)
    if not chosen.documents.reference.startswith(CORRECTED):
        return found
    imported = gold_set(workspace, imported_of(chosen.documents.reference) or "", run.corpus).without(taught)
    alone = replace(settings, families=("corpus",))
    past = earlier.uncorrected if earlier else None
    plain = partial(evaluate, imported, raw, alone, **counted)
    return replace(found, uncorrected=plain(name=run_id, earlier=past))


def _taught(workspace: Workspace, run_id: str, readings: Readings) -> frozenset[str]:
    return readings.once("learned from", lambda: learned_from(workspace, run_id))


def learned_from(workspace: Workspace, *run_ids: str) -> frozenset[str]:
    """Documents of the corpora of these runs whose text the set that one of them used was learned from."""
    found: set[str] = set()
    for run in (runs.find_run(workspace, run_id) for run_id in run_ids):
        if used := run.settings.get("learned"):
            texts = learned.read(workspace, learned.find(workspace, used["set"])).documents
            found.update(corpora.doc_ids_of(workspace, run.corpus_id, texts))
    return frozenset(found)


def read_apart(workspace: Workspace, run_ids: Sequence[str]) -> list[Readings]:
    """For runs that are compared: of each, without the documents that any of them was learned from."""
    taught = learned_from(workspace, *run_ids)
    found = [Readings() for _ in run_ids]
    for readings in found:
        readings.once("learned from", lambda: taught)
    return found


def _apart(gold: Gold, taught: frozenset[str], run: runs.Run) -> Gold:
    """The gold without what the run was learned from.

    Raises:
        InputError: nothing is left.
    """
    if not taught:
        return gold
    left = gold.documents.without(taught)
    if not left.documents:
        raise InputError(
            f"Run {run.id!r} was learned from all {left.learned_from} documents of this gold, so that a score"
            " would tell nothing. Name gold of other documents, or score it all the same with --in-sample."
        )
    return replace(gold, documents=left)


def _without(said: Labels, taught: frozenset[str]) -> Labels:
    return {d: held for d, held in said.items() if d not in taught} if taught else said


def _scope(workspace: Workspace, run: runs.Run, scope: Scope | None, readings: Readings) -> Scope | None:
    """Default: that of the run's ontology. The concepts that its ontology knows are read once."""
    if run.ontology_id is not None and (scope is None or scope.name is None):
        scope = for_ontology(workspace, ontologies.ontology_by_id(workspace, run.ontology_id).reference)
    if scope is None or scope.known is None:
        return scope
    return replace(scope, known=readings.reader(("known", scope.name), scope.known))


def _after(
    workspace: Workspace,
    run: runs.Run,
    before: Evaluation,
    review: str,
    whole: Labels,
    taught: frozenset[str],
    known: Known,
    against: Callable[..., Evaluation],
    earlier: ReviewedEvaluation | None,
    readings: Readings,
) -> ReviewedEvaluation:
    """With the run as decisions correct it, against the same gold."""
    number, policy = parse_reviewed(review)
    number = chain_head(workspace)[0] if number is None else number
    review = f"reviewed@{number}:{policy}"
    now = readings.once("corrected", lambda: corrected(workspace, run.id, policy, number, whole))
    known = known_after_review(workspace, run, known, now, review, whole, readings)
    now = _without(now, taught)
    corrections = earlier.after if earlier else None
    after = against(now, name=f"{run.id}, reviewed", known=known, earlier=corrections)
    return reviewed(before, after, review)


def _labels(workspace: Workspace, run: runs.Run) -> Mapping[Curie, str]:
    """Names of concepts: of the run's ontology, or where it has none those that its proposals give."""
    if run.ontology_id is not None:
        return ontologies.labels(workspace, run.ontology_id)
    return {proposal.concept: proposal.label for proposal in proposals.of_run(workspace, run.id)}


def _gold(workspace: Workspace, gold: str | Path, corpus_name: str, readings: Readings) -> Gold:
    if isinstance(gold, str):
        return gold_of_workspace(workspace, gold, corpus_name, readings)
    found = gold_of_file(gold)
    if found.documents.documents.keys().isdisjoint(corpora.passage_ids(workspace, corpus_name)):
        raise InputError(
            f"{gold.name} names no document of corpus {corpus_name!r}, which the run labelled: it has ids "
            f"like {next(iter(found.documents.documents), None)!r}. Use the same doc_id in both."
        )
    return found


def _default_review(workspace: Workspace, corpus_name: str, reference: str) -> str | None:
    if reference.startswith("reviewed@"):
        return reference
    reviews = [r for r in list_references(workspace, corpus_name) if r.startswith("reviewed@")]
    return reviews[-1] if reviews else None
