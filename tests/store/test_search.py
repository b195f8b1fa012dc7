"""Search takes words from people, never query syntax."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.records import Document
from core.store import Workspace, corpora, fulltext, open_workspace
from core.store.chain import verify
from tests.store.test_before import stored

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
    *("{a}", "🧠", "'", "seiz* OR", "); DROP TABLE texts; --", "x" * 10_000, "a " * 2000, '"a ' * 99),
)
TITLED = Document("d4", "Nothing else.", title="Ataxia in a family")


@pytest.fixture
def corpus(workspace: Workspace) -> None:
    with workspace.write() as db:
        made = corpora.create_corpus(db, "cases")
        bodies = ("Seizures at night.", "No seizure, ataxia.", "Nothing; AND then 'NEAR' the end.")
        documents = [*(Document(f"d{n}", b) for n, b in enumerate(bodies)), TITLED]
        list(corpora.insert_passages(db, made, documents))


def texts(workspace: Workspace, typed: str, *, beginning: bool = False) -> list[int]:
    match = fulltext.expression(fulltext.pieces(typed), beginning=beginning)
    return sorted(fulltext.texts_with(workspace, match).tolist())


def titles(workspace: Workspace, typed: str) -> list[int]:
    match = fulltext.expression(fulltext.pieces(typed))
    return fulltext.titles_with(workspace, match).tolist()


@pytest.mark.parametrize("typed", HOSTILE, ids=lambda typed: ascii(typed[:12]))
@pytest.mark.parametrize("beginning", [False, True])
def test_query_syntax_is_only_words(workspace: Workspace, corpus: None, typed: str, beginning: bool) -> None:
    match = fulltext.expression(fulltext.pieces(typed), beginning=beginning)
    found = fulltext.texts_with(workspace, match).tolist()
    assert fulltext.ranks(workspace, match).keys() == set(found) if match else found == []
    assert [row.id for row in fulltext.found(workspace, [3, 1], match)] == [3, 1]


def test_words_that_are_operators_are_found_as_words(workspace: Workspace, corpus: None) -> None:
    assert texts(workspace, "AND NEAR") == [3]
    assert texts(workspace, "seizure OR ataxia") == []


def test_texts_are_found_by_stem_and_all_words(workspace: Workspace, corpus: None) -> None:
    assert texts(workspace, "seizure") == [1, 2]
    assert texts(workspace, "ataxia, seizures!") == [2]
    assert texts(workspace, "") == []


def test_words_in_quotation_marks_stand_together(workspace: Workspace, corpus: None) -> None:
    assert texts(workspace, '"seizure ataxia"') == [2]
    assert texts(workspace, '"ataxia seizure"') == []


def test_the_last_word_may_go_on(workspace: Workspace, corpus: None) -> None:
    assert texts(workspace, "atax") == []
    assert texts(workspace, "atax", beginning=True) == [2]


def test_titles_are_found_by_their_words(workspace: Workspace, corpus: None) -> None:
    assert titles(workspace, "families ataxia") == [4]
    assert titles(workspace, "seizure") == []


def test_what_is_added_later_is_found_too(workspace: Workspace, corpus: None) -> None:
    with workspace.write() as db:
        made = corpora.create_corpus(db, "more")
        list(corpora.insert_passages(db, made, [TITLED, Document("d5", "Ataxia.", title="None")]))
    assert titles(workspace, "ataxia") == [4, 5]
    assert verify(workspace).problems == ()


def test_hits_are_marked_and_the_text_stays_text(workspace: Workspace, corpus: None) -> None:
    [found] = fulltext.found(workspace, [2], '"seizure" "ataxia"')
    assert found.snippet == (("No ", False), ("seizure", True), (", ", False), ("ataxia", True), (".", False))
    with workspace.write() as db:
        made = corpora.create_corpus(db, "odd")
        odd = Document("odd", "<b>fit</b> \x03 **fit** \x02 [x](http://x)")
        [(passage, _)] = corpora.insert_passages(db, made, [odd])
    [found] = fulltext.found(workspace, [passage], '"fit"')
    told = "".join(piece.text for piece in found.snippet)
    assert told == odd.text.replace("\x02", "").replace("\x03", "")


@pytest.mark.parametrize("name", ["pairs", "two_corpora"])
def test_titles_of_a_workspace_of_an_older_version_are_found(tmp_path: Path, name: str) -> None:
    with open_workspace(stored(name, tmp_path)) as workspace:
        rows = workspace.db.execute("SELECT id, title FROM passages WHERE title IS NOT NULL").fetchall()
        assert rows
        for passage, title in rows:
            assert passage in titles(workspace, title)
        assert verify(workspace).problems == ()
