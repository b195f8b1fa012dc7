"""What a run and its gold say, laid out on a label tree: where gold lies, where proposals land and err."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeVar

import numpy as np

from core.charts import Chart, Table, Value
from core.evaluate.tree_facts import path
from core.index.tree import Index, LabelTree
from core.metrics import unseen
from core.metrics.documents import Item, Outcome
from core.metrics.unseen import UnseenScores
from core.ontology.closure import closure, links_of
from core.ontology.lineage import Lineage

Colour = Literal["error share", "with gold", "proposed"]
COLOURS: dict[Colour, str] = {
    "error share": "wrong or missed labels / all labels of the node",
    "with gold": "concepts of the node that the gold holds / its concepts",
    "proposed": "concepts of the node that are proposed / its concepts",
}
"""Column that colours an icicle -> what it measures."""
What = Literal["wrong", "gold", "proposed"]
T = TypeVar("T")
KEPT = 32
"""Lists and scores that one spread keeps."""
MOST = 150
"""Nodes of one icicle: deeper levels come when a node is opened."""


@dataclass(slots=True)
class Counts:
    """Of one node: labels, and concepts each once."""

    right: int = 0
    wrong: int = 0
    missed: int = 0
    with_gold: int = 0
    proposed: int = 0

    @property
    def labels(self) -> int:
        return self.right + self.wrong + self.missed


@dataclass(frozen=True)
class Spread:
    """A tree, and outcomes of a run on it; documents without outcomes, or none at all, will do."""

    tree: LabelTree
    labels: Mapping[str, str]
    """Names of concepts. From outside."""
    outcomes: Sequence[Outcome] = ()
    breadth: Mapping[str, int] = field(default_factory=dict)
    """Concept -> how many lie below it in the ontology: the broadest one gives a node its name."""
    _kept: dict[Hashable, Any] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def leaves(self) -> dict[Index, str]:
        return {index: concept for concept, index in self.tree.indices.items()}

    @cached_property
    def children(self) -> dict[Index, list[Index]]:
        found: defaultdict[Index, set[Index]] = defaultdict(set)
        for index in self.tree.indices.values():
            for at in range(len(index)):
                found[index[:at]].add(index[: at + 1])
        return {node: sorted(below) for node, below in found.items()}

    @cached_property
    def counts(self) -> dict[Index, Counts]:
        """Of every node that holds a label."""
        of: defaultdict[str, Counts] = defaultdict(Counts)
        for outcome in self.outcomes:
            for concept in outcome.tp:
                of[concept].right += 1
            for concept in outcome.fp:
                of[concept].wrong += 1
            for concept in outcome.fn:
                of[concept].missed += 1
        found: defaultdict[Index, Counts] = defaultdict(Counts)
        for concept, one in of.items():
            index = self.tree.indices.get(concept)
            for at in range(len(index) + 1) if index else ():
                node = found[index[:at]] if index else found[()]
                node.right += one.right
                node.wrong += one.wrong
                node.missed += one.missed
                node.with_gold += bool(one.right or one.missed)
                node.proposed += bool(one.right or one.wrong)
        return dict(found)

    @cached_property
    def broadest(self) -> dict[Index, str]:
        """Node -> its concept with most below it in the ontology; ties by id."""
        found: dict[Index, tuple[int, str]] = {}
        for concept, index in self.tree.indices.items():
            rank = (-self.breadth.get(concept, 0), concept)
            for at in range(len(index) + 1):
                if index[:at] not in found or rank < found[index[:at]]:
                    found[index[:at]] = rank
        return {node: concept for node, (_, concept) in found.items()}

    def name(self, node: Index) -> str:
        """What a node is called: by its broadest concept, and how many more it holds; with its place, so
        that no two are called alike."""
        if node in self.leaves:
            return f"{self.called(self.leaves[node])} {path(node)}"
        if not node:
            return f"{self.tree.name or 'The tree'}: {self.tree.below[node]:,} concepts"
        return f"{self.called(self.broadest[node])} and {self.tree.below[node] - 1:,} more {path(node)}"

    def called(self, concept: str) -> str:
        return self.labels.get(concept, concept)

    def known(self, numbers: Iterable[int]) -> Index:
        """The node of these numbers, or the last one above it that is there."""
        node: Index = tuple(numbers)
        while node and node not in self.tree.below:
            node = node[:-1]
        return node

    def concepts(self, node: Index) -> list[str]:
        """Below a node, in the order of indices."""
        below = ((i, c) for c, i in self.tree.indices.items() if i[: len(node)] == node)
        return [concept for _, concept in sorted(below)]

    def concept_items(self, node: Index) -> list[Item]:
        """The concepts below a node, in no document."""
        return [Item("", c, "concept", path(self.tree.indices[c])) for c in self.concepts(node)]

    def items(self, node: Index, what: What) -> list[Item]:
        """Labels of a node, in order of document and concept."""
        return self._once((node, what), lambda: self._items(node, what))

    def units(self, seen: frozenset[str]) -> UnseenScores:
        """U-RC and U-CS of the outcomes on this tree, with each unseen gold concept of each passage."""
        gold = {o.doc_id: {*o.tp, *o.fn} for o in self.outcomes if o.complete}
        said = {o.doc_id: {*o.tp, *o.fp} for o in self.outcomes if o.complete}
        return self._once(seen, lambda: unseen.score(gold, said, seen, self.tree))

    def _once(self, key: Hashable, make: Callable[[], T]) -> T:
        """What a page asks for at every click is made at the first one."""
        if key not in self._kept:
            if len(self._kept) >= KEPT:
                self._kept.clear()
            self._kept[key] = make()
        found: T = self._kept[key]
        return found

    def _items(self, node: Index, what: What) -> list[Item]:
        inside = set(self.concepts(node))
        wanted = {"wrong": ("fp", "fn"), "gold": ("tp", "fn"), "proposed": ("tp", "fp")}[what]
        return sorted(
            Item(outcome.doc_id, concept, kind, path(self.tree.indices[concept]))
            for outcome in self.outcomes
            for kind in wanted
            for concept in getattr(outcome, kind)
            if concept in inside
        )


def breadth(lineage: Lineage | None) -> dict[str, int]:
    """Concept -> how many lie below it, itself included."""
    if lineage is None:
        return {}
    _, above, _ = closure(*links_of(lineage))
    counted = np.bincount(above, minlength=len(lineage.curies))
    return dict(zip(lineage.curies, counted.tolist(), strict=True))


def shown(spread: Spread, at: Index) -> list[Index]:
    """The node and what lies below it, level by level, as far as `MOST` nodes go; at least its children."""
    found, level = [at], [at]
    while level:
        level = [child for node in level for child in spread.children.get(node, ())]
        if len(found) > 1 and len(found) + len(level) > MOST:
            break
        found += level
    return found


def icicle(spread: Spread, at: Index, colour: Colour, nodes: Sequence[Index] | None = None) -> Table:
    """A node and what lies below it, as bands beside each other: as tall as they hold concepts.

    Args:
        nodes: which to draw, the node itself first; None: `shown`.
    """
    rows: list[tuple[Value, ...]] = []
    for node in nodes or shown(spread, at):
        one, size = spread.counts.get(node, Counts()), spread.tree.below[node]
        shares = {
            "error share": (one.wrong + one.missed) / one.labels if one.labels else None,
            "with gold": one.with_gold / size,
            "proposed": one.proposed / size,
        }
        above = None if node == at else spread.name(node[:-1])
        labels = (one.right, one.wrong, one.missed) if spread.outcomes else ()
        shares = shares if spread.outcomes else {}
        rows.append((spread.name(node), above, size, *labels, *(shares[c] for c in COLOURS if c in shares)))
    told = ("right", "wrong", "missed", *COLOURS) if spread.outcomes else ()
    drawn = ("concepts", colour) if spread.outcomes else ("concepts",)
    return Table(
        "Where labels lie" if spread.outcomes else "The tree",
        ("node", "inside", "concepts", *told),
        rows,
        f"icicle-{'-'.join(map(str, at))}",
        chart=Chart("icicle", x="node", y=drawn, parent="inside", unit=colour == "error share"),
        note=f"Colour: {COLOURS[colour]}." if spread.outcomes else "",
    )
