"""Edges between which a concept may be placed: by hand, and against every path of random graphs."""

from __future__ import annotations

import random

import pytest

from core.enrichment.catalogue import Edge, catalogue
from core.errors import InputError
from core.ontology.lineage import Lineage

# R - A - B - C, A - C directly as well, R - D; O stands outside, above R
LINKS = [("R", "O"), ("A", "R"), ("B", "A"), ("C", "B"), ("C", "A"), ("D", "R")]
TREE = Lineage("ROABCD", LINKS)


def test_one_hop_two_hops_and_none() -> None:
    found = catalogue(TREE, "R")
    assert found.edges == (
        Edge("A", None, 2),
        Edge("A", "B", 1),
        Edge("A", "C", 1),  # one hop, so that it is no two-hop edge through B
        Edge("B", None, 2),
        Edge("B", "C", 1),
        Edge("C", None, 1),
        Edge("D", None, 1),
        Edge("R", None, 2),
        Edge("R", "A", 1),
        Edge("R", "B", 2),
        Edge("R", "C", 2),
        Edge("R", "D", 1),
    )
    assert found.concepts == 4
    assert found.numbers()["R", "B"] == 9


def test_edges_without_a_child_as_the_source_writes_them() -> None:
    ends = [edge.parent for edge in catalogue(TREE, "R", null="leaf-like").edges if edge.child is None]
    assert ends == ["A", "B", "C", "D", "R"]
    chain = Lineage("RAB", [("A", "R"), ("B", "A")])
    ends = [edge.parent for edge in catalogue(chain, "R", null="leaf-like").edges if edge.child is None]
    assert ends == ["A", "B"]


def test_complex_parents_reach_the_children_of_what_they_define() -> None:
    logic = {
        "A": ((None, "D"), ("on", "Z:1"), ("in", "_:x")),
        "D": ((None, "PATO:1"), ("on", "Z:1")),
        "O": ((None, "R"), ("on", "Z:2")),
    }
    found = catalogue(TREE, "R", logic)
    assert [edge for edge in found.edges if edge.is_complex] == [
        Edge("[EX.](on Z:1)", None, 2),
        Edge("[EX.](on Z:1)", "A", 1),
        Edge("[EX.](on Z:1)", "B", 2),
        Edge("[EX.](on Z:1)", "C", 2),
        Edge("[EX.](on Z:1)", "D", 1),
    ]
    assert found.parents == {"A": ["[EX.](on Z:1)"], "D": ["[EX.](on Z:1)"]}
    assert found.left_out == {"outside_the_branch": 1, "genus_elsewhere": 1, "anonymous_filler": 1}


@pytest.mark.parametrize("seed", range(20))
def test_against_every_path(seed: int) -> None:
    draw = random.Random(seed)
    nodes = [f"N{number:02}" for number in range(draw.randint(2, 14))]
    pairs = [(b, a) for i, a in enumerate(nodes) for b in nodes[i + 1 :] if draw.random() < 0.3]
    lineage = Lineage(nodes, pairs)
    below = lineage.descendants(nodes[0])
    inside = {nodes[0], *below}
    one = {(p, c) for c, p in pairs if p in inside and c in below}
    two = {(p, c) for p, middle in one for m, c in one if m == middle} - one
    found = catalogue(lineage, nodes[0]).edges
    assert {edge.ends for edge in found if edge.child and edge.hops == 1} == one
    assert {edge.ends for edge in found if edge.child and edge.hops == 2} == two
    assert {edge.parent for edge in found if edge.child is None} == inside
    assert list(found) == sorted(found, key=lambda edge: (edge.parent, edge.child or ""))


def test_the_root_must_be_there() -> None:
    with pytest.raises(InputError, match="no concept 'X'"):
        catalogue(TREE, "X")
