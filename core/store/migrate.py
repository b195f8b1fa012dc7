"""Bring a workspace file to the newest schema, each migration all-or-nothing.

The ledger is sqlite-utils' own (`_sqlite_migrations`). sqlite-utils is imported only where something is to be
migrated, for it imports pandas: a workspace that is current opens without either.
"""

from __future__ import annotations

import shutil
import uuid
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import WorkspaceError
from core.store.connect import JOURNAL, connect, now, sqlite3
from core.store.file import copy_whole, discard, move_into_place
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


def pending(db: sqlite3.Connection, path: Path) -> list[str]:
    """Names of the migrations that are left, in their order. Reads only.

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
    return [name for name in MIGRATIONS if name not in applied]


def keep_before(db: sqlite3.Connection, path: Path, migration: str) -> Path:
    """Copy a workspace as it is beside itself (`NAME.before-mNNN.db`) before it is migrated; returns where.
    A copy of just this state that is there already, as an attempt that was cut off leaves it, is enough.

    Raises:
        WorkspaceError: the workspace is damaged, or the copy cannot be written.
    """
    number = migration.partition("_")[0]
    places = (
        path.with_name(f"{path.stem}.before-{number}{more}{path.suffix}")
        for more in ("", *(f"-{n}" for n in range(2, 1000)))
    )
    place = next(one for one in places if not one.exists() or _state_of(one) == _state(db))
    if place.exists():
        return place
    part = place.with_name(place.name + ".part")
    discard(part)
    try:
        copy_whole(db, part)
        _refuse_damaged(part, path)
        shutil.copymode(path, part)
        move_into_place(part, place)
    finally:
        discard(part)
    return place


def _state(db: sqlite3.Connection) -> tuple[object, ...]:
    return tuple(db.execute("SELECT uuid, restore_nonce, revision, stamp FROM workspace").fetchone())


def _state_of(path: Path) -> tuple[object, ...] | None:
    """None: it cannot be read, so it is no copy that was finished."""
    try:
        copy = connect(path, "ro")
        try:
            return _state(copy)
        finally:
            copy.close()
    except (sqlite3.DatabaseError, TypeError):
        return None


def _refuse_damaged(part: Path, path: Path) -> None:
    copy = connect(part, "ro")
    try:
        found = copy.execute("PRAGMA quick_check(1)").fetchone()[0]
    finally:
        copy.close()
    if found != "ok":
        raise WorkspaceError(
            f"{path} is damaged ({found}), so it was not brought up to date and left as it is. "
            "Restore a backup with `touchstone restore`."
        )


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
