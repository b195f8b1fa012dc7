"""One concept as an entry, the ways to it, and the tree that is read as it is opened."""

from __future__ import annotations

import pytest

from core.errors import NotFoundError
from core.records import Concept, Ontology, Synonym
from core.review import terms_of
from core.review.explore import Entry, entry, open_way, search, tree
from core.review.explore.entry import MOST_CHILDREN, MOST_WAYS
from core.review.terms import Terms
from core.store import Workspace, ontologies

ROOT, LIMB, SKIN, HAND, NAIL, OLD, LONE = "X:1", "X:2", "X:3", "X:4", "X:5", "X:6", "X:7"
CONCEPTS = (
    Concept(ROOT, "All"),
    Concept(LIMB, "Limb", parents=(ROOT,)),
    Concept(SKIN, "Skin", parents=(ROOT,)),
    Concept(HAND, "Hand", parents=(LIMB,)),
    Concept(
        NAIL,
        "Nail",
        definition="What grows at the end of a finger.",
        synonyms=(Synonym("Unguis", "EXACT"), Synonym("Claw", "RELATED", "layperson")),
        parents=(SKIN, HAND),
        relations=(("RO:0000057", "Y:1"), ("part_of", HAND)),
        intersection_of=((None, SKIN), ("part_of", HAND)),
        alt_ids=("X:55",),
    ),
    Concept(OLD, "obsolete Hoof", obsolete=True, replaced_by=(NAIL,)),
    Concept(LONE, "Alone"),
)


@pytest.fixture
def terms(workspace: Workspace) -> Terms:
    return made(workspace, CONCEPTS)


def made(workspace: Workspace, concepts: tuple[Concept, ...], root: str | None = ROOT) -> Terms:
    return terms_of(
        workspace, ontologies.add_ontology(workspace, Ontology("x", "1", root, "0" * 64, concepts))
    )


def ways(found: Entry) -> list[list[str | None]]:
    return [[one.name for one in way.steps] for way in found.ways]


def test_an_entry_holds_what_was_stored(workspace: Workspace, terms: Terms) -> None:
    found = entry(workspace, terms, NAIL)
    assert found.concept == CONCEPTS[4]
    assert [one.name for one in found.parents] == ["Hand", "Skin"]
    assert ways(found) == [["All", "Skin"], ["All", "Limb", "Hand"]], "the short way first"
    assert found.related == (("related to", ("Y:1", None, False)), ("part of", (HAND, "Hand", False)))
    assert [one.name for one in entry(workspace, terms, ROOT).children] == ["Limb", "Skin"]


def test_a_former_id_leads_to_the_concept(workspace: Workspace, terms: Terms) -> None:
    found = entry(workspace, terms, "X:55")
    assert (found.concept.curie, found.asked) == (NAIL, "X:55")
    with pytest.raises(NotFoundError):
        entry(workspace, terms, "X:404")


def test_an_obsolete_concept_names_what_stands_in_its_place(workspace: Workspace, terms: Terms) -> None:
    found = entry(workspace, terms, OLD)
    assert found.concept.obsolete
    assert [one.name for one in found.replaced_by] == ["Nail"]
    for typed in ("hoof", "Obsolete HOOF", "x:6"):
        assert [(row.curie, gone) for row, gone in search(workspace, terms, typed)][-1] == (OLD, True)
    assert [(row.curie, gone) for row, gone in search(workspace, terms, "claw")] == [(NAIL, False)]


def test_children_come_with_the_node_that_is_opened(terms: Terms) -> None:
    def names(*opened: tuple[str, ...]) -> list[tuple[int, str]]:
        return [(len(node.path), node.name) for node in tree(terms, opened)]

    assert names() == [(1, "All")], "what stands alone is no branch beside the root"
    assert names((ROOT,)) == [(1, "All"), (2, "Limb"), (2, "Skin")]
    assert names((ROOT, SKIN)) == [(1, "All")], "inside what is closed nothing is in sight"
    assert names((ROOT,), (ROOT, SKIN)) == [(1, "All"), (2, "Limb"), (2, "Skin"), (3, "Nail")]


def test_the_way_to_a_concept_is_opened(workspace: Workspace, terms: Terms) -> None:
    opened = open_way(entry(workspace, terms, NAIL))
    assert opened == [(ROOT,), (ROOT, SKIN)]
    assert (ROOT, SKIN, NAIL) in [node.path for node in tree(terms, opened)]


def test_many_ways_and_children_are_cut(workspace: Workspace) -> None:
    """Ten layers of three concepts each, every one below all three above it: 3 to the 9th ways."""
    layers = [[f"X:{10 * layer + n}" for n in range(3)] for layer in range(1, 11)]
    above = [("X:0",), *map(tuple, layers)]
    grid = [
        Concept(one, f"c{one}", parents=parents)
        for layer, parents in zip(layers, above, strict=False)
        for one in layer
    ]
    fan = [Concept(f"Z:{n}", f"z{n:03}", parents=("X:0",)) for n in range(MOST_CHILDREN + 7)]
    terms = made(workspace, (Concept("X:0", "Top"), *grid, *fan), "X:0")
    found = entry(workspace, terms, layers[-1][0])
    assert len(found.ways) == MOST_WAYS
    assert found.more_ways
    assert {len(way.steps) for way in found.ways} == {10}
    top = tree(terms, [("X:0",)])
    assert (len(top), top[0].children, top[0].left_out) == (MOST_CHILDREN + 1, MOST_CHILDREN + 10, 10)


def test_a_circle_ends(workspace: Workspace) -> None:
    around = (Concept("X:1", "a", parents=("X:2",)), Concept("X:2", "b", parents=("X:1",)))
    terms = made(workspace, around, None)
    assert entry(workspace, terms, "X:1").ways == ()
    assert tree(terms, [("X:1",)]) == []
