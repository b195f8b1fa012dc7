"""A mark in a workspace's main file while it is written to, so that a copy without its -wal is noticed.

The last writes of an open workspace are in the -wal alone. A copy of the main file lacks them and looks
whole. So whoever opens it and writes sets a mark with the first write, in the same transaction, and brings it
into the main file by a checkpoint before that write is acknowledged. The last one out clears it. The mark is
the header's user version (bytes 60 to 63), a number made of the file's own inode: a file without a -wal that
bears the number of another file was copied while that one was written to, and is refused.

A file that bears its own number is not refused, for SQLite deletes a -wal only after all of it was written
back, in whatever program. So is a workspace left whose last process was killed, and which another program
opened and closed since.

Not noticed are:
- a copy made during a checkpoint, or while somebody goes on reading what was there before the first write,
  which keeps the checkpoint waiting;
- a copy written into the very file that it was made of, or one that happens to get the same inode on
  another disk;
- a -wal that was deleted by hand;
- what other programs wrote, and what an update of the schema did;
- writes where files cannot be locked with flock, as on Windows: there nobody knows who is the last one out.

Refused although it lacks nothing is a copy of a workspace that bears its mark, but has no -wal: of one that
another program closed last. Opened once by Touchstone, the workspace itself is unmarked again.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from typing import IO

from core.store.connect import connect, sqlite3
from core.store.file import beside, lacks_log, mark_of, refuse_foreign
from core.store.looking import refuse_writing

if sys.platform == "win32":
    SHARED = ALONE = FREE = 0
else:
    import fcntl

    SHARED, ALONE, FREE = fcntl.LOCK_SH, fcntl.LOCK_EX | fcntl.LOCK_NB, fcntl.LOCK_UN

SUFFIX = ".open"
"""Of a file beside the workspace, on which everybody who has written holds a shared lock until it leaves."""


class Mark:
    """What one who has a workspace open does about its mark. Opening and reading set none."""

    def __init__(self, path: Path):
        self._path = path
        self._number = mark_of(path)
        self._here: IO[bytes] | None = None
        self._there = False

    def set(self, db: sqlite3.Connection) -> None:
        """As part of a transaction that is to be committed."""
        if self._there:
            return
        if not self._lock(SHARED):  # waits only while a mark is cleared
            self._there = True  # nobody could know when to clear it, so none is set
        elif _read(db) != self._number:
            db.execute(f"PRAGMA user_version = {self._number}")

    def bring(self, db: sqlite3.Connection) -> None:
        """Into the main file, after the commit. What is stored is stored, so no fault is told; while the mark
        is not there, the next write tries again."""
        if not self._there:
            with suppress(sqlite3.DatabaseError):
                _, in_log, written = db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
                self._there = in_log == written

    def leave(self, db: sqlite3.Connection) -> None:
        """Clear the mark, whoever set it, unless others who have written are still in. Comes right before
        closing, also of who has only read: one who was killed could not."""
        with suppress(sqlite3.DatabaseError):
            if _read(db) and self._alone():
                db.execute("PRAGMA busy_timeout = 0")  # another program is writing: then it stays
                db.execute("PRAGMA user_version = 0")
        if self._here is not None:
            self._lock(FREE)  # for a forked child has the file open, too
            self._here.close()
            self._here = None

    def _alone(self) -> bool:
        """Our own lock is given up before we look, so that of several who leave at once the last is alone."""
        return not self._lock(FREE) or self._lock(ALONE)

    def _lock(self, how: int) -> bool:
        """Whether the lock could be had."""
        if sys.platform == "win32":
            return False
        try:
            if self._here is None:
                self._here = beside(self._path, SUFFIX).open("ab", buffering=0)
            fcntl.flock(self._here, how)
        except OSError:  # a folder that takes no file, a disk without locks, somebody else is in
            return False
        return True


def accept_loss(path: Path) -> bool:
    """Clear the mark of a copy that came without its -wal, which opens from then on as it is.

    Returns:
        Whether it was such a copy.

    Raises:
        WorkspaceError: `path` is a folder, an empty file, or anything that is not a workspace; one may only
            look.
    """
    refuse_writing()
    refuse_foreign(path, accept_loss=True)
    if not lacks_log(path):
        return False
    db = connect(path)
    try:
        db.execute("PRAGMA user_version = 0")
    finally:
        db.close()
    return True


def _read(db: sqlite3.Connection) -> int:
    return int(db.execute("PRAGMA user_version").fetchone()[0])
