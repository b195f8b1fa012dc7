"""What must be read together with the numbers of an evaluation: sentences of ours, ids and counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from core.evaluate.concept_scope import Scope
from core.evaluate.families.inputs import Statuses
from core.evaluate.settings import Settings
from core.metrics.documents import Totals
from core.records import Curie

FEW_DOCUMENTS = 100
NAMED = 5
"""Ids that a note names."""


def replaced(
    side: Statuses, other: Statuses, documents: Iterable[str], settings: Settings, scope: Scope
) -> Counter[tuple[Curie, Curie]]:
    """Obsolete ids of a side where the other side has what replaced them: (id, replacement) -> how many of
    these documents."""
    found: Counter[tuple[Curie, Curie]] = Counter()
    if not scope.replaced:
        return found
    wanted, now = frozenset(settings.assertions), scope.alt_ids
    for doc_id in documents:
        statuses = side.get(doc_id, {})
        if scope.replaced.keys().isdisjoint(statuses):
            continue
        obsolete = [c for c, s in statuses.items() if s in wanted and c in scope.replaced]
        if obsolete:
            others = {now.get(c, c) for c, s in other.get(doc_id, {}).items() if s in wanted}
            for concept in obsolete:
                there = [new for new in scope.replaced[concept] if now.get(new, new) in others]
                if there and concept not in others:
                    found[concept, there[0]] += 1
    return found


def of_ids(
    outside: Counter[Curie],
    in_gold: Counter[tuple[Curie, Curie]],
    proposed: Counter[tuple[Curie, Curie]],
    scope: Scope,
) -> Iterator[str]:
    """What must be said of ids that the named ontology reads in another way than somebody may expect."""
    if outside:
        total = outside.total()
        yield f"Concepts that {scope.name} does not hold, on either side: {total} ({_first(outside)})."
    if in_gold:
        pairs = _first({f"{old}, now {new}": n for (old, new), n in in_gold.items()})
        yield (
            f"Obsolete gold ids whose replacement was proposed: {in_gold.total()} ({pairs}). An obsolete id "
            "is not read as its replacement, so the two do not match: replace it in the gold if they mean "
            "the same."
        )
    if proposed:
        pairs = _first({f"{old}, now {new}": n for (old, new), n in proposed.items()})
        yield (
            f"Obsolete ids proposed where the gold has the replacement: {proposed.total()} ({pairs}). The "
            "two do not match."
        )


def _first(names: Mapping[str, int]) -> str:
    """Some names, the most frequent first."""
    ordered = sorted(names, key=lambda name: (-names[name], name))
    more = [f"{len(ordered) - NAMED} more"] if len(ordered) > NAMED else []
    return "; ".join((*ordered[:NAMED], *more))


def of_learning(left_out: int, settings: Settings) -> Iterator[str]:
    """What becomes of documents that a run was learned from; `left_out` of them are not scored."""
    if left_out:
        yield f"Documents left out, because a run was learned from them: {left_out}."
    if settings.in_sample:
        yield "Documents that a run was learned from count, too: of other documents this says too much."


def of_corpus(
    totals: Totals, beside: Mapping[str, int], exhaustive: bool | None, settings: Settings
) -> Iterator[str]:
    """What must be read together with the numbers, most important first."""
    if 0 < totals.documents_complete < FEW_DOCUMENTS:
        yield (
            f"Small test set: {totals.documents_complete} complete documents. Below {FEW_DOCUMENTS}, small "
            "differences are noise; read the interval, not the value."
        )
    if exhaustive is not True:
        yield (
            "This gold is not marked exhaustively annotated: a proposal outside it may still be right, so "
            "precision and F1 may be too low."
        )
    if totals.documents_complete < totals.documents:
        yield (
            f"Precision rests on the {totals.documents_precision} documents with decided proposals; recall, "
            f"F1 and the weighted values on the {totals.documents_complete} complete (closed) ones."
        )
    if beside["undecided"]:
        yield f"Proposals in no number, because nobody has decided them: {beside['undecided']}."
    if beside["excluded"]:
        yield f"Items the gold leaves out as unsure, not agreed or not adjudicated: {beside['excluded']}."
    if beside["unpredicted_documents"]:
        yield (
            "Gold documents missing from the predictions, counted as empty predictions: "
            f"{beside['unpredicted_documents']} of {totals.documents}."
        )
    if beside["unscored_documents"]:
        yield f"Predicted documents without gold, not scored: {beside['unscored_documents']}."
    yield from of_learning(beside["learned_from"], settings)
    if beside["filtered"]:
        yield f"Concepts outside the chosen ones, on either side, not scored: {beside['filtered']}."
    if beside["replaced_ids"]:
        yield f"Alternative ids read as the concepts that now bear them: {beside['replaced_ids']}."
    if totals.vacuous:
        rule = {"one": "they score 1", "zero": "they score 0", "skip": "means over documents skip them"}
        yield f"Documents with neither gold nor proposals: {totals.vacuous}; {rule[settings.vacuous]}."
