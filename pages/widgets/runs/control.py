"""Starting, pausing and resuming runs. The work is a process of its own: no page waits for it."""

from __future__ import annotations

from typing import Any

from core.store import runs, sessions
from pages.widgets import state


def start(ws: state.Workspace, options: dict[str, Any]) -> None:
    from core.pipeline import background

    background.start(ws.path, options)


def pause(ws: state.Workspace, run: str) -> None:
    sessions.ask_pause(ws, run)


def can_resume(run: runs.Run) -> bool:
    """Runs of stages go on from here; a dictionary run is taken up again by the command that began it."""
    return run.kind == "concepts" and "stages" in run.settings


def resume(ws: state.Workspace, run: runs.Run) -> None:
    from core.pipeline import background

    background.resume(ws.path, run.id)
