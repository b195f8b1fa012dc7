"""Document-level statuses on both sides -> an evaluation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from core.evaluate import notes
from core.evaluate.concept_scope import Scope
from core.evaluate.evaluation import Evaluation
from core.evaluate.families import corpus, scored
from core.evaluate.families.inputs import Inputs, Known, Statuses
from core.evaluate.matching import Reader, decided_of, judged, matched
from core.evaluate.readings import BEFORE, Readings
from core.evaluate.settings import Settings
from core.metrics.documents import Outcome, count
from core.records import Curie, GoldSet


def score_documents(
    gold_set: GoldSet,
    predictions: Statuses,
    settings: Settings | None = None,
    scope: Scope | None = None,
    *,
    name: str = "predictions",
    exhaustive: bool | None = None,
    labels: Mapping[Curie, str] | None = None,
    known: Known | None = None,
    earlier: Evaluation | None = None,
    readings: Readings | None = None,
) -> Evaluation:
    """Score document-level concepts against a gold set, by the corpus family and those of the settings.

    Args:
        name: what the predictions are called in the result.
        exhaustive: whether the gold is marked exhaustively annotated; None: it does not say.
        labels: names of concepts, to show beside their ids; more than needed is fine.
        known: what else families may ask for, as read; ids and documents are chosen here, lineage and root
            default to those of the scope.
        earlier: the same labels, scored before by settings that count alike: what it holds is not computed
            anew, only families are.
        readings: of this gold and of predictions of this name.
    """
    settings, scope = settings or Settings(), scope or Scope()

    @cache
    def decided() -> Mapping[str, frozenset[Curie]] | None:
        return decided_of(gold_set, predictions, Reader(settings, scope))

    readings = readings or Readings()
    whole = Inputs(settings, (), {}, {}, labels or {}, known or Known(), exhaustive)
    if earlier is None or not earlier.settings.counts_as(settings):
        read = matched(gold_set, predictions, settings, scope, decided(), readings)
        earlier = _evaluated(gold_set, predictions, whole, scope, *read, readings, name)
    others = [family for family in settings.families if family != "corpus"]
    families = {"corpus": earlier.families["corpus"]}
    if not others:
        return replace(earlier, settings=settings, families=families, sources={})
    inputs = _with_statuses(
        replace(whole, outcomes=earlier.outcomes),
        gold_set,
        predictions,
        scope,
        decided(),
        readings,
        name,
    )
    return replace(
        earlier, settings=settings, families=families | scored(inputs, others), sources=_sources(inputs.known)
    )


def _evaluated(
    gold_set: GoldSet,
    predictions: Statuses,
    inputs: Inputs,
    scope: Scope,
    outcomes: tuple[Outcome, ...],
    reader: Reader,
    readings: Readings,
    name: str,
) -> Evaluation:
    """The corpus family, and what must be said beside it."""
    settings = inputs.settings
    counting = (BEFORE, "summed", settings.assertions, settings.vacuous, settings.bootstrap, settings.seed)
    near = readings.kept((*counting, scope.name))
    found = corpus.evaluate(replace(inputs, outcomes=outcomes), near)
    readings.once((*counting, scope.name), lambda: found.summed)
    totals = found.totals or count(outcomes)
    ids = [o.doc_id for o in outcomes]
    scored_ids = frozenset(ids)
    gold, said = gold_set.documents, predictions
    replaced = notes.replaced(gold, said, ids, settings, scope)
    replaced_said = notes.replaced(said, gold, ids, settings, scope)
    beside = {
        "excluded": gold_set.excluded,
        "undecided": totals.undecided,
        "unpredicted_documents": len(scored_ids - said.keys()),
        "unscored_documents": len(said.keys() - scored_ids),
        "learned_from": gold_set.learned_from,
        "filtered": reader.filtered,
        "replaced_ids": reader.replaced,
        "outside_ontology": reader.outside.total(),
        "replaced": replaced.total(),
        "replaced_predictions": replaced_said.total(),
    }
    return Evaluation(
        predictions=name,
        gold=gold_set.reference,
        settings=settings,
        families={"corpus": found},
        beside=beside,
        notes=(
            *notes.of_corpus(totals, beside, inputs.exhaustive, settings),
            *notes.of_ids(reader.outside, replaced, replaced_said, scope),
            *found.caveats,
        ),
        outcomes=outcomes,
        scope=scope.name,
        exhaustive=inputs.exhaustive,
        labels=inputs.labels,
    )


def _with_statuses(
    inputs: Inputs,
    gold_set: GoldSet,
    predictions: Statuses,
    scope: Scope,
    decided: Mapping[str, frozenset[Curie]] | None,
    readings: Readings,
    name: str,
) -> Inputs:
    """With all statuses of both sides, and what is known of what is scored."""
    outcomes, reader = inputs.outcomes, Reader(inputs.settings, scope)
    right = readings.once(
        ("gold statuses", scope.name),
        lambda: {o.doc_id: reader.statuses(gold_set.documents.get(o.doc_id, {})) for o in outcomes},
    )
    said = readings.once(
        ("statuses", name, scope.name), lambda: judged(outcomes, predictions, decided, reader, readings)
    )
    whole = [o.doc_id for o in outcomes if o.complete]
    known = inputs.known.of_scored(
        {d: right[d] for d in whole}, {d: said[d] for d in whole}, scope, readings, name
    )
    return replace(inputs, gold_statuses=right, predicted_statuses=said, known=known)


def _sources(known: Known) -> dict[str, str]:
    named = {"training set": known.training, "index": known.tree}
    return {what: source.name for what, source in named.items() if source is not None and source.name}
