"""An oracle run on the runs page: nobody takes it for a labelling, and the desk does not know it."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.records import Annotation
from core.store import corpora, open_workspace
from pages.widgets import state
from tests.pages.reader import queues
from tests.pages.test_runs import open_page, said
from tests.pipeline import ward


def test_it_says_what_was_taken_from_which_gold(
    workspace_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOUCHSTONE_WORKSPACE", str(workspace_path))
    with open_workspace(workspace_path) as workspace:
        ward.fill(workspace, 2)
        corpus, passages = corpora.corpus(workspace, "c"), corpora.passage_ids(workspace, "c")
        with workspace.write() as db:
            gold = [(passages["d0"], Annotation("X:4"))]
            corpora.add_annotation_set(db, "g_1", "1", corpus.id, gold, exhaustive=True, sha256="1" * 64)
        ward.label(workspace, "", offline=True, oracle="candidates", gold="imported:g_1@1", run="helped")
        assert state.review_runs(workspace) == []
    page = open_page(run="helped")
    (warning,) = page.warning
    assert "candidates were taken from imported:g_1@1" in said(page)
    assert "no labelling" in warning.value
    page.session_state["runs.tabs_helped"] = "Labels"
    page = page.run()
    assert not page.exception
    assert not queues(page), "nobody reviews what it proposes"
