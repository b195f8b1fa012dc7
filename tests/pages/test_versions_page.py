"""The versions page: two releases of the clinic's ontology, and the labels that the change concerns."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.records import Concept
from core.store import ontologies, open_workspace
from tests.pages import reader
from tests.pages.reader import queues
from tests.review import clinic

PAGE = "pages/explore/versions.py"
NEW = "HP:0020219"


@pytest.fixture
def path(opened: Path) -> Path:
    """A second release: cataract is renamed, seizure moves to the eye, focal seizure has a new child."""
    older = clinic.ontology()
    changed = {
        clinic.CATARACT: {"name": "Clouding of the lens"},
        clinic.SEIZURE: {"parents": (clinic.EYE,)},
    }
    concepts = [replace(c, **changed.get(c.curie, {})) for c in older.concepts]
    concepts.append(Concept(NEW, "Motor seizure", parents=(clinic.FOCAL,)))
    with open_workspace(opened) as workspace:
        clinic.furnish(workspace)
        newer = replace(older, version="2", sha256="1" * 64, concepts=tuple(concepts))
        ontologies.add_ontology(workspace, newer)
    return opened


def listed(page: reader.AppTest) -> list[tuple[str, str, str]]:
    return [(row["id"], row["was"], row["is now"]) for row in reader.table(page, "versions.list")]


def test_one_release_alone_says_how_to_add_another(opened: Path) -> None:
    with open_workspace(opened) as workspace:
        clinic.furnish(workspace)
    assert "ontology add" in reader.open_page(PAGE).info[0].value


def test_what_changed_and_which_labels_are_on_it(path: Path) -> None:
    page = reader.open_page(PAGE, curator="alpha")
    rows = {row["change"]: row for row in reader.table(page, "versions.kinds")}
    assert {name: row["concepts"] for name, row in rows.items() if row["concepts"]} == {
        "New": 1,
        "Renamed": 1,
        "Moved (other parents)": 1,
        "Of these, moved away": 1,
        "New narrower concepts": 1,
    }
    assert rows["Renamed"]["labels of runs"] == 2  # as the ontology page counts them for cataract
    page = reader.choose(page, versions__kind="renamed")
    assert listed(page) == [(clinic.CATARACT, "Cataract", "Clouding of the lens")]
    [queue] = queues(page)
    assert (queue.page, queue.label, queue.corpus) == ("concept_labels", "Review these 2", "ward")
    assert queue.name.endswith("are on concepts that were renamed")


def test_a_row_of_the_kinds_chooses_what_is_listed_and_a_row_of_the_list_tells_all(path: Path) -> None:
    page = reader.open_page(PAGE)
    kinds = [row["change"] for row in reader.table(page, "versions.kinds")]
    page = reader.select(page, "versions.kinds", cells=[(kinds.index("New"), "change")])
    assert listed(page) == [(NEW, None, "Motor seizure")]
    page = reader.choose(page, versions__kind="all", versions__find="nervous eye")
    [(curie, was, now)] = listed(page)
    assert (curie, was) == (clinic.SEIZURE, f"{clinic.NAMES[clinic.NERVOUS]} ({clinic.NERVOUS})")
    assert now == f"{clinic.NAMES[clinic.EYE]} ({clinic.EYE})"
    page = reader.select(page, "versions.list", cells=[(0, "name")])
    assert sorted(reader.links(page)) == [
        f"ontology.in=mini%40{version}&ontology.concept=HP%3A0001250" for version in (1, 2)
    ]
