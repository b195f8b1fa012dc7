"""The process at work on a run: how far it is, what it waits for, and whether it is asked to pause.

One row per run, overwritten by every start. Nothing that is shown of labels depends on it, so it lies outside
`revision()`: a beat a second must not empty every cache.
"""

from __future__ import annotations

import os
import socket
import time
from typing import NamedTuple

from core.store.connect import sqlite3
from core.store.workspace import Workspace


class Session(NamedTuple):
    run_id: str
    pid: int
    host: str
    started_at: float
    """Unix seconds."""
    beat_at: float
    """Unix seconds."""
    done: int
    """Passages with an end, failed ones and those of earlier sessions included."""
    resumed: int
    """Of these, from earlier sessions."""
    total: int
    failures: int
    """Passages without a usable answer."""
    spent: float
    """US dollars in this run so far, earlier sessions included."""
    message: str | None
    """What it waits for, or why it stopped."""
    pause: bool
    """Asked to stop after what is in hand."""

    @property
    def rate(self) -> float | None:
        """Passages per second of this session; None before the first."""
        seconds = self.beat_at - self.started_at
        made = self.done - self.resumed
        return made / seconds if made > 0 and seconds > 0 else None

    @property
    def seconds_left(self) -> float | None:
        """At the rate so far; None where there is none yet."""
        rate = self.rate
        return (self.total - self.done) / rate if rate else None


_SESSION = (
    "SELECT run_id, pid, host, started_at, beat_at, done, resumed, total, failures, spent, message, pause"
    " FROM run_sessions"
)


def _session(row: sqlite3.Row) -> Session:
    values = list(row)
    values[-1] = bool(values[-1])
    return Session(*values)


def begin_session(
    db: sqlite3.Connection,
    run_id: str,
    *,
    total: int,
    resumed: int = 0,
    failures: int = 0,
    spent: float = 0.0,
    message: str | None = None,
) -> None:
    """This process takes the run up; an earlier wish to pause is over."""
    moment = time.time()
    db.execute(
        "INSERT INTO run_sessions (run_id, pid, host, started_at, beat_at, done, resumed, total, failures,"
        " spent, message) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (run_id) DO UPDATE SET pid = excluded.pid, host = excluded.host,"
        " started_at = excluded.started_at, beat_at = excluded.beat_at, done = excluded.done,"
        " resumed = excluded.resumed, total = excluded.total, failures = excluded.failures,"
        " spent = excluded.spent, message = excluded.message, pause = 0",
        (
            *(run_id, os.getpid(), socket.gethostname(), moment, moment),
            *(resumed, resumed, total, failures, spent, message),
        ),
    )


def beat(
    db: sqlite3.Connection,
    run_id: str,
    *,
    done: int,
    failures: int = 0,
    spent: float = 0.0,
    message: str | None = None,
) -> bool:
    """Say how far it is; returns whether somebody asked for a pause."""
    row = db.execute(
        "UPDATE run_sessions SET beat_at = ?, done = ?, failures = ?, spent = ?, message = ?"
        " WHERE run_id = ? RETURNING pause",
        (time.time(), done, failures, spent, message, run_id),
    ).fetchone()
    return bool(row and row[0])


def next_part(
    db: sqlite3.Connection, run_id: str, *, total: int, resumed: int, failures: int = 0, message: str | None
) -> None:
    """The same process goes on with another part of the run, which is counted from here; a wish to pause
    stands."""
    moment = time.time()
    db.execute(
        "UPDATE run_sessions SET started_at = ?, beat_at = ?, done = ?, resumed = ?, total = ?, failures = ?,"
        " message = ? WHERE run_id = ?",
        (moment, moment, resumed, resumed, total, failures, message, run_id),
    )


def end_session(db: sqlite3.Connection, run_id: str, message: str | None, *, paused: bool = False) -> None:
    """The process leaves the run; `message` says why, None where nothing is left to do.

    Args:
        paused: it left because somebody, or the endpoint, asked for a break.
    """
    db.execute(
        "UPDATE run_sessions SET beat_at = ?, message = ?, pause = ? WHERE run_id = ?",
        (time.time(), message, int(paused), run_id),
    )


def ask_pause(workspace: Workspace, run_id: str) -> bool:
    """Wish that whoever works on the run stops after what is in hand; returns whether there is a session."""
    with workspace.write(bump=False) as db:
        cursor = db.execute("UPDATE run_sessions SET pause = 1 WHERE run_id = ?", (run_id,))
        return bool(cursor.rowcount)


def session(workspace: Workspace, run_id: str) -> Session | None:
    row = workspace.db.execute(f"{_SESSION} WHERE run_id = ?", (run_id,)).fetchone()
    return _session(row) if row else None


def sessions(workspace: Workspace) -> dict[str, Session]:
    """By run id."""
    return {row[0]: _session(row) for row in workspace.db.execute(_SESSION)}
