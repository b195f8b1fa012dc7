"""touchstone run concepts, guideline, batch, runs show: as people script them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from core.cli import cli
from core.llm import EndpointError
from core.store import corpora, curators, open_workspace, runs
from tests.cli.test_flow import done, process, refused, run
from tests.llm.server import Fault, scripted_server
from tests.pipeline import ward

CANARY = "sk-canary-998877665544"
CONCEPTS = ("run", "concepts", "--corpus", "c", "--ontology", "toy", "--profile", "hpa", "--root", "X:1")


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("TOUCHSTONE_API_KEY", "OPENAI_API_KEY", "TOUCHSTONE_MODEL", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    made = tmp_path / "w.db"
    with open_workspace(made) as workspace:
        ward.fill(workspace, 8)
    return made


def test_an_asked_run_prints_its_cost_beforehand_and_its_report_as_json(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    with scripted_server(ward.scripted) as server:
        words = (*CONCEPTS, "--stages", "generate,classify", "--run", "r", "--base-url", server.url)
        result = run(path, *words, "--model", "scripted", "--model-for", "classify=larger", "--json")
        assert {asked.body["model"] for asked in server.requests} == {"scripted", "larger"}
    assert result.returncode == 0, result.stderr
    assert "8 passages: about" in result.stderr
    report = json.loads(result.stdout)
    assert (report["run"], report["status"], report["failures"]) == ("r", "done", 0)
    shown = done(path, "runs", "show", "r")
    assert shown["state"] == "done"
    assert [row["stage"] for row in shown["funnel"]] == ["generate", "classify"]
    assert {row["model"] for row in shown["costs"]} == {"scripted", "larger"}
    assert shown["session"]["done"] == 8
    printed = run(path, "runs", "show", "r").stdout
    assert [line.split() for line in printed.splitlines() if "stages" in line and "generate" in line] == [
        ["│", "stages", "│", "generate,", "classify", "│"]
    ]
    (listed,) = done(path, "runs", "list")["runs"]
    assert listed["state"] == "done"
    everything = result.stdout + result.stderr + json.dumps(shown)
    assert CANARY not in everything
    assert all(CANARY.encode() not in file.read_bytes() for file in path.parent.iterdir())


def test_failures_are_reported_with_status_1(path: Path) -> None:
    def answer(body: dict[str, Any]) -> Any:
        return "No." if ward.asked_for(body) == "Rating" else ward.scripted(body)

    with scripted_server(answer) as server:
        words = (*CONCEPTS, "--stages", "generate,select", "--model", "m", "--base-url", server.url)
        result = run(path, *words)
    assert result.returncode == 1
    assert "without a usable answer" in result.stderr
    assert "--retry-failed" in result.stderr


def test_a_refused_key_is_status_2_and_names_the_setting(path: Path) -> None:
    with scripted_server(lambda body: Fault(401, {"error": {"message": "bad key"}})) as server:
        result = run(path, *CONCEPTS, "--stages", "generate", "--model", "m", "--base-url", server.url)
    refused(result, "API_KEY")


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (("--stages", "generate"), ("--model",)),
        (("--stages", "classify", "--offline"), ("generate",)),
        (("--offline", "--profile", "nope"), ("nope", "hpa")),
        (("--offline", "--corpus", "nope"), ("nope",)),
        (("--offline", "--classes", "7"), ("--classes",)),
        (("--model", "m", "--model-for", "guess=x"), ("guess", "classify")),
        (("--model", "m", "--base-url", "ftp://x"), ("http",)),
        (("--offline", "--ablation", "--direct"), ("ablation",)),
        (("--model", "m", "--prices", "none.yaml", "--base-url", "http://127.0.0.1:9"), ("none.yaml",)),
    ],
)
def test_bad_settings_are_refused_in_a_sentence(
    path: Path, words: tuple[str, ...], parts: tuple[str, ...]
) -> None:
    refused(run(path, *CONCEPTS, *words), *parts)


def test_a_run_by_batch_file(path: Path, tmp_path: Path) -> None:
    from tests.pipeline.test_batch import serve

    words = (*CONCEPTS, "--stages", "generate", "--model", "m", "--base-url", "http://127.0.0.1:9/v1")
    for number in range(2):
        batch, answers = tmp_path / f"b{number}.jsonl", tmp_path / f"a{number}.jsonl"
        result = run(path, *words, "--batch-out", batch, "--json")
        assert result.returncode == 1, "done, but not to the end"
        assert json.loads(result.stdout)["status"] == "waiting"
        serve(batch, answers)
        assert done(path, "batch", "import", answers)["failures"] == 0
    assert done(path, *words)["status"] == "done"
    refused(run(path, "batch", "import", "none.jsonl"), "none.jsonl")


def test_a_guideline_is_summed_up_shown_edited_and_listed(path: Path, tmp_path: Path) -> None:
    file, edited = tmp_path / "guideline.md", tmp_path / "edited.md"
    file.write_text("# Rules\n\nAnnotate every finding that is named.\n", "utf-8")
    edited.write_text("1. Annotate what is named, and nothing else.\n", "utf-8")
    said = json.dumps({"rules": ["Annotate every finding that is named."]})
    with scripted_server(lambda body: said) as server:
        words = ("guideline", "add", file, "--profile", "hpa", "--model", "m", "--base-url", server.url)
        made = done(path, *words)
        asked = len(server.requests)
        assert done(path, *words)["version"] == made["version"]
        assert len(server.requests) == asked == len(made["call_ids"]) > 0
    assert (made["version"], made["origin"]) == (2, "model")
    assert "Annotate every finding" in done(path, "guideline", "show", "--profile", "hpa")["text"]
    edit = ("guideline", "edit", edited, "--profile", "hpa", "--curator")
    refused(run(path, *edit, "ana"), "ana")
    with open_workspace(path) as workspace:
        curators.add_curator(workspace, "ana", "Ana")
    assert done(path, *edit, "ana")["version"] == 3
    versions = done(path, "guideline", "history", "--profile", "hpa")["versions"]
    assert [row["origin"] for row in versions] == ["person", "model", "person"]
    assert [row["curator_id"] for row in versions] == [None, None, "ana"]
    assert run(path, "guideline", "history", "--profile", "hpa").returncode == 0
    assert "nothing else" in run(path, "guideline", "show", "--profile", "hpa").stdout
    refused(run(path, "guideline", "add", tmp_path / "no.md", "--profile", "hpa", "--model", "m"), "no.md")


def test_the_command_line_starts_without_heavy_libraries(path: Path) -> None:
    import subprocess
    import sys

    heavy = ("torch", "openai", "sentence_transformers", "faiss", "pandas", "scipy")
    code = f"import sys, core.cli; print([n for n in {heavy} if n in sys.modules])"
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ward.ROOT)
    assert made.stdout.strip() == "[]", made.stderr
    assert process(path, "run", "concepts", "--help").returncode == 0


LLAMA = ["--model", "llama", "--base-url", "http://127.0.0.1:9/v1"]
ASKING = {
    "concepts": [*CONCEPTS, *LLAMA],
    "ablation": [*CONCEPTS, *LLAMA, "--ablation", "--gold", "imported:c@1"],
    "conflicts": ["run", "conflicts", "--corpus", "c", *LLAMA],
    "guideline": ["guideline", "add", "rules.md", "--profile", "hpa", *LLAMA],
}


@pytest.mark.parametrize("verb", ASKING.values(), ids=ASKING)
def test_a_ceiling_that_nothing_would_keep_is_refused_by_every_verb_that_asks(
    verb: list[str], path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing listens at the endpoint: what is refused does not even try."""
    with open_workspace(path) as workspace, workspace.write() as db:
        corpora.add_annotation_set(db, "c", "1", 1, [], exhaustive=True, sha256="0" * 64)
    monkeypatch.chdir(path.parent)
    Path("rules.md").write_text("1. Keep what the passage names.", "utf-8")
    done = CliRunner().invoke(cli, ["--workspace", str(path), *verb, "--ceiling", "1"])
    assert isinstance(done.exception, EndpointError), done.output
    assert "'llama' is unknown" in str(done.exception)
    done = CliRunner().invoke(cli, ["--workspace", str(path), *verb, "--price", "cheap"])
    assert "two numbers IN,OUT" in str(done.exception)
    with open_workspace(path) as workspace:
        assert runs.list_runs(workspace) == []
