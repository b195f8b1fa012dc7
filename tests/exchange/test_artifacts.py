"""The artifacts of annotation: every attempt, every failure, and nowhere a key."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.errors import InputError
from core.exchange.artifacts import write_artifacts
from core.records import Origin
from core.store import Workspace, pairs
from tests.llm.server import scripted_server
from tests.pipeline.conflicts import lab
from tests.store import making

CANARY = "sk-canary-7f6e5d4c3b2a"


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.fixture
def written(workspace: Workspace, tmp_path: Path) -> Path:
    """The artifacts of an asked run in which some pairs failed at first, and one drug's for good."""
    lab.fill(workspace, 30)
    first = {"asked": 0}

    def answer(body: dict[str, Any]) -> str:
        first["asked"] += 1
        if first["asked"] == 1:
            return ""
        return str(lab.fails_about(lab.HEARSAY)(body))

    with scripted_server(answer) as server:
        ask = lab.endpoint(server.url, key=CANARY, concurrency=1)
        lab.label(workspace, server.url, endpoint=ask)
        lab.label(workspace, server.url, endpoint=ask, retry_failed=True)
    folder = tmp_path / "out"
    folder.mkdir()
    made = write_artifacts(workspace, "r", folder)
    assert [path.name for path in made] == [
        "annotation_manifest.json",
        "provenance.json",
        "raw_responses.jsonl",
        "failures.jsonl",
    ]
    assert sorted(path.name for path in folder.iterdir()) == sorted(path.name for path in made)
    return folder


def test_the_manifest_counts_what_the_run_holds(workspace: Workspace, written: Path) -> None:
    manifest = json.loads((written / "annotation_manifest.json").read_text("utf-8"))
    labels = list(pairs.labels(workspace, "r"))
    by_model = [one for one in labels if one.label.origin is Origin.MODEL]
    assert manifest["queue"] == "r"
    assert manifest["model"] == "scripted"
    assert manifest["provider"].startswith("http://127.0.0.1:")
    assert manifest["prompt_version"][0].startswith("label@")
    assert manifest["samples"] == len(labels) - len(by_model)
    assert sum(manifest["counts"]["labels"]["model"].values()) == len(by_model)
    assert manifest["counts"]["failed"] == manifest["samples"] - len(by_model) > 0
    assert manifest["annotators"]["model"] == {"scripted": len(by_model)}


def test_provenance_holds_the_settings_and_no_key(workspace: Workspace, written: Path) -> None:
    provenance = json.loads((written / "provenance.json").read_text("utf-8"))
    assert provenance["settings"]["endpoint"]["temperature"] == 0.0
    assert provenance["settings"]["mining"]["per_article"] == 6
    assert (provenance["corpus"]["name"], provenance["corpus"]["articles"]) == ("c", 33)
    assert len(provenance["digest"]) == 64
    for path in written.iterdir():
        assert CANARY not in path.read_text("utf-8"), path.name


def test_every_attempt_is_there_and_the_last_has_the_label(workspace: Workspace, written: Path) -> None:
    found = rows(written / "raw_responses.jsonl")
    (calls,) = workspace.db.execute("SELECT count(*) FROM calls").fetchone()
    assert len(found) == calls
    assert all(row["pair_id"] and row["task_id"] == f"r:{row['pair_id']}" for row in found)
    labels = {one.call_id: one.label for one in pairs.labels(workspace, "r") if one.call_id}
    assert {row["call"] for row in found if row["response"]} == set(labels)
    for row in found:
        if row["response"]:
            label = labels[row["call"]]
            assert row["response"]["conflict_type"] == label.conflict_type.value
            assert row["response"]["divergence_axes"] == [axis.value for axis in label.axes]
            assert len(row["response"]["evidence_spans_a"]) == sum(e.side == "a" for e in label.evidence)
            assert "conflict_type" in row["answer"]
    of_pair: dict[str, list[int]] = {}
    for row in found:
        of_pair.setdefault(row["pair_id"], []).append(row["attempt"])
    assert all(attempts == list(range(1, len(attempts) + 1)) for attempts in of_pair.values())
    assert max(map(len, of_pair.values())) > 1, "an answer in no usable form is asked for again"


def test_failures_tell_all_that_befell_a_pair(workspace: Workspace, written: Path) -> None:
    found = rows(written / "failures.jsonl")
    for_good = [row for row in found if not row["resolved"]]
    assert {row["label_by"] for row in for_good} == {"heuristic"}
    assert all([each["kind"] for each in row["attempts"]] == ["invalid", "invalid"] for row in for_good)
    assert all(each["call"] for row in for_good for each in row["attempts"])
    manifest = json.loads((written / "annotation_manifest.json").read_text("utf-8"))
    assert len(for_good) == manifest["counts"]["failed"]


def test_a_run_of_concepts_has_none(workspace: Workspace, tmp_path: Path) -> None:
    making.furnish(workspace)
    with pytest.raises(InputError, match="labels concepts"):
        write_artifacts(workspace, "run-1", tmp_path)
