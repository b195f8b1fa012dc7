"""Document-level statuses on both sides -> an evaluation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from core.evaluate import notes
from core.evaluate.concept_scope import Scope
from core.evaluate.evaluation import Evaluation
from core.evaluate.families import corpus, scored
from core.evaluate.families.inputs import Inputs, Known, Statuses
from core.evaluate.readings import BEFORE, Readings
from core.evaluate.settings import Settings
from core.metrics.documents import Outcome, compare, count, settled
from core.records import Assertion, Curie, GoldSet
from core.store.gold import strongest


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
        return _decided(gold_set, predictions, _Reader(settings, scope))

    readings = readings or Readings()
    whole = Inputs(settings, (), {}, {}, labels or {}, known or Known(), exhaustive)
    if earlier is None or not earlier.settings.counts_as(settings):
        matched = _read(gold_set, predictions, settings, scope, decided(), readings)
        earlier = _matched(gold_set, predictions, whole, scope, *matched, name)
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


def _read(
    gold_set: GoldSet,
    predictions: Statuses,
    settings: Settings,
    scope: Scope,
    decided: Mapping[str, frozenset[Curie]] | None,
    readings: Readings,
) -> tuple[tuple[Outcome, ...], _Reader]:
    """Exact matching, and what was changed in reading both sides. Where readings hold an earlier matching
    against imported gold, documents whose predictions are the very same object are not matched anew."""
    name, reader = (BEFORE, "read", settings.assertions, scope.name), _Reader(settings, scope)
    past: _Matching | None = readings.kept(name) if decided is None else None
    if past and past.predictions.keys() == predictions.keys():
        return _again(gold_set, predictions, reader, past)
    outcomes = compare(
        {d: reader.present(statuses) for d, statuses in gold_set.documents.items()},
        {d: reader.present(statuses) for d, statuses in predictions.items()},
        decided=decided,
        complete=gold_set.recall_documents,
    )
    if decided is None:
        readings.once(name, lambda: _Matching(predictions, outcomes, reader))
    return outcomes, reader


def _again(
    gold_set: GoldSet, predictions: Statuses, reader: _Reader, past: _Matching
) -> tuple[tuple[Outcome, ...], _Reader]:
    """As `compare` finds it, of documents whose predictions have changed; all others as they were.

    Args:
        reader: has read nothing yet.
        past: of the same gold.
    """
    changed = {d: said for d, said in predictions.items() if said is not past.predictions[d]}
    before, of_gold = reader.anew(), reader.anew()
    for doc_id in changed:
        before.present(past.predictions[doc_id])
    anew = compare(
        {d: of_gold.present(gold_set.documents[d]) for d in changed if d in gold_set.documents},
        {d: reader.present(said) for d, said in changed.items()},
        complete=gold_set.recall_documents & changed.keys(),
    )
    reader.replace(past.reader, before)
    found = {outcome.doc_id: outcome for outcome in anew}
    return tuple(found.get(outcome.doc_id, outcome) for outcome in past.outcomes), reader


def _matched(
    gold_set: GoldSet,
    predictions: Statuses,
    inputs: Inputs,
    scope: Scope,
    outcomes: tuple[Outcome, ...],
    reader: _Reader,
    name: str,
) -> Evaluation:
    """The corpus family, and what must be said beside it."""
    settings = inputs.settings
    found = corpus.evaluate(replace(inputs, outcomes=outcomes))
    totals = found.totals or count(outcomes)
    documents = {o.doc_id for o in outcomes}
    gold, said = gold_set.documents, predictions
    replaced = notes.replaced(gold, said, settings, scope)
    replaced_said = notes.replaced({d: said[d] for d in said.keys() & documents}, gold, settings, scope)
    beside = {
        "excluded": gold_set.excluded,
        "undecided": totals.undecided,
        "unpredicted_documents": len(documents - predictions.keys()),
        "unscored_documents": len(predictions.keys() - documents),
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
        labels=_labels_of(outcomes, inputs.labels),
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
    outcomes, reader = inputs.outcomes, _Reader(inputs.settings, scope)
    right = readings.once(
        ("gold statuses", scope.name),
        lambda: {o.doc_id: reader.statuses(gold_set.documents.get(o.doc_id, {})) for o in outcomes},
    )
    said = readings.once(
        ("statuses", name, scope.name), lambda: _judged(outcomes, predictions, decided, reader)
    )
    whole = [o.doc_id for o in outcomes if o.complete]
    known = inputs.known.of_scored(
        {d: right[d] for d in whole}, {d: said[d] for d in whole}, scope, readings, name
    )
    return replace(inputs, gold_statuses=right, predicted_statuses=said, known=known)


def _sources(known: Known) -> dict[str, str]:
    named = {"training set": known.training, "index": known.tree}
    return {what: source.name for what, source in named.items() if source is not None and source.name}


def _labels_of(outcomes: Iterable[Outcome], labels: Mapping[Curie, str]) -> dict[Curie, str]:
    used = {c for o in outcomes for c in (*o.tp, *o.fp, *o.fn, *o.undecided)}
    return {c: labels[c] for c in sorted(used) if c in labels}


class _Reader:
    """Turns statuses into sets of ids by one rule for both sides, and counts what it changes."""

    def __init__(self, settings: Settings, scope: Scope):
        self.settings = settings
        self.wanted = frozenset(settings.assertions)
        self.scope = scope
        self.filtered = 0
        self.replaced = 0
        self.known = scope.known() if scope.known else None
        self.outside: Counter[Curie] = Counter()
        """Ids that the named ontology does not hold."""

    def anew(self) -> _Reader:
        """One of the same rule that has read nothing."""
        return _Reader(self.settings, self.scope)

    def replace(self, whole: _Reader, part: _Reader) -> None:
        """Count as if this had read what `whole` has, but for `part` of it."""
        self.filtered += whole.filtered - part.filtered
        self.replaced += whole.replaced - part.replaced
        self.outside += whole.outside
        self.outside -= part.outside

    def present(self, statuses: Mapping[Curie, Assertion]) -> frozenset[Curie]:
        wanted = self.wanted
        return self.ids([concept for concept, status in statuses.items() if status in wanted])

    def statuses(self, statuses: Mapping[Curie, Assertion]) -> Mapping[Curie, Assertion]:
        """All statuses, whatever counts; where two ids become one, the stronger status. Counts nothing."""
        if self.scope.keep is None and self.scope.alt_ids.keys().isdisjoint(statuses):
            return statuses
        found: dict[Curie, Assertion] = {}
        for concept, status in statuses.items():
            current = self.scope.alt_ids.get(concept, concept)
            if self.scope.keep is None or self.scope.keep(current):
                found[current] = strongest(found.get(current), status)
        return found

    def ids(self, concepts: Collection[Curie]) -> frozenset[Curie]:
        now, keep = self.scope.alt_ids, self.scope.keep
        if self.known is not None and not self.known >= set(concepts):
            self.outside.update({now.get(c, c) for c in concepts} - self.known)
        if keep is None and now.keys().isdisjoint(concepts):
            return frozenset(concepts)
        found = set()
        for concept in concepts:
            current = now.get(concept, concept)
            self.replaced += current != concept
            if keep is None or keep(current):
                found.add(current)
            else:
                self.filtered += 1
        return frozenset(found)


class _Matching(NamedTuple):
    """Predictions, how they were matched, and what read them and the gold."""

    predictions: Statuses
    outcomes: tuple[Outcome, ...]
    reader: _Reader


def _judged(
    outcomes: Iterable[Outcome],
    predictions: Statuses,
    decided: Mapping[str, frozenset[Curie]] | None,
    reader: _Reader,
) -> Statuses:
    """Predictions of every scored document, with their statuses; of open gold, decided ones only."""
    found = {o.doc_id: reader.statuses(predictions.get(o.doc_id, {})) for o in outcomes}
    if decided is None:
        return found
    nothing: frozenset[Curie] = frozenset()
    return {d: {c: s for c, s in held.items() if c in decided.get(d, nothing)} for d, held in found.items()}


def _decided(gold_set: GoldSet, predictions: Statuses, reader: _Reader) -> dict[str, frozenset[Curie]] | None:
    found = settled(gold_set, predictions)
    return None if found is None else {d: reader.ids(concepts) for d, concepts in found.items()}
