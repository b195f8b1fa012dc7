from core.ontology.versions import compare
from core.records import Concept, Ontology


def ontology(version: str, *concepts: Concept) -> Ontology:
    return Ontology("toy", version, "X:1", "0" * 64, concepts)


def test_every_kind_of_change_is_told_apart() -> None:
    old = ontology(
        "1",
        Concept("X:1", "root"),
        Concept("X:2", "kept", parents=("X:1",)),
        Concept("X:3", "renamed", parents=("X:1",)),
        Concept("X:4", "moved", parents=("X:1",)),
        Concept("X:5", "merged", parents=("X:1",)),
        Concept("X:6", "obsoleted", parents=("X:1",)),
        Concept("X:7", "gone", parents=("X:1",)),
        Concept("X:9", "was obsolete before", obsolete=True),
    )
    new = ontology(
        "2",
        Concept("X:1", "root"),
        Concept("X:2", "kept", parents=("X:1",), alt_ids=("X:5",)),
        Concept("X:3", "a new name", parents=("X:1",)),
        Concept("X:4", "moved", parents=("X:2",)),
        Concept("X:6", "obsolete obsoleted", obsolete=True),
        Concept("X:8", "added", parents=("X:1",)),
    )
    assert compare(old, new).to_json() == {
        "added": ["X:8"],
        "removed": ["X:7"],
        "merged": ["X:5"],
        "obsoleted": ["X:6"],
        "renamed": ["X:3"],
        "moved": ["X:4"],
    }


def test_a_concept_that_comes_back_under_an_old_alt_id_is_not_new() -> None:
    old = ontology("1", Concept("X:2", "a", alt_ids=("X:5",)))
    new = ontology("2", Concept("X:2", "a"), Concept("X:5", "split off again"))
    assert compare(old, new).added == ()


def test_the_order_of_parents_is_no_change() -> None:
    old = ontology("1", Concept("X:3", "a", parents=("X:1", "X:2")))
    new = ontology("2", Concept("X:3", "a", parents=("X:2", "X:1")))
    assert compare(old, new).moved == ()
