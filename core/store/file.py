"""A workspace as a file on a disk: told from foreign files unopened, put into place whole."""

from __future__ import annotations

import os
from pathlib import Path

from core.errors import WorkspaceError
from core.store.connect import connect, sqlite3
from core.store.schema import APPLICATION_ID

HEADER = {
    0: b"SQLite format 3\x00",
    44: (4).to_bytes(4, "big"),  # schema format
    56: (1).to_bytes(4, "big"),  # UTF-8
    68: APPLICATION_ID.to_bytes(4, "big"),
}
"""Bytes that are the same in every workspace, by their place (SQLite's file format, section 1.3)."""
JOURNALS = (b"\x02\x02", b"\x01\x01")
"""Bytes 18 and 19: with a -wal, as workspaces are, or without one, as backups are."""
MARK = slice(60, 64)
"""The user version; what it tells is in `mark.py`."""
SIDE_FILES = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a database while it is open, or after a crash."""


def beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def refuse_foreign(path: Path, *, accept_loss: bool = False) -> None:
    """Look at the first hundred bytes only: a file that is no workspace is never opened, let alone written.

    Raises:
        WorkspaceError: `path` is a folder, an empty file, or anything that is not a workspace; or, without
            `accept_loss`, a copy that was made of an open workspace without its -wal.
    """
    if path.is_dir():
        raise WorkspaceError(
            f"{path} is a folder. Name a workspace file, for example {path / 'touchstone.db'}."
        )
    stray = beside(
        path, "-wal"
    ).exists()  # asked first: a workspace that is being made has its name before it
    if not path.exists():
        if stray:
            raise WorkspaceError(
                f"{path} is gone, but {path.name}-wal, which holds its last changes, is still there. Put the "
                "workspace back beside it; or, to begin anew, move the -wal file away."
            )
        return
    header = _header(path)
    if not header:
        raise WorkspaceError(
            f"{path} is empty. Restore a backup (`touchstone restore`); or, to begin anew, delete the file."
        )
    fixed = all(header[at : at + len(value)] == value for at, value in HEADER.items())
    if not fixed or header[18:20] not in JOURNALS:
        raise WorkspaceError(
            f"{path} is not a Touchstone workspace, or its first bytes are damaged; it was left as it is. "
            "Name another file with --workspace, or restore a backup (`touchstone restore`)."
        )
    if not (stray or accept_loss) and _of_another(path, header):
        raise WorkspaceError(
            f"{path} was copied from a workspace that was open, without {path.name}-wal: what was saved last "
            "may be missing from it. Use the workspace that it was copied from, or a backup of that one "
            "(`touchstone backup`). To go on without what may be missing: "
            f"`touchstone --workspace {path} --accept-loss verify`."
        )


def mark_of(path: Path) -> int:
    """The number that a file bears while it is written to."""
    return path.stat().st_ino % 0x7FFFFFFF + 1


def lacks_log(path: Path) -> bool:
    """Whether a workspace is a copy that was made while another was open, and came without its -wal."""
    stray = beside(path, "-wal").exists()
    return not stray and path.exists() and _of_another(path, _header(path))


def _header(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(100)


def _of_another(path: Path, header: bytes) -> bool:
    return int.from_bytes(header[MARK], "big") not in (0, mark_of(path))


def copy_whole(source: sqlite3.Connection, part: Path) -> None:
    """SQLite's online backup in one step: one read transaction, which blocks no writer. The copy is a single
    file without the mark of a workspace that is open, and opens on a read-only disk too."""
    source.execute("SELECT 1 FROM sqlite_master")  # a source that is locked says so; `backup` would wait on
    target = connect(part, "rwc")
    try:
        source.backup(target)
        target.execute("PRAGMA journal_mode = DELETE")
        target.execute("PRAGMA user_version = 0")
    finally:
        target.close()


def discard(part: Path) -> None:
    """Remove an unfinished file and whatever SQLite left beside it."""
    for suffix in ("", *SIDE_FILES):
        beside(part, suffix).unlink(missing_ok=True)


def move_into_place(part: Path, path: Path) -> None:
    """Give a finished file its name in one step that survives power loss: it is there whole or not at all."""
    with part.open("rb+") as file:
        os.fsync(file.fileno())
    part.replace(path)
    if os.name == "posix":  # elsewhere a folder cannot be opened, and the rename is journalled
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def identity(path: Path) -> tuple[int, int] | None:
    """Which file a name stands for now; None for none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
