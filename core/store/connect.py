"""One way to open a SQLite file: every pragma that durability, integrity and append-only tables need.

`pysqlite3` bundles a SQLite with the WAL-reset fix (3.51.3 and later); where no wheel of it exists the
standard library's is used, and only one process may then write (see `workspace.py`).
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import sqlite3
else:
    try:
        import pysqlite3 as sqlite3  # sqlite-utils prefers it too: never two libraries on one file
    except ImportError:
        import sqlite3

BUSY_SECONDS = 30
FIXED_SQLITE = (3, 51, 3)
"""First SQLite without the WAL-reset race between two connections."""

PRAGMAS = (
    f"busy_timeout = {BUSY_SECONDS * 1000}",
    "synchronous = FULL",  # with WAL: an acknowledged commit survives power loss
    "fullfsync = ON",  # macOS: an ordinary fsync stops at the drive's cache
    "foreign_keys = ON",
    "recursive_triggers = ON",  # closes the INSERT OR REPLACE hole in append-only triggers
    "trusted_schema = OFF",
    "cell_size_check = ON",  # a damaged page is an error, not a wrong answer
    "cache_size = -65536",  # KiB, negative by SQLite's convention
)
"""What every connection is told."""

JOURNAL = "journal_mode = WAL"
"""What a file is told, once it is known to be a workspace; it stays so."""


def sqlite_is_fixed() -> bool:
    return sqlite3.sqlite_version_info >= FIXED_SQLITE


def now() -> str:
    """UTC time for display. Order in history is by number, so a clock that jumps harms nothing."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def connect(path: Path, mode: Literal["ro", "rw", "rwc"] = "rw") -> sqlite3.Connection:
    """Open `path` with every pragma; only `rwc` makes a file. No transaction begins by itself."""
    connection = sqlite3.connect(
        f"{path.resolve().as_uri()}?mode={mode}",
        uri=True,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
    )
    try:
        for pragma in PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")
        connection.row_factory = sqlite3.Row
    except BaseException:
        connection.close()
        raise
    return connection


__all__ = [
    "BUSY_SECONDS",
    "FIXED_SQLITE",
    "JOURNAL",
    "PRAGMAS",
    "connect",
    "now",
    "sqlite3",
    "sqlite_is_fixed",
]
