"""Who decides: a stable id with a display name and, where login is on, its subject."""

from __future__ import annotations

from typing import NamedTuple

from core.errors import InputError, NotFoundError
from core.store.connect import now, sqlite3
from core.store.names import check_curator
from core.store.workspace import Workspace

VISITOR = ":visitor"
"""Stands for whoever has no name, or looks around where nothing can be saved: no curator has this id, so what
is blind stays hidden."""


class Curator(NamedTuple):
    id: str
    name: str
    subject: str | None


def add_curator(workspace: Workspace, curator_id: str, name: str, subject: str | None = None) -> Curator:
    """Register a curator; the same id again returns the one that is there.

    Raises:
        InputError: the id or the name cannot be a curator's, or the login is another's.
    """
    with workspace.write() as db:
        taken = db.execute(
            "SELECT name FROM curators WHERE subject = ? AND id <> ?", (subject, curator_id.strip())
        ).fetchone()
        if taken is not None:
            raise InputError(f"This login belongs to curator {taken[0]!r} already. Log in as somebody else.")
        insert_curator(db, curator_id.strip(), name.strip(), subject)
    return find_curator(workspace, curator_id.strip())


def insert_curator(db: sqlite3.Connection, curator_id: str, name: str, subject: str | None = None) -> bool:
    """Register a curator within a write; whether the id was new.

    Raises:
        InputError: the id or the name cannot be a curator's.
    """
    if db.execute("SELECT 1 FROM curators WHERE id = ?", (curator_id,)).fetchone():
        return False
    check_curator(curator_id, name)
    db.execute(
        "INSERT INTO curators (id, name, subject, created_at) VALUES (?, ?, ?, ?)",
        (curator_id, name, subject, now()),
    )
    return True


def list_curators(workspace: Workspace) -> list[Curator]:
    return [
        Curator(*r) for r in workspace.db.execute("SELECT id, name, subject FROM curators ORDER BY name, id")
    ]


def find_curator(workspace: Workspace, curator_id: str) -> Curator:
    row = workspace.db.execute(
        "SELECT id, name, subject FROM curators WHERE id = ?", (curator_id,)
    ).fetchone()
    if row is None:
        raise NotFoundError("curator", curator_id, [c.id for c in list_curators(workspace)])
    return Curator(*row)
