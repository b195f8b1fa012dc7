"""Similarities of concepts: by hand on seven concepts, by brute force on random ones, and their promises."""

from functools import cache
from math import log
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import NotFoundError
from core.ontology import similarity as module
from core.ontology.lineage import Lineage
from core.ontology.load import load
from core.ontology.similarity import Similarity

MEASURES = ("lin", "jiang_conrath", "lineage")

#        A            E (alone)
#      /   \
#     B     C        descendants, itself included: A 6, B 4, C 3, D 2, F 1, G 1, E 1
#    / \   /|
#   D   F-' |         F has two parents, G has B's child D and C
#    \     /
#      G-'
HAND = (("B", "A"), ("C", "A"), ("D", "B"), ("F", "B"), ("F", "C"), ("G", "C"), ("G", "D"))
IC = {"A": 0, "B": 1 - log(4) / log(6), "C": 1 - log(3) / log(6), "D": 1 - log(2) / log(6), "F": 1, "G": 1}


def hand(measure="lin", documents=None) -> Similarity:
    return Similarity(Lineage("ABCDEFG", HAND), measure, documents)


def close(value):
    return pytest.approx(value, abs=1e-9)


def test_information_from_structure_by_hand():
    found = hand()
    assert {c: found.information(c) for c in IC} == {c: close(v) for c, v in IC.items()}
    assert found.information("E") == 0  # a root that stands alone is the whole of its own tree


def test_information_from_a_corpus_by_hand():
    # 1 + documents: A 1, B 1, C 3, D 1, F 1, G 5. Masses: G 5, F 1, D 6, C 3 + 1 + 5 = 9, B 1 + 6 + 1 = 8,
    # A 12 (G once, though three ways lead to it). IC = 1 - ln mass / ln 12.
    found = hand(documents={"C": 2, "G": 4, "Z:unknown": 9})
    masses = {"A": 12, "B": 8, "C": 9, "D": 6, "F": 1, "G": 5}
    for concept, mass in masses.items():
        assert found.information(concept) == close(1 - log(mass) / log(12))


def test_a_corpus_without_documents_is_the_structure():
    pairs = [(a, b) for a in "ABCDEFG" for b in "ABCDEFG"]
    for measure in MEASURES:
        one, other = hand(measure), hand(measure, {})
        assert [one(*p) for p in pairs] == [other(*p) for p in pairs]


def test_lin_by_hand():
    lin = hand("lin")
    assert lin("D", "F") == close(2 * IC["B"] / (IC["D"] + 1))
    assert lin("G", "D") == close(2 * IC["D"] / (1 + IC["D"]))  # an ancestor is a common ancestor
    assert lin("F", "G") == close(2 * IC["C"] / 2)  # B and C are common: C says more
    assert lin("B", "C") == 0  # the root alone in common
    assert lin("A", "B") == 0
    assert lin("A", "A") == 1  # also at the root, where 0 / 0 would be
    assert lin("E", "E") == 1
    assert lin("A", "E") == 0  # both say nothing


def test_jiang_conrath_by_hand():
    jc = hand("jiang_conrath")
    assert jc("D", "F") == close(1 / (1 + IC["D"] + 1 - 2 * IC["B"]))
    assert jc("F", "G") == close(1 / (1 + 2 - 2 * IC["C"]))
    assert jc("A", "F") == close(1 / 2)  # distance 0 + 1 - 0
    assert jc("B", "C") == close(1 / (1 + IC["B"] + IC["C"]))
    assert jc("A", "A") == 1
    assert jc("A", "E") == jc("F", "E") == 0  # no common ancestor: no distance


def test_two_leaves_that_share_the_root_alone_reach_a_third():
    jc = Similarity(Lineage("RXY", (("X", "R"), ("Y", "R"))), "jiang_conrath")
    assert jc("X", "Y") == close(1 / 3)


def test_lineage_by_hand():
    # depths: A 0, B 1, C 1, D 2, F 2, G 2 (by C)
    lineage = hand("lineage")
    assert lineage("D", "F") == close(2 / (2 + 2))  # over B, one step each
    assert lineage("G", "D") == close(4 / (4 + 1))  # over D itself, depth 2, one step
    assert lineage("F", "G") == close(2 / (2 + 2))  # over C one step each; over B three steps: 2 / 5
    assert lineage("B", "C") == lineage("A", "G") == 0
    assert lineage("A", "A") == lineage("E", "E") == 1
    assert lineage("E", "F") == 0


def test_the_deeper_way_round_may_be_the_better_one():
    # X and Y: child of P at depth 1 each; three steps below Q, which is at depth 5:
    # over P 2 / (2 + 2) = 0.5; over Q depth of Q is 5: 10 / (10 + 6) = 0.625
    chain = [("q1", "R"), ("q2", "q1"), ("q3", "q2"), ("q4", "q3"), ("Q", "q4")]
    ways = [("P", "R"), ("X", "P"), ("Y", "P"), ("x1", "Q"), ("x2", "x1"), ("X", "x2")]
    ways += [("y1", "Q"), ("y2", "y1"), ("Y", "y2")]
    ids = {c for link in chain + ways for c in link}
    assert Similarity(Lineage(ids, chain + ways), "lineage")("X", "Y") == close(0.625)


def test_resnik_is_an_information_content():
    found = hand()
    assert found.resnik("F", "G") == close(IC["C"])
    assert found.resnik("D", "D") == close(IC["D"])  # below 1: no similarity
    assert found.resnik("B", "C") == 0
    assert found.resnik("A", "E") is None
    with pytest.raises(NotFoundError):
        found.resnik("A", "Z:1")
    with pytest.raises(NotFoundError):
        found.information("Z:1")


def test_information_is_that_of_each_root_where_there_are_several():
    # R1: {R1, X, Y}, R2: {R2, Y}. X: 1 below R1. Y hangs from both; the larger, R1 with 3, is its measure.
    two = Similarity(Lineage(("R1", "R2", "X", "Y"), (("X", "R1"), ("Y", "R1"), ("Y", "R2"))))
    assert two.information("R1") == two.information("R2") == 0
    assert two.information("X") == two.information("Y") == 1


@pytest.mark.parametrize("measure", MEASURES)
def test_concepts_that_the_ontology_does_not_hold_are_like_themselves_alone(measure):
    found = hand(measure)
    assert found.of_pairs(["Z:1", "Z:1", "A"], ["Z:1", "Z:2", "Z:1"]).tolist() == [1, 0, 0]
    assert found.across(["Z:1", "A"], ["Z:1", "Z:2", "A"]).tolist() == [[1, 0, 0], [0, 0, 1]]


@pytest.mark.parametrize("measure", MEASURES)
def test_nothing_to_compare(measure):
    assert hand(measure).of_pairs([], []).tolist() == []
    empty = Similarity(Lineage((), ()), measure)
    assert empty("A", "A") == 1
    assert empty("A", "B") == 0
    assert empty.across("AB", "BA").tolist() == [[0, 1], [1, 0]]
    assert empty.adjacent(["A", "B"], np.array([0]), np.array([1])).tolist() == [False]


def test_pairs_must_be_pairs():
    with pytest.raises(ValueError, match="no pairs"):
        hand().of_pairs(["A"], [])


def test_only_known_measures():
    with pytest.raises(ValueError, match="resnik"):
        hand("resnik")


@pytest.mark.parametrize("measure", MEASURES)
def test_a_cycle_ends(measure):
    # X and Y are above each other; Z hangs below. Nothing is a root: X and Y say nothing.
    ring = Similarity(Lineage("XYZ", (("X", "Y"), ("Y", "X"), ("Z", "X"))), measure)
    values = [ring(a, b) for a in "XYZ" for b in "XYZ"]
    assert all(0 <= v <= 1 for v in values)
    assert ring("Z", "Z") == 1
    assert ring.across("XYZ", "XYZ").ravel().tolist() == values


def test_only_direct_parents_and_children_are_adjacent():
    ids = tuple("ABCDEFGZ")
    pairs = [(a, b) for a in range(8) for b in range(8)]
    found = hand().adjacent(ids, *np.array(pairs).T)
    links = {frozenset(link) for link in HAND}
    assert found.tolist() == [frozenset((ids[a], ids[b])) in links and a != b for a, b in pairs]


def test_results_do_not_depend_on_the_size_of_blocks(monkeypatch):
    first, second = zip(*[(a, b) for a in "ABCDEFG" for b in "GFEDCBA"], strict=True)
    for measure in MEASURES:
        whole = hand(measure).of_pairs(first, second)
        monkeypatch.setattr(module, "_CELLS", 14)  # two rows of seven
        monkeypatch.setattr(module, "_PAIRS", 5)
        monkeypatch.setattr(module, "_COLUMNS", 2)
        assert hand(measure).across("ABCDEFG", "GFEDCBA").ravel() == close(whole)
        assert hand(measure).of_pairs(first, second).tolist() == whole.tolist()
        monkeypatch.undo()


@st.composite
def ontologies(draw):
    """Up to ten concepts, links from later to earlier ones: several parents, roots and lone concepts."""
    n = draw(st.integers(1, 10))
    links = draw(st.sets(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=16))
    return [f"X:{i}" for i in range(n)], [(f"X:{max(p)}", f"X:{min(p)}") for p in links if p[0] != p[1]]


def by_brute_force(lineage, measure, documents, a, b):
    """The docstring's formulas over sets of ancestors and descendants."""

    @cache
    def mass(c):
        return sum(1 + documents.get(d, 0) for d in lineage.descendants(c, include_self=True))

    def information(c):
        most = max(mass(up) for up in lineage.ancestors(c, include_self=True))
        return 0 if mass(c) == most else 1 - log(mass(c)) / log(most)

    common = lineage.ancestors(a, include_self=True) & lineage.ancestors(b, include_self=True)
    if a == b:
        return 1
    if not common:
        return 0
    if measure == "lineage":
        ways = [(lineage.depth(c), lineage.distance(a, c) + lineage.distance(b, c)) for c in common]
        return max(2 * depth / (2 * depth + path) for depth, path in ways)
    shared, both = max(map(information, common)), information(a) + information(b)
    if measure == "lin":
        return 2 * shared / both if both else 0
    return 1 / (1 + both - 2 * shared)


@settings(deadline=None, max_examples=60)
@given(ontologies(), st.sampled_from(MEASURES), st.dictionaries(st.integers(0, 9), st.integers(0, 9)))
def test_equal_to_brute_force_symmetric_and_within_range(ontology, measure, counts):
    ids, links = ontology
    lineage, documents = Lineage(ids, links), {f"X:{i}": n for i, n in counts.items()}
    found = Similarity(lineage, measure, documents)
    first, second = zip(*[(a, b) for a in ids for b in ids], strict=True)
    values = found.of_pairs(first, second)
    expected = [by_brute_force(lineage, measure, documents, a, b) for a, b in zip(first, second, strict=True)]
    assert values == pytest.approx(expected, abs=1e-9)
    assert ((values >= 0) & (values <= 1)).all()
    square = values.reshape(len(ids), len(ids))
    assert (square == square.T).all()
    assert (np.diag(square) == 1).all()
    assert found.across(ids[1:], ids) == pytest.approx(square[1:], abs=1e-9)


@pytest.mark.shared_data
def test_on_a_published_ontology(shared_data: Path):
    lineage = Lineage.of(load(shared_data / "ontology/hp-2017-04-13.obo.gz", name="hp"))
    generator = np.random.default_rng(5)
    ids = lineage.curies
    first, second = ([ids[i] for i in generator.integers(0, len(ids), 2000)] for _ in range(2))
    for measure in MEASURES:
        found = Similarity(lineage, measure)
        values = found.of_pairs(first, second)
        assert ((values >= 0) & (values <= 1)).all()
        assert (values == found.of_pairs(second, first)).all()
        expected = by_brute_force(lineage, measure, {}, first[0], second[0])
        assert values[0] == pytest.approx(expected, abs=1e-9)
