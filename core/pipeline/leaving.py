"""How a process leaves a run: at its end, for a break, or because something broke."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from core.errors import TouchstoneError, WorkspaceError
from core.pipeline.pulse import Pulse
from core.pipeline.report import Status
from core.store import runs, sessions
from core.store.workspace import Workspace

if TYPE_CHECKING:
    from core.store.connect import sqlite3

AGAIN = "Run the same command again to go on."
PAUSED = f"Paused as asked. {AGAIN}"


class Ended(NamedTuple):
    """How a start of a run ended."""

    waiting: int = 0
    """Items that wait for answers to a batch."""
    message: str | None = None
    """Why something is left to do, and the next step; None: nothing is, or somebody asked for a pause."""
    paused: bool = False
    """The endpoint, or somebody, asked for a break."""
    seconds: Mapping[str, float] = MappingProxyType({})
    """Stage -> seconds of work; offline only."""


def leave(db: sqlite3.Connection, pulse: Pulse, message: str | None, *, paused: bool = False) -> None:
    """Say how far it came and why it goes; `message` is None where nothing is left to do."""
    pulse.message = message
    pulse.beat(db)
    sessions.end_session(db, pulse.run, message, paused=paused)


def end(workspace: Workspace, pulse: Pulse, ended: Ended) -> Status:
    """Leave a run that nothing broke off; where nothing is left to do, it is done."""
    with workspace.write() as db:
        leave(db, pulse, ended.message, paused=ended.paused)
        if ended.message is None:
            runs.finish_run(db, pulse.run)
    if ended.message is None:
        return "done"
    return "paused" if ended.paused else "waiting" if ended.waiting else "stopped"


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
