"""Label trees: every concept at one leaf, addressed by the path from the root (metric-definitions 1.1).

    tree = LabelTree({"HP:0000001": (0, 3), ...}, "osi")
    shape(tree).valid                                  # rules 1 to 5; what breaks one is listed
    ontology_agreement(tree, lineage.parents).value

Rule 6, that building twice gives identical indices whatever the input order, is about two trees: `moved`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from core.metrics.definition import Estimate, Family, Metric

Index = tuple[int, ...]
"""Sibling numbers from the root down."""
MOST_CHILDREN = 10

_SOURCE = "HI-ALD (paper 000), section 3.3 and A.4; metric-definitions 1.1"
_EMPTY = "No concept in the tree: undefined."
_COUNT = "Always defined."


def _count(title: str, question: str, formula: str, source: str = _SOURCE) -> Metric:
    return Metric(title, question, formula, "[0, ∞)", "none", source, _COUNT)


FAMILY = Family(
    title="Label tree",
    item="a concept with an index",
    metrics={
        "concepts": _count("Concepts", "How many concepts does the tree hold?", "n"),
        "depth_min": Metric(
            "Least depth", "How long is the shortest index?", "min |I|", "[1, ∞)", "none", _SOURCE, _EMPTY
        ),
        "depth_mean": Metric(
            "Mean depth",
            "How many choices lead to a concept, on average?",
            "mean of |I| over the concepts",
            "[1, ∞)",
            "none",
            _SOURCE,
            _EMPTY,
        ),
        "depth_max": Metric(
            "Greatest depth", "How long is the longest index?", "max |I|", "[1, ∞)", "none", _SOURCE, _EMPTY
        ),
        "internal_nodes": _count(
            "Internal nodes",
            "How many nodes are no leaf, the root included?",
            "distinct proper prefixes of the indices",
        ),
        "most_children": _count(
            "Most children",
            "How wide is the widest node, where at most 10 children are allowed?",
            "max over internal nodes of the number of children",
        ),
        "over_limit": _count(
            "Nodes over the limit",
            "How many nodes break rule 3?",
            "internal nodes with more than 10 children",
        ),
        "single_child": _count(
            "Single-child nodes",
            "How many nodes break rule 4?",
            "internal nodes with one child, but for the root of a tree of one concept",
            _SOURCE + " (rule 4 is ours)",
        ),
        "gaps": _count(
            "Nodes with gaps",
            "How many nodes break rule 5?",
            "internal nodes whose children are not numbered 0 ... c - 1",
            _SOURCE + " (rule 5 is ours)",
        ),
        "shared": _count(
            "Concepts that share an index",
            "Is every index unique (rule 1)?",
            "concepts whose index is another's",
        ),
        "inner": _count(
            "Concepts that are no leaf",
            "Is every concept a leaf (rule 2)?",
            "concepts whose index is empty or a proper prefix of another's",
        ),
        "ontology_agreement": Metric(
            "Ontology agreement",
            "How much of a concept's index does it share with its parents in the ontology?",
            "mean over concepts c with an indexed is_a parent, of the mean over those parents p, of "
            "lcp(I_c, I_p) / |I_c|; at most 1 - 1/|I_c|, so compare trees only together with their depth",
            "[0, 1)",
            "higher",
            _SOURCE,
            "No indexed concept has an indexed parent: undefined.",
        ),
    },
)


def lcp(a: Sequence[int], b: Sequence[int]) -> int:
    """Length of the longest common prefix of two index sequences."""
    length = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        length += 1
    return length


@dataclass(frozen=True)
class LabelTree:
    indices: Mapping[str, Index]
    """Concept id -> its index."""
    name: str = ""
    """What the tree is called in results: closeness is compared within one tree only."""

    def current(self, alt_ids: Mapping[str, str]) -> LabelTree:
        """The same with every concept by the id that now stands for it. Where that one has an index itself,
        it keeps it; of several alternative ids the first in order gives theirs."""
        found = {c: index for c, index in self.indices.items() if alt_ids.get(c, c) == c}
        for concept in sorted(self.indices.keys() - found.keys()):
            found.setdefault(alt_ids[concept], self.indices[concept])
        return LabelTree(found, self.name)

    @cached_property
    def below(self) -> Counter[Index]:
        """Prefix -> concepts whose index starts with it; the empty prefix holds all of them."""
        found: Counter[Index] = Counter()
        for index in self.indices.values():
            found.update(index[:length] for length in range(len(index) + 1))
        return found


@dataclass(frozen=True, slots=True)
class Shape:
    """Size and depth of a tree, and whatever breaks one of its rules, sorted."""

    concepts: int
    depth_min: int | None
    depth_mean: float | None
    depth_max: int | None
    internal_nodes: int
    most_children: int
    over_limit: tuple[Index, ...] = ()
    """Nodes with more than 10 children (rule 3)."""
    single_child: tuple[Index, ...] = ()
    """Nodes with one child (rule 4)."""
    gaps: tuple[Index, ...] = ()
    """Nodes whose children are not numbered 0 ... c - 1 (rule 5)."""
    shared: tuple[str, ...] = ()
    """Concepts whose index another one has, too (rule 1)."""
    inner: tuple[str, ...] = ()
    """Concepts whose index is empty, or a proper prefix of another's (rule 2)."""

    @property
    def unique(self) -> bool:
        return not self.shared

    @property
    def every_concept_a_leaf(self) -> bool:
        return not self.inner

    @property
    def valid(self) -> bool:
        """Rules 1 to 5."""
        return not (self.over_limit or self.single_child or self.gaps or self.shared or self.inner)

    def to_json(self) -> dict[str, Any]:
        return {
            "concepts": self.concepts,
            "depth": {"min": self.depth_min, "mean": self.depth_mean, "max": self.depth_max},
            "internal_nodes": self.internal_nodes,
            "most_children": self.most_children,
            "over_limit": len(self.over_limit),
            "single_child": len(self.single_child),
            "gaps": len(self.gaps),
            "unique": self.unique,
            "every_concept_a_leaf": self.every_concept_a_leaf,
            "valid": self.valid,
        }


def shape(tree: LabelTree) -> Shape:
    """Statistics of a tree, and the rules it breaks."""
    children: defaultdict[Index, set[int]] = defaultdict(set)
    for index in tree.indices.values():
        for at, number in enumerate(index):
            children[index[:at]].add(number)
    owners = Counter(tree.indices.values())
    depths = [len(index) for index in tree.indices.values()]
    alone = {()} if len(tree.indices) == 1 else set()
    return Shape(
        concepts=len(depths),
        depth_min=min(depths, default=None),
        depth_mean=sum(depths) / len(depths) if depths else None,
        depth_max=max(depths, default=None),
        internal_nodes=len(children),
        most_children=max(map(len, children.values()), default=0),
        over_limit=_sorted(n for n, held in children.items() if len(held) > MOST_CHILDREN),
        single_child=_sorted(n for n, held in children.items() if len(held) == 1 and n not in alone),
        gaps=_sorted(n for n, held in children.items() if held != set(range(len(held)))),
        shared=tuple(sorted(c for c, index in tree.indices.items() if owners[index] > 1)),
        inner=tuple(sorted(c for c, index in tree.indices.items() if not index or index in children)),
    )


def _sorted(nodes: Iterable[Index]) -> tuple[Index, ...]:
    return tuple(sorted(nodes))


def moved(one: LabelTree, other: LabelTree) -> tuple[str, ...]:
    """Concepts without the same index in both, sorted: none for two builds of the same input (rule 6)."""
    ids = one.indices.keys() | other.indices.keys()
    return tuple(sorted(c for c in ids if one.indices.get(c) != other.indices.get(c)))


@dataclass(frozen=True, slots=True)
class Agreement:
    estimate: Estimate
    """n: concepts that have an indexed parent."""
    concepts: Mapping[str, float] = field(default_factory=dict)
    """Each of them -> mean over its indexed parents of lcp / |I_c|, in [0, 1)."""


def ontology_agreement(tree: LabelTree, parents: Callable[[str], Iterable[str]]) -> Agreement:
    """How much of an index a concept shares with its is_a parents.

    Args:
        parents: is_a parents of a concept, none for one that the ontology does not hold.
    """
    found: dict[str, float] = {}
    for concept, index in tree.indices.items():
        near = [tree.indices[p] for p in dict.fromkeys(parents(concept)) if p in tree.indices]
        if near and index:
            found[concept] = sum(lcp(index, other) for other in near) / len(near) / len(index)
    if not found:
        return Agreement(Estimate(None, 0, reason="No indexed concept has an indexed is_a parent."))
    return Agreement(Estimate(sum(found.values()) / len(found), len(found)), found)
