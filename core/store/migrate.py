"""Bring a workspace file to the newest schema, each migration all-or-nothing.

The ledger is sqlite-utils' own (`_sqlite_migrations`). sqlite-utils is imported only where something is to be
migrated, for it imports pandas: a workspace that is current opens without either.
"""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import WorkspaceError
from core.store.connect import JOURNAL, connect, now, sqlite3
from core.store.file import discard, move_into_place
from core.store.schema import MIGRATIONS

if TYPE_CHECKING:
    from sqlite_utils import Database, Migrations

LEDGER = "_sqlite_migrations"
SET = "touchstone"


def migrations() -> Migrations:
    """The migrations of `schema` in the form that sqlite-utils applies."""
    from sqlite_utils import Migrations

    found = Migrations(SET)
    for name, statements in MIGRATIONS.items():

        def apply(db: Database, statements: tuple[str, ...] = statements) -> None:
            for statement in statements:
                db.conn.execute(statement)

        found(name=name)(apply)
    return found


def is_current(db: sqlite3.Connection, path: Path) -> bool:
    """Whether nothing is left to migrate. Reads only.

    Raises:
        WorkspaceError: the file is no workspace, or a newer Touchstone wrote it.
    """
    if not db.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (LEDGER,)).fetchone():
        raise WorkspaceError(f"{path} is a SQLite file, but no Touchstone workspace. Name another file.")
    rows = db.execute(f"SELECT name FROM {LEDGER} WHERE migration_set = ?", (SET,))
    applied = {row[0] for row in rows}
    if applied - MIGRATIONS.keys():
        raise WorkspaceError(
            f"{path} was written by a newer Touchstone. Update this checkout, then open it again."
        )
    return applied == MIGRATIONS.keys()


def migrate(db: sqlite3.Connection) -> None:
    """Apply what is missing, in one transaction. The caller holds the workspace's lock."""
    from sqlite_utils import Database

    db.execute("BEGIN IMMEDIATE")
    try:
        migrations().apply(Database(db))
        db.execute(
            "INSERT INTO workspace (id, uuid, restore_nonce, created_at) VALUES (1, ?, ?, ?)"
            " ON CONFLICT DO NOTHING",
            (str(uuid.uuid4()), uuid.uuid4().hex, now()),
        )
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def create(path: Path) -> None:
    """Make an empty workspace aside and move it into place, so that nobody ever meets half of one. The caller
    holds the workspace's lock."""
    part = path.with_name(path.name + ".new")
    discard(part)  # of an earlier attempt that was killed
    try:
        connection = connect(part, "rwc")
        try:
            connection.execute(f"PRAGMA {JOURNAL}")
            migrate(connection)
        finally:
            connection.close()
        move_into_place(part, path)
    except BaseException:
        discard(part)
        raise
