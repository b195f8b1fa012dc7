"""Concepts to choose from when a proposal is put right: found by its quote, and its neighbours.

One `Terms` per ontology version, which never changes, so it is built once and kept.
"""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from typing import Any

from core.ontology.lineage import Lineage
from core.records import Curie
from core.store import Workspace, ontologies

FOUND, CHILDREN, SIBLINGS = 8, 40, 20
"""Most rows per group; parents are few."""
PATH, DEFINITION = 4, 280
"""Most steps of a path, and most characters of a definition, that are shown."""
KEPT = 8

_WORD = re.compile(r"[^\W_]+")
_EMPTY = frozenset(
    [
        "a",
        "an",
        "and",
        "any",
        "are",
        "as",
        "at",
        "be",
        "been",
        "both",
        "by",
        "did",
        "do",
        "does",
        "for",
        "from",
        "had",
        "has",
        "have",
        "he",
        "her",
        "his",
        "in",
        "into",
        "is",
        "it",
        "its",
        "no",
        "nor",
        "not",
        "of",
        "on",
        "or",
        "our",
        "patient",
        "patients",
        "she",
        "showed",
        "shows",
        "than",
        "that",
        "the",
        "their",
        "there",
        "these",
        "this",
        "to",
        "was",
        "we",
        "were",
        "which",
        "who",
        "whose",
        "with",
        "without",
    ]
)


class Terms:
    """One ontology version, ready to be searched and climbed."""

    def __init__(self, workspace: Workspace, ontology_id: int):
        self.row = ontologies.ontology_by_id(workspace, ontology_id)
        self.lineage = Lineage(*ontologies.is_a(workspace, ontology_id))
        self.names = ontologies.labels(workspace, ontology_id)

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
        if len(below) < 10:
            below += [grandchild for child in below for grandchild in self.lineage.children(child)]
        return sorted(((c, self.names[c]) for c in dict.fromkeys(below)), key=lambda pair: pair[1])

    def around(self, workspace: Workspace, concept: Curie, quote: str) -> list[dict[str, Any]]:
        """Candidates for putting a proposal right: found by all words of its quote, broader, narrower,
        siblings, found by some of the words. Each concept once, the proposed one left out."""
        near: dict[Curie, str] = {}
        if concept in self.lineage:
            parents = self.lineage.parents(concept)
            siblings = [c for parent in parents for c in self.lineage.children(parent)]
            near = (
                dict.fromkeys(siblings[:SIBLINGS], "siblings")
                | dict.fromkeys(self.lineage.children(concept)[:CHILDREN], "narrower")
                | dict.fromkeys(parents, "broader")
            )
        groups = [(hit.curie, "found") for hit in self._strict(workspace, quote)]
        groups += sorted(near.items(), key=lambda row: ("broader", "narrower", "siblings").index(row[1]))
        groups += [(hit.curie, "loose") for hit in self._loose(workspace, quote)]
        chosen: dict[Curie, str] = {}
        for curie, group in groups:
            if curie != concept:
                chosen.setdefault(curie, group)
        return self._rows(workspace, chosen, near)

    def search(self, workspace: Workspace, query: str) -> list[dict[str, Any]]:
        """What somebody typed: all its words (the last one as a prefix), then some of them."""
        chosen = {hit.curie: "found" for hit in self._strict(workspace, query)}
        if len(chosen) < FOUND:
            chosen = {hit.curie: "loose" for hit in self._loose(workspace, query)} | chosen
            chosen = dict(sorted(chosen.items(), key=lambda row: row[1] == "loose"))
        return self._rows(workspace, chosen, {})

    def _strict(self, workspace: Workspace, text: str) -> list[ontologies.Match]:
        return ontologies.search(workspace, self.row.id, text[:200], limit=FOUND)

    def _loose(self, workspace: Workspace, text: str) -> list[ontologies.Match]:
        return ontologies.search_any(workspace, self.row.id, stems(text), limit=FOUND)

    def _rows(
        self, workspace: Workspace, chosen: dict[Curie, str], relation: dict[Curie, str]
    ) -> list[dict[str, Any]]:
        known = ontologies.look_up(workspace, self.row.id, list(chosen))
        return [
            {
                "id": curie,
                "name": known[curie].name,
                "definition": (known[curie].definition or "")[:DEFINITION],
                "path": list(self.path(curie)),
                "group": group,
                "relation": relation.get(curie, ""),
            }
            for curie, group in chosen.items()
            if curie in known
        ]


def stems(text: str) -> list[str]:
    """Words worth searching for, in order, plural endings off, none twice, at most a dozen."""
    words = [w.lower() for w in _WORD.findall(text)]
    kept = [w for w in words if w not in _EMPTY and (len(w) > 2 or w.isdigit())]
    return list(dict.fromkeys(_singular(w) for w in kept))[:12]


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3]
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


_terms: OrderedDict[tuple[str, str, str, int], Terms] = OrderedDict()
_lock = threading.Lock()


def terms_of(workspace: Workspace, ontology_id: int) -> Terms:
    """The terms of one ontology of this workspace, built on first use."""
    key = workspace.key()
    identity = (str(workspace.path.resolve()), key.uuid, key.restore_nonce, ontology_id)
    with _lock:
        if identity not in _terms:
            _terms[identity] = Terms(workspace, ontology_id)
        _terms.move_to_end(identity)
        while len(_terms) > KEPT:
            _terms.popitem(last=False)
        return _terms[identity]
