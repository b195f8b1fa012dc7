"""How a process leaves a run: at its end, for a break, or because something broke."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from core.errors import TouchstoneError, WorkspaceError
from core.pipeline.pulse import Pulse
from core.pipeline.report import Status
from core.store import runs, sessions
from core.store.workspace import Workspace

if TYPE_CHECKING:
    from core.store.connect import sqlite3

AGAIN = "Run the same command again to go on."
PAUSED = f"Paused as asked. {AGAIN}"


def leave(db: sqlite3.Connection, pulse: Pulse, message: str | None, *, paused: bool = False) -> None:
    """Say how far it came and why it goes; `message` is None where nothing is left to do."""
    pulse.message = message
    pulse.beat(db)
    sessions.end_session(db, pulse.run, message, paused=paused)


def end(
    workspace: Workspace, pulse: Pulse, message: str | None, *, paused: bool = False, waiting: int = 0
) -> Status:
    """Leave a run that nothing broke off; where nothing is left to do, it is done.

    Args:
        message: why there is something left to do, and the next step; None: nothing is.
        waiting: how many wait for answers to a batch.
    """
    with workspace.write() as db:
        leave(db, pulse, message, paused=paused)
        if message is None:
            runs.finish_run(db, pulse.run)
    return "done" if message is None else "paused" if paused else "waiting" if waiting else "stopped"


@contextmanager
def telling(workspace: Workspace, pulse: Pulse) -> Iterator[None]:
    """What breaks the block off is told to whoever watches the run, if anything can still be stored."""
    try:
        yield
    except BaseException as error:
        with suppress(WorkspaceError), workspace.write(bump=False) as db:
            leave(db, pulse, why(error))
        raise


def why(error: BaseException) -> str:
    """What users read of a run that broke off. A fault of ours is named, its text is not: nobody knows what
    is in it."""
    if isinstance(error, TouchstoneError):
        return str(error)
    if isinstance(error, KeyboardInterrupt):
        return f"Stopped by hand. {AGAIN}"
    return f"A fault in Touchstone stopped it: {type(error).__name__}. {AGAIN}"
