"""A workspace: one SQLite file that holds ontologies, corpora, runs, proposals and decisions.

    with open_workspace(path) as workspace:
        with workspace.write() as db:      # BEGIN IMMEDIATE ... COMMIT, or nothing at all
            db.execute(...)
        workspace.db.execute("SELECT ...") # reads need no transaction

A `Workspace` belongs to one thread at a time and costs about a millisecond to open, so callers open one per
script run and never share it between sessions.
"""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

import filelock
from sqlite_utils import Database

from core.errors import WorkspaceError
from core.store.connect import connect, sqlite3, sqlite_is_fixed
from core.store.schema import migrations

DEFAULT_PATH = Path(__file__).parents[2] / "data" / "touchstone.db"
LOCK_SECONDS = 60
READ_ONLY = "TOUCHSTONE_READ_ONLY"
"""Environment variable: set, it makes every write of this process fail with a plain sentence."""


class CacheKey(NamedTuple):
    """What a cached result depends on. Two workspaces, or one before and after a restore, never share it."""

    uuid: str
    restore_nonce: str
    revision: int


def now() -> str:
    """UTC time for display. Order in history is by number, so a clock that jumps harms nothing."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def default_path() -> Path:
    """`TOUCHSTONE_WORKSPACE`, else `data/touchstone.db` in the checkout."""
    return Path(os.environ.get("TOUCHSTONE_WORKSPACE") or DEFAULT_PATH)


class Workspace:
    """An open workspace file. Use `open_workspace`."""

    def __init__(self, path: Path, connection: sqlite3.Connection, lock: filelock.BaseFileLock | None):
        self.path = path
        self.db = connection
        self.read_only = bool(os.environ.get(READ_ONLY))
        self._writer_lock = lock

    def __enter__(self) -> Workspace:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self.db.close()

    @property
    def utils(self) -> Database:
        """The same connection through sqlite-utils, for schema questions and one-off queries."""
        return Database(self.db)

    @contextmanager
    def write(self, *, bump: bool = True) -> Iterator[sqlite3.Connection]:
        """One all-or-nothing write. IMMEDIATE, because a deferred transaction that reads first fails with
        "database is locked" whatever the timeout. `bump=False` is for leases and heartbeats only: it leaves
        `revision` alone.

        Raises:
            WorkspaceError: disk full, read-only file, I/O error, or another process writing for 30 s;
                nothing of the block was stored.
        """
        if self.read_only:
            raise WorkspaceError("Not saved: this workspace is open to look at only (--read-only).")
        with self._single_writer():
            try:
                self.db.execute("BEGIN IMMEDIATE")
                try:
                    yield self.db
                    if bump:
                        self.db.execute("UPDATE workspace SET revision = revision + 1")
                    self.db.execute("COMMIT")
                except BaseException:
                    if self.db.in_transaction:
                        self.db.execute("ROLLBACK")
                    raise
            except sqlite3.OperationalError as error:
                raise WorkspaceError(f"Not saved to {self.path.name}: {_cause(error)}") from error

    @contextmanager
    def _single_writer(self) -> Iterator[None]:
        """On a SQLite with the WAL-reset race only one process may write at a time."""
        if self._writer_lock is None:
            yield
        else:
            with self._writer_lock.acquire(timeout=LOCK_SECONDS):
                yield

    def key(self) -> CacheKey:
        row = self.db.execute("SELECT uuid, restore_nonce, revision FROM workspace").fetchone()
        return CacheKey(*row)

    @property
    def uuid(self) -> str:
        return self.key().uuid

    def revision(self) -> int:
        """Changes with every write; leases and heartbeats do not count."""
        return self.key().revision


def _cause(error: sqlite3.OperationalError) -> str:
    text = str(error)
    if "full" in text:
        return "the disk is full. Free some space and try again; what was saved before is safe."
    if "readonly" in text or "read-only" in text:
        return "the file or its folder is read-only. Change its permissions, or open another workspace."
    if "locked" in text or "busy" in text:
        return "another process has been writing for more than 30 seconds. Try again when it is done."
    return f"{text}. Run `touchstone doctor` and `touchstone verify`."


def _refuse_foreign(path: Path) -> None:
    """Never open, and so never write into, a file that is not a workspace."""
    if path.is_dir():
        raise WorkspaceError(
            f"{path} is a folder. Name a workspace file, for example {path / 'touchstone.db'}."
        )
    if path.exists() and path.stat().st_size:
        with path.open("rb") as file:
            if file.read(16) != b"SQLite format 3\x00":
                raise WorkspaceError(
                    f"{path} is not a Touchstone workspace. Restore a backup (`touchstone restore`) or "
                    "name another file with --workspace."
                )


def open_workspace(path: Path | str | None = None, *, create: bool = True) -> Workspace:
    """Open (and by default create) a workspace and bring its schema up to date.

    Migrations run under one writer lock, each all-or-nothing; any number of processes may open a new file
    at once.

    Raises:
        WorkspaceError: the file is missing (with `create=False`), is no workspace, is damaged, or was
            written by a newer Touchstone.
    """
    path = Path(path) if path is not None else default_path()
    _refuse_foreign(path)
    if not path.exists():
        if not create:
            raise WorkspaceError(
                f"There is no workspace at {path}. Create one with `touchstone demo` or "
                "`touchstone --workspace FILE corpus add ...`."
            )
        path.parent.mkdir(parents=True, exist_ok=True)
    lock = filelock.FileLock(path.with_name(path.name + ".lock"), thread_local=False)
    try:
        if not _is_current(path):
            with lock.acquire(timeout=LOCK_SECONDS):
                _migrate(path)
        connection = connect(path)
    except filelock.Timeout as error:
        raise WorkspaceError(
            f"{path} has been locked by another process for {LOCK_SECONDS} seconds. "
            "Close it there and try again."
        ) from error
    except sqlite3.DatabaseError as error:
        raise WorkspaceError(
            f"{path} cannot be opened: {error}. Restore a backup with `touchstone restore`."
        ) from error
    return Workspace(path, connection, None if sqlite_is_fixed() else lock)


def _applied(connection: sqlite3.Connection) -> set[str]:
    if not connection.execute(
        "SELECT 1 FROM sqlite_master WHERE name = ?", (migrations.migrations_table,)
    ).fetchone():
        return set()
    rows = connection.execute(
        f"SELECT name FROM {migrations.migrations_table} WHERE migration_set = 'touchstone'"
    )
    return {row[0] for row in rows}


def _is_current(path: Path) -> bool:
    """Whether nothing is left to migrate. Read-only: a foreign database is refused before a byte changes."""
    if not path.exists() or path.stat().st_size == 0:
        return False
    known = {migration.name for migration in migrations._migrations}
    connection = connect(path, read_only=True)
    try:
        applied = _applied(connection)
        if not applied and connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            raise WorkspaceError(f"{path} is a SQLite file, but no Touchstone workspace. Name another file.")
    finally:
        connection.close()
    if applied - known:
        raise WorkspaceError(
            f"{path} was written by a newer Touchstone. Update this checkout, then open it again."
        )
    return applied == known


def _migrate(path: Path) -> None:
    connection = connect(path)
    try:
        connection.execute("BEGIN IMMEDIATE")
        try:
            migrations.apply(Database(connection))
            connection.execute(
                "INSERT INTO workspace (id, uuid, restore_nonce, created_at) VALUES (1, ?, ?, ?)"
                " ON CONFLICT DO NOTHING",
                (str(uuid.uuid4()), uuid.uuid4().hex, now()),
            )
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
    finally:
        connection.close()
