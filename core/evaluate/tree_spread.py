"""What a run and its gold say, laid out on a label tree: where gold lies, where proposals land and err."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Literal, NamedTuple

import numpy as np

from core.charts import Cell, Chart, Table, Value
from core.evaluate.tree_facts import path
from core.index.tree import Index, LabelTree, lcp
from core.metrics import unseen
from core.metrics.documents import Item, Outcome
from core.metrics.unseen import Unit, UnseenScores
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


# --- around one gold concept --------------------------------------------------------------------------------


def units_of(spread: Spread, seen: AbstractSet[str]) -> UnseenScores:
    """U-RC and U-CS of the outcomes on this tree, with each unseen gold concept of each passage."""
    gold = {o.doc_id: {*o.tp, *o.fn} for o in spread.outcomes if o.complete}
    said = {o.doc_id: {*o.tp, *o.fp} for o in spread.outcomes if o.complete}
    return unseen.score(gold, said, seen, spread.tree)


class Reached(NamedTuple):
    """How near the proposals come to one unseen gold concept."""

    concept: str
    passages: int
    closeness: float
    """Mean over its passages, in [0, 1]."""
    left: float
    """Concepts among which it is still to be chosen: harmonic mean."""


def reached(scores: UnseenScores) -> list[Reached]:
    """Each unseen gold concept, the farthest first, then by passages and id."""
    of: defaultdict[str, list[Unit]] = defaultdict(list)
    for unit in scores.units:
        of[unit.concept].append(unit)
    found = [
        Reached(
            concept,
            len(units),
            sum(unit.closeness for unit in units) / len(units),
            len(units) / sum(1 / unit.size for unit in units),
        )
        for concept, units in of.items()
    ]
    return sorted(found, key=lambda one: (one.closeness, -one.passages, one.concept))


def reached_table(spread: Spread, scores: UnseenScores) -> Table:
    """The same as a table whose cells open the passages."""

    def passages(concept: str) -> list[Item]:
        return [
            Item(
                u.doc_id, u.concept, "tp" if u.shared == u.depth else "fn", f"{u.shared} of {u.depth} levels"
            )
            for u in scores.units
            if u.concept == concept
        ]

    rows: list[tuple[Value | Cell, ...]] = [
        (
            f"{one.concept} {spread.labels.get(one.concept, '')}".strip(),
            Cell(one.passages, f"passages:{one.concept}", partial(passages, one.concept)),
            one.closeness,
            one.left,
        )
        for one in reached(scores)
    ]
    return Table.of(
        "Unseen gold concepts",
        ("concept", "passages", "closeness (U-RC)", "candidates left (U-CS)"),
        rows,
        "reached",
        help={"closeness (U-RC)": "unseen.u_rc", "candidates left (U-CS)": "unseen.u_cs"},
    )


def landings(spread: Spread, concept: str) -> Table:
    """Where the proposals land in the passages whose gold holds a concept: those that share more of its index
    hang deeper. The gold concept itself is the rectangle with closeness 1."""
    own = spread.tree.indices[concept]
    passages = [o for o in spread.outcomes if concept in o.tp or concept in o.fn]
    said = Counter(c for o in passages for c in (*o.tp, *o.fp) if c in spread.tree.indices)
    shares = {other: lcp(own, spread.tree.indices[other]) for other in said}
    gold = f"{spread.called(concept)}, gold in {len(passages):,} {path(own)}"
    rows: list[tuple[Value, ...]] = []
    for at in range(len(own)):
        inside = sum(times for other, times in said.items() if shares[other] >= at and other != concept)
        above = spread.name(own[: at - 1]) if at else None
        rows.append((spread.name(own[:at]), above, inside + len(passages), at / len(own), None))
        for other in sorted(c for c, length in shares.items() if length == at):
            title = f"{spread.called(other)} {path(spread.tree.indices[other])}"
            rows.append((title, spread.name(own[:at]), said[other], at / len(own), said[other]))
    rows.append((gold, spread.name(own[:-1]), len(passages), 1.0, said[concept]))
    return Table(
        f"Around {spread.called(concept)}",
        ("node", "inside", "labels", "closeness", "proposed"),
        rows,
        "landings",
        chart=Chart("icicle", x="node", y=("labels", "closeness"), parent="inside", unit=True),
        note="From the left the path to the gold concept; beside each node of it the concepts that are "
        "proposed in the same passages and leave the path there, as tall as they are proposed often. The "
        "further right, the nearer to the gold.",
    )
