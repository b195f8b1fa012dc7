"""Where a newer version puts a new concept, by hand and against a walk of every path
(metric-definitions 3.3)."""

import random

import pytest

from core.errors import NotFoundError
from core.ontology.edges import both_versions, gold_edges, new_concepts
from core.ontology.lineage import Lineage
from core.records import Concept, Ontology

# a chain R - A - B - C - D, and E beside it, below R
OLDER = Lineage("RABCDE", [("A", "R"), ("B", "A"), ("C", "B"), ("D", "C"), ("E", "R")])


def newer(*links, without=()):
    """The older version with further links, and without some of its own."""
    own = [("A", "R"), ("B", "A"), ("C", "B"), ("D", "C"), ("E", "R")]
    kept = [link for link in own if link not in without]
    return Lineage({c for link in [*kept, *links] for c in link}, [*kept, *links])


def test_a_concept_put_between_a_parent_and_its_child():
    assert gold_edges("N", OLDER, newer(("N", "A"), ("B", "N"))) == {("A", "B")}


def test_a_new_leaf_has_edges_to_null():
    assert gold_edges("N", OLDER, newer(("N", "A"), ("N", "E"))) == {("A", None), ("E", None)}


def test_a_child_may_stand_two_steps_below_its_parent_and_no_more():
    assert gold_edges("N", OLDER, newer(("N", "A"), ("C", "N"))) == {("A", "C")}
    assert gold_edges("N", OLDER, newer(("N", "A"), ("D", "N"))) == frozenset()


def test_a_child_that_is_not_below_the_parent_in_the_older_version_makes_no_edge():
    assert gold_edges("N", OLDER, newer(("N", "E"), ("B", "N"))) == frozenset()
    assert gold_edges("N", OLDER, newer(("N", "E"), ("N", "A"), ("B", "N"))) == {("A", "B")}


def test_edges_are_directed():
    # the newer version turns the order of A and B round: (B, A) is no edge of the older one
    turned = Lineage("RABN", [("B", "R"), ("N", "B"), ("A", "N")])
    assert gold_edges("N", OLDER, turned) == frozenset()


def test_climbing_and_descending_pass_through_new_concepts_and_stop_at_the_first_old_one():
    version = newer(("N", "P"), ("P", "A"), ("B", "O"), ("O", "N"), ("D", "C"))
    assert gold_edges("N", OLDER, version) == {("A", "B")}
    assert gold_edges("P", OLDER, version) == {("A", "B")}
    assert new_concepts(OLDER, version) == ("N", "O", "P")


def test_every_path_counts_one_that_meets_an_old_concept_early_does_not_hide_another():
    # N - A directly and N - P - R: both A and R are first concepts of their path
    version = newer(("N", "A"), ("N", "P"), ("P", "R"), ("B", "N"))
    assert gold_edges("N", OLDER, version) == {("A", "B"), ("R", "B")}


def test_a_concept_under_nothing_old_has_no_edge():
    assert gold_edges("N", OLDER, Lineage("RN", [("R", "N")])) == frozenset()


def test_only_new_concepts_of_the_newer_version_are_placed():
    with pytest.raises(ValueError, match="B is in both versions"):
        gold_edges("B", OLDER, newer())
    with pytest.raises(NotFoundError):
        gold_edges("Z", OLDER, newer())


def ontology(*concepts):
    return Ontology("tiny", "1", "R", "0" * 64, concepts)


def test_a_concept_merged_into_a_new_id_is_in_both_versions():
    before = ontology(Concept("R", "r"), Concept("A", "a", parents=("R",)), Concept("B", "b", parents=("A",)))
    after = ontology(
        Concept("R", "r"),
        Concept("A2", "a", parents=("R",), alt_ids=("A",)),
        Concept("N", "n", parents=("A2",)),
        Concept("B", "b", parents=("N",)),
    )
    older, newer = both_versions(before, after)
    assert older.curies == ("A2", "B", "R")
    assert new_concepts(older, newer) == ("N",)
    assert gold_edges("N", older, newer) == {("A2", "B")}


def test_an_alternative_id_that_becomes_a_concept_of_its_own_is_not_new():
    before = ontology(Concept("R", "r"), Concept("A", "a", parents=("R",), alt_ids=("X",)))
    after = ontology(Concept("R", "r"), Concept("A", "a", parents=("R",)), Concept("X", "x", parents=("A",)))
    older, newer = both_versions(before, after)
    assert new_concepts(older, newer) == ()
    assert newer.parents("A") == ("R",)


def test_two_concepts_merged_into_one_of_them_are_one():
    before = ontology(Concept("R", "r"), Concept("A", "a", parents=("R",)), Concept("B", "b", parents=("A",)))
    after = ontology(Concept("R", "r"), Concept("A", "a", parents=("R",), alt_ids=("B",)))
    older, newer = both_versions(before, after)
    assert older.curies == newer.curies == ("A", "R")
    assert older.parents("A") == ("R",)


def test_obsolete_concepts_are_removed_from_both_versions():
    before = ontology(Concept("R", "r"), Concept("A", "a", obsolete=True), Concept("B", "b", parents=("R",)))
    after = ontology(Concept("R", "r"), Concept("A", "a", parents=("R",)), Concept("B", "b", obsolete=True))
    older, newer = both_versions(before, after)
    assert (older.curies, newer.curies) == (("B", "R"), ("A", "R"))
    assert gold_edges("A", older, newer) == {("R", None)}


def every_path(start, step, old):
    """The first old concept of each path, by walking all of them."""
    found = set()
    for following in step(start):
        found |= {following} if following in old else every_path(following, step, old)
    return found


@pytest.mark.parametrize("seed", range(40))
def test_equal_to_a_walk_of_every_path(seed):
    generator = random.Random(seed)
    names = [f"X:{i:02}" for i in range(12)]
    links = [(c, p) for i, c in enumerate(names) for p in names[:i] if generator.random() < 0.25]
    version = Lineage(names, links)
    old = {name for name in names if generator.random() < 0.6}
    older = Lineage(old, [link for link in links if generator.random() < 0.8])
    for concept in new_concepts(older, version):
        parents = every_path(concept, version.parents, old)
        children = every_path(concept, version.children, old)
        expected = {
            (p, c)
            for p in parents
            for c in children
            if c in older.children(p) or any(c in older.children(m) for m in older.children(p))
        } or ({(p, None) for p in parents} if not children else set())
        assert gold_edges(concept, older, version) == expected
