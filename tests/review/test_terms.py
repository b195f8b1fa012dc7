"""Concepts to choose from: neighbours, what the words find, paths."""

from __future__ import annotations

import pytest

from core.records import Concept, Ontology
from core.review.terms import terms_of
from core.store import Workspace, ontologies
from tests.review.clinic import (
    CATARACT,
    EYE,
    FOCAL,
    GENERAL,
    HYPOTONIA,
    NERVOUS,
    SEIZURE,
    ontology,
)


@pytest.fixture
def mini(workspace: Workspace) -> int:
    return ontologies.add_ontology(workspace, ontology())


def test_neighbours_come_with_what_the_quote_finds(workspace: Workspace, mini: int) -> None:
    rows = terms_of(workspace, mini).around(workspace, SEIZURE, "no cataract")
    assert [(row["id"], row["group"]) for row in rows] == [
        (NERVOUS, "broader"),
        (GENERAL, "narrower"),
        (FOCAL, "narrower"),
        (HYPOTONIA, "siblings"),
        (CATARACT, "loose"),
    ]


def test_a_hit_that_is_a_neighbour_stands_first_and_says_so(workspace: Workspace, mini: int) -> None:
    first = terms_of(workspace, mini).around(workspace, SEIZURE, "focal-onset seizure")[0]
    assert (first["id"], first["group"], first["relation"]) == (FOCAL, "found", "narrower")
    assert first["definition"] == "What is meant by focal-onset seizure."
    assert first["path"] == ["Abnormality of the nervous system", "Seizure"]


def test_every_row_says_why_it_is_there(workspace: Workspace, mini: int) -> None:
    terms = terms_of(workspace, mini)
    first = terms.find(workspace, "epileptic fits")["rows"][0]
    assert (first["id"], first["name"], first["group"]) == (SEIZURE, "Seizure", "found")
    assert (first["why"], first["matched"], first["scope"]) == ("synonym", "Epileptic fit", "EXACT")
    likely = terms.find(workspace, "cataracct")["rows"][0]
    assert (likely["id"], likely["group"], likely["why"]) == (CATARACT, "loose", "spelling")
    nervous, *_ = terms.around(workspace, SEIZURE, "no cataract")
    assert (nervous["id"], nervous["why"], nervous["matched"]) == (NERVOUS, None, None)


def test_paths_and_branches(workspace: Workspace, mini: int) -> None:
    terms = terms_of(workspace, mini)
    assert terms.path(NERVOUS) == ()
    assert terms.path("HP:7") == ()
    assert terms.branch(SEIZURE) == {SEIZURE, FOCAL, GENERAL}
    assert terms.branch("HP:7") == frozenset()
    assert (EYE, "Abnormality of the eye") in terms.top_branches()


def test_the_branches_of_a_concept_lie_where_the_ontology_fans_out(workspace: Workspace, mini: int) -> None:
    terms = terms_of(workspace, mini)
    assert terms.branches(FOCAL) == (NERVOUS,)
    assert terms.branches(EYE) == (EYE,)
    assert terms.branches("HP:0000118") == terms.branches("HP:7") == ()
    systems = [f"S{n}" for n in range(10)]
    concepts = [
        Concept("R", "All"),
        Concept("P", "Phenotypes", parents=("R",)),
        Concept("M", "Modifiers", parents=("R",)),
        *(Concept(s, f"System {9 - n}", parents=("P",)) for n, s in enumerate(systems)),
        Concept("X", "In two systems", parents=("S0", "S1")),
        Concept("Y", "A modifier", parents=("M",)),
    ]
    made = ontologies.add_ontology(workspace, Ontology("wide", "1", "R", "1" * 64, tuple(concepts)))
    wide = terms_of(workspace, made)
    assert wide.branches("X") == ("S1", "S0")  # by name: system 8, system 9
    assert wide.branches("P") == ("P",)
    assert wide.branches("Y") == ("M",)
