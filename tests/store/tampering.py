"""A workspace in the hands of somebody with sqlite3, who leaves the schema as it was."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.store import open_workspace
from core.store.chain import verify
from core.store.connect import connect, sqlite3


@contextmanager
def tampering(sealed: Path, tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """A copy of the workspace without the triggers that would stop us; they are back at the end, as an
    intruder would leave it."""
    path = tmp_path / "tampered.db"
    shutil.copy(sealed, path)
    db = connect(path)
    db.execute("PRAGMA foreign_keys = OFF")
    db.execute("BEGIN")
    triggers = db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
    for name, _ in triggers:
        db.execute(f"DROP TRIGGER {name}")
    yield db
    for _, sql in triggers:
        db.execute(sql)
    db.execute("COMMIT")
    db.close()


def problems(tmp_path: Path, head: str | None = None) -> tuple[str, ...]:
    with open_workspace(tmp_path / "tampered.db") as opened:
        return verify(opened, head=head).problems
