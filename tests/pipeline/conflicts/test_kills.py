"""`kill -9` at any moment of a run of claim pairs: it ends as one that nobody killed, each pair done once.

What is guaranteed: a request whose answer had not reached the store when the process died is sent again.
These are at most as many as were under way, which is the endpoint's concurrency.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from core.store import open_workspace, runs
from core.store.chain import verify
from tests.llm.server import Server, scripted_server
from tests.patience import SECONDS
from tests.pipeline.conflicts import lab
from tests.repeats import times

CANARY = "sk-canary-9a8b7c6d5e4f"
CONCURRENCY = 8
ARTICLES = times(80, 400)

RUNNER = """
    import sys
    from core.store import open_workspace
    from tests.pipeline.conflicts import lab
    with open_workspace(sys.argv[1]) as workspace:
        told = lambda *said: print(*said, flush=True)
        endpoint = lab.endpoint(sys.argv[2], concurrency=int(sys.argv[3])) if sys.argv[2] else None
        print(lab.label(workspace, sys.argv[2], endpoint=endpoint, progress=told).status)
"""


def begin(path: Path, url: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(RUNNER), str(path), url, str(CONCURRENCY)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=lab.ROOT,
        env=os.environ | {"TOUCHSTONE_API_KEY": CANARY},
    )


def kill_at_random(
    process: subprocess.Popen[str], rng: random.Random, most: float, server: Server | None = None
) -> bool:
    """Kill at a random moment after its first word of progress or, every other time, after its first question
    to the server; whether it was still at work."""
    assert process.stdout is not None
    asked = len(server.requests) if server else 0
    process.stdout.readline()
    if server and rng.random() < 0.5:
        while len(server.requests) == asked and process.poll() is None:
            time.sleep(0.005)
    time.sleep(rng.uniform(0, most))
    at_work = process.poll() is None
    process.send_signal(signal.SIGKILL if os.name == "posix" else signal.SIGTERM)
    process.communicate()
    return at_work


def bodies(server: Server) -> list[str]:
    return [json.dumps(asked.body, sort_keys=True) for asked in server.requests]


def undisturbed(tmp_path: Path, url: str) -> list[list[tuple[object, ...]]]:
    with open_workspace(tmp_path / "undisturbed.db") as workspace:
        lab.fill(workspace, ARTICLES)
        lab.label(workspace, url)
        return lab.said(workspace)


def finish(path: Path, url: str) -> None:
    said, complaint = begin(path, url).communicate(timeout=SECONDS)
    assert said.split()[-1] == "done", complaint


def test_killed_at_random_an_asked_run_ends_as_one_that_nobody_killed(tmp_path: Path) -> None:
    path, rng = tmp_path / "killed.db", random.Random(7)
    with open_workspace(path) as workspace:
        lab.fill(workspace, ARTICLES)
    with scripted_server(lab.scripted, 0.1) as server:
        expected = undisturbed(tmp_path, server.url)
        server.requests.clear()
        kills = 0
        for _ in range(times(3, 30)):
            kills += kill_at_random(begin(path, server.url), rng, 0.5, server)
        assert kills, "none was killed at its work"
        if not done(path):
            finish(path, server.url)
        asked = bodies(server)
    repeats = len(asked) - len(set(asked))
    print(f"{kills} kills, {len(asked)} requests, {repeats} sent again")
    assert repeats <= kills * CONCURRENCY
    with open_workspace(path) as workspace:
        assert lab.said(workspace) == expected
        answered = workspace.db.execute("SELECT count(*), count(DISTINCT key) FROM calls").fetchone()
        assert tuple(answered) == (len(set(asked)), len(set(asked))), "no stored answer was paid twice"
        once = workspace.db.execute(
            "SELECT count(*), count(DISTINCT concept || json_extract(payload, '$.origin'))"
            " FROM stage_records WHERE stage = 'annotate'"
        ).fetchone()
        assert once[0] == once[1] == len(expected[2])
        (articles,) = workspace.db.execute(
            "SELECT count(*) FROM stage_records WHERE stage = 'normalise'"
        ).fetchone()
        assert articles == ARTICLES + 3
        assert runs.find_run(workspace, "r").status == "done"
        assert verify(workspace).problems == ()
    for file in tmp_path.iterdir():
        assert CANARY.encode() not in file.read_bytes(), f"the key is in {file.name}"


def done(path: Path) -> bool:
    with open_workspace(path) as workspace:
        return any(run.status == "done" for run in runs.list_runs(workspace))


@pytest.mark.parametrize("seed", range(times(1, 3)))
def test_killed_early_an_offline_run_ends_as_one_that_nobody_killed(tmp_path: Path, seed: int) -> None:
    path, rng = tmp_path / "killed.db", random.Random(seed)
    expected = undisturbed(tmp_path, "")
    with open_workspace(path) as workspace:
        lab.fill(workspace, ARTICLES)
    kills = 0
    for _ in range(times(3, 10)):
        kills += kill_at_random(begin(path, ""), rng, 0.5)
    assert kills
    if not done(path):
        finish(path, "")
    with open_workspace(path) as workspace:
        assert lab.said(workspace) == expected
        assert verify(workspace).problems == ()
