"""What changed between two versions of an ontology (ontology enrichment, section 4, compares releases so).

    found = compare(old, new)                    # or only below a root
    found.of(Kind.RENAMED)                       # rows, each with what was and what is
    found.counts()                               # {"added": 1252, "id_changed": 2, ...}

Identity is the id, then alt_ids in either direction; obsolete concepts are no part of either version. Where
an old id is looked up in the newer version, the first that holds counts: it is live; a live concept bears it
as an alt_id; it names a concept that replaces it (followed to a live one, at most `STEPS` steps); else it is
untraceable. `consider` is never followed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

from core.errors import InputError
from core.ontology.lineage import Lineage
from core.records import Concept, Curie, Ontology

STEPS = 5
"""Replacements of replacements that are followed."""


class Kind(StrEnum):
    """Kinds of change; a concept may have several of those after `REMOVED`."""

    ADDED = "added"
    ID_CHANGED = "id_changed"
    """Its id is an alt_id of a concept whose own id is new."""
    MERGED = "merged"
    """Its id is an alt_id of a concept that was there before."""
    REPLACED = "replaced"
    """Obsolete, and another concept is named to replace it."""
    OBSOLETED = "obsoleted"
    """Obsolete, without a live replacement."""
    REMOVED = "removed"
    """No trace of it is left."""
    RENAMED = "renamed"
    MOVED = "moved"
    """Its is_a parents are others."""
    MOVED_AWAY = "moved_away"
    """Those of them that a former parent is no longer above, however far. To be put below an inserted concept
    is to move, but not away."""
    EXTENDED = "extended"
    """It has a child that is new."""
    REDEFINED = "redefined"
    SYNONYMS = "synonyms_changed"


GONE = (Kind.ID_CHANGED, Kind.MERGED, Kind.REPLACED, Kind.OBSOLETED, Kind.REMOVED)
"""Kinds whose old id is no longer the id of a live concept."""


class Change(NamedTuple):
    kind: Kind
    curie: Curie
    """In the older version; in the newer one of what was added."""
    name: str
    """The last one that it had."""
    now: Curie | None
    """The concept of the newer version that stands for it; None: there is none."""
    before: tuple[str, ...] = ()
    """What is no longer so: its name, definition, parents, or synonyms."""
    after: tuple[str, ...] = ()
    """What is so now; of what is gone, the name of what stands for it."""


@dataclass(frozen=True)
class Difference:
    old: str
    new: str
    """`NAME@VERSION` of both."""
    root: Curie | None
    """Only concepts below it were compared; None: all."""
    changes: tuple[Change, ...]
    """By kind, then by id."""
    before: Mapping[Curie, Concept]
    """Live concepts of the older version that were compared."""
    after: Mapping[Curie, Concept]
    """All live concepts of the newer version."""

    def of(self, kind: Kind) -> tuple[Change, ...]:
        """Changes of a kind; those that moved away have moved."""
        wanted = (kind, Kind.MOVED_AWAY) if kind is Kind.MOVED else (kind,)
        found = (row for row in self.changes if row.kind in wanted)
        return tuple(sorted(found, key=lambda row: row.curie))

    def counts(self) -> dict[Kind, int]:
        """Concepts of each kind, none left out."""
        return {kind: len(self.of(kind)) for kind in Kind}

    def to_json(self) -> dict[str, list[Curie]]:
        return {kind.value: [row.curie for row in self.of(kind)] for kind in Kind}

    def rows(self) -> list[dict[str, object]]:
        """Every change as plain values."""
        return [{**row._asdict(), "kind": row.kind.value} for row in self.changes]


class _Version:
    """Live concepts of one version, and what is said of ids that are not."""

    def __init__(self, ontology: Ontology, root: Curie | None):
        self.live = {c.curie: c for c in ontology.concepts if not c.obsolete}
        self.obsolete = {c.curie: c for c in ontology.concepts if c.obsolete}
        self.alt_ids: dict[Curie, list[Curie]] = {}
        for curie in sorted(self.live):
            for alt in self.live[curie].alt_ids:
                self.alt_ids.setdefault(alt, []).append(curie)
        self.reference = ontology.reference
        self.inside = self.live if root is None else self._below(self.now(root) or root)

    @cached_property
    def lineage(self) -> Lineage:
        links = ((c.curie, parent) for c in self.live.values() for parent in c.parents)
        return Lineage(self.live, links)

    def _below(self, root: Curie) -> dict[Curie, Concept]:
        if root not in self.live:
            raise InputError(f"{self.reference} holds no concept {root!r}. Name one of its live concepts.")
        return {curie: self.live[curie] for curie in self.lineage.descendants(root)}

    def now(self, curie: Curie, among: Collection[Curie] = ()) -> Curie | None:
        """The live concept that an id leads to; None: untraceable. Where several bear it as an alt_id: one of
        `among`, else the first."""
        seen = set()
        for _ in range(STEPS + 1):
            if curie in self.live:
                return curie
            if curie in self.alt_ids:
                found = self.alt_ids[curie]
                return next((one for one in found if one in among), found[0])
            replaced = self.obsolete[curie].replaced_by if curie in self.obsolete else ()
            if not replaced or curie in seen:
                return None
            seen.add(curie)
            curie = replaced[0]
        return None


def compare(old: Ontology, new: Ontology, root: Curie | None = None) -> Difference:
    """Changes from `old` to `new`.

    Args:
        root: only concepts below it: those below it in the older version, and of what is new those below it
            in the newer one.

    Raises:
        InputError: a version does not hold the root.
    """
    before, after = _Version(old, root), _Version(new, root)
    changes = [*_added(before, after), *_gone(before, after)]
    for curie, was in before.inside.items():
        if (now := after.live.get(curie)) is not None:
            changes += _changed(was, now, before, after)
    order = list(Kind)
    changes.sort(key=lambda row: (order.index(row.kind), row.curie))
    return Difference(before.reference, after.reference, root, tuple(changes), before.inside, after.live)


def _added(before: _Version, after: _Version) -> Iterable[Change]:
    for curie, concept in after.inside.items():
        if _is_new(concept, before):
            yield Change(Kind.ADDED, curie, concept.name, curie, (), (concept.name,))


def _is_new(concept: Concept, before: _Version) -> bool:
    """Whether the older version lacks it, under any of its ids, below the root or not."""
    ids = (concept.curie, *concept.alt_ids)
    return concept.curie not in before.alt_ids and not any(one in before.live for one in ids)


def _gone(before: _Version, after: _Version) -> Iterable[Change]:
    for curie, concept in before.inside.items():
        if curie in after.live:
            continue
        now = after.now(curie)
        if curie in after.alt_ids:
            kind = Kind.MERGED if now in before.live or now in before.alt_ids else Kind.ID_CHANGED
        elif now is not None:
            kind = Kind.REPLACED
        else:
            kind = Kind.OBSOLETED if curie in after.obsolete else Kind.REMOVED
        said = () if now is None else (after.live[now].name,)
        yield Change(kind, curie, concept.name, now, (concept.name,), said)


def _changed(was: Concept, now: Concept, before: _Version, after: _Version) -> Iterable[Change]:
    """What changed of a concept that is live in both."""

    def change(kind: Kind, lost: Iterable[str], gained: Iterable[str]) -> Change:
        return Change(kind, now.curie, now.name, now.curie, tuple(lost), tuple(gained))

    if was.name != now.name:
        yield change(Kind.RENAMED, (was.name,), (now.name,))
    former = {p: after.now(p, now.parents) or p for p in was.parents if p in before.live}
    parents = {parent for parent in now.parents if parent in after.live}
    if set(former.values()) != parents:
        left = {p for p in former.values() if p not in after.live or not _is_above(p, now.curie, after)}
        lost = (p for p in was.parents if p in former and former[p] not in parents)
        gained = (p for p in now.parents if p in parents - set(former.values()))
        yield change(Kind.MOVED_AWAY if left else Kind.MOVED, lost, gained)
    below = (after.inside.get(child) for child in after.lineage.children(now.curie))
    children = [child.curie for child in below if child is not None and _is_new(child, before)]
    if children:
        yield change(Kind.EXTENDED, (), children)
    if _words(was.definition) != _words(now.definition):
        yield change(Kind.REDEFINED, _some(was.definition), _some(now.definition))
    had, has = ({(s.text, s.scope): s for s in c.synonyms} for c in (was, now))
    if had.keys() != has.keys():
        lost = (s.text for key, s in had.items() if key not in has)
        yield change(Kind.SYNONYMS, lost, (s.text for key, s in has.items() if key not in had))


def _is_above(parent: Curie, child: Curie, version: _Version) -> bool:
    return bool(version.lineage.under(parent)[version.lineage.index(child)])


def _words(text: str | None) -> str:
    """Without differences of white space alone."""
    return " ".join((text or "").split())


def _some(text: str | None) -> tuple[str, ...]:
    return (text,) if text else ()
