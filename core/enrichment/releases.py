"""Two versions of an ontology as one problem: which concepts are new, and where they belong in the older one.

    pair = Releases(older, newer, "HP:0000118", definitions)
    pair.old_id("HP:0025006")      # None: the older version lacks it
    pair.placed("HP:0025006")      # edges of the older version between which the newer one puts it

Identity and gold edges: metric-definitions 3.1 and 3.3. The ids of edges are those of the older version.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, product
from typing import NamedTuple

from core.enrichment.catalogue import Catalogue, Edge, Null, catalogue
from core.errors import InputError
from core.ontology.edges import both_versions, gold_edges, identity, new_concepts, surroundings
from core.ontology.expressions import Definition, conjuncts
from core.ontology.lineage import Lineage
from core.records import Concept, Curie, Ontology


class Placed(NamedTuple):
    """Where a new concept belongs."""

    concept: Curie
    edges: tuple[Edge, ...]
    too_far: int
    """Pairs of a parent and a child that are more than two steps apart, or not below each other, in the older
    version: no edges."""


class Releases:
    def __init__(
        self,
        older: Ontology,
        newer: Ontology,
        root: Curie,
        definitions: Mapping[Curie, Definition] | None = None,
        null: Null = "every",
    ):
        """
        Args:
            root: concepts below it alone count, in either version.
            definitions: logical definitions by id, for complex parents of concepts of either version.

        Raises:
            InputError: a version does not hold the root.
        """
        self.definitions = definitions or {}
        self.current = identity(older, newer)
        """Any id -> the one under which both versions hold its concept."""
        self.concepts: dict[Curie, Concept] = {c.curie: c for c in older.concepts if not c.obsolete}
        self.names = {c.curie: c.name for version in (newer, older) for c in version.concepts}
        links = ((c.curie, parent) for c in self.concepts.values() for parent in c.parents)
        self.lineage = Lineage(self.concepts, links)
        self.catalogue: Catalogue = catalogue(self.lineage, root, definitions, null)
        self.branch = self.lineage.descendants(root)
        self._number = self.catalogue.numbers()
        self._before, self._now = both_versions(older, newer)
        self._old_ids: dict[Curie, list[Curie]] = {}
        for curie in sorted(self.concepts, key=lambda c: (self.current(c) != c, c)):  # its own id first
            self._old_ids.setdefault(self.current(curie), []).append(curie)
        below, split = self._below(root), self._split(newer)
        self.new = tuple(c for c in new_concepts(self._before, self._now) if c in below and c not in split)
        """Concepts of the newer version that the older one lacks, in order of id."""
        self._news = frozenset(self.new)

    def _below(self, root: Curie) -> frozenset[Curie]:
        now = self.current(root)
        if now not in self._now:
            raise InputError(f"The newer version holds no concept {root!r}. Name one that both hold.")
        return self._now.descendants(now)

    def _split(self, newer: Ontology) -> set[Curie]:
        """Concepts that bear an id of the older version as an alt_id: parts of a concept, not new ones."""
        return {c.curie for c in newer.concepts if any(alt in self.concepts for alt in c.alt_ids)}

    def old_id(self, curie: Curie) -> Curie | None:
        """The id in the older version of what any id stands for, of a concept of the branch; None: it has
        none."""
        if curie in self.branch:
            return curie
        known = self._old_ids.get(self.current(curie), ())
        return next((one for one in known if one in self.branch), None)

    def is_new(self, curie: Curie) -> bool:
        return self.current(curie) in self._news

    def placed(self, curie: Curie) -> Placed:
        """The edges at which a new concept belongs.

        Raises:
            NotFoundError, ValueError: as of `core.ontology.edges.gold_edges`.
        """
        now = self.current(curie)
        parents, children = surroundings(now, self._before, self._now)
        kept = gold_edges(now, self._before, self._now)
        found = set[int]()
        for parent, child in kept:
            below: Sequence[Curie | None] = (None,) if child is None else self._old_ids[child]
            found.update(islice(self._numbered(product(self._old_ids[parent], below)), 1))
        above = (p for kind, p in conjuncts(self.definitions.get(now, ())) if kind == "complex")
        ends: list[Curie | None] = [self._old_ids[child][0] for child in children]
        found.update(self._numbered(product(above, ends or [None])))
        return Placed(now, self._edges(found), len(parents) * max(len(children), 1) - len(kept))

    def own_edges(self, curie: Curie) -> tuple[Edge, ...]:
        """The edges at which a concept of the older version belongs, taken as if it were not there: each of
        its parents, complex ones included, with each of its children, or with none."""
        parents = (*self.lineage.parents(curie), *self.catalogue.parents.get(curie, ()))
        children: tuple[Curie | None, ...] = self.lineage.children(curie) or (None,)
        return self._edges(self._numbered(product(parents, children)))

    def number(self, edge: Edge) -> int:
        """Its id in the catalogue."""
        return self._number[edge.ends]

    def _numbered(self, ends: Iterable[tuple[Curie, Curie | None]]) -> Iterator[int]:
        """Of those that are in the catalogue, in their order."""
        return (self._number[pair] for pair in ends if pair in self._number)

    def _edges(self, numbers: Iterable[int]) -> tuple[Edge, ...]:
        return tuple(self.catalogue.edges[number] for number in sorted(set(numbers)))
