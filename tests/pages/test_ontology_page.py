"""The ontology page: what it shows of a concept, and what its numbers open."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.records import Concept, Ontology
from core.store import decisions, ontologies, open_workspace
from tests.evaluate import ward
from tests.pages import reader
from tests.pages.reader import queues
from tests.review import clinic

PAGE = "pages/explore/ontology.py"


@pytest.fixture
def path(opened: Path) -> Path:
    with open_workspace(opened) as workspace:
        clinic.furnish(workspace)
    return opened


def headings(page: reader.AppTest) -> list[str]:
    return [one.value for one in (*page.title, *page.header, *page.subheader)]


def captions(page: reader.AppTest) -> list[str]:
    return [one.value.replace("\\", "") for one in page.caption]


def buttons(page: reader.AppTest) -> dict[str, str]:
    """Label -> key of the ways to other concepts."""
    return {one.label.replace("\\", ""): one.key for one in page.button if one.key}


def test_without_an_ontology_it_says_how_to_add_one(opened: Path) -> None:
    assert "ontology add" in reader.open_page(PAGE).info[0].value


def test_nothing_chosen_it_tells_what_the_ontology_holds(path: Path) -> None:
    page = reader.open_page(PAGE)
    assert headings(page) == ["Ontology", "mini"]
    assert any(one.value.startswith("8 concepts, 9 names") for one in page.markdown)


def test_a_concept_of_the_address_with_its_names_neighbours_and_way(path: Path) -> None:
    page = reader.open_page(PAGE, ontology__concept=clinic.SEIZURE)
    assert headings(page) == ["Ontology", "Seizure", "Broader", "Narrower (2)", "Where it occurs"]
    assert clinic.SEIZURE in captions(page)
    assert "Phenotypic abnormality › Abnormality of the nervous system › Seizure" in captions(page)
    said = [one.value.replace("\\", "") for one in page.markdown]
    assert "What is meant by seizure." in said
    assert "**Means the same:** Epileptic fit" in said
    assert list(buttons(page))[-3:] == [
        "Abnormality of the nervous system",
        "Focal-onset seizure",
        "Generalized-onset seizure",
    ]


def test_a_neighbour_writes_the_address(path: Path) -> None:
    page = reader.open_page(PAGE, ontology__concept=clinic.SEIZURE)
    [button] = [one for one in page.button if one.label.startswith("Focal")]
    page = reader.checked(button.click().run())
    assert page.query_params["ontology.concept"] == clinic.FOCAL
    assert headings(page)[1] == "Focal\\-onset seizure"


def test_a_search_says_why_a_concept_is_found(path: Path) -> None:
    page = reader.open_page(PAGE, ontology__find="epileptic fit")
    assert "**Seizure** also called “Epileptic fit”" in buttons(page)


def test_each_number_is_a_queue_that_leads_back(path: Path) -> None:
    page = reader.open_page(PAGE, curator="alpha", ontology__concept=clinic.CATARACT)
    [queue] = queues(page)
    assert (queue.page, queue.label, queue.corpus) == ("concept_labels", "Review these 2", "ward")
    assert queue.name == "Cataract: labels proposed by alpha"
    assert queue.back == f"ontology?ontology.concept={clinic.CATARACT.replace(':', '%3A')}"
    with open_workspace(path) as workspace:
        held = {
            row[0]
            for row in workspace.db.execute("SELECT id FROM items WHERE subject = ?", (clinic.CATARACT,))
        }
    assert set(queue.items) == held


def test_an_obsolete_concept_names_its_replacement(opened: Path) -> None:
    old, new = Concept("X:1", "Old", obsolete=True, replaced_by=("X:2",)), Concept("X:2", "New")
    with open_workspace(opened) as workspace:
        ontologies.add_ontology(workspace, Ontology("x", "1", None, "0" * 64, (old, new)))
    page = reader.open_page(PAGE, ontology__concept="X:1")
    assert "obsolete" in page.warning[-1].value
    [button] = [one for one in page.button if one.label == "New"]
    assert headings(reader.checked(button.click().run()))[1] == "New"


def test_an_unknown_concept_is_told(path: Path) -> None:
    page = reader.open_page(PAGE, ontology__concept="X:404")
    assert "holds no concept X\\:404" in page.warning[-1].value


def test_of_two_ontologies_the_address_names_one(path: Path) -> None:
    with open_workspace(path) as workspace:
        ontologies.add_ontology(workspace, Ontology("other", "2", None, "1" * 64, (Concept("Y:1", "Why"),)))
    page = reader.open_page(PAGE, ontology__in="mini@1", ontology__concept=clinic.SEIZURE)
    assert headings(page)[1] == "Seizure"
    page = reader.open_page(PAGE, ontology__concept="Y:1")
    assert headings(page)[1] == "Why", "the one added last comes first"


def test_answers_of_others_are_numbers_until_one_has_answered(filled: tuple[Path, dict[str, int]]) -> None:
    path, ids = filled
    with open_workspace(path) as workspace:
        ward.review(workspace, ids)
        decisions.add_curator(workspace, "beta", "Beta")
    page = reader.open_page(PAGE, curator="beta", ontology__concept=ward.A)
    assert any(one.startswith("1 answer not shown") for one in captions(page))
    assert not any("accepted" in one.value for one in page.markdown)
    page = reader.open_page(PAGE, curator="alpha", ontology__concept=ward.A)
    assert any("of curators in ward: accepted" in one.value.replace("\\", "") for one in page.markdown)
