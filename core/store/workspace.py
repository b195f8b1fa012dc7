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
import shutil
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

import filelock

from core.errors import WorkspaceError
from core.store.connect import BUSY_SECONDS, JOURNAL, connect, now, sqlite3, sqlite_is_fixed
from core.store.file import identity, refuse_foreign
from core.store.looking import look_only, refuse_writing
from core.store.mark import Mark
from core.store.migrate import create as create_file
from core.store.migrate import keep_before, migrate, pending
from core.store.turn import SOONEST, in_turn

DEFAULT_PATH = Path(__file__).parents[2] / "data" / "touchstone.db"
LOCK_SECONDS = 60


class CacheKey(NamedTuple):
    """What a cached result depends on. Two workspaces, two copies of one that went apart, or one before and
    after a restore, never share it."""

    uuid: str
    restore_nonce: str
    revision: int
    stamp: str


def default_path() -> Path:
    """`TOUCHSTONE_WORKSPACE`, else `data/touchstone.db` in the checkout."""
    return Path(os.environ.get("TOUCHSTONE_WORKSPACE") or DEFAULT_PATH)


class Workspace:
    """An open workspace file. Use `open_workspace`."""

    def __init__(self, path: Path, writer_lock: filelock.BaseFileLock | None = None):
        self.path = path
        self.read_only = look_only()
        self._writer_lock = writer_lock
        self._identity = identity(path)  # before it is opened: a file replaced in between is noticed
        self._mark = Mark(path)
        self.db = connect(path)

    def __enter__(self) -> Workspace:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def look_only(self, asked: bool) -> None:
        """Where nothing is to be saved, SQLite itself refuses to write."""
        self.read_only |= asked
        if self.read_only:
            self.db.execute("PRAGMA query_only = ON")

    def refuse_look_only(self) -> None:
        """Also for what would ask a model or a service first, and could not keep the answers.

        Raises:
            WorkspaceError: it is open to look at only.
        """
        refuse_writing(self.read_only)

    def close(self) -> None:
        self._mark.leave(self.db)
        self.db.close()

    @contextmanager
    def write(self, *, bump: bool = True, mark: bool = True) -> Iterator[sqlite3.Connection]:
        """One all-or-nothing write. IMMEDIATE, because a deferred transaction that reads first fails with
        "database is locked" whatever the timeout. `bump=False` is for leases and heartbeats only: it leaves
        `revision` alone. `mark=False` is for a block that changes nothing: it leaves the file's mark alone.

        Raises:
            WorkspaceError: disk full, read-only or vanished file, I/O error, or another process writing for
                30 s; nothing of the block was stored.
        """
        self.refuse_look_only()
        try:
            with self._begun():
                try:
                    self._still_there()
                    yield self.db
                    if bump:
                        self.db.execute(
                            "UPDATE workspace SET revision = revision + 1, stamp = lower(hex(randomblob(8)))"
                        )
                    if mark:
                        self._mark.set(self.db)
                    self.db.execute("COMMIT")
                except BaseException:
                    if self.db.in_transaction:
                        self.db.execute("ROLLBACK")
                    raise
                if mark:
                    self._mark.bring(self.db)
        except (sqlite3.IntegrityError, sqlite3.ProgrammingError):
            raise  # what the block did wrong, not what befell the file
        except sqlite3.DatabaseError as error:
            raise WorkspaceError(f"Not saved to {self.path.name}: {cause(error, self.path)}") from error

    @contextmanager
    def _begun(self) -> Iterator[None]:
        """A transaction that has begun, in turn. On a SQLite with the WAL-reset race only one process may
        write at a time, so there the lock file is held to its end."""
        with ExitStack() as held:
            deadline = time.monotonic() + (BUSY_SECONDS if self._writer_lock is None else LOCK_SECONDS)
            with in_turn(self.path, deadline):
                if self._writer_lock is not None:
                    held.enter_context(self._locked(self._writer_lock))
                begin(self.db, deadline)
            yield

    @contextmanager
    def _locked(self, lock: filelock.BaseFileLock) -> Iterator[None]:
        try:
            lock.acquire(timeout=LOCK_SECONDS, poll_interval=SOONEST)
        except (filelock.Timeout, OSError) as error:
            raise WorkspaceError(f"Not saved to {self.path.name}: {_lock_cause(error)}") from error
        try:
            yield
        finally:
            lock.release()

    def _still_there(self) -> None:
        """A file that was moved away goes on taking writes, which nobody would ever find again."""
        if identity(self.path) != self._identity:
            raise WorkspaceError(
                f"Not saved: {self.path} was moved, deleted or replaced while it was open. Open it again."
            )

    def key(self) -> CacheKey:
        row = self.db.execute("SELECT uuid, restore_nonce, revision, stamp FROM workspace").fetchone()
        return CacheKey(*row)

    @property
    def uuid(self) -> str:
        return self.key().uuid

    def revision(self) -> int:
        """Changes with every write; leases and heartbeats do not count."""
        return self.key().revision


def begin(db: sqlite3.Connection, deadline: float) -> None:
    """BEGIN IMMEDIATE, looking often, as only the one whose turn it is may.

    Raises:
        sqlite3.OperationalError: the lock is not free by `deadline`, or the file cannot be written.
    """
    db.execute("PRAGMA busy_timeout = 0")
    try:
        while True:
            try:
                db.execute("BEGIN IMMEDIATE")
                return
            except sqlite3.OperationalError as error:
                busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
                if not busy or time.monotonic() > deadline:
                    raise
            time.sleep(SOONEST)
    finally:
        db.execute(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000}")


_DAMAGED = "the file is damaged. Run `touchstone verify`; restore a backup with `touchstone restore`."
_CAUSES = {
    sqlite3.SQLITE_BUSY: f"another process has been writing for more than {BUSY_SECONDS} seconds. "
    "Try again when it is done.",
    sqlite3.SQLITE_READONLY: "the file or its folder is read-only. "
    "Change its permissions, or open another workspace.",
    sqlite3.SQLITE_CANTOPEN: "the file, or one that SQLite keeps beside it, cannot be opened. "
    "Check the folder's permissions.",
    sqlite3.SQLITE_FULL: "the disk is full. Free some space and try again; what was saved before is safe.",
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_NOTADB: _DAMAGED,
}
"""By SQLite's primary result code."""


def cause(error: sqlite3.DatabaseError | OSError, path: Path) -> str:
    """What went wrong and what to do, as the end of a sentence."""
    if isinstance(error, OSError):
        return f"{error.strerror or error}."
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_IOERR and shutil.disk_usage(path.parent).free < 1 << 20:
        code = sqlite3.SQLITE_FULL  # some calls report a full disk as an I/O error
    return _CAUSES.get(code) or f"{error}. Run `touchstone doctor` and `touchstone verify`."


def _lock_cause(error: OSError) -> str:
    if isinstance(error, filelock.Timeout):
        return f"another process has held its lock for {LOCK_SECONDS} seconds. Try again when it is done."
    return f"{error.strerror or error}. Check the folder's permissions and the disk."


def file_lock(path: Path) -> filelock.BaseFileLock:
    """The lock beside a workspace: held to create, migrate and restore it and, on a SQLite that is not
    fixed, for every write. It dies with its process."""
    return filelock.FileLock(path.with_name(path.name + ".lock"), thread_local=False)


def open_workspace(
    path: Path | str | None = None,
    *,
    create: bool = True,
    check: bool = False,
    keep: bool = True,
    read_only: bool = False,
) -> Workspace:
    """Open (and by default create) a workspace and bring its schema up to date.

    Creation and migrations run under one lock, each all-or-nothing; any number of processes may open a new
    file at once.

    Args:
        check: also read every page for damage, at about a second per GB. For the start of a server.
        read_only: to look at only, as with `looking.READ_ONLY`: one of an older version is refused.
        keep: copy a workspace of an older version to `NAME.before-mNNN.db` before it is brought up to date.

    Raises:
        WorkspaceError: the file is missing (with `create=False`), is no workspace, is damaged, was copied
            without its -wal while it was open, was written by a newer Touchstone, or by an older one and is
            open to look at only.
    """
    path = (Path(path) if path is not None else default_path()).resolve()
    if not (create and not look_only()) and not path.exists():
        raise WorkspaceError(
            f"There is no workspace at {path}. Create one with `touchstone demo` or "
            "`touchstone --workspace FILE corpus add ...`."
        )
    lock = file_lock(path)
    workspace = None
    try:
        refuse_foreign(path)
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            with lock.acquire(timeout=LOCK_SECONDS):
                if not path.exists():
                    create_file(path)
        workspace = Workspace(path, None if sqlite_is_fixed() else lock)
        workspace.look_only(read_only)
        if pending(workspace.db, path):
            _refuse_read_only(workspace)
            with lock.acquire(timeout=LOCK_SECONDS):
                if left := pending(workspace.db, path):
                    if keep:
                        keep_before(workspace.db, path, left[0])
                    migrate(workspace.db)
        workspace.db.execute(f"PRAGMA {JOURNAL}")  # no change but in a backup that is opened as it is
        if check:
            _refuse_damaged(workspace)
    except BaseException as error:
        if workspace is not None:
            workspace.close()
        if isinstance(error, sqlite3.DatabaseError):
            raise WorkspaceError(f"{path} cannot be opened: {cause(error, path)}") from error
        if isinstance(error, OSError):  # filelock.Timeout is one, too
            raise WorkspaceError(f"{path} cannot be opened: {_lock_cause(error)}") from error
        raise
    return workspace


def _refuse_read_only(workspace: Workspace) -> None:
    if workspace.read_only:
        raise WorkspaceError(
            f"{workspace.path} was written by an older Touchstone and must be migrated first. Open it once "
            "without --read-only: a copy of it is kept beside it."
        )


def _refuse_damaged(workspace: Workspace) -> None:
    found = workspace.db.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise WorkspaceError(
            f"{workspace.path} is damaged ({found}) and was left as it is. "
            "Restore a backup with `touchstone restore`."
        )


__all__ = ["CacheKey", "Workspace", "cause", "default_path", "file_lock", "now", "open_workspace"]
