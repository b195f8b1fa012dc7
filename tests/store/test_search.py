"""Search takes words from people, never query syntax."""

from __future__ import annotations

import pytest

from core.records import Document
from core.store import Workspace, corpora

HOSTILE = (
    *(
        '"',
        '""',
        'a"b',
        "seizure\x00x",
        "\ud800",
        "*",
        "AND",
        "NOT",
        "NEAR(a b)",
        "-",
        "text:b",
        "^x",
        "(",
        " ",
    ),
    *("{a}", "🧠", "'", "seiz* OR", "); DROP TABLE texts; --", "x" * 10_000, "a " * 2000),
)


@pytest.fixture
def corpus(workspace: Workspace) -> None:
    with workspace.write() as db:
        made = corpora.create_corpus(db, "cases")
        bodies = ("Seizures at night.", "No seizure, ataxia.", "Nothing; AND then 'NEAR' the end.")
        list(corpora.insert_passages(db, made, (Document(f"d{n}", b) for n, b in enumerate(bodies))))


@pytest.mark.parametrize("query", HOSTILE, ids=lambda query: ascii(query[:12]))
def test_query_syntax_is_only_words(workspace: Workspace, corpus: None, query: str) -> None:
    assert isinstance(corpora.search_passages(workspace, query), list)


def test_words_that_are_operators_are_found_as_words(workspace: Workspace, corpus: None) -> None:
    assert [p for p, _ in corpora.search_passages(workspace, "AND NEAR")] == [3]
    assert corpora.search_passages(workspace, "seizure OR ataxia") == []


def test_passages_are_found_by_stem_and_all_words(workspace: Workspace, corpus: None) -> None:
    assert {p for p, _ in corpora.search_passages(workspace, "seizure")} == {1, 2}
    assert {p for p, _ in corpora.search_passages(workspace, "ataxia, seizures!")} == {2}
    assert corpora.search_passages(workspace, "") == []
