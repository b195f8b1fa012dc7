"""The agreement page on two small workspaces: concepts (tests/evaluate/ward.py) and claim pairs."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.store import open_workspace, queue
from tests.evaluate import ward
from tests.evaluate.ward import B, D, E

APP = Path(__file__).parents[2] / "app.py"
PAGE = "pages/reports/agreement.py"


@pytest.fixture
def filled(workspace_path, monkeypatch):
    monkeypatch.setenv("TOUCHSTONE_WORKSPACE", str(workspace_path))
    with open_workspace(workspace_path) as workspace:
        ids = ward.fill(workspace)
    return workspace_path, ids


@pytest.fixture
def reviewed(filled):
    path, ids = filled
    with open_workspace(path) as workspace:
        ward.review(workspace, ids)
        ward.second_review(workspace, ids)
    return path


def open_page(curator=None) -> AppTest:
    page = AppTest.from_file(str(APP), default_timeout=60)
    if curator:
        page.session_state["frame.curator"] = curator
    page = page.run().switch_page(PAGE).run()
    assert not page.exception
    return page


def select(page, key, *, cells=(), rows=()):
    page.session_state[key] = {"selection": {"rows": list(rows), "columns": [], "cells": list(cells)}}
    page.run()
    assert not page.exception
    return page


def table(page, key):
    return next(f for f in page.dataframe if f.key == key).value.to_dict("records")


def test_headline_and_pairs(reviewed):
    page = open_page()
    # worked out in tests/evaluate/test_curators.py
    assert [(m.label, m.value) for m in page.metric][:2] == [
        ("Krippendorff's alpha", "-0.235"),
        ("Fleiss' kappa", "-0.412"),
    ]
    (row,) = table(page, "agreement.pairs_table")
    assert (row["curators"], row["items"], row["differ"]) == ("Alpha, Beta", 4, 3)
    assert row["kappa"].startswith("-0.333 [")


def test_a_number_opens_the_items_they_differ_on_and_an_item_its_review(reviewed):
    page = select(open_page(), "agreement.pairs_table", cells=[(0, "kappa")])
    items = table(page, "agreement.pairs_items")
    assert [(i["document"], i["concept"], i["label"]) for i in items] == [
        ("d1", B, "Bruising"),
        ("d1", E, "=Eczema"),
        ("d2", D, "Dyspnoea"),
    ]
    assert items[0]["detail"] == "Alpha: affirmed; Beta: absent"
    page = select(page, "agreement.pairs_items", rows=[1])
    with open_workspace(reviewed) as workspace:
        (item,) = [i for i in queue.items_of_passages(workspace, [1]) if i.concept == E]
    assert [link.proto.query_string for link in page.get("page_link")] == [f"item={item.id}"]


def test_a_cell_of_the_labels_opens_its_items(reviewed):
    page = select(open_page(), "agreement.labels:0:1_table", cells=[(2, "affirmed")])  # negated, affirmed
    assert [(i["document"], i["concept"]) for i in table(page, "agreement.labels:0:1_items")] == [("d2", D)]


def test_nobody_sees_what_others_say_before_answering(reviewed):
    # alpha has not settled C, which beta rejects: unsure is no answer
    page = open_page("alpha")
    assert any("stays unseen" in c.value for c in page.caption)
    page.selectbox(key="agreement.universe").select("judged").run()
    page = select(page, "agreement.pairs_table", cells=[(0, "missing")])
    assert not any(f.key == "agreement.pairs_items" for f in page.dataframe)
    page = open_page("beta")
    page.selectbox(key="agreement.universe").select("judged").run()
    page = select(page, "agreement.pairs_table", cells=[(0, "missing")])
    assert [i["document"] for i in table(page, "agreement.pairs_items")] == ["d2"]


def test_one_curator_is_too_few(filled):
    path, ids = filled
    assert "So far there is none" in open_page().info[0].value
    with open_workspace(path) as workspace:
        ward.review(workspace, ids)
    assert "So far there is only one" in open_page().info[0].value


def test_an_empty_workspace_says_what_to_do(workspace_path, monkeypatch):
    monkeypatch.setenv("TOUCHSTONE_WORKSPACE", str(workspace_path))
    open_workspace(workspace_path).close()
    assert "There is no corpus yet" in open_page().info[0].value


def test_a_new_decision_is_in_the_numbers_at_the_next_look(filled):
    path, ids = filled
    page = open_page()
    with open_workspace(path) as workspace:
        ward.review(workspace, ids)
        ward.second_review(workspace, ids)
    assert page.run().metric[0].value == "-0.235"
