"""The baseline of the search benchmarks: names in SQLite's FTS5, by all words, the last as a prefix."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from core.review.search.names import Name
from core.store.connect import sqlite3


class FullText:
    """Exact names first, then exact synonyms, then by length and bm25."""

    def __init__(self, names: Iterable[Name]):
        self._db = sqlite3.connect(":memory:")
        self._db.execute("CREATE TABLE names (id INTEGER PRIMARY KEY, curie, text, scope)")
        self._db.execute(
            "CREATE VIRTUAL TABLE fts USING fts5 (text, content = 'names', content_rowid = 'id',"
            " tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3')"
        )
        self._db.executemany(
            "INSERT INTO names (curie, text, scope) VALUES (?, ?, ?)", [name[:3] for name in names]
        )
        self._db.execute("INSERT INTO fts (rowid, text) SELECT id, text FROM names")

    def find(self, query: str, limit: int = 10) -> list[str]:
        """Ids of concepts, best first."""
        words = "".join(ch if ch.isalnum() else " " for ch in query).split()
        if not words:
            return []
        match = " ".join([*(f'"{w}"' for w in words[:-1]), f'"{words[-1]}"*'])
        rows = self._db.execute(
            "SELECT n.curie, lower(n.text) = lower(?) AS exact, bm25(fts) AS rank"
            " FROM fts JOIN names n ON n.id = fts.rowid WHERE fts MATCH ? ORDER BY exact DESC,"
            " CASE n.scope WHEN 'NAME' THEN 0 WHEN 'EXACT' THEN 1 ELSE 2 END, length(n.text), rank LIMIT ?",
            (query, match, limit * 8),
        )
        return list(dict.fromkeys(row[0] for row in rows))[:limit]
