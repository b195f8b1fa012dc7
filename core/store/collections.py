"""How far the queries of collections have come: one row a query, overwritten page by page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from core.store.connect import sqlite3
from core.store.workspace import Workspace, now


@dataclass(frozen=True, slots=True)
class Collection:
    """One query of one source for one corpus."""

    query: str
    """Its name and the text that is sent: a query that is reworded is another one."""
    position: str | None = None
    """Where the next page begins, in the source's own words; None: at the beginning, or nothing is left."""
    found: int | None = None
    """Articles that the source told of."""
    fetched: int = 0
    """Articles that came, those that the corpus had included."""
    added: int = 0
    done: bool = False
    """Whether nothing is left, or as many came as were wanted; then `position` is where more would begin."""
    message: str | None = None
    """What went wrong or is worth telling, from the last attempt."""
    updated_at: str = ""

    def exhausted(self) -> bool:
        return self.done and self.position is None

    def wanted(self, most: int | None) -> int | None:
        """Articles that are still wanted; None: all that are left."""
        if self.exhausted():
            return 0
        return None if most is None else max(0, most - self.fetched)


_COLUMNS = "query, position, found, fetched, added, done, message, updated_at"


def _collection(row: tuple[Any, ...]) -> Collection:
    query, position, found, fetched, added, done, message, updated_at = row
    return Collection(query, position, found, fetched, added, bool(done), message, updated_at)


def of_corpus(workspace: Workspace, corpus_id: int) -> list[tuple[str, Collection]]:
    """(source, how far a query of it has come), by source and query."""
    rows = workspace.db.execute(
        f"SELECT source, {_COLUMNS} FROM collections WHERE corpus_id = ? ORDER BY source, query", (corpus_id,)
    )
    return [(row[0], _collection(row[1:])) for row in rows]


def of_source(workspace: Workspace, corpus_id: int, source: str) -> dict[str, Collection]:
    """Query -> how far it has come."""
    return {c.query: c for known, c in of_corpus(workspace, corpus_id) if known == source}


def save(db: sqlite3.Connection, corpus_id: int, source: str, collection: Collection) -> None:
    """Overwrite the row of a query."""
    c = collection
    db.execute(
        f"INSERT INTO collections (corpus_id, source, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (corpus_id, source, query) DO UPDATE SET position = excluded.position,"
        " found = excluded.found, fetched = excluded.fetched, added = excluded.added, done = excluded.done,"
        " message = excluded.message, updated_at = excluded.updated_at",
        (
            *(corpus_id, source, c.query, c.position, c.found, c.fetched, c.added, int(c.done)),
            *(c.message, now()),
        ),
    )


def known_documents(db: sqlite3.Connection, corpus_id: int, doc_ids: Iterable[str]) -> set[str]:
    """Those of some doc_ids that the corpus has."""
    return {
        doc_id
        for doc_id in doc_ids
        if db.execute(
            "SELECT 1 FROM passages WHERE corpus_id = ? AND doc_id = ?", (corpus_id, doc_id)
        ).fetchone()
    }
