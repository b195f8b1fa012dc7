"""What is new in a release, and where it belongs in the one before: by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.enrichment.catalogue import Edge
from core.enrichment.releases import Releases
from core.errors import InputError
from core.ontology.versions import Kind, compare
from tests.enrichment.versions import LOGIC, NEW, OLD

PAIR = Releases(OLD, NEW, "X:1", LOGIC)
SKIN = "[EX.](inheres_in U:1)"


def test_new_concepts_are_those_of_the_branch_that_the_older_version_lacks() -> None:
    assert PAIR.new == ("X:7", "X:8", "X:9")
    assert [row.curie for row in compare(OLD, NEW, "X:1").of(Kind.ADDED)] == list(PAIR.new)
    assert PAIR.is_new("X:8")
    assert not PAIR.is_new("X:10")


def test_any_id_leads_to_the_older_version() -> None:
    assert PAIR.old_id("X:4") == "X:4"
    assert PAIR.old_id("X:6") == "X:6"  # merged since, but a concept of its own before
    assert PAIR.old_id("X:7") is None


def test_a_concept_in_between_is_placed_between() -> None:
    placed = PAIR.placed("X:7")
    assert placed.edges == (Edge("X:3", "X:4", 1), Edge("X:3", "X:5", 1))
    assert placed.too_far == 0


def test_a_leaf_below_what_is_new_is_placed_below_the_first_old_concept() -> None:
    assert PAIR.placed("X:8").edges == (Edge("X:3", None, 2),)


def test_a_complex_parent_counts_where_the_older_version_knew_it() -> None:
    # "towards U:2" stands in no definition of the older version
    assert PAIR.placed("X:9").edges == (Edge("X:3", None, 2), Edge(SKIN, None, 2))


def test_a_known_concept_is_taken_as_if_it_were_not_there() -> None:
    # its parent and the complex one, each with each child: the edges of X:3 itself are not among them
    ends = [(parent, child) for child in ("X:4", "X:5", "X:6") for parent in ("X:2", SKIN)]
    assert {edge.ends for edge in PAIR.own_edges("X:3")} == set(ends)
    assert PAIR.own_edges("X:4") == (Edge("X:3", None, 2),)


def test_numbers_are_places_in_the_catalogue() -> None:
    assert [PAIR.catalogue.edges[PAIR.number(edge)] for edge in PAIR.placed("X:7").edges] == list(
        PAIR.placed("X:7").edges
    )


def test_both_versions_must_hold_the_root() -> None:
    with pytest.raises(InputError, match="X:10"):
        Releases(OLD, NEW, "X:10")
    gone = replace(NEW, concepts=tuple(c for c in NEW.concepts if c.curie != "X:2"))
    with pytest.raises(InputError, match="newer version holds no concept 'X:2'"):
        Releases(OLD, gone, "X:2")
