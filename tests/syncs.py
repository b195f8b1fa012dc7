"""What is synced to the disk while a test runs: the real os.fsync, with a note of each call."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

Seen = tuple[int, tuple[str, ...]]
"""The inode that was synced, and the names that stood in the folder looked at by then."""


def recorded(monkeypatch: pytest.MonkeyPatch, folder: Path) -> list[Seen]:
    """A list that grows with every call of os.fsync from now on."""
    seen: list[Seen] = []
    real: Callable[[int], None] = os.fsync

    def fsync(handle: int) -> None:
        real(handle)
        seen.append((os.fstat(handle).st_ino, tuple(sorted(path.name for path in folder.iterdir()))))

    monkeypatch.setattr(os, "fsync", fsync)
    return seen
