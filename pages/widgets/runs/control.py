"""Starting, pausing and resuming runs. The work is a process of its own: no page waits for it."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import streamlit as st

from core.store import runs, sessions
from pages.widgets import state

if TYPE_CHECKING:
    from core.concepts.profile import Profile
    from core.conflicts.mine import Mining
    from core.pipeline.conflicts import ConflictsPlan
    from core.pipeline.plan import Plan

SAID = 4000
"""Bytes at the end of what a process said that are shown."""


class Starting(NamedTuple):
    """A process that was begun from here and has not been seen at work yet."""

    run: str
    begun: float
    """Unix seconds."""


def threshold(profile: Profile) -> float:
    """The least similarity that a run takes if none is chosen."""
    from core.pipeline.plan import least

    return least(profile)


def planned(ws: state.Workspace, options: dict[str, Any]) -> Plan | ConflictsPlan:
    """What a run of these options would be.

    Raises:
        TouchstoneError: it cannot be run so.
    """
    from core.pipeline import background

    return background.planned_by(ws, options, background.endpoint_of(options))


def mining() -> Mining:
    """How pairs are found if nothing else is chosen."""
    from core.conflicts.mine import Mining

    return Mining()


def estimated(ws: state.Workspace, options: tuple[tuple[str, Any], ...]) -> str:
    """What it would cost, in a sentence."""
    from core.pipeline.estimate import estimate_run
    from core.pipeline.plan import Plan

    made = planned(ws, dict(options))
    if not isinstance(made, Plan) or made.endpoint is None:
        return ""
    done, failed = runs.passages_ended(ws, made.run)
    return str(estimate_run(ws, made, made.endpoint, done | failed))


def start(path: str, options: dict[str, Any]) -> str:
    from core.pipeline import background

    return _begun(background.start(Path(path), options))


def resume(path: str, run: str, *, retry_failed: bool = False) -> str:
    from core.pipeline import background

    return _begun(background.resume(Path(path), run, retry_failed=retry_failed))


def _begun(run: str) -> str:
    st.session_state[state.RUNS + "starting"] = Starting(run, time.time())
    return run


def starting() -> Starting | None:
    found: Starting | None = st.session_state.get(state.RUNS + "starting")
    return found


def has_started() -> None:
    st.session_state.pop(state.RUNS + "starting", None)


def pause(ws: state.Workspace, run: str) -> None:
    sessions.ask_pause(ws, run)


def can_resume(run: runs.Run) -> bool:
    """Runs of stages go on from here; a dictionary run is taken up again by the command that began it."""
    return run.kind in ("concepts", "conflicts") and "stages" in run.settings


def last_words(path: Path, run: str, since: float = 0) -> str:
    """What the process of a run said last; empty where it has said nothing since then (Unix seconds)."""
    from core.pipeline import background

    try:
        with background.log_path(path, run).open("rb") as log:
            if os.fstat(log.fileno()).st_mtime < since:
                return ""
            log.seek(0, 2)
            log.seek(max(0, log.tell() - SAID))
            return log.read().decode("utf-8", "replace").strip()
    except OSError:
        return ""
