"""Passages by their words: texts and titles, as SQLite's full-text search has them.

What people type is words, never query syntax: each piece between blanks is looked for as it stands, as are
words between quotation marks. Words are compared by their stems, whatever their case.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.store.rows import column, mapping, plain
from core.store.workspace import Workspace

MOST_WORDS = 32
"""Pieces of what is typed that are looked for."""
LEAST_BEGINNING = 3
"""Letters of a beginning that is looked for."""
SNIPPET = 28
"""Words around a hit."""
_OPEN, _CLOSE = "\x02", "\x03"
_PIECES = re.compile(r'"([^"]*)"?|(\S+)')

Ids = NDArray[np.int64]


class Piece(NamedTuple):
    """A piece of a text, and whether it is a hit."""

    text: str
    hit: bool


def pieces(typed: str) -> list[str]:
    """What is looked for in what somebody typed: words, and words that stand together."""
    found = (" ".join(_words(quoted or plain)) for quoted, plain in _PIECES.findall(typed))
    return list(dict.fromkeys(one for one in found if one))[:MOST_WORDS]


def expression(found: Iterable[str], *, beginning: bool = False) -> str:
    """The same for FTS5.

    Args:
        beginning: whether the last word may go on.
    """
    quoted = [f'"{one}"' for one in found]
    return " ".join(quoted) + (" *" if beginning and quoted else "")


def texts_with(workspace: Workspace, match: str) -> Ids:
    """Ids of the texts that fit an expression, ascending."""
    return _ids(workspace, "SELECT group_concat(rowid) FROM texts_fts WHERE texts_fts MATCH ?", match)


def titles_with(workspace: Workspace, match: str) -> Ids:
    """Passages whose titles fit an expression, ascending."""
    return _ids(workspace, "SELECT group_concat(rowid) FROM titles_fts WHERE titles_fts MATCH ?", match)


def _ids(workspace: Workspace, sql: str, match: str) -> Ids:
    """As one text: a row for each of 50,000 hits would take four times as long."""
    row = workspace.db.execute(sql, (match,)).fetchone() if match else (None,)
    return np.fromstring(row[0] or "", dtype=np.int64, sep=",")


def ranks(workspace: Workspace, match: str) -> dict[int, float]:
    """Text -> how well it fits an expression, by BM25: the less, the better. For few texts: each of them is
    weighed."""
    return dict(plain(workspace.db, "SELECT rowid, rank FROM texts_fts WHERE texts_fts MATCH ?", (match,)))


def shelved(workspace: Workspace, after: int) -> list[tuple[int, int, int]]:
    """(passage, its text, its corpus) of all behind this passage, in order."""
    sql = "SELECT id, text_id, corpus_id FROM passages WHERE id > ? ORDER BY id"
    return list(plain(workspace.db, sql, (after,)))


def corpus_ids(workspace: Workspace) -> dict[str, int]:
    """Corpora by name, in the order in which they were added."""
    return dict(plain(workspace.db, "SELECT name, id FROM corpora ORDER BY id"))


def called(workspace: Workspace, doc_id: str) -> list[int]:
    """Passages of just this document id."""
    return column(
        workspace.db,
        "SELECT s.id FROM corpora c CROSS JOIN passages s ON s.corpus_id = c.id AND s.doc_id = ?",
        (doc_id,),
    )


class Found(NamedTuple):
    """A passage that is shown among the results."""

    id: int
    corpus: str
    doc_id: str
    title: str | None
    snippet: tuple[Piece, ...]


def found(workspace: Workspace, passages: Collection[int], match: str) -> list[Found]:
    """Passages in the order asked for, with what stands around the hits in their texts. A screenful at a
    time."""
    wanted = json.dumps(list(map(int, passages)))
    rows = workspace.db.execute(
        "SELECT s.id, c.name, s.doc_id, s.title, s.text_id, substr(t.body, 1, 240), length(t.body) FROM"
        " json_each(?) j JOIN passages s ON s.id = j.value JOIN corpora c ON c.id = s.corpus_id"
        " JOIN texts t ON t.id = s.text_id",
        (wanted,),
    ).fetchall()
    said = _snippets(workspace, match, [row[4] for row in rows])
    return [
        Found(
            passage,
            corpus,
            doc_id,
            title,
            _cut(said.get(text) or beginning + ("…" if length > len(beginning) else "")),
        )
        for passage, corpus, doc_id, title, text, beginning, length in rows
    ]


def _snippets(workspace: Workspace, match: str, texts: list[int]) -> dict[int, str]:
    """Text -> what stands around its hits, with marks around each, of those of these texts that fit."""
    if not match:
        return {}
    return mapping(
        workspace.db,
        f"SELECT rowid, snippet(texts_fts, 0, ?, ?, '…', {SNIPPET}) FROM texts_fts"
        " WHERE texts_fts MATCH ? AND rowid IN (SELECT value FROM json_each(?))",
        (_OPEN, _CLOSE, match, json.dumps(texts)),
    )


def _cut(marked: str) -> tuple[Piece, ...]:
    """A text in which hits stand between marks. Marks of the text's own would only mark other words."""
    parts = re.split(f"[{_OPEN}{_CLOSE}]", marked)
    return tuple(Piece(part, bool(at % 2)) for at, part in enumerate(parts) if part)


def _words(text: str) -> list[str]:
    return "".join(ch if ch.isalnum() else " " for ch in text).split()
