"""Concepts to choose from: neighbours, what the words find, paths."""

from __future__ import annotations

import pytest

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
