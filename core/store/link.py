"""The hash chain over decisions: every link covers a decision, what it answered, and all links before it."""

from __future__ import annotations

import hashlib
from typing import Any

from core.errors import NotFoundError
from core.store.connect import sqlite3
from core.store.digest import canonical
from core.store.workspace import Workspace

GENESIS = "0" * 64
"""The link before the first decision."""

SHOWN = {"proposals": "proposals", "labels": "pair_labels"}
"""How a base calls what was on the screen -> the table that holds it."""

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
"""Columns of a decision that its link covers."""


def chain_head(workspace: Workspace) -> tuple[int, str]:
    """(number, link) of the last decision, (0, GENESIS) where there is none: for exports and backups."""
    return head(workspace.db)


def head(db: sqlite3.Connection) -> tuple[int, str]:
    row = db.execute("SELECT number, link FROM decisions ORDER BY number DESC LIMIT 1").fetchone()
    return (int(row[0]), str(row[1])) if row else (0, GENESIS)


def chain_link(db: sqlite3.Connection, previous: str, row: dict[str, Any] | sqlite3.Row) -> str:
    """Link of one decision row, hex: sha256 over the link before it, its item, the content of its base, and
    its columns."""
    content = [
        previous,
        _item_identity(db, row["item_id"]),
        _base_content(db, row["base"]),
        [row[name] for name in CHAINED],
    ]
    return hashlib.sha256(canonical(content)).hexdigest()


def _item_identity(db: sqlite3.Connection, item_id: int) -> list[Any]:
    """What an item is, in words that outlive row numbers: kind, corpus, doc_id, text sha256, concept."""
    row = db.execute(
        "SELECT i.kind, c.name, p.doc_id, t.sha256, i.concept FROM items i"
        " JOIN passages p ON p.id = i.passage_id JOIN corpora c ON c.id = p.corpus_id"
        " JOIN texts t ON t.id = p.text_id WHERE i.id = ?",
        (item_id,),
    ).fetchone()
    if row is None:
        raise NotFoundError("item", item_id)
    return list(row)


def _base_content(db: sqlite3.Connection, base: str) -> Any:
    """What a decision answered: the content of the proposals shown, or the link of an earlier decision."""
    kind, _, reference = base.partition(":")
    if kind == "proposals":
        ids = [int(i) for i in reference.split(",")]
        marks = ",".join("?" * len(ids))
        proposals = db.execute(
            "SELECT id, run_id, label, assertion, class, confidence, reason, stage, repaired FROM proposals"
            f" WHERE id IN ({marks}) ORDER BY id",
            ids,
        )
        evidence = db.execute(
            'SELECT proposal_id, position, quote, start, "end", grounded, assertion FROM evidence'
            f" WHERE proposal_id IN ({marks}) ORDER BY proposal_id, position",
            ids,
        )
        return [[list(row) for row in proposals], [list(row) for row in evidence]]
    if kind == "labels":
        ids = [int(i) for i in reference.split(",")]
        marks = ",".join("?" * len(ids))
        labels = db.execute(
            "SELECT id, run_id, origin, annotator, comparable, conflict_type, axes, confounder,"
            f" reconciliation, confidence, notes, repaired, repairs FROM pair_labels WHERE id IN ({marks})"
            " ORDER BY id",
            ids,
        )
        evidence = db.execute(
            'SELECT label_id, position, side, level, role, quote, start, "end" FROM pair_evidence'
            f" WHERE label_id IN ({marks}) ORDER BY label_id, position",
            ids,
        )
        return [[list(row) for row in labels], [list(row) for row in evidence]]
    if kind in ("decision", "cancels"):
        row = db.execute("SELECT link FROM decisions WHERE number = ?", (int(reference),)).fetchone()
        return row[0] if row else None
    return reference
