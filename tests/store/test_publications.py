"""Years and journals of a corpus, as its records say."""

from __future__ import annotations

from typing import Any

import pytest

from core.errors import NotFoundError
from core.records import Document
from core.store import Workspace, corpora
from core.store.publications import Published, published


def add(workspace: Workspace, name: str, *metas: dict[str, Any]) -> None:
    documents = [Document(f"d{i}", f"Text {name} {i}.", meta=meta) for i, meta in enumerate(metas)]
    with workspace.write() as db:
        corpus_id = corpora.create_corpus(db, name, domain=None, confidential=False, source=None, sha256=None)
        list(corpora.insert_passages(db, corpus_id, documents))


def test_years_and_journals(workspace: Workspace) -> None:
    add(workspace, "other", {"year": 1800, "journal": "Elsewhere"})
    add(
        workspace,
        "a",
        {"year": 2001, "journal": "Beta"},
        {"year": 1999, "journal": "Alpha"},
        {"year": 2010, "journal": " Alpha "},
        {"journal": "Gamma"},
        {"year": 2005},
        {"pmid": "1"},
    )
    assert published(workspace, "a") == Published(
        5, (1999, 2010), 1, 3, [("Alpha", 2), ("Beta", 1), ("Gamma", 1)]
    )
    assert published(workspace, "a", most=1).most == [("Alpha", 2)]
    assert published(workspace, "a", most=0).most == []


def test_what_is_of_another_form_is_not_given(workspace: Workspace) -> None:
    add(
        workspace,
        "a",
        {"year": "2001", "journal": ["x"]},
        {"year": 2001.5, "journal": None},
        {"year": True, "journal": {"title": "x"}},
        {"year": None, "journal": 7},
        {},
    )
    assert published(workspace, "a") == Published(0, None, 0, 0, [])


def test_an_unknown_corpus_is_named(workspace: Workspace) -> None:
    add(workspace, "a", {})
    with pytest.raises(NotFoundError, match="Known: a"):
        published(workspace, "b")
