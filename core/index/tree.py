"""Label trees: every concept at one leaf, addressed by the path from the root (metric-definitions 1.1).

    tree = LabelTree({"HP:0000001": (0, 3), ...}, "osi")
    shape(tree).valid                                  # rules 1 to 5; what breaks one is listed
    checked(tree)                                      # or an error that says which rule is broken, and where

Rule 6, that building twice gives identical indices whatever the input order, is about two trees: `moved`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from core.errors import InputError

Index = tuple[int, ...]
"""Sibling numbers from the root down."""
MOST_CHILDREN = 10
"""Of one node."""


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


def _children(tree: LabelTree) -> dict[Index, set[int]]:
    """Node -> the numbers of the nodes right below it."""
    children: defaultdict[Index, set[int]] = defaultdict(set)
    for index in tree.indices.values():
        for at, number in enumerate(index):
            children[index[:at]].add(number)
    return children


def shape(tree: LabelTree) -> Shape:
    """Statistics of a tree, and the rules it breaks."""
    children = _children(tree)
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


def renumbered(tree: LabelTree) -> LabelTree:
    """The same tree with siblings numbered anew from 0, in their order: without gaps."""
    place = {
        (node, number): at for node, held in _children(tree).items() for at, number in enumerate(sorted(held))
    }
    found = {
        concept: tuple(place[index[:at], number] for at, number in enumerate(index))
        for concept, index in tree.indices.items()
    }
    return LabelTree(found, tree.name)


def checked(tree: LabelTree) -> LabelTree:
    """The same tree, if it keeps rules 1 to 5.

    Raises:
        InputError: it breaks one; the first rule broken, and where.
    """
    form = shape(tree)
    if not tree.indices:
        raise InputError(f"{_called(tree)} holds no concept. A label tree has at least one.")
    faults: tuple[tuple[Sequence[object], str], ...] = (
        (form.shared, "these concepts share an index with another one"),
        (form.inner, "these concepts are no leaf: their index is the beginning of another one"),
        (form.over_limit, f"these nodes have more than {MOST_CHILDREN} children"),
        (form.single_child, "these nodes have one child only"),
        (form.gaps, "the children of these nodes are not numbered 0, 1, 2 ... without gaps"),
    )
    for broken, said in faults:
        if broken:
            first = ", ".join(str(list(one) if isinstance(one, tuple) else one) for one in broken[:3])
            more = f" and {len(broken) - 3} more" if len(broken) > 3 else ""
            how = "Correct the indices" if broken is not form.gaps else "Number them anew (--renumber)"
            raise InputError(f"{_called(tree)} is no label tree: {said}: {first}{more}. {how}.")
    return tree


def _called(tree: LabelTree) -> str:
    return tree.name or "The tree"
