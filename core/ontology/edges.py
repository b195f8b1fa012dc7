"""Where a new concept belongs: the edges of the older version between which the newer one puts it.

    older, newer = both_versions(old_ontology, new_ontology)
    new_concepts(older, newer)                        # out-of-KB: in the newer version only
    gold_edges("X:9", older, newer)                   # {("X:1", "X:4"), ("X:1", None)}

An edge is (parent, child), directed; child None: nothing of the older version stands below it, so the concept
is added as a leaf (NULL). Climbing and descending stop at the first concept of the older version on every
path; an edge counts if its child is NULL, or one or two is_a steps below its parent in the older version
(ontology enrichment, section 4 and footnote 13; metric-definitions 3.1, 3.3, R11).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from core.ontology.lineage import Lineage
from core.records import Curie, Ontology

Edge = tuple[Curie, Curie | None]

STEPS = 2
"""A child may stand that many is_a steps below its parent, by any path."""


def identity(older: Ontology, newer: Ontology) -> Callable[[Curie], Curie]:
    """Any id of two versions -> the one under which both hold its concept: that of the newer version where it
    is live there. An alt_id of several concepts is taken for the first of them."""
    live_before, live_now = (
        {c.curie for c in version.concepts if not c.obsolete} for version in (older, newer)
    )
    before, now = (_alt_ids(version) for version in (older, newer))

    def current(curie: Curie) -> Curie:
        known = curie if curie in live_before else before.get(curie, curie)
        return known if known in live_now else now.get(known, known)

    return current


def both_versions(older: Ontology, newer: Ontology) -> tuple[Lineage, Lineage]:
    """Live concepts of two versions, under one id each: one that was merged, or split off an alternative id,
    is the same concept in both. Obsolete concepts are removed first; so are links of a concept to itself."""
    current = identity(older, newer)
    return _renamed(older, current), _renamed(newer, current)


def _alt_ids(version: Ontology) -> dict[Curie, Curie]:
    live = sorted((c for c in version.concepts if not c.obsolete), key=lambda c: c.curie, reverse=True)
    return {alt: c.curie for c in live for alt in c.alt_ids}


def new_concepts(older: Lineage, newer: Lineage) -> tuple[Curie, ...]:
    """Concepts of the newer version that the older one lacks, in order of id: their mentions are NIL."""
    return tuple(curie for curie in newer.curies if curie not in older)


def gold_edges(concept: Curie, older: Lineage, newer: Lineage) -> frozenset[Edge]:
    """Edges of the older version between which the newer one puts `concept`; none: it is not scored for
    placement.

    Raises:
        NotFoundError: the newer version has no such concept.
        ValueError: the older version has it, too, so that there is nothing to place.
    """
    parents, children = surroundings(concept, older, newer)
    if not children:
        return frozenset((parent, None) for parent in parents)
    return frozenset((p, c) for p in parents for c in _below(p, older) & children)


def surroundings(concept: Curie, older: Lineage, newer: Lineage) -> tuple[set[Curie], set[Curie]]:
    """The first concepts of the older version above a new concept, and below it, on every path of the newer
    one.

    Raises:
        NotFoundError, ValueError: as of `gold_edges`.
    """
    newer.index(concept)
    if concept in older:
        raise ValueError(f"{concept} is in both versions: only a concept that is new is placed")
    return _first_known(concept, older, newer.parents), _first_known(concept, older, newer.children)


def _first_known(concept: Curie, older: Lineage, step: Callable[[Curie], Iterable[Curie]]) -> set[Curie]:
    """The first concepts of the older version on every path from `concept`."""
    found: set[Curie] = set()
    seen, waiting = {concept}, [concept]
    while waiting:
        for curie in step(waiting.pop()):
            if curie in older:
                found.add(curie)
            elif curie not in seen:
                seen.add(curie)
                waiting.append(curie)
    return found


def _below(parent: Curie, older: Lineage) -> set[Curie]:
    """Concepts one or two steps below."""
    found: set[Curie] = set()
    level = {parent}
    for _ in range(STEPS):
        level = {child for curie in level for child in older.children(curie)}
        found |= level
    return found


def _renamed(ontology: Ontology, current: Callable[[Curie], Curie]) -> Lineage:
    live = {c.curie for c in ontology.concepts if not c.obsolete}
    links = [
        (current(c.curie), current(parent))
        for c in ontology.concepts
        if c.curie in live
        for parent in c.parents
        if parent in live
    ]
    return Lineage((current(curie) for curie in live), (link for link in links if link[0] != link[1]))
