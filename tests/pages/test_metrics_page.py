"""The metrics page on a workspace small enough to score by hand (tests/evaluate/ward.py)."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.records import Action, Answer, ConceptClass, NewDecision
from core.store import decisions, open_workspace, queue
from tests.evaluate import ward
from tests.evaluate.ward import AFFIRMED, A, E

APP = Path(__file__).parents[2] / "app.py"
PAGE = "pages/reports/metrics.py"


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
    return path


def open_page() -> AppTest:
    page = AppTest.from_file(str(APP), default_timeout=60).run().switch_page(PAGE).run()
    assert not page.exception
    return page


def cards(page):
    return [(m.label, m.value, m.delta) for m in page.metric]


def select(page, key, *, cells=(), rows=()):
    page.session_state[key] = {"selection": {"rows": list(rows), "columns": [], "cells": list(cells)}}
    page.run()
    assert not page.exception
    return page


def tables(page):
    return [frame.value.to_dict("records") for frame in page.dataframe]


def test_headline_before_and_after_review(reviewed):
    page = open_page()
    assert cards(page) == [
        ("Macro F1", "0.792", "+0.208"),
        ("Micro F1", "0.667", "+0.333"),
        ("Weighted F1", "0.667", "+0.333"),
    ]
    captions = [c.value for c in page.caption]
    assert any(
        "std 0.217" in c and "95% interval 0.583 to 1.000" in c and "4 documents" in c for c in captions
    )
    board = {row["value"]: row for row in tables(page)[0]}
    assert board["Micro Precision"]["before review"].startswith("0.600 [")
    assert board["Micro Precision"]["after review"] == "1.000 [1.000, 1.000]"
    assert [board[k]["before review"] for k in ("Right", "Spurious", "Missed")] == ["3", "2", "1"]
    assert [board[k]["after review"] for k in ("Right", "Spurious", "Missed")] == ["4", "0", "0"]
    assert any("reviewed@6:curator=alpha" in t.value for t in page.text)


def test_a_small_test_set_says_so(reviewed):
    assert any("4 complete documents" in info.value for info in open_page().info)


def test_without_decisions_there_is_no_after(filled):
    page = open_page()
    assert cards(page)[0] == ("Macro F1", "0.792", "")
    assert {row["after review"] for row in tables(page)[0]} == {None}
    assert page.subheader[0].value == "All values"


def test_a_cell_opens_its_items_and_an_item_its_review(reviewed):
    page = select(open_page(), "metrics.board", cells=[(10, "before review")])  # Spurious
    items = tables(page)[1]
    assert [(i["outcome"], i["document"], i["concept"], i["label"]) for i in items] == [
        ("spurious", "d1", E, "=Eczema"),
        ("spurious", "d2", ward.D, "Dyspnoea"),
    ]
    page = select(page, "metrics.items_board", rows=[0])
    (link,) = page.get("page_link")
    with open_workspace(reviewed) as workspace:
        (item,) = [i for i in queue.items_of_passages(workspace, [1]) if i.concept == E]
    assert link.proto.query_string == f"item={item.id}"


def test_a_cell_after_review_opens_the_items_after_review(reviewed):
    page = select(open_page(), "metrics.board", cells=[(0, "after review")])  # Macro F1
    assert {i["outcome"] for i in tables(page)[1]} == {"right"}
    assert len(tables(page)[1]) == 4


def test_a_number_of_a_document_opens_its_items(reviewed):
    page = select(open_page(), "metrics.documents", cells=[(0, "fn")])
    (missed,) = tables(page)[-1]
    assert (missed["outcome"], missed["document"], missed["concept"]) == ("missed", "d1", ward.B)


def test_reviewed_gold_shows_what_is_undefined_and_why(filled):
    path, ids = filled
    with open_workspace(path) as workspace:
        decisions.add_curator(workspace, "alpha", "Alpha")
        decisions.append(
            workspace,
            [NewDecision("1", "alpha", Action.REJECT, passage_id=ids["d1"], concept=E)],
        )
    page = open_page()
    page.selectbox(key="metrics.gold").select("reviewed@now:curator=alpha").run()
    assert cards(page)[0] == ("Macro F1", "–", "")
    said = "\n".join(info.value for info in page.info)
    assert "No document of this gold is complete (closed in review)" in said
    assert "agree with it by construction" in said
    precision = next(row for row in tables(page)[0] if row["value"] == "Micro Precision")
    assert precision["before review"].startswith("0.000")


def test_another_choice_of_assertions_changes_the_numbers(reviewed):
    page = open_page()
    page.button_group(key="metrics.assertions").set_value(["affirmed"]).run()
    # d2 is now without a right answer: C is uncertain, D wrong
    micro = next(row for row in tables(page)[0] if row["value"] == "Micro F1")
    assert micro["before review"].startswith("0.500")  # TP 2, FP 2, FN 2
    page.button_group(key="metrics.assertions").set_value([]).run()
    assert [info.value for info in page.info] == ["Choose at least one assertion."]


def test_a_new_decision_is_in_the_numbers_at_the_next_look(filled):
    path, ids = filled
    page = open_page()
    assert cards(page)[1] == ("Micro F1", "0.667", "")
    with open_workspace(path) as workspace:
        decisions.add_curator(workspace, "alpha", "Alpha")
        answer = Answer(A, "Anaemia", AFFIRMED, ConceptClass.EXPLICIT)
        decisions.append(
            workspace,
            [
                NewDecision("1", "alpha", Action.ACCEPT, passage_id=ids["d1"], concept=A, answer=answer),
                NewDecision("2", "alpha", Action.REJECT, passage_id=ids["d1"], concept=E),
            ],
        )
    assert cards(page.run())[1] == ("Micro F1", "0.667", "+0.083")  # TP 3, FP 1, FN 1


def test_an_empty_workspace_says_what_to_do(workspace_path, monkeypatch):
    monkeypatch.setenv("TOUCHSTONE_WORKSPACE", str(workspace_path))
    open_workspace(workspace_path).close()
    assert "There are no runs yet" in open_page().info[0].value
