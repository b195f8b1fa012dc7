"""How far a run is, told at most once a second to whoever watches; and their wish that it pauses."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from core.store import sessions
from core.store.workspace import Workspace

if TYPE_CHECKING:
    from core.store.connect import sqlite3

SECONDS = 1.0
"""Between two beats."""


class PauseAsked(Exception):
    """Somebody asked for a pause amid work of which nothing is stored: it is done anew."""


class Pulse:
    """The counts of a session. Belongs to the thread that counts; `beat` may be called from the one that
    writes."""

    def __init__(
        self,
        run: str,
        *,
        total: int,
        resumed: int,
        failures: int = 0,
        spent: float = 0.0,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        self.run, self.total, self.resumed = run, total, resumed
        self.done = resumed
        """Passages with an end, those that failed included."""
        self.failures = failures
        self.spent = spent
        """US dollars."""
        self.message: str | None = None
        """What the run waits for just now."""
        self.part = ""
        """What is counted just now, where a run has parts."""
        self.pause = False
        """Whether somebody asked for a pause, as of the last beat."""
        self._progress = progress
        self._last = 0.0

    def begin(self, db: sqlite3.Connection) -> None:
        sessions.begin_session(
            db,
            self.run,
            total=self.total,
            resumed=self.resumed,
            failures=self.failures,
            spent=self.spent,
            message=self.message,
        )

    def told_by(self, progress: Callable[[int, int], None]) -> None:
        """Whom to tell."""
        self._progress = progress

    def turn_to(
        self, workspace: Workspace, message: str, *, total: int, resumed: int = 0, failures: int = 0
    ) -> None:
        """Count another part of the run from here on, such as its pairs after its passages."""
        self.total, self.resumed, self.done, self.failures = total, resumed, resumed, failures
        self.part = self.message = message
        with workspace.write(bump=False) as db:
            sessions.next_part(db, self.run, total=total, resumed=resumed, failures=failures, message=message)
            self.beat(db)
        self.tell()

    def count(self, passages: int, failures: int = 0) -> None:
        """Passages that have come to an end and are stored."""
        self.done += passages
        self.failures += failures

    def tell(self) -> None:
        """Say it to the caller of the run; not within a write, for nobody knows what the caller does."""
        if self._progress:
            self._progress(self.done, self.total)

    def due(self) -> bool:
        return time.monotonic() - self._last >= SECONDS

    def beat(self, db: sqlite3.Connection) -> None:
        self._last = time.monotonic()
        self.pause = sessions.beat(
            db,
            self.run,
            done=self.done,
            failures=self.failures,
            spent=self.spent,
            message=self.message,
        )

    def preparing(self, workspace: Workspace, what: str) -> Callable[[int, int], None]:
        """A progress function that says how far the preparations are."""

        def told(done: int, total: int) -> None:
            self.message = f"{what}: {done} of {total}"
            if self.due():
                with workspace.write(bump=False) as db:
                    self.beat(db)

        return told

    def pausing(self, workspace: Workspace, what: str) -> Callable[[int, int], None]:
        """The same, raising PauseAsked where somebody asks for a pause."""
        tell = self.preparing(workspace, what)

        def told(done: int, total: int) -> None:
            tell(done, total)
            if self.pause:
                raise PauseAsked

        return told
