"""Statuses of both sides, read by one rule and matched; what an earlier reading holds is not read anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from core.evaluate.concept_scope import Scope
from core.evaluate.families.inputs import Statuses
from core.evaluate.readings import BEFORE, Readings
from core.evaluate.settings import Settings
from core.metrics.documents import Outcome, compare, settled
from core.records import Assertion, Curie, GoldSet
from core.store.gold import strongest


def decided_of(
    gold_set: GoldSet, predictions: Statuses, reader: Reader
) -> dict[str, frozenset[Curie]] | None:
    """Document -> concepts that somebody has settled; None: the gold is no review."""
    found = settled(gold_set, predictions)
    return None if found is None else {d: reader.ids(concepts) for d, concepts in found.items()}


def matched(
    gold_set: GoldSet,
    predictions: Statuses,
    settings: Settings,
    scope: Scope,
    decided: Mapping[str, frozenset[Curie]] | None,
    readings: Readings,
) -> tuple[tuple[Outcome, ...], Reader]:
    """Exact matching, and what was changed in reading both sides. Where readings hold an earlier matching
    against imported gold, documents whose predictions are the very same object are not matched anew."""
    name, reader = (BEFORE, "read", settings.assertions, scope.name), Reader(settings, scope)
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
        places = {outcome.doc_id: at for at, outcome in enumerate(outcomes)}
        readings.once(name, lambda: _Matching(predictions, outcomes, reader, places))
    return outcomes, reader


def _again(
    gold_set: GoldSet, predictions: Statuses, reader: Reader, past: _Matching
) -> tuple[tuple[Outcome, ...], Reader]:
    """As `compare` finds it, of documents whose predictions have changed; all others as they were.

    Args:
        reader: has read nothing yet.
        past: of the same gold.
    """
    changed = _changed(predictions, past.predictions)
    before, of_gold = reader.anew(), reader.anew()
    for doc_id in changed:
        before.present(past.predictions[doc_id])
    anew = compare(
        {d: of_gold.present(gold_set.documents[d]) for d in changed if d in gold_set.documents},
        {d: reader.present(said) for d, said in changed.items()},
        complete=gold_set.recall_documents & changed.keys(),
    )
    reader.replace(past.reader, before)
    outcomes = list(past.outcomes)
    for outcome in anew:
        outcomes[past.places[outcome.doc_id]] = outcome
    return tuple(outcomes), reader


def judged(
    outcomes: Iterable[Outcome],
    predictions: Statuses,
    decided: Mapping[str, frozenset[Curie]] | None,
    reader: Reader,
    readings: Readings,
) -> Statuses:
    """Predictions of every scored document, with their statuses; of open gold, decided ones only. As in
    `matched`, documents whose predictions are the very same object as earlier are not read anew."""
    name = (BEFORE, "statuses", reader.scope.name)
    past: _Said | None = readings.kept(name) if decided is None else None
    if past and past.predictions.keys() == predictions.keys():
        changed = _changed(predictions, past.predictions)
        anew = {d: reader.statuses(said) for d, said in changed.items() if d in past.statuses}
        return {**past.statuses, **anew}
    found = {o.doc_id: reader.statuses(predictions.get(o.doc_id, {})) for o in outcomes}
    if decided is None:
        readings.once(name, lambda: _Said(predictions, found))
        return found
    nothing: frozenset[Curie] = frozenset()
    return {d: {c: s for c, s in held.items() if c in decided.get(d, nothing)} for d, held in found.items()}


def _changed(predictions: Statuses, past: Statuses) -> Statuses:
    """Those that are not the very same object; both of the same documents."""
    return {d: said for d, said in predictions.items() if said is not past[d]}


class Reader:
    """Turns statuses into sets of ids by one rule for both sides, and counts what it changes."""

    def __init__(self, settings: Settings, scope: Scope):
        self.settings = settings
        self.wanted = frozenset(settings.assertions)
        self.told_apart = frozenset(settings.statuses)
        self.scope = scope
        self.filtered = 0
        self.replaced = 0
        self.known = scope.known() if scope.known else None
        self.outside: Counter[Curie] = Counter()
        """Ids that the named ontology does not hold."""

    def anew(self) -> Reader:
        """One of the same rule that has read nothing."""
        return Reader(self.settings, self.scope)

    def replace(self, whole: Reader, part: Reader) -> None:
        """Count as if this had read what `whole` has, but for `part` of it."""
        self.filtered += whole.filtered - part.filtered
        self.replaced += whole.replaced - part.replaced
        self.outside += whole.outside
        self.outside -= part.outside

    def present(self, statuses: Mapping[Curie, Assertion]) -> frozenset[Curie]:
        wanted = self.wanted
        return self.ids([concept for concept, status in statuses.items() if status in wanted])

    def statuses(self, statuses: Mapping[Curie, Assertion]) -> Mapping[Curie, Assertion]:
        """All statuses that are told apart, whatever counts; where two ids become one, the stronger status.
        Counts nothing."""
        if not self.told_apart.issuperset(statuses.values()):
            statuses = {c: status for c, status in statuses.items() if status in self.told_apart}
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
    reader: Reader
    places: Mapping[str, int]
    """doc_id -> where its outcome stands."""


class _Said(NamedTuple):
    """Predictions, and the statuses that they give to scored documents."""

    predictions: Statuses
    statuses: Statuses
