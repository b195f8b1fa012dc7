"""Label trees over the concepts of ontologies (HI-ALD, section 3.3): a graph of concepts is cut into a tree
with at most 10 children a node, in which every concept is a leaf and its index the path from the root.

    graph = osi(concepts, is_a)                # or ssi(names, encoder), or ossi(of both)
    tree = build(graph, "hp-osi")              # checked against the rules of metric-definitions 1.1

`graph` says how near concepts are, `packing` and `louvain` cut, `tree` is what comes out, with its rules.
"""

from __future__ import annotations

from collections.abc import Callable

from core.errors import InputError
from core.index.graph import KINDS, NEIGHBOURS, RULES, Graph, Kind, Rule, osi, ossi, ssi
from core.index.louvain import SEED, louvain
from core.index.packing import pack
from core.index.tree import Index, LabelTree, Shape, checked, lcp, moved, shape

METHODS: dict[str, Callable[[Graph, int], dict[str, Index]]] = {
    "packing": lambda graph, seed: pack(graph),
    "louvain": louvain,
}
"""How a graph is cut, by graph and seed: `louvain` for comparison only, packing draws nothing by chance."""

__all__ = [
    "KINDS",
    "METHODS",
    "NEIGHBOURS",
    "RULES",
    "SEED",
    "Graph",
    "Index",
    "Kind",
    "LabelTree",
    "Rule",
    "Shape",
    "build",
    "checked",
    "lcp",
    "louvain",
    "moved",
    "osi",
    "ossi",
    "pack",
    "shape",
    "ssi",
]


def build(graph: Graph, name: str = "", method: str = "packing", seed: int = SEED) -> LabelTree:
    """The label tree of a graph, its indices in the order of concepts.

    Raises:
        InputError: no such method, or a graph without concepts.
    """
    if method not in METHODS:
        raise InputError(f"{method!r} is no method. Choose from {', '.join(METHODS)}.")
    if not graph.concepts:
        raise InputError("There is no concept to build a tree of. Choose another ontology or root.")
    return checked(LabelTree(dict(sorted(METHODS[method](graph, seed).items())), name))
