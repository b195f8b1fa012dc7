"""Building trees: the rules hold for every graph, the order of the input changes nothing, it always ends."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError
from core.index import METHODS, Graph, LabelTree, build, checked, lcp, shape

IDS = [f"X:{n:04d}" for n in range(3000)]
STAR = {(IDS[0], other): 1.0 for other in IDS[1:]}
PATH = dict.fromkeys(pairwise(IDS), 1.0)


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[str], dict[tuple[str, str], float]]:
    ids = IDS[: draw(st.integers(1, 60))]
    pairs = st.tuples(st.sampled_from(ids), st.sampled_from(ids))
    return ids, draw(st.dictionaries(pairs, st.sampled_from([0.25, 0.5, 1.0, 1 / 3]), max_size=150))


@settings(max_examples=30, deadline=None)
@given(graphs(), st.randoms(use_true_random=False))
@pytest.mark.parametrize("method", METHODS)
def test_every_graph_becomes_a_tree_by_the_rules_whatever_its_order(
    method: str, graph: tuple[list[str], dict[tuple[str, str], float]], chance: random.Random
) -> None:
    ids, weights = graph
    tree = build(Graph.of(ids, weights), method=method)
    assert tree.indices.keys() == set(ids)
    assert shape(tree).valid
    shuffled = dict(chance.sample(list(weights.items()), len(weights)))
    again = build(Graph.of(chance.sample(ids, len(ids)), shuffled), method=method)
    assert list(again.indices.items()) == list(tree.indices.items())


@pytest.mark.parametrize(("n", "depth"), [(1, 1), (2, 1), (10, 1), (11, 2), (90, 2)])
def test_small_trees_are_as_flat_as_they_can_be(n: int, depth: int) -> None:
    assert shape(build(Graph.of(IDS[:n], {}))).depth_max == depth
    assert build(Graph.of(IDS[:1], {})).indices == {IDS[0]: (0,)}


@pytest.mark.parametrize("weights", [STAR, PATH, {}], ids=["star", "path", "no links"])
def test_extreme_graphs_end_and_stay_flat(weights: dict[tuple[str, str], float]) -> None:
    found = shape(build(Graph.of(IDS, weights)))
    assert found.valid
    assert found.depth_max == 4  # ten to the power of 4 is enough for 3,000


def test_what_belongs_together_stands_together() -> None:
    """Twelve cliques of eight, joined by weak links: a branch each, in the order of their least members."""
    cliques = [IDS[start : start + 8] for start in range(0, 96, 8)]
    weights = {(a, b): 1.0 for clique in cliques for a in clique for b in clique if a < b}
    weights |= {(one[0], other[0]): 0.1 for one, other in pairwise(cliques)}
    tree = build(Graph.of(IDS[:96], weights))
    for clique in cliques:
        inside = {tree.indices[concept][:-1] for concept in clique}
        assert len(inside) == 1, clique
    firsts = [tree.indices[clique[0]] for clique in cliques]
    assert firsts[0][0] == 0
    assert lcp(firsts[0], firsts[-1]) == 0


def test_refinement_moves_an_item_to_where_its_weight_is() -> None:
    """Its heaviest link, by which the forest packs it, goes to one group, more weight in all to the other."""
    left, right = IDS[:9], IDS[9:18]
    between = IDS[18]
    weights = {(a, b): 1.0 for group in (left, right) for a in group for b in group if a < b}
    weights |= {(left[0], between): 1.0, (right[0], between): 0.8, (right[1], between): 0.8}
    tree = build(Graph.of([*left, *right, between], weights))
    assert tree.indices[between][:-1] == tree.indices[right[0]][:-1]


def test_an_unknown_method_and_an_empty_graph_are_refused() -> None:
    with pytest.raises(InputError, match="packing, louvain"):
        build(Graph.of(["a"], {}), method="metis")
    with pytest.raises(InputError, match="no concept"):
        build(Graph.of([], {}))


@pytest.mark.parametrize(
    ("indices", "said"),
    [
        ({"a": (0,), "b": (0,)}, "share an index with another one: a, b"),
        ({"a": (0,), "b": (0, 0), "c": (0, 1), "d": (1,)}, "no leaf.*: a"),
        ({f"c{n}": (n,) for n in range(11)}, "more than 10 children"),
        ({"a": (0, 0), "b": (1,)}, r"one child only: \[0\]"),
        ({"a": (0,), "b": (2,)}, "without gaps"),
        ({}, "holds no concept"),
    ],
)
def test_a_tree_that_breaks_a_rule_is_refused_by_name(indices: dict[str, tuple[int, ...]], said: str) -> None:
    with pytest.raises(InputError, match=f"(?s)theirs.*{said}"):
        checked(LabelTree(indices, "theirs"))
