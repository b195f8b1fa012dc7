"""Concepts to choose from when a proposal is put right: found by its quote, and its neighbours.

One `Terms` per ontology version, which never changes, so it is built once and kept.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Any

from core.ontology.lineage import Lineage
from core.records import Curie
from core.review.narrower import Naming, nearest
from core.review.search import LIKENESS, Row, Search
from core.review.walks.kept import Recent, file_of
from core.store import Workspace, ontologies, queue

FOUND, CHILDREN, SIBLINGS = 8, 40, 20
"""Most rows per group; parents are few."""
NEAR = ("broader", "narrower", "siblings")
PATH, DEFINITION = 4, 280
"""Most steps of a path, and most characters of a definition, that are shown."""
KEPT = 8
FEW = 10
"""Children from which on a concept fans out."""


class Terms:
    """One ontology version, ready to be searched and climbed."""

    def __init__(self, workspace: Workspace, ontology_id: int):
        self.row = ontologies.ontology_by_id(workspace, ontology_id)
        self.lineage = Lineage(*ontologies.is_a(workspace, ontology_id))
        self.names = ontologies.labels(workspace, ontology_id)
        self.alt_ids = ontologies.alt_id_map(workspace, ontology_id)
        self._search: Search | None = None
        self._naming: Naming | None = None
        self._name_lock = threading.Lock()
        self._branches: dict[Curie, tuple[Curie, ...]] = {}
        self.placed: dict[Curie, dict[str, Any]] = {}
        """What `core.review.place` has read, by concept."""
        self._lock = threading.Lock()

    def path(self, curie: Curie) -> tuple[str, ...]:
        """Names on one shortest way from below the root down to the concept's parent, the last few of them.
        Empty for a root and for what the lineage does not hold."""
        if curie not in self.lineage:
            return ()
        root = self.row.root
        way = self.lineage.path(curie, root) if root is not None and root in self.lineage else None
        above = way[1:-1] if way else self.lineage.parents(curie)[:1]
        return tuple(self.names[c] for c in reversed(above[:PATH]))

    def branch(self, curie: Curie) -> frozenset[Curie]:
        """The concept and all below it; empty where the ontology does not hold it."""
        if curie not in self.lineage:
            return frozenset()
        return self.lineage.descendants(curie, include_self=True)

    def top_branches(self) -> list[tuple[Curie, str]]:
        """(concept, name) of the branches right below the root, one level deeper where it has few children
        (HPO's root holds the phenotypes and some modifiers), by name."""
        root = self.row.root
        if root is None or root not in self.lineage:
            return []
        below = list(self.lineage.children(root))
        if len(below) < FEW:
            below += [grandchild for child in below for grandchild in self.lineage.children(child)]
        return sorted(((c, self.names[c]) for c in dict.fromkeys(below)), key=lambda pair: pair[1])

    def branches(self, curie: Curie) -> tuple[Curie, ...]:
        """The branches right below the root that hold a concept, by name; one level deeper inside a branch
        that fans out where the root does not (HPO's phenotypes). Empty for the root and outside it."""
        if curie not in self._branches:
            self._branches[curie] = self._branches_of(curie)
        return self._branches[curie]

    def _branches_of(self, curie: Curie) -> tuple[Curie, ...]:
        root = self.row.root
        if root is None or root not in self.lineage or curie not in self.lineage:
            return ()
        held: list[Curie] = []
        is_narrow = len(self.lineage.children(root)) < FEW
        for branch in self.lineage.branch(curie, root):
            fans_out = is_narrow and len(self.lineage.children(branch)) >= FEW
            held += (self.lineage.branch(curie, branch) if fans_out else ()) or (branch,)
        return tuple(sorted(dict.fromkeys(held), key=lambda c: (self.names[c], c)))

    def search(self, workspace: Workspace) -> Search:
        """The search over its names, built on first use."""
        with self._lock:
            if self._search is None:
                self._search = Search.of(workspace, self.row.id)
            return self._search

    def narrower(
        self, workspace: Workspace, text: str, concepts: Iterable[Curie]
    ) -> dict[Curie, list[dict[str, Any]]]:
        """Concept -> rows for those below it whose words stand in a text, the nearest first; concepts without
        any are left out. Old ids are taken for the concept that bears them now."""
        with self._name_lock:
            if self._naming is None:
                self._naming = Naming(ontologies.names(workspace, self.row.id))
        standing = self._naming.standing(text)
        now = {one: self.alt_ids.get(one, one) for one in concepts}
        found = nearest(self.lineage, now.values(), standing)
        order = list(dict.fromkeys(row for rows in found.values() for row in rows))
        views = {
            view["id"]: view for view in self._views(workspace, order, {}, dict.fromkeys(order, "narrower"))
        }
        return {one: [views[row] for row in found[now[one]]] for one in now if now[one] in found}

    def around(self, workspace: Workspace, concept: Curie, quote: str) -> list[dict[str, Any]]:
        """Candidates for putting a proposal right: found by all words of its quote, broader, narrower,
        siblings, found by some of the words. Each concept once, the proposed one left out."""
        near: dict[Curie, str] = {}
        now = self.alt_ids.get(concept, concept)
        if now in self.lineage:
            parents = self.lineage.parents(now)
            siblings = [c for parent in parents for c in self.lineage.children(parent)]
            near = (
                dict.fromkeys(siblings[:SIBLINGS], "siblings")
                | dict.fromkeys(self.lineage.children(now)[:CHILDREN], "narrower")
                | dict.fromkeys(parents, "broader")
            )
        found = [row for row in self.search(workspace).in_sentence(quote) if row.curie != concept]
        strict = [row for row in found if row.why not in LIKENESS][:FOUND]
        order = [row.curie for row in strict]
        order += sorted(near, key=lambda curie: NEAR.index(near[curie]))
        order += [row.curie for row in found if row.why in LIKENESS][:FOUND]
        by_curie = {row.curie: row for row in found}
        return self._views(workspace, [c for c in dict.fromkeys(order) if c != concept], by_curie, near)

    def find(self, workspace: Workspace, typed: str, *, final: bool = False) -> dict[str, Any]:
        """Rows for what somebody typed: those found by words at once, with `final` all of them.

        Returns:
            `rows`, `complete` (no better ones will come), `more` (better ones are on their way: ask again).
        """
        search = self.search(workspace)
        search.meaning.begin(workspace.path)
        found = search.all(typed) if final else search.first(typed)
        rows = {row.curie: row for row in found.rows}
        views = self._views(workspace, list(rows), rows, {})
        return {"rows": views, "complete": found.complete, "more": found.more}

    def _views(
        self, workspace: Workspace, order: list[Curie], found: dict[Curie, Row], near: dict[Curie, str]
    ) -> list[dict[str, Any]]:
        known = ontologies.look_up(workspace, self.row.id, order)
        return [
            {
                "id": curie,
                "name": known[curie].name,
                "definition": (known[curie].definition or "")[:DEFINITION],
                "path": list(self.path(curie)),
                "group": _group(found.get(curie), near.get(curie, "")),
                "relation": near.get(curie, ""),
                **_why(found.get(curie)),
            }
            for curie in order
            if curie in known
        ]


def _group(row: Row | None, relation: str) -> str:
    if row is None or (relation and row.why in LIKENESS):
        return relation
    return "loose" if row.why in LIKENESS else "found"


def _why(row: Row | None) -> dict[str, str | None]:
    """Why a row is there: None for a neighbour that no word found."""
    if row is None:
        return {"why": None, "matched": None, "scope": None}
    return {"why": row.why.value, "matched": row.matched, "scope": row.scope}


_terms: Recent[Terms] = Recent(KEPT)


def terms_of(workspace: Workspace, ontology_id: int) -> Terms:
    """The terms of one ontology of this workspace, built on first use."""
    return _terms.of((*file_of(workspace), ontology_id), lambda: Terms(workspace, ontology_id))


def ontology_of(workspace: Workspace, corpus: str) -> int | None:
    """Ontology to choose from in a corpus: that of its newest run, else the one added last, else None."""
    of_runs = [r.ontology_id for r in queue.run_names(workspace) if r.corpus == corpus and r.ontology_id]
    if of_runs:
        return of_runs[-1]
    return queue.newest_ontology(workspace)
