"""Who made an imported label is told wherever labels are counted, listed or queued: a person is no model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from core.cli import cli
from core.exchange import add_pairs
from core.exchange.artifacts import write_artifacts
from core.records import Origin
from core.review.walks.pair import PairFilters, index_of
from core.store import Workspace, pair_tally, pair_trail
from core.store.pair_trail import Narrowed
from tests.exchange.test_pairs import ROW


@pytest.fixture
def mixed(workspace: Workspace, tmp_path: Path) -> Workspace:
    """A run of three pairs: one labelled by a person and by rules, alike; one by a model; one by rules."""
    person = {"label_origin": "person", "annotator_id": "alpha"}
    rules = {"label_origin": "heuristic", "annotator_id": "rules", "conflict_type": "no_conflict"}
    rules |= {"divergence_axes": [], "dominant_confounder": None}
    model = {"pair_id": "theirs-2", "claim_b_text": "nobody was able to say why", "evidence_spans": []}
    third = {"pair_id": "theirs-3", "claim_a_text": "Nothing else changed in any of the groups."}
    third["evidence_spans"] = []
    rows = [ROW | person, ROW | rules, ROW | model, ROW | rules | third]
    path = tmp_path / "mixed.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    add_pairs(workspace, path, run="mixed", source="elsewhere", corpus="theirs")
    return workspace


def test_counts(mixed: Workspace) -> None:
    found = pair_tally.pair_tally(mixed, "mixed")
    contextual = "contextual_contradiction"
    assert found.labels(Origin.PERSON) == found.labels(Origin.MODEL) == {contextual: 1}
    assert found.labels(Origin.HEURISTIC) == {"no_conflict": 2}
    axis = {"organism_strain_lineage": 1}
    assert found.axes == found.confounders == {"model": axis, "person": axis}
    assert found.agreement == {}  # of models and rules: none of the pairs has both


def test_lists_and_queues(mixed: Workspace) -> None:
    rows = pair_trail.pair_rows(mixed, "mixed", Narrowed())
    assert sorted((row.model or "", row.heuristic or "", row.by_person) for row in rows) == [
        ("", "no_conflict", False),
        ("contextual_contradiction", "", False),
        ("contextual_contradiction", "no_conflict", True),
    ]
    index = index_of(mixed)
    (mine,) = index.order(PairFilters("theirs", origin=Origin.PERSON)).tolist()
    assert [mine] == [row.item_id for row in rows if row.by_person]
    assert len(index.order(PairFilters("theirs", origin=Origin.MODEL))) == 1
    assert len(index.order(PairFilters("theirs", origin=Origin.HEURISTIC))) == 1
    assert len(index.order(PairFilters("theirs"))) == 3


def test_the_command_line_and_the_artifacts(mixed: Workspace, tmp_path: Path) -> None:
    show = ["--workspace", str(mixed.path), "runs", "show", "mixed"]
    told = json.loads(CliRunner().invoke(cli, [*show, "--json"]).stdout)["funnel"]["labels"]
    assert {origin: sum(by.values()) for origin, by in told.items()} == {
        "model": 1,
        "heuristic": 2,
        "person": 1,
    }
    assert "person" in CliRunner().invoke(cli, show).stdout
    manifest, *_ = write_artifacts(mixed, "mixed", tmp_path)
    annotators = json.loads(manifest.read_text(encoding="utf-8"))["annotators"]
    assert annotators == {"model": {"some-model": 1}, "heuristic": {"rules": 2}, "person": {"alpha": 1}}
