"""Outcomes laid out on a label tree, counted by hand."""

from __future__ import annotations

import pytest

from core.evaluate.tree_spread import (
    Spread,
    breadth,
    icicle,
    landings,
    reached,
    reached_table,
    shown,
    units_of,
)
from core.index.tree import LabelTree
from core.metrics.documents import Outcome
from core.ontology.lineage import Lineage

#          root
#       /    |    \
#     (0)   (1)   d (2)
#    /  \   /  \
#   a    b e    f
TREE = LabelTree({"a": (0, 0), "b": (0, 1), "d": (2,), "e": (1, 0), "f": (1, 1)}, "toy")
OUTCOMES = (
    Outcome("p1", tp=("a",), fp=("b",), fn=("e",)),
    Outcome("p2", tp=(), fp=("a", "x"), fn=("b",)),
)
LABELS = {"a": "Anaemia", "b": "<b>Bruise", "e": "Eczema"}
SPREAD = Spread(TREE, LABELS, OUTCOMES, {"a": 1, "b": 3, "e": 1, "f": 1})


def test_labels_are_counted_at_every_node_above_them() -> None:
    root, left, right = SPREAD.counts[()], SPREAD.counts[(0,)], SPREAD.counts[(1,)]
    assert (root.right, root.wrong, root.missed) == (1, 2, 2)  # x has no index
    assert (left.right, left.wrong, left.missed, left.with_gold, left.proposed) == (1, 2, 1, 2, 2)
    assert (right.right, right.wrong, right.missed, right.with_gold, right.proposed) == (0, 0, 1, 1, 0)
    assert (2,) not in SPREAD.counts


def test_an_icicle_holds_a_row_for_each_node_with_its_shares() -> None:
    table = icicle(SPREAD, (), "error share")
    names = ("toy: 5 concepts", "<b>Bruise and 1 more [0]", "Eczema and 1 more [1]", "d [2]")
    assert [row[0] for row in table.rows[:4]] == list(names)
    assert [row[1] for row in table.rows[:4]] == [None, *names[:1] * 3]
    assert [row[2] for row in table.rows[:4]] == [5, 2, 2, 1]
    shares = {row[0]: row[6:] for row in table.rows}
    assert shares[names[0]] == (pytest.approx(4 / 5), pytest.approx(3 / 5), pytest.approx(2 / 5))
    assert shares[names[1]] == (pytest.approx(3 / 4), 1.0, 1.0)
    assert shares[names[3]] == (None, 0.0, 0.0)  # nobody labelled d: no error share
    assert len(icicle(SPREAD, (0,), "proposed").rows) == 3
    assert len(icicle(Spread(TREE, LABELS), (), "proposed").columns) == 3  # the tree alone


def test_what_is_drawn_ends_where_there_are_too_many_and_begins_with_the_children() -> None:
    wide = {f"c{i}{j}{k}": (i, j, k) for i in range(10) for j in range(10) for k in range(10)}
    spread = Spread(LabelTree(wide, "wide"), {})
    assert len(shown(spread, ())) == 1 + 10 + 100
    assert len(shown(spread, (3,))) == 1 + 10 + 100
    assert shown(spread, (3, 4, 5)) == [(3, 4, 5)]
    assert spread.known((3, 4, 77)) == (3, 4)


def test_the_labels_and_concepts_of_a_node() -> None:
    assert SPREAD.concepts((0,)) == ["a", "b"]
    told = [(i.doc_id, i.id, i.outcome) for i in SPREAD.items((0,), "wrong")]
    assert told == [("p1", "b", "fp"), ("p2", "a", "fp"), ("p2", "b", "fn")]
    assert [(i.doc_id, i.id) for i in SPREAD.items((1,), "gold")] == [("p1", "e")]
    assert SPREAD.items((1,), "proposed") == []
    assert [(i.doc_id, i.id) for i in SPREAD.concept_items((2,))] == [("", "d")]


def test_where_proposals_land_around_a_gold_concept() -> None:
    table = landings(SPREAD, "e")  # gold in p1, where a and b are proposed: both leave at the root
    gold = "Eczema, gold in 1 [1, 0]"
    rows = {row[0]: row[1:] for row in table.rows}
    assert rows["Anaemia [0, 0]"] == ("toy: 5 concepts", 1, 0.0, 1)
    assert rows[gold] == ("Eczema and 1 more [1]", 1, 1.0, 0)
    assert rows["toy: 5 concepts"][1] == 3  # two proposals and the gold
    near = landings(SPREAD, "b")  # gold in p2, where a is proposed, beside it; x has no index
    rows = {row[0]: row[1:] for row in near.rows}
    assert rows["Anaemia [0, 0]"] == ("<b>Bruise and 1 more [0]", 1, 0.5, 1)


def test_the_farthest_unseen_concepts_come_first() -> None:
    scores = units_of(SPREAD, frozenset("a"))
    assert [tuple(one) for one in reached(scores)] == [("e", 1, 0.0, 5.0), ("b", 1, 0.5, 2.0)]
    table = reached_table(SPREAD, scores)
    assert [i.doc_id for i in table.items["passages:b"]()] == ["p2"]
    assert units_of(SPREAD, frozenset("abe")).units == ()


def test_the_broadest_concept_has_most_below_it() -> None:
    lineage = Lineage("abcd", [("b", "a"), ("c", "a"), ("c", "b"), ("d", "c")])
    assert breadth(lineage) == {"a": 4, "b": 3, "c": 2, "d": 1}
    assert breadth(None) == {}
