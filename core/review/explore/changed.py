"""What a new release of an ontology means for a workspace: where the concepts occur that changed."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from core.ontology.versions import GONE, Change, Difference, Kind, compare
from core.records import Curie
from core.review.explore.occurs import Occurrences, Of, occurrences
from core.store import Workspace, ontologies

KEPT = 4


class Touched(NamedTuple):
    """A kind of change, and the labels of the workspace that are on concepts which changed so."""

    kind: Kind
    concepts: int
    where: Occurrences

    def labels(self, of: Of) -> int:
        """Of all corpora; a label that several runs propose counts for each."""
        return sum(one.number for one in self.where.counts if one.of is of)


_kept: OrderedDict[tuple[object, ...], Difference] = OrderedDict()
_lock = threading.Lock()


def difference(workspace: Workspace, old: str, new: str, root: Curie | None = None) -> Difference:
    """What changed between two stored versions, `NAME@VERSION` each. Versions never change, so the last few
    are kept.

    Raises:
        InputError, NotFoundError: there is no such version, or it does not hold the root.
    """
    rows = [ontologies.find_ontology(workspace, reference) for reference in (old, new)]
    key = workspace.key()
    identity = (str(workspace.path.resolve()), key.uuid, key.restore_nonce, *(row.id for row in rows), root)
    with _lock:
        if identity not in _kept:
            older, newer = (ontologies.read_ontology(workspace, row.name, row.version) for row in rows)
            _kept[identity] = compare(older, newer, root)
        _kept.move_to_end(identity)
        while len(_kept) > KEPT:
            _kept.popitem(last=False)
        return _kept[identity]


def touched(
    workspace: Workspace, found: Difference, curator: str | None, kinds: Iterable[Kind] = tuple(Kind)
) -> tuple[Touched, ...]:
    """Where labels are on concepts that changed, by kind, as far as a curator may see it."""
    return tuple(
        Touched(kind, len(found.of(kind)), occurrences(workspace, ids, curator, several=True))
        for kind in kinds
        for ids in [frozenset(one for row in found.of(kind) for one in ids_of(row, found))]
    )


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
