"""Runs of claim pairs in processes of their own: started, paused, taken up again, and nowhere a key."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import InputError
from core.pipeline import background
from core.pipeline.status import State, status
from core.store import open_workspace, pair_tally, runs, sessions
from tests.llm.server import scripted_server
from tests.patience import until
from tests.pipeline.conflicts import lab

CANARY = "sk-canary-3c2b1a0f9e8d"


def state(path: Path, run: str) -> State:
    with open_workspace(path) as workspace:
        known = [r.id for r in runs.list_runs(workspace)]
        return status(workspace, run).state if run in known else State.STOPPED


def test_with_the_real_encoder_a_run_is_paused_and_taken_up_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TOUCHSTONE_API_KEY", raising=False)
    path = tmp_path / "w.db"
    with open_workspace(path) as workspace:
        lab.fill(workspace, 60)
    with scripted_server(lab.scripted, 0.15) as server:
        options = {
            "kind": "conflicts",
            "corpus": "c",
            "model": "scripted",
            "base_url": server.url,
            "concurrency": 2,
            "threads": 1,
            "per_article": 4,
        }
        run = background.start(path, options, key=CANARY)
        assert run == "conflicts-c-scripted"
        until(lambda: len(server.requests) > 10)
        assert state(path, run) is State.RUNNING
        with pytest.raises(InputError, match="another process"):
            background.start(path, options, key=CANARY)
        with open_workspace(path) as workspace:
            assert sessions.ask_pause(workspace, run)
        until(lambda: state(path, run) is State.PAUSED)
        assert background.resume(path, run, key=CANARY) == run
        until(lambda: state(path, run) is State.DONE)
        assert {asked.headers["authorization"] for asked in server.requests} == {f"Bearer {CANARY}"}
    with open_workspace(path) as workspace:
        found = pair_tally.pair_tally(workspace, run)
        assert runs.find_run(workspace, run).settings["mining"]["per_article"] == 4
        total = sum(found.pairs.values())
        assert len(server.requests) == total > 10
        assert sum(found.agreement.values()) == total
        (vectors,) = workspace.db.execute("SELECT count(*) FROM vectors").fetchone()
        assert vectors > 0
    for file in path.parent.iterdir():
        assert CANARY.encode() not in file.read_bytes(), f"the key is in {file.name}"


def test_what_can_be_known_beforehand_is_refused_before_a_process_is_begun(tmp_path: Path) -> None:
    path = tmp_path / "w.db"
    with open_workspace(path) as workspace:
        lab.fill(workspace, 2, confidential=True)
    options = {"kind": "conflicts", "corpus": "c", "offline": True}
    with pytest.raises(InputError, match="first few"):
        background.start(path, {**options, "stages": ["mine"]})
    with pytest.raises(InputError, match="neighbours"):
        background.start(path, {**options, "neighbours": 0})
    with pytest.raises(InputError, match="confidential"):
        background.start(
            path,
            {"kind": "conflicts", "corpus": "c", "model": "m", "base_url": "https://api.example.org/v1"},
        )
    with open_workspace(path) as workspace:
        assert runs.list_runs(workspace) == []
