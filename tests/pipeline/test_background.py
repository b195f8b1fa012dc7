"""Runs in processes of their own: started, paused, taken up again, and nowhere a key."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import InputError, WorkspaceError
from core.pipeline import background
from core.pipeline.status import State, status
from core.records import Document
from core.store import corpora, open_workspace, runs, sessions
from tests.llm.server import scripted_server
from tests.patience import until
from tests.pipeline import ward

CANARY = "sk-canary-5a4b3c2d1e0f"
PASSAGES = 120


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "w.db"
    with open_workspace(made) as workspace:
        ward.fill(workspace, PASSAGES)
    return made


def state(path: Path, run: str) -> State:
    with open_workspace(path) as workspace:
        known = [r.id for r in runs.list_runs(workspace)]
        return status(workspace, run).state if run in known else State.STOPPED


def test_an_asked_run_is_begun_paused_and_taken_up_again_and_the_key_is_nowhere(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TOUCHSTONE_API_KEY", raising=False)
    with scripted_server(ward.scripted, 0.05) as server:
        options = {
            "corpus": "c",
            "ontology": "toy",
            "profile": "hpa",
            "root": "X:1",
            "stages": ["generate", "classify"],
            "model": "scripted",
            "base_url": server.url.replace("http://", f"http://user:{CANARY}@"),
            "models": {"classify": "larger"},
            "concurrency": 4,
        }
        run = background.start(path, options, key=CANARY)
        assert run == "hpa-c-toy-scripted"
        until(lambda: len(server.requests) > 40)
        assert state(path, run) is State.RUNNING
        with pytest.raises(InputError, match="another process"):
            background.start(path, options, key=CANARY)
        with open_workspace(path) as workspace:
            assert sessions.ask_pause(workspace, run)
        until(lambda: state(path, run) is State.PAUSED)
        with open_workspace(path) as workspace:
            done, _ = runs.passages_ended(workspace, run)
            session = sessions.session(workspace, run)
        assert 0 < len(done) < PASSAGES
        assert session is not None
        assert session.done == len(done)
        assert background.resume(path, run, key=CANARY) == run
        until(lambda: state(path, run) is State.DONE)
        assert {asked.headers["authorization"] for asked in server.requests} == {f"Bearer {CANARY}"}
        assert {asked.body["model"] for asked in server.requests} == {"scripted", "larger"}
    with open_workspace(path) as workspace:
        assert len(runs.passages_ended(workspace, run)[0]) == PASSAGES
        expected = {name: found if "X:2" not in found or "X:3" in found else {} for name, found in
                    ward.expected(PASSAGES).items()}  # fmt: skip
        hearsay = {f"d{n}": {"X:2": "affirmed"} for n in range(3, PASSAGES, 4)}
        assert runs.predictions(workspace, run) == expected | hearsay
        (vectors,) = workspace.db.execute("SELECT count(*) FROM vectors").fetchone()
        assert vectors > 0  # by the real encoder
    log = background.log_path(path, run)
    assert log.exists()
    for file in path.parent.iterdir():
        assert CANARY.encode() not in file.read_bytes(), f"the key is in {file.name}"


def test_arguments_never_hold_a_key() -> None:
    words = background.arguments(
        {"corpus": "c", "key": CANARY, "stages": ["generate", "select"], "offline": True, "threads": 2,
         "models": {"select": "larger"}, "ceiling": None, "profile": "hpa"}
    )  # fmt: skip
    assert words == [
        "--corpus=c",
        "--profile=hpa",
        "--threads=2",
        "--stages=generate,select",
        "--model-for=select=larger",
        "--offline",
    ]


def test_what_can_be_known_beforehand_is_refused_before_a_process_is_begun(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = {"corpus": "c", "ontology": "toy", "profile": "hpa", "offline": True}
    with pytest.raises(InputError, match="in this order"):
        background.start(path, {**options, "stages": ["select"]})
    with pytest.raises(InputError, match="YAML"):
        background.start(path, {**options, "profile": "none"})
    with open_workspace(path) as workspace, workspace.write() as db:
        corpus = corpora.create_corpus(db, "secret", confidential=True)
        list(corpora.insert_passages(db, corpus, [Document("s", "A seizure.")]))
    away = {"corpus": "secret", "ontology": "toy", "profile": "hpa", "root": "X:1", "model": "m"}
    with pytest.raises(InputError, match="confidential"):
        background.start(path, {**away, "base_url": "https://api.example.org/v1"})
    monkeypatch.setenv("TOUCHSTONE_READ_ONLY", "1")
    with pytest.raises(WorkspaceError, match="read-only"):
        background.start(path, options)
    with open_workspace(path) as workspace:
        assert runs.list_runs(workspace) == []
        assert sessions.sessions(workspace) == {}
