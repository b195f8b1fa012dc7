"""The trees page: labels on a tree, around a concept, trees side by side, import."""

from __future__ import annotations

import json
from typing import Any

import pytest

from core.records.trees import Recipe, TreeSource
from core.store import open_workspace, trees
from tests.evaluate import trained
from tests.evaluate.ward import A, B, C, E
from tests.pages import reader
from tests.pages.reader import checked, links, queues, select

PAGE = "pages/reports/trees.py"
OF = Recipe(ontologies=(TreeSource(reference="hp@test", sha256="0" * 64),), kind="osi", method="packing")


@pytest.fixture
def planted(filled: Any) -> Any:
    """The ward with two trees."""
    path, ids = filled
    with open_workspace(path) as workspace:
        trained.add_training(workspace)
        with workspace.write() as db:
            trees.add(db, "wide", {A: (0,), B: (1,), C: (2,), E: (3,)}, OF)
            trees.add(db, "deep", {A: (0, 0), B: (0, 1), C: (1, 0), E: (1, 1)}, OF)
    return path, ids


def open_page(**address: str) -> Any:
    return reader.open_page(PAGE, **{f"trees__{name}": value for name, value in address.items()})


def said(label: str) -> str:
    """What a reader sees of text that is kept from being markup."""
    return label.replace("\\", "").replace("\u2060", "")


def test_without_a_tree_the_page_says_how_to_get_one(filled: Any) -> None:
    page = open_page()
    assert any("no label tree yet" in info.value for info in page.info)
    assert any("no label tree yet" in info.value for info in open_page(view="Compare").info)


def test_labels_of_a_node_and_the_way_to_review_them(planted: Any) -> None:
    # gold: A and B in d1, C in d2, A in d4 by an old id; the run: A and E in d1, C in d2, A in d4
    page = open_page(tree="deep@1")
    rows = page.dataframe[0].value.to_dict("records")
    told = [(row["outcome"], row["document"], row["concept"], row["detail"]) for row in rows]
    assert told == [("missed", "d1", B, "[0, 1]"), ("spurious", "d1", E, "[1, 1]")]
    (queue,) = queues(page)
    assert queue.label == "Review these 2"
    assert queue.back.startswith("trees")
    (link,) = links(select(page, "trees.wrong-_", cells=[(1, "document")]))
    assert link.startswith("item=")

    inside = open_page(tree="deep@1", at="0")
    assert [said(b.label) for b in inside.button if "›" in b.label] == ["deep@1: 4 concepts ›"]
    rows = inside.dataframe[0].value.to_dict("records")
    assert [(row["document"], row["concept"]) for row in rows] == [("d1", B)]
    listed = open_page(tree="deep@1", at="0", what="Concepts").dataframe[0].value.to_dict("records")
    assert [(row["concept"], row["label"]) for row in listed] == [(A, "Anaemia"), (B, "Bruising")]
    up = next(b for b in inside.button if "›" in b.label)
    assert len(checked(up.click().run()).dataframe[0].value) == 2  # the whole tree again
    assert len(open_page(tree="deep@1", at="9.9").dataframe[0].value) == 2  # no such node: the whole tree


def test_where_proposals_land_around_an_unseen_concept(planted: Any) -> None:
    every = open_page(view="Around a concept", tree="deep@1")
    assert len(every.dataframe[-1].value) == 3  # without a training set A counts, too
    page = reader.choose(every, trees__trained_on="imported:train@1")
    rows = page.dataframe[-1].value.to_dict("records")
    # A is seen. B in d1: the run says A (1 of 2 levels) and E; C in d2 is found
    assert [(r["concept"], r["passages"], r["closeness (U-RC)"]) for r in rows] == [
        (f"{B} Bruising", 1, 0.5),
        (f"{C} Cough", 1, 1.0),
    ]
    assert any("Around Bruising" in head.value for head in page.header)
    # an address that people wrote, with the spelling of files
    page = open_page(view="Around a concept", tree="deep@1", trained_on="imported:train@1")
    assert len(page.dataframe[-1].value) == 2


def test_trees_side_by_side(planted: Any) -> None:
    page = open_page(view="Compare")
    shape = {row["what"]: row for row in page.dataframe[0].value.to_dict("records")}
    assert (shape["Mean depth"]["wide@1"], shape["Mean depth"]["deep@1"]) == ("1.000", "2.000")
    # B is the only one whose parent, A, is in the trees: nothing of (1,) and 1 of 2 of (0, 1)
    agreement = shape["Ontology agreement"]
    assert (agreement["wide@1"], agreement["deep@1"]) == ("0.000", "0.500")
    free = {row["answers"]: row for row in page.dataframe[1].value.to_dict("records")}
    assert free["always a parent"]["deep@1"].startswith("0.500")


def test_a_file_is_imported_or_refused(planted: Any) -> None:
    def imported(name: str, indices: dict[str, list[int]]) -> Any:
        page = open_page(view="Build or import")
        page.file_uploader(key="trees.file").set_value([(name, json.dumps(indices).encode(), "x")])
        page = checked(page.run())
        return checked(page.button(key="trees.import").click().run())

    page = imported("theirs.json", {A: [0], B: [1]})
    assert any("theirs@1: 2 concepts" in said(one.value) for one in page.success)
    assert any("share an index" in one.value for one in imported("bad.json", {A: [0], B: [0]}).error)


def test_a_tree_of_the_workspace_serves_on_the_generalisation_page(planted: Any) -> None:
    page = reader.open_page(
        "pages/reports/generalisation.py",
        generalisation__trained_on="imported:train@1",
        generalisation__view="On a label tree",
    )
    page = reader.choose(page, generalisation__tree="deep@1")
    assert page.metric[0].value == "0.750"  # U-RC: (1/2 + 1) / 2
    rows = {row["answers"]: row for row in page.dataframe[0].value.to_dict("records")}
    assert rows["the most frequent seen concept"]["closeness (U-RC)"] == "0.250"  # A: (1/2 + 0) / 2


def test_runs_of_several_training_sizes_as_a_curve(planted: Any) -> None:
    page = reader.open_page(
        "pages/reports/generalisation.py", generalisation__source="Several training sizes"
    )
    page.multiselect(key="generalisation.runs").set_value(["lexicon-1"])
    page = checked(page.run())
    assert any("what each run was trained on" in info.value for info in page.info)
    page = reader.choose(page, **{"generalisation__size_lexicon-1": "imported:train@1"})
    (row,) = page.dataframe[0].value.to_dict("records")
    # one passage of training; A is seen; B: 1 of 2 levels, C: exact; TP 3 (A, C, A), FP 2 (E, D), FN 1 (B)
    assert (row["training passages"], row["unseen labels"]) == (1, 2)
    assert row["F1"].startswith("0.667")
    assert row["U-RC"].startswith("0.750")
