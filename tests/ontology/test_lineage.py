from itertools import pairwise

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import NotFoundError
from core.ontology import lineage as module
from core.ontology.lineage import Lineage
from core.records import Concept, Ontology

#        A            E (alone)
#      /   \
#     B     C
#    / \   /|
#   D   F-' |         F has two parents, G has B's child D and C
#    \     /
#      G-'
HAND = {"B": ("A",), "C": ("A",), "D": ("B",), "F": ("B", "C"), "G": ("C", "D")}


@pytest.fixture
def hand():
    concepts = tuple(Concept(name, name, parents=HAND.get(name, ())) for name in "ABCDEFG")
    return Lineage.of(Ontology("hand", "1", "A", "0" * 64, concepts))


def test_worked_by_hand(hand):
    assert len(hand) == 7
    assert "A" in hand
    assert "Z" not in hand
    assert hand.curies == tuple("ABCDEFG")
    assert hand.roots() == ("A", "E")
    assert hand.parents("F") == ("B", "C")
    assert hand.children("B") == ("D", "F")
    assert hand.ancestors("G") == {"A", "B", "C", "D"}
    assert hand.ancestors("G", include_self=True) == {"A", "B", "C", "D", "G"}
    assert hand.descendants("B") == {"D", "F", "G"}
    assert hand.descendants("E") == frozenset()
    assert hand.distance("G", "A") == hand.distance("A", "G") == 2
    assert hand.distance("G", "B") == 2
    assert hand.distance("A", "A") == 0
    assert hand.distance("D", "F") is None
    assert hand.depth("G") == 2
    assert hand.depth("G", "B") == 2
    assert hand.depth("A", "B") is None
    assert hand.path("G", "A") == ("G", "C", "A")
    assert hand.path("G", "G") == ("G",)
    assert hand.path("D", "C") is None
    assert hand.branch("G", "A") == ("B", "C")
    assert hand.branch("B", "A") == ("B",)
    assert hand.branch("A", "A") == hand.branch("E", "A") == ()
    assert [c for c, inside in zip(hand.curies, hand.under("C"), strict=True) if inside] == ["C", "F", "G"]


def test_unknown_ids_are_named_and_links_to_them_ignored(hand):
    for question in (hand.parents, hand.ancestors, hand.under, hand.depth):
        with pytest.raises(NotFoundError, match="'Z'"):
            question("Z")
    few = Lineage(["A", "B"], [("B", "A"), ("B", "Z"), ("Z", "A"), ("B", "A")])
    assert few.parents("B") == ("A",)
    assert few.children("A") == ("B",)


def test_nothing_at_all():
    assert len(Lineage([], [])) == 0
    assert Lineage(["A"], []).ancestors("A") == frozenset()
    assert Lineage(["A"], []).under("A").tolist() == [True]


def test_masks_are_remembered_and_cannot_be_changed(hand):
    mask = hand.under("A")
    assert hand.under("A") is mask
    with pytest.raises(ValueError, match="read-only"):
        mask[0] = False


def test_cycles_end():
    ring = Lineage("ABCD", [("A", "B"), ("B", "C"), ("C", "A"), ("D", "A")])
    assert ring.ancestors("D") == {"A", "B", "C"}
    assert ring.descendants("A") == {"B", "C", "D"}
    assert ring.depth("D") is None
    assert ring.distance("A", "C") == 2


@st.composite
def graphs(draw):
    """Acyclic links among up to 12 nodes, whose names do not follow the order of descent."""
    count = draw(st.integers(1, 12))
    names = draw(st.permutations([f"X:{n:02}" for n in range(count)]))
    pairs = st.tuples(st.integers(0, count - 1), st.integers(0, count - 1))
    links = draw(st.lists(pairs, max_size=3 * count))
    return names, {(names[max(a, b)], names[min(a, b)]) for a, b in links if a != b}


@settings(max_examples=150, deadline=None)
@given(graphs(), st.sampled_from([1, 2, 64]))
def test_every_answer_agrees_with_networkx(graph, wide):
    names, links = graph
    before, module._WIDE = module._WIDE, wide  # both ways of searching, whatever the size
    try:
        compare(names, links)
    finally:
        module._WIDE = before


def compare(names, links):
    """networkx points from child to parent: its descendants are our ancestors."""
    up = networkx.DiGraph()
    up.add_nodes_from(names)
    up.add_edges_from(links)
    lineage = Lineage(names, links)
    steps = dict(networkx.all_pairs_shortest_path_length(up))
    roots = {name for name in names if not up.out_degree(name)}
    assert set(lineage.roots()) == roots
    for a in names:
        above = networkx.descendants(up, a)
        assert lineage.ancestors(a) == above
        assert lineage.descendants(a) == networkx.ancestors(up, a)
        assert lineage.depth(a) == min(steps[a][root] for root in roots & steps[a].keys())
        inside = {c for c, here in zip(lineage.curies, lineage.under(a), strict=True) if here}
        assert inside == networkx.ancestors(up, a) | {a}
        for b in names:
            assert lineage.distance(a, b) == steps[a].get(b, steps[b].get(a))
            assert lineage.depth(a, b) == steps[a].get(b)
            assert set(lineage.branch(a, b)) == {c for c in up.predecessors(b) if c in above | {a}}
            path = lineage.path(a, b)
            if b in steps[a]:
                assert (path[0], path[-1], len(path)) == (a, b, steps[a][b] + 1)
                assert all(link in links for link in pairwise(path))
            else:
                assert path is None


def test_a_wide_and_deep_graph_agrees_with_networkx():
    # 3,000 nodes under one root in wide levels, and a chain of 20,000 below one of them
    names = ["R", *(f"W:{n}" for n in range(3000)), *(f"C:{n}" for n in range(20_000))]
    links = [(f"W:{n}", "R" if n < 1000 else f"W:{n - 1000}") for n in range(3000)]
    links += [(f"C:{n}", f"C:{n - 1}" if n else "W:7") for n in range(20_000)]
    up = networkx.DiGraph(links)
    lineage = Lineage(names, links)
    assert lineage.descendants("R") == networkx.ancestors(up, "R")
    assert int(lineage.under("R").sum()) == len(names)
    assert lineage.depth("C:19999") == 20_001
    assert lineage.branch("C:19999", "R") == ("W:7",)
    assert lineage.path("C:19999", "R")[-3:] == ("C:0", "W:7", "R")
