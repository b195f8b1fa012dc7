"""`kill -9` at any moment: no passage is lost or done twice, no answer that reached the store is paid again.

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

from core.concepts import STAGES
from core.pipeline.status import State, status
from core.store import open_workspace, runs
from core.store.chain import verify
from tests.interrupts import HEEDED
from tests.llm.server import Server, scripted_server
from tests.patience import SECONDS
from tests.pipeline import ward
from tests.repeats import times

CANARY = "sk-canary-0f1e2d3c4b5a"
CONCURRENCY = 8
PASSAGES = times(160, 600)

RUNNER = """
    import sys
    from core.store import open_workspace
    from tests.pipeline import ward
    with open_workspace(sys.argv[1]) as workspace:
        told = lambda done, total: print(done, flush=True)
        endpoint = ward.endpoint(sys.argv[2], concurrency=int(sys.argv[3]))
        print(ward.label(workspace, sys.argv[2], endpoint=endpoint, progress=told).status)
"""


def begin(path: Path, url: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(RUNNER), str(path), url, str(CONCURRENCY)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ward.ROOT,
        env=os.environ | {"TOUCHSTONE_API_KEY": CANARY},
        preexec_fn=HEEDED,
    )


def bodies(server: Server, since: int = 0) -> list[str]:
    return [json.dumps(asked.body, sort_keys=True) for asked in server.requests[since:]]


def kill_at_random(process: subprocess.Popen[str], server: Server, rng: random.Random) -> bool:
    """Kill once it has asked something, after a random while; whether it was still at work."""
    asked = len(server.requests)
    while len(server.requests) == asked and process.poll() is None:
        time.sleep(0.005)
    time.sleep(rng.uniform(0, 0.35))
    process.send_signal(signal.SIGKILL if os.name == "posix" else signal.SIGTERM)
    process.communicate()
    return process.returncode != 0


def test_killed_at_random_a_run_ends_with_every_passage_done_once(tmp_path: Path) -> None:
    path, rng = tmp_path / "killed.db", random.Random(11)
    with open_workspace(path) as workspace:
        ward.fill(workspace, PASSAGES)
    kills, unstored = 0, []
    with scripted_server(ward.scripted, 0.03) as server:
        while kills < times(5, 30):
            assert kill_at_random(begin(path, server.url), server, rng), "it was killed, not done"
            kills += 1
            with open_workspace(path) as workspace:
                stored = workspace.db.execute("SELECT count(*) FROM calls").fetchone()[0]
            unstored.append(len(set(bodies(server))) - stored)
        process = begin(path, server.url)
        said, complaint = process.communicate(timeout=SECONDS)
        assert process.returncode == 0, complaint
        assert said.split()[-1] == "done"
        asked = bodies(server)
    repeats = len(asked) - len(set(asked))
    print(f"{kills} kills, {len(asked)} requests, {repeats} sent again, at most {max(unstored)} at a kill")
    assert max(unstored) <= CONCURRENCY, "what was under way when the process died"
    assert repeats <= kills * CONCURRENCY
    with open_workspace(path) as workspace:
        answered = workspace.db.execute("SELECT count(*), count(DISTINCT key) FROM calls").fetchone()
        assert tuple(answered) == (len(set(asked)), len(set(asked)))
        ended = workspace.db.execute(
            "SELECT count(*), count(DISTINCT passage_id) FROM stage_records WHERE verdict = 'done'"
        ).fetchone()
        assert tuple(ended) == (PASSAGES, PASSAGES)
        assert runs.predictions(workspace, "r") == ward.expected(PASSAGES)
        assert runs.find_run(workspace, "r").status == "done"
        assert verify(workspace).problems == ()
        (stages,) = workspace.db.execute("SELECT count(DISTINCT stage) FROM calls").fetchone()
        assert stages == len(STAGES)
    for file in tmp_path.iterdir():
        assert CANARY.encode() not in file.read_bytes(), f"the key is in {file.name}"


def test_of_two_runners_one_asks_and_the_other_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "raced.db"
    with open_workspace(path) as workspace:
        ward.fill(workspace, 40)
    with scripted_server(ward.scripted, 0.1) as server:
        racers = [begin(path, server.url) for _ in range(2)]
        said = [racer.communicate(timeout=SECONDS) for racer in racers]
        asked = bodies(server)
    losers = [text[1] for racer, text in zip(racers, said, strict=True) if racer.returncode]
    assert len(losers) == 1
    assert "another process" in losers[0] or "is done" in losers[0]
    assert len(asked) == len(set(asked))
    with open_workspace(path) as workspace:
        assert runs.predictions(workspace, "r") == ward.expected(40)


def test_stopped_by_hand_a_run_keeps_what_is_finished_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "stopped.db"
    with open_workspace(path) as workspace:
        ward.fill(workspace, 200)
    with scripted_server(ward.scripted, 0.03) as server:
        process = begin(path, server.url)
        while len(server.requests) < 200 and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=SECONDS)
        assert process.returncode != 0
        with open_workspace(path) as workspace:
            done, failed = runs.passages_ended(workspace, "r")
            now = status(workspace, "r")
        assert now.session is not None
        assert 0 < len(done) == now.session.done < 200
        assert failed == set()
        assert now.state is State.STOPPED
        assert "Stopped by hand" in (now.session.message or "")
        said, complaint = begin(path, server.url).communicate(timeout=SECONDS)
    assert said.split()[-1] == "done", complaint
    with open_workspace(path) as workspace:
        assert runs.predictions(workspace, "r") == ward.expected(200)
