"""What a new release of an ontology means for a workspace: where the concepts occur that changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from core.ontology.versions import GONE, Change, Difference, Kind, compare
from core.records import Curie
from core.review.explore.occurs import Occurrences, Of, occurrences
from core.review.explore.sight import sight
from core.review.walks.kept import Recent, file_of
from core.store import Workspace, ontologies
from core.store import occurrences as store

KEPT = 4


class Touched(NamedTuple):
    """A kind of change, and how many labels of the workspace are on concepts which changed so."""

    kind: Kind
    concepts: int
    labels: Mapping[Of, int]
    """Gold labels, labels of runs (one that several propose counts for each) and answers, of all corpora."""


_kept: Recent[Difference] = Recent(KEPT)


def difference(workspace: Workspace, old: str, new: str, root: Curie | None = None) -> Difference:
    """What changed between two stored versions, `NAME@VERSION` each. Versions never change, so the last few
    are kept.

    Raises:
        InputError, NotFoundError: there is no such version, or it does not hold the root.
    """
    rows = [ontologies.find_ontology(workspace, reference) for reference in (old, new)]

    def compared() -> Difference:
        older, newer = (ontologies.read_ontology(workspace, row.name, row.version) for row in rows)
        return compare(older, newer, root)

    return _kept.of((*file_of(workspace), *(row.id for row in rows), root), compared)


def touched(workspace: Workspace, found: Difference, curator: str | None) -> tuple[Touched, ...]:
    """How many labels are on concepts that changed, by kind, as far as a curator may see it."""
    items, passages = store.concept_items(workspace)
    view = sight(workspace, curator, items, passages)
    if view.blind or view.unlisted:  # what may not be seen is told item by item
        return tuple(
            Touched(kind, len(found.of(kind)), _summed(occurrences_of(workspace, found, kind, curator)))
            for kind in Kind
        )
    kinds = {kind: _ids(found, kind) for kind in Kind}
    said = store.answered(workspace, frozenset[Curie]().union(*kinds.values()))
    open_to = view.of_others((one.item_id, one.curator) for one in said)
    numbers: dict[Of, Mapping[Curie, int]] = {
        Of.GOLD: store.gold_by_concept(workspace),
        Of.RUN: store.proposed_by_concept(workspace),
        Of.ANSWER: Counter(one.concept for one in said if one.item_id in open_to),
    }
    return tuple(
        Touched(
            kind,
            len(found.of(kind)),
            {of: sum(held.get(one, 0) for one in ids) for of, held in numbers.items()},
        )
        for kind, ids in kinds.items()
    )


def occurrences_of(workspace: Workspace, found: Difference, kind: Kind, curator: str | None) -> Occurrences:
    """Where the concepts occur that changed so, with the items behind each number."""
    return occurrences(workspace, _ids(found, kind), curator, several=True)


def _summed(held: Occurrences) -> dict[Of, int]:
    return {of: sum(one.number for one in held.counts if one.of is of) for of in (Of.GOLD, Of.RUN, Of.ANSWER)}


def _ids(found: Difference, kind: Kind) -> frozenset[Curie]:
    return frozenset(one for row in found.of(kind) for one in ids_of(row, found))


def ids_of(row: Change, found: Difference) -> Iterator[Curie]:
    """Every id under which labels may bear a concept that changed: its own, and its alternative ones. What is
    gone is known by the ids it had."""
    yield row.curie
    for side in (found.before,) if row.kind in GONE else (found.before, found.after):
        if (concept := side.get(row.curie)) is not None:
            yield from concept.alt_ids


def sides(found: Difference, row: Change) -> tuple[list[str], list[str]]:
    """What was and what is, as people read it: concepts by name and id."""

    def named(curie: Curie) -> str:
        concept = found.after.get(curie) or found.before.get(curie)
        return f"{concept.name} ({curie})" if concept else curie

    if row.kind in (Kind.MOVED, Kind.MOVED_AWAY, Kind.EXTENDED):
        return [*map(named, row.before)], [*map(named, row.after)]
    if row.now in (None, row.curie):
        return [*row.before], [*row.after]
    return [*row.before], [named(row.now)]


def search(found: Difference, kind: Kind | None, words: str) -> list[Change]:
    """Changes of a kind, or of any, whose id, name, or text before or after holds all the words."""
    rows = found.changes if kind is None else found.of(kind)
    wanted = words.casefold().split()

    def holds(row: Change) -> bool:
        before, after = sides(found, row)
        text = " ".join((row.curie, row.name, *before, *after)).casefold()
        return all(word in text for word in wanted)

    return [row for row in rows if holds(row)] if wanted else list(rows)
