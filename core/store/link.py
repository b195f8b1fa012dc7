"""The hash chain over decisions: every link covers a decision, what it answered, and all links before it."""

from __future__ import annotations

import hashlib
from typing import Any

from core.errors import NotFoundError
from core.store.connect import sqlite3
from core.store.digest import canonical
from core.store.form import of_base
from core.store.workspace import Workspace

GENESIS = "0" * 64
"""The link before the first decision."""

CHAINED = (
    "number",
    "client_id",
    "item_id",
    "curator_id",
    "base",
    "action",
    "payload",
    "undoes",
    "blind",
    "milliseconds",
    "decided_at",
    "guideline_revision",
)
"""Columns of a decision that its link covers; from form 2 on also the form."""


def chain_head(workspace: Workspace) -> tuple[int, str]:
    """(number, link) of the last decision, (0, GENESIS) where there is none: for exports and backups."""
    return head(workspace.db)


def head(db: sqlite3.Connection) -> tuple[int, str]:
    row = db.execute("SELECT number, link FROM decisions ORDER BY number DESC LIMIT 1").fetchone()
    return (int(row[0]), str(row[1])) if row else (0, GENESIS)


def chain_link(db: sqlite3.Connection, previous: str, row: dict[str, Any] | sqlite3.Row) -> str:
    """Link of one decision row, hex: sha256 over the link before it, its item, the content of its base, and
    its columns."""
    form = row["form"]
    content = [
        previous,
        _item_identity(db, row["item_id"]),
        of_base(db, row["base"], form),
        [row[name] for name in CHAINED] + ([form] if form > 1 else []),
    ]
    return hashlib.sha256(canonical(content)).hexdigest()


def _item_identity(db: sqlite3.Connection, item_id: int) -> list[Any]:
    """What an item is, in words that outlive row numbers: kind, corpus, doc_id, text sha256, subject."""
    row = db.execute(
        "SELECT i.kind, c.name, p.doc_id, t.sha256, i.subject FROM items i"
        " JOIN passages p ON p.id = i.passage_id JOIN corpora c ON c.id = p.corpus_id"
        " JOIN texts t ON t.id = p.text_id WHERE i.id = ?",
        (item_id,),
    ).fetchone()
    if row is None:
        raise NotFoundError("item", item_id)
    return list(row)
