"""Learning on the Runs page: a set is learned, read, silenced in part, and offered to a new run."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.store import learned, open_workspace
from tests.pages.reader import checked, open_page, tables
from tests.patience import SECONDS
from tests.pipeline.test_learn import fill

PAGE = "pages/reports/runs.py"


@pytest.fixture
def path(workspace_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TOUCHSTONE_WORKSPACE", str(workspace_path))
    with open_workspace(workspace_path) as workspace:
        fill(workspace)
    return workspace_path


def view(page: AppTest, name: str) -> AppTest:
    return checked(page.button_group(key="runs.view").set_value(name).run())


def test_learn_read_silence_and_undo(path: Path) -> None:
    page = view(open_page(PAGE), "learned")
    assert any("Nothing was learned yet." in str(one.value) for one in page.caption)
    page.selectbox(key="runs.learn_corpus").set_value("c")
    page.text_input(key="runs.learn_name").set_value("gaits")
    page = checked(page.button(key="runs.learn").click().run(timeout=SECONDS))
    assert any("1 name from 4 documents" in str(one.value) for one in page.success)
    (names,) = tables(page)
    assert names == [
        {"Name": "wobbly gait", "Concept": "Ataxia", "Right in": 2, "Of documents": 2, "From": "c@1"}
    ]
    page = checked(page.button(key="runs.silence").click().run())
    with open_workspace(path, create=False) as workspace:
        assert learned.silent(workspace, "gaits") == {("X:3", "wobbly gait")}
    page = checked(page.button(key="runs.unmute_X:3_wobbly gait").click().run())
    with open_workspace(path, create=False) as workspace:
        assert learned.silent(workspace, "gaits") == frozenset()
    page = view(page, "start")
    assert page.selectbox(key="runs.taught").options == ["Nothing", "gaits"]


def test_what_cannot_be_learned_is_said(path: Path) -> None:
    page = view(open_page(PAGE), "learned")
    page.text_input(key="runs.learn_name").set_value("../x")
    page = checked(page.button(key="runs.learn").click().run(timeout=SECONDS))
    assert any("cannot name a learned set" in str(one.value) for one in page.error)
    with open_workspace(path, create=False) as workspace:
        assert learned.list_sets(workspace) == []
