"""Empty workspaces for tests: each process makes one and copies it, which takes a tenth of the time."""

from __future__ import annotations

import tempfile
import uuid
from functools import cache
from pathlib import Path

from core.store import Workspace, open_workspace


@cache
def _empty() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "empty.db"
        open_workspace(path).close()
        return path.read_bytes()


def new_workspace(path: Path) -> Workspace:
    """An empty, open workspace where nothing was; with ids of its own, as if it had been made there."""
    with path.open("xb") as file:
        file.write(_empty())
    opened = open_workspace(path)
    opened.db.execute(
        "UPDATE workspace SET uuid = ?, restore_nonce = ?", (str(uuid.uuid4()), uuid.uuid4().hex)
    )
    return opened
