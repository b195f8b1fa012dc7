"""Sessions of runs: one row per run, outside the revision, a wish to pause heard by the next beat."""

from __future__ import annotations

import os
import time

import pytest

from core.store import Workspace, sessions
from tests.store.making import furnish


def begin(workspace: Workspace, run: str = "run-1", **values: int) -> None:
    with workspace.write(bump=False) as db:
        sessions.begin_session(db, run, total=100, **values)


def test_a_session_says_how_far_it_is_and_bumps_nothing(workspace: Workspace) -> None:
    furnish(workspace)
    before = workspace.key()
    begin(workspace, resumed=40)
    with workspace.write(bump=False) as db:
        assert not sessions.beat(db, "run-1", done=60, failures=2, spent=0.5, message="waiting until 14:05")
    found = sessions.session(workspace, "run-1")
    assert found is not None
    assert (found.done, found.resumed, found.total, found.failures) == (60, 40, 100, 2)
    assert (found.spent, found.message, found.pid) == (0.5, "waiting until 14:05", os.getpid())
    assert sessions.sessions(workspace) == {"run-1": found}
    assert sessions.session(workspace, "none") is None
    assert workspace.key() == before


def test_rate_and_time_left_are_of_this_session_alone(workspace: Workspace) -> None:
    furnish(workspace)
    begin(workspace, resumed=40)
    found = sessions.session(workspace, "run-1")
    assert found is not None
    assert found.rate is None
    assert found.seconds_left is None
    later = found._replace(started_at=1000.0, beat_at=1010.0, done=60)
    assert later.rate == pytest.approx(2.0)
    assert later.seconds_left == pytest.approx(20.0)


def test_a_wish_to_pause_is_heard_by_the_next_beat_and_over_with_the_next_session(
    workspace: Workspace,
) -> None:
    furnish(workspace)
    assert not sessions.ask_pause(workspace, "run-1")
    begin(workspace)
    assert sessions.ask_pause(workspace, "run-1")
    assert sessions.session(workspace, "run-1").pause
    with workspace.write(bump=False) as db:
        assert sessions.beat(db, "run-1", done=1)
        sessions.end_session(db, "run-1", "Paused as asked.", paused=True)
    found = sessions.session(workspace, "run-1")
    assert found is not None
    assert (found.pause, found.message) == (True, "Paused as asked.")
    begin(workspace)
    assert not sessions.session(workspace, "run-1").pause


def test_a_new_session_takes_the_row_over(workspace: Workspace) -> None:
    furnish(workspace)
    begin(workspace)
    with workspace.write(bump=False) as db:
        db.execute("UPDATE run_sessions SET pid = 1, started_at = 5.0, message = 'old'")
    began = time.time()
    begin(workspace, resumed=7, failures=1)
    found = sessions.session(workspace, "run-1")
    assert found is not None
    assert (found.pid, found.done, found.failures, found.message) == (os.getpid(), 7, 1, None)
    assert found.started_at >= began


def test_another_part_is_counted_anew_and_a_wish_to_pause_stands(workspace: Workspace) -> None:
    furnish(workspace)
    begin(workspace)
    with workspace.write(bump=False) as db:
        sessions.beat(db, "run-1", done=100)
    assert sessions.ask_pause(workspace, "run-1")
    with workspace.write(bump=False) as db:
        sessions.next_part(db, "run-1", total=7, resumed=3, failures=1, message="Pairing claims")
    found = sessions.session(workspace, "run-1")
    assert found is not None
    assert (found.done, found.resumed, found.total, found.failures) == (3, 3, 7, 1)
    assert (found.message, found.pause, found.rate) == ("Pairing claims", True, None)
