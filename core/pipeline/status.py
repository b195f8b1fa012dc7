"""A run as its users see it: at work, paused, stopped, done."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from core.pipeline import start
from core.store import runs, sessions
from core.store.runs import Run
from core.store.sessions import Session
from core.store.workspace import Workspace


class State(StrEnum):
    RUNNING = "running"
    PAUSING = "pausing"
    """At work on the last of what it has in hand."""
    PAUSED = "paused"
    """Somebody asked for it, or the endpoint did; it can go on."""
    STOPPED = "stopped"
    """Nobody is at work on it, and nobody asked for that; it can go on."""
    DONE = "done"
    FAILED = "failed"


class Status(NamedTuple):
    run: Run
    state: State
    session: Session | None
    """The process at work on it, or the last that was; None where a run was stored in one go."""

    @property
    def resumable(self) -> bool:
        return self.state in (State.PAUSED, State.STOPPED)

    @property
    def seconds_left(self) -> float | None:
        """At the rate of this session; None where nobody is at work, or nothing is done yet."""
        at_work = self.state in (State.RUNNING, State.PAUSING)
        return self.session.seconds_left if at_work and self.session else None


def status(workspace: Workspace, run_id: str) -> Status:
    """Raises NotFoundError, which lists the known runs."""
    run = runs.find_run(workspace, run_id)
    return _status(workspace, run, sessions.session(workspace, run_id))


def statuses(workspace: Workspace) -> list[Status]:
    """Of all runs, in the order in which they were started."""
    known = sessions.sessions(workspace)
    return [_status(workspace, run, known.get(run.id)) for run in runs.list_runs(workspace)]


def _status(workspace: Workspace, run: Run, session: Session | None) -> Status:
    if run.status != "running":
        return Status(run, State(run.status), session)
    if start.is_held(workspace.path, run.id):
        return Status(run, State.PAUSING if session and session.pause else State.RUNNING, session)
    return Status(run, State.PAUSED if session and session.pause else State.STOPPED, session)
