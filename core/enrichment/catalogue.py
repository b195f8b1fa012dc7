"""The edges of an ontology that a concept may be placed at: (parent, child), or (parent, no child).

One hop: is_a. Two hops: through exactly one concept, where there is no one-hop edge as well. A parent
without child is an edge for every parent (`null="every"`): most new concepts become leaves below a parent
that has children already. `null="leaf-like"` keeps only those of leaves and of parents of leaves, as the
scripts of the published data set do. Source: ontology enrichment, section 4, footnote 13 and table 2.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from core.errors import InputError
from core.ontology.expressions import Definition, conjuncts, is_complex
from core.ontology.lineage import Lineage
from core.records import Curie

Null = Literal["every", "leaf-like"]


class Edge(NamedTuple):
    parent: Curie
    child: Curie | None
    """None: the concept is a leaf below the parent."""
    hops: int
    """1 or 2. Of an edge without child: 1 where the parent has no child of its own, else 2."""

    @property
    def is_complex(self) -> bool:
        return is_complex(self.parent)

    @property
    def ends(self) -> tuple[Curie, Curie | None]:
        return self.parent, self.child


@dataclass(frozen=True)
class Catalogue:
    root: Curie
    concepts: int
    """Of the branch, below the root."""
    edges: tuple[Edge, ...]
    """In order of parent and child, no child first: the place of an edge is its id."""
    children: Mapping[Curie, Sequence[Curie]]
    """Complex parent -> the concepts that are directly below it, sorted."""
    parents: Mapping[Curie, Sequence[Curie]]
    """Concept -> its complex parents, sorted."""
    null: Null
    left_out: Mapping[str, int] = field(default_factory=dict)
    """Conjuncts that became no parent: of a concept outside the branch, a genus of another ontology, a
    filler without a name."""

    def numbers(self) -> dict[tuple[Curie, Curie | None], int]:
        """Ends of an edge -> its id."""
        return {edge.ends: number for number, edge in enumerate(self.edges)}

    def counts(self) -> dict[str, int]:
        """The statistics of the source's table 2, and what stands behind them."""
        every, given = self.edges, [edge for edge in self.edges if edge.child is not None]
        return {
            "concepts": self.concepts,
            "complex_concepts": len(self.children),
            "edges": len(every),
            "complex_edges": sum(edge.is_complex for edge in every),
            "one_hop": sum(edge.hops == 1 and not edge.is_complex for edge in given),
            "two_hops": sum(edge.hops == 2 and not edge.is_complex for edge in given),
            "without_child": sum(edge.child is None and not edge.is_complex for edge in every),
            "leaves": sum(e.child is None and e.hops == 1 and not e.is_complex for e in every),
            "complex_one_hop": sum(edge.hops == 1 and edge.is_complex for edge in given),
            "complex_two_hops": sum(edge.hops == 2 and edge.is_complex for edge in given),
            "complex_without_child": sum(edge.child is None and edge.is_complex for edge in every),
            **{f"left_out_{what}": number for what, number in self.left_out.items()},
        }


def catalogue(
    lineage: Lineage,
    root: Curie,
    definitions: Mapping[Curie, Definition] | None = None,
    null: Null = "every",
) -> Catalogue:
    """Every edge with a parent that is `root` or below it and a child below it.

    Args:
        definitions: concept -> logical definition, for complex parents; those of concepts outside the branch
            are left out and counted.

    Raises:
        InputError: the ontology does not hold the root.
    """
    if root not in lineage:
        raise InputError(
            f"The ontology holds no concept {root!r}. Name one of its live concepts with --root."
        )
    branch = lineage.descendants(root)
    below = {p: [c for c in lineage.children(p) if c in branch] for p in sorted((root, *branch))}
    complex_below, left_out = _complex(definitions or {}, branch, lineage)
    edges = [edge for parent, children in below.items() for edge in _of(parent, children, below, null)]
    edges += [
        edge for parent, children in complex_below.items() for edge in _of(parent, children, below, null)
    ]
    edges.sort(key=lambda edge: (edge.parent, edge.child or ""))
    above: dict[Curie, list[Curie]] = {}
    for parent, children in complex_below.items():
        for child in children:
            above.setdefault(child, []).append(parent)
    return Catalogue(root, len(branch), tuple(edges), complex_below, above, null, left_out)


def _of(
    parent: Curie, children: Sequence[Curie], below: Mapping[Curie, Sequence[Curie]], null: Null
) -> Iterator[Edge]:
    direct = set(children)
    if null == "every" or not children or any(not below[child] for child in children):
        yield Edge(parent, None, 2 if children else 1)
    yield from (Edge(parent, child, 1) for child in children)
    further = {grandchild for child in children for grandchild in below[child]} - direct - {parent}
    yield from (Edge(parent, child, 2) for child in sorted(further))


def _complex(
    definitions: Mapping[Curie, Definition], branch: frozenset[Curie], lineage: Lineage
) -> tuple[dict[Curie, list[Curie]], dict[str, int]]:
    """(complex parent -> concepts directly below it, what was left out)."""
    found: dict[Curie, set[Curie]] = {}
    left_out = dict.fromkeys(("outside_the_branch", "genus_elsewhere", "anonymous_filler"), 0)
    for concept, definition in definitions.items():
        if concept not in branch:
            left_out["outside_the_branch"] += 1
            continue
        for kind, parent in conjuncts(definition):
            if kind == "complex":
                found.setdefault(parent, set()).add(concept)
            elif kind == "anonymous":
                left_out["anonymous_filler"] += 1
            elif parent not in lineage:
                left_out["genus_elsewhere"] += 1
    return {parent: sorted(found[parent]) for parent in sorted(found)}, left_out
