"""One way to open a SQLite file: every pragma that durability, integrity and append-only tables need.

`pysqlite3` bundles a SQLite with the WAL-reset fix (3.51.3 and later); where no wheel of it exists the
standard library's is used, and only one process may then write (see `workspace.py`).
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

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


def sqlite_is_fixed() -> bool:
    return sqlite3.sqlite_version_info >= FIXED_SQLITE


def connect(path: Path, *, read_only: bool = False) -> sqlite3.Connection:
    """Open `path`. Transactions are explicit (`BEGIN IMMEDIATE` in `Workspace.write`).

    WAL with synchronous=FULL: an acknowledged commit survives power loss. `recursive_triggers` closes the
    INSERT OR REPLACE hole in append-only triggers.
    """
    uri = f"{path.resolve().as_uri()}?mode={'ro' if read_only else 'rwc'}"
    connection = sqlite3.connect(
        uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )
    try:
        connection.execute(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000}")
        if not read_only:
            connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA recursive_triggers = ON")
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA cache_size = -65536")
        connection.row_factory = sqlite3.Row
    except BaseException:
        connection.close()
        raise
    return connection


__all__ = ["BUSY_SECONDS", "FIXED_SQLITE", "connect", "sqlite3", "sqlite_is_fixed"]
