"""Whether this process may only look: `--read-only`, or the environment variable that stands for it."""

from __future__ import annotations

import os

from core.errors import WorkspaceError

READ_ONLY = "TOUCHSTONE_READ_ONLY"
"""Environment variable: set, it makes every write of this process fail with a plain sentence."""


def look_only() -> bool:
    return bool(os.environ.get(READ_ONLY))


def refuse_writing(looked_at: bool | None = None) -> None:
    """Args: looked_at: whether one may only look; None: as this process.

    Raises:
        WorkspaceError: one may only look.
    """
    if look_only() if looked_at is None else looked_at:
        raise WorkspaceError("Not saved: this workspace is open to look at only (--read-only).")
