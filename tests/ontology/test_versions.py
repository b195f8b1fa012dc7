"""What changed between two versions: every kind by hand, as rows and as commands of KGCL."""

import pytest

from core.errors import InputError
from core.ontology.kgcl import commands
from core.ontology.versions import Kind, compare
from core.records import Concept, Ontology, Synonym


def ontology(version: str, *concepts: Concept) -> Ontology:
    return Ontology("toy", version, "X:1", "0" * 64, concepts)


OLD = ontology(
    "1",
    Concept("X:1", "root"),
    Concept("X:2", "kept", parents=("X:1",)),
    Concept("X:3", "it's named", parents=("X:1",)),
    Concept("X:4", "moved", parents=("X:1",)),
    Concept("X:5", "merged", parents=("X:1",)),
    Concept("X:6", "obsoleted", parents=("X:1",)),
    Concept("X:7", "gone", parents=("X:1",)),
    Concept("X:9", "was obsolete before", obsolete=True),
    Concept("X:10", "replaced", parents=("X:1",)),
    Concept("X:12", "numbered anew", parents=("X:1",)),
    Concept("X:14", "moved away", "Old words.", (Synonym("a", "EXACT"), Synonym("b", "EXACT")), ("X:2",)),
)
NEW = ontology(
    "2",
    Concept("X:1", "root"),
    Concept("X:2", "kept", parents=("X:1",), alt_ids=("X:5",)),
    Concept("X:3", "a new name", parents=("X:1",)),
    Concept("X:4", "moved", parents=("X:2",)),
    Concept("X:6", "obsolete obsoleted", obsolete=True),
    Concept("X:8", "added", "What is new.", (Synonym("novel", "BROAD"),), parents=("X:4",)),
    Concept("X:10", "obsolete replaced", obsolete=True, replaced_by=("X:11",)),
    Concept("X:11", "obsolete in between", obsolete=True, replaced_by=("X:3",)),
    Concept("X:13", "numbered anew", parents=("X:1",), alt_ids=("X:12",)),
    Concept("X:14", "moved away", "New  words.", (Synonym("a", "NARROW"), Synonym("c", "EXACT")), ("X:3",)),
)


def test_every_kind_of_change_is_told_apart() -> None:
    found = compare(OLD, NEW)
    assert found.to_json() == {
        "added": ["X:8"],
        "id_changed": ["X:12"],
        "merged": ["X:5"],
        "replaced": ["X:10"],
        "obsoleted": ["X:6"],
        "removed": ["X:7"],
        "renamed": ["X:3"],
        "moved": ["X:14", "X:4"],
        "moved_away": ["X:14"],
        "extended": ["X:4"],
        "redefined": ["X:14"],
        "synonyms_changed": ["X:14"],
    }
    rows = {(row.kind, row.curie): (row.now, row.before, row.after) for row in found.changes}
    assert rows[Kind.MERGED, "X:5"] == ("X:2", ("merged",), ("kept",))
    assert rows[Kind.REPLACED, "X:10"] == ("X:3", ("replaced",), ("a new name",))
    assert rows[Kind.ID_CHANGED, "X:12"] == ("X:13", ("numbered anew",), ("numbered anew",))
    assert rows[Kind.MOVED_AWAY, "X:14"] == ("X:14", ("X:2",), ("X:3",))
    assert rows[Kind.SYNONYMS, "X:14"] == ("X:14", ("a", "b"), ("a", "c"))


def test_the_commands_of_kgcl() -> None:
    """The forms are those of the language's own grammar (kgcl-schema 0.7)."""
    assert list(commands(compare(OLD, NEW))) == [
        "create node X:8 'added'",
        "create edge X:8 rdfs:subClassOf X:4",
        "add definition 'What is new.' to X:8",
        "create broad synonym 'novel' for X:8",
        "obsolete X:12 with replacement X:13",
        "obsolete X:5 with replacement X:2",
        "obsolete X:10 with replacement X:3",
        "obsolete X:6",
        "delete X:7",
        "rename X:3 from 'it\\'s named' to 'a new name'",
        "create edge X:4 rdfs:subClassOf X:2",
        "delete edge X:4 rdfs:subClassOf X:1",
        "create edge X:14 rdfs:subClassOf X:3",
        "delete edge X:14 rdfs:subClassOf X:2",
        "change definition of X:14 from 'Old words.' to 'New words.'",
        "remove synonym 'a' for X:14",
        "remove synonym 'b' for X:14",
        "create narrow synonym 'a' for X:14",
        "create exact synonym 'c' for X:14",
    ]


def test_replacements_that_lead_round_in_a_circle_lead_nowhere() -> None:
    old = ontology("1", Concept("X:1", "a"))
    circle = (("X:1", "X:2"), ("X:2", "X:1"))
    new = ontology("2", *(Concept(c, "gone", obsolete=True, replaced_by=(to,)) for c, to in circle))
    assert compare(old, new).of(Kind.OBSOLETED)[0].now is None


def test_below_a_root_only_its_branch_counts() -> None:
    found = compare(OLD, NEW, "X:2")
    assert found.counts()[Kind.ADDED] == 1  # X:8, below X:4, which came here
    assert [row.curie for row in found.changes if row.kind is not Kind.ADDED] == ["X:14"] * 3
    with pytest.raises(InputError, match=r"toy@2 holds no concept 'X:7'"):
        compare(OLD, NEW, "X:7")


def test_a_concept_that_comes_back_under_an_old_alt_id_is_not_new() -> None:
    old = ontology("1", Concept("X:2", "a", alt_ids=("X:5",)))
    new = ontology("2", Concept("X:2", "a"), Concept("X:5", "split off again"))
    assert compare(old, new).of(Kind.ADDED) == ()


def test_the_order_of_parents_is_no_change() -> None:
    old = ontology("1", Concept("X:3", "a", parents=("X:1", "X:2")))
    new = ontology("2", Concept("X:3", "a", parents=("X:2", "X:1")))
    assert compare(old, new).of(Kind.MOVED) == ()
