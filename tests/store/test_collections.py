"""How far collections have come, as it is kept."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.records import Document
from core.store import Workspace, collections, corpora
from core.store.collections import Collection


@pytest.fixture
def corpus_id(workspace: Workspace) -> int:
    with workspace.write() as db:
        return corpora.create_corpus(db, "c")


def test_a_row_is_kept_as_it_is_and_overwritten(workspace: Workspace, corpus_id: int) -> None:
    first = Collection("alpha: x", "after-10", 35, 10, 8, False, "a note")
    with workspace.write() as db:
        collections.save(db, corpus_id, "pubmed", first)
        collections.save(db, corpus_id, "europepmc", replace(first, position=None, done=True))
    found = collections.of_source(workspace, corpus_id, "pubmed")
    assert replace(found["alpha: x"], updated_at="") == first
    with workspace.write() as db:
        collections.save(db, corpus_id, "pubmed", Collection("alpha: x", None, 35, 35, 30, True))
    row = collections.of_source(workspace, corpus_id, "pubmed")["alpha: x"]
    assert (row.position, row.fetched, row.done, row.message) == (None, 35, True, None)
    assert row.updated_at >= found["alpha: x"].updated_at  # the clock may stand still between two writes
    assert collections.of_source(workspace, corpus_id, "europepmc")["alpha: x"].fetched == 10


@pytest.mark.parametrize(
    ("row", "most", "wanted"),
    [
        (Collection("q"), None, None),
        (Collection("q"), 5, 5),
        (Collection("q", "p", 35, 10), 25, 15),
        (Collection("q", "p", 35, 10), None, None),
        (Collection("q", "p", 35, 10, done=True), 10, 0),
        (Collection("q", "p", 35, 10, done=True), 12, 2),
        (Collection("q", None, 35, 35, done=True), 100, 0),
        (Collection("q", None, 35, 35, done=True), None, 0),
    ],
)
def test_what_is_still_wanted(row: Collection, most: int | None, wanted: int | None) -> None:
    assert row.wanted(most) == wanted


def test_which_documents_a_corpus_has(workspace: Workspace, corpus_id: int) -> None:
    with workspace.write() as db:
        other = corpora.create_corpus(db, "other")
        list(corpora.insert_passages(db, corpus_id, [Document("a", "Alpha."), Document("b", "Beta.")]))
        list(corpora.insert_passages(db, other, [Document("z", "Zeta.")]))
        assert collections.known_documents(db, corpus_id, ["a", "z", "b", "?"]) == {"a", "b"}
