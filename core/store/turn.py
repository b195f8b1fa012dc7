"""Whose turn it is to write: those who wait get in one after the other, across threads and processes.

SQLite's own waiting is unfair: each waiter sleeps longer the longer it has waited, and whoever has just
written finds the lock free again. So a writer first takes its turn, a lock of its own, and keeps it only
until it has begun: nobody who comes later, not even the one that is writing now, can begin before it. The
lock dies with its process.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import filelock

from core.store.file import beside

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

SOON, SOONEST = 0.006, 0.0005
"""Seconds between two looks whether it is one's turn: at first, and after much waiting, so that whoever has
waited longest looks most often."""
AGEING = 0.1
"""By how much of the time waited the first shrinks."""
SUFFIX = ".turn"


@contextmanager
def in_turn(path: Path, deadline: float) -> Iterator[None]:
    """Wait for one's turn to write to the workspace at `path`, until `deadline` by the monotonic clock at
    most. A turn is a courtesy, so whoever cannot have one goes on without."""
    turn = _Turn(beside(path, SUFFIX))
    with suppress(OSError):  # a folder that takes no file: SQLite will say so
        began = time.monotonic()
        while not turn.take() and (now := time.monotonic()) < deadline:
            time.sleep(max(SOONEST, SOON - AGEING * (now - began)))
    try:
        yield
    finally:
        turn.give()


class _Turn:
    """A lock that is asked for often: where there is flock, at a twentieth of the cost of a FileLock."""

    def __init__(self, path: Path):
        self._path = path
        self._handle: int | None = None
        self._lock = None if fcntl else filelock.FileLock(path, thread_local=False)

    def take(self) -> bool:
        """Whether it is ours now."""
        try:
            if self._lock is not None:
                self._lock.acquire(timeout=0)
                return True
            if self._handle is None:
                self._handle = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o666)
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, filelock.Timeout):
            return False
        return True

    def give(self) -> None:
        if self._lock is not None:
            self._lock.release()
        if self._handle is not None:
            os.close(self._handle)
