"""Ranking of edges by hand, by the figures of the paper, and by property (metric-definitions 3.4)."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.metrics import BESIDE
from core.metrics.placement import CUTS, edge_name, place, ranked, units

A, B, C, D, E, LEAF = (
    ("X:1", "X:2"),
    ("X:1", "X:3"),
    ("X:2", "X:3"),
    ("X:3", "X:4"),
    ("X:4", "X:5"),
    ("X:1", None),
)


def values(found):
    return {name: e.value for name, e in found.estimates.items()}


RANKINGS = {"m1": [B, A, A, C, LEAF], "m2": [D], "m3": [A]}
GOLD = {"m1": {A, LEAF}, "m2": {A}, "m3": set()}
"""Ranks: A of m1 second; LEAF of m1 fourth, since the second A is dropped; A of m2 unranked; m3 has no gold.
M = 2 mentions, G = 3 gold edges."""


def test_worked_example():
    found = place(RANKINGS, GOLD, edges=40, cuts=(1, 2, 5))
    assert found.hits == {1: 0, 2: 1, 5: 2}
    assert (found.mentions, found.without_gold, len(found.gold)) == (2, 1, 3)
    expected = {
        "precision:1": 0.0,
        "recall:1": 0.0,
        "f1:1": 0.0,  # P + R = 0
        "precision:2": 1 / 4,
        "recall:2": 1 / 3,
        "f1:2": 2 / 7,
        "precision:5": 2 / 10,  # k even where one edge alone was ranked
        "recall:5": 2 / 3,
        "f1:5": 4 / 13,
        "mr": (2 + 4 + 40) / 3,
        "mrr": (1 / 2 + 1 / 4 + 0) / 3,
        "mr_macro": (3 + 40) / 2,
        "mrr_first": (1 / 2 + 0) / 2,
        "mrr_scaled": (1 + 1 + 1 / 4) / 3,
    }
    assert values(found) == pytest.approx(expected, abs=1e-9)
    assert {e.n for e in found.estimates.values()} == {2}


def test_edges_are_directed():
    assert values(place({"m": [("X:2", "X:1")]}, {"m": {("X:1", "X:2")}}, 10))["recall:1"] == 0.0


def test_a_mention_without_ranking_has_all_its_gold_edges_unranked():
    found = values(place({}, {"m": {A, B}}, 30))
    assert (found["mr"], found["mrr"], found["recall:50"]) == (30.0, 0.0, 0.0)


def test_equal_scores_are_ordered_by_parent_and_child():
    assert ranked({D: 0.5, B: 0.5, A: 0.5, C: 0.9, LEAF: 0.5}) == [C, LEAF, A, B, D]
    assert ranked([(B, 0.1), (A, 0.1)]) == [A, B]


def ranks_of(mentions, gold_edges, hits_at_1, hits_at_5):
    """Mentions with that many gold edges in all; one hit per mention, first at rank 1, then at rank 2."""
    generator = random.Random(1)
    per_mention = [1] * mentions
    for _ in range(gold_edges - mentions):
        per_mention[generator.randrange(mentions)] += 1
    gold, rankings = {}, {}
    for i, many in enumerate(per_mention):
        edges = [(f"X:{i}", f"Y:{j}") for j in range(many)]
        gold[f"m{i}"] = set(edges)
        if i < hits_at_1:
            rankings[f"m{i}"] = [edges[0]]
        elif i < hits_at_5:
            rankings[f"m{i}"] = [("X:0", "Z:0"), edges[0]]
    return rankings, gold


def test_figures_of_the_paper():
    # 605 mentions, 1,637 gold edges: P@1 4.5 % forces R@1 1.65 %, P@5 6.0 % forces R@5 11.1 %
    rankings, gold = ranks_of(605, 1637, 27, 181)
    found = values(place(rankings, gold, edges=200_000))
    assert round(found["precision:1"], 3) == 0.045
    assert found["precision:1"] == pytest.approx(27 / 605, abs=1e-9)
    assert found["recall:1"] == pytest.approx(27 / 1637, abs=1e-9)
    assert round(found["recall:1"], 4) == 0.0165
    assert round(found["precision:5"], 3) == 0.060
    assert round(found["recall:5"], 3) == 0.111


def test_headline_cuts():
    assert CUTS == (1, 5, 10, 50)
    assert {n for n in values(place(RANKINGS, GOLD, 60)) if n.startswith("recall")} == {
        f"recall:{k}" for k in CUTS
    }


@pytest.mark.parametrize("gold", [{}, {"m1": set()}])
def test_no_mention_with_a_gold_edge_every_value_is_undefined(gold):
    found = place({"m1": [A]}, gold, 10)
    assert {(e.value, e.n, e.reason) for e in found.estimates.values()} == {
        (None, 0, "No mention has a gold edge.")
    }
    assert found.without_gold == 1


def test_wrong_cuts_and_catalogues_are_refused():
    with pytest.raises(ValueError, match="k counts edges from 1, not 0"):
        place(RANKINGS, GOLD, 40, cuts=(1, 0))
    with pytest.raises(ValueError, match="'m1' names more edges than the 3"):
        place(RANKINGS, GOLD, 3)


def test_every_value_opens_its_gold_edges():
    found = place(RANKINGS, GOLD, edges=40, cuts=(2, 5))
    opened = found.items("recall:2")
    assert [(i.doc_id, i.id, i.outcome, i.detail) for i in opened] == [
        ("m1", "X:1 > NULL", "fn", "rank 4"),
        ("m1", "X:1 > X:2", "tp", "rank 2"),
        ("m2", "X:1 > X:2", "fn", "not ranked"),
    ]
    assert [i.outcome for i in found.items("precision:5")] == ["tp", "tp", "fn"]
    assert [i.outcome for i in found.items("mrr")] == ["tp", "tp", "fn"]
    assert edge_name(LEAF) == "X:1 > NULL"
    with pytest.raises(KeyError):
        found.items("precision:3")


EDGES = st.sampled_from([A, B, C, D, E, LEAF])
SIDES = st.tuples(
    st.dictionaries(st.sampled_from("mno"), st.lists(EDGES, max_size=8)),
    st.dictionaries(st.sampled_from("mno"), st.frozensets(EDGES, max_size=4)),
)


@settings(max_examples=60, deadline=None)
@given(SIDES)
def test_values_stay_in_range_and_more_edges_never_lower_recall(sides):
    rankings, gold = sides
    found = place(rankings, gold, 20)
    for name, e in found.estimates.items():
        assert e.value is None or 0 <= e.value <= (20 if name in ("mr", "mr_macro") else 1)
    if found.mentions:
        recalls = [found.estimates[f"recall:{k}"].value for k in CUTS]
        assert recalls == sorted(recalls)
        assert found.estimates["mrr_scaled"].value >= found.estimates["mrr"].value
    reordered = place(dict(reversed(rankings.items())), dict(reversed(gold.items())), 20)
    assert reordered == found


@settings(max_examples=40, deadline=None)
@given(st.dictionaries(st.sampled_from("mno"), EDGES, min_size=1))
def test_a_perfect_ranking_is_the_best(gold):
    found = values(place({m: [e] for m, e in gold.items()}, {m: {e} for m, e in gold.items()}, 20))
    assert {found[n] for n in ("precision:1", "recall:1", "f1:1", "mr", "mrr", "mr_macro", "mrr_first")} == {
        1.0
    }


def test_every_value_is_registered():
    assert {n.split(":")[0] for n in values(place(RANKINGS, GOLD, 60))} == set(BESIDE["placement"].metrics)


def test_intervals_resample_documents_and_a_resample_of_one_is_that_one_alone():
    # two documents; drawn twice each: every mean is what that document's mentions score alone
    documents = {"m1": "d1", "m2": "d2", "m3": "d2"}
    assert units(GOLD, documents) == ("d1", "d2")
    assert units(GOLD) == ("m1", "m2")
    lists = np.array([[0, 0], [1, 1], [0, 1]])
    found = place(RANKINGS, GOLD, 40, documents=documents, index_lists=lists, level=0.5)
    for row, mentions in enumerate((["m1"], ["m2"], ["m1", "m2"])):
        alone = values(place(RANKINGS, {m: GOLD[m] for m in mentions}, 40))
        got = {name: resampled[row] for name, resampled in found.resampled.items()}
        assert got == pytest.approx(alone, abs=1e-9)
    # MRR in the three: 3/8, 0, 1/4; quartiles by linear interpolation: 1/8 and 5/16
    mrr = found.estimates["mrr"]
    assert (mrr.low, mrr.high) == pytest.approx((1 / 8, 5 / 16), abs=1e-9)


def test_without_the_size_of_the_catalogue_an_unranked_edge_has_no_rank():
    found = place(RANKINGS, GOLD, None)
    undefined = {name for name, e in found.estimates.items() if e.value is None}
    assert undefined == {"mr", "mr_macro", "mrr_scaled"}
    assert "not known" in found.estimates["mr"].reason
    assert values(place(RANKINGS, {"m1": GOLD["m1"]}, None))["mr"] == 3
