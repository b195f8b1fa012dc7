"""Starting, pausing and resuming runs. The work is a process of its own: no page waits for it."""

from __future__ import annotations

import socket
import time

import psutil

from core.store import runs, sessions
from pages.widgets import state

SILENT = 60.0
"""Seconds without a sign of life after which a process on another machine counts as gone."""


def at_work(session: sessions.Session) -> bool:
    """Whether the process of a session still lives: asked of this machine, else judged by its last beat."""
    if session.host == socket.gethostname():
        return psutil.pid_exists(session.pid)
    return time.time() - session.beat_at <= SILENT


def pause(ws: state.Workspace, run: str) -> None:
    sessions.ask_pause(ws, run)


def can_resume(run: runs.Run) -> bool:
    return run.kind == "concepts" and run.status == "running"


def resume(ws: state.Workspace, run: runs.Run) -> None:
    from core.pipeline import background

    background.resume(ws.path, run.id)
