"""Claims, candidates, tasks and adjudicated pairs of a run as lines that fit their schemas."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from core.errors import InputError
from core.exchange import add_pairs, export
from core.formats import schemas
from core.records import Action, ConflictType, NewDecision, PairAnswer
from core.store import Workspace, pairs
from core.store.decisions import add_curator, append

DEMO = Path(__file__).parents[2] / "data" / "demo" / "abstract_pairs.jsonl"
TABLE_26 = (
    *("claim_id", "article_uid", "domain", "source", "sentence", "claim_text", "claim_type"),
    *("sentence_start", "sentence_end", "entities", "slots", "confidence", "pub_year", "journal"),
)
TASK = (
    *("task_id", "pair_id", "domain", "claim_a_text", "claim_b_text", "claim_a_article_uid"),
    *("claim_b_article_uid", "claim_a_type", "claim_b_type", "abstract_a", "abstract_b"),
    *("pub_year_a", "pub_year_b", "journal_a", "journal_b"),
)
ADJUDICATED = (
    *("example_id", "claim_a_text", "claim_b_article_uid", "entities", "conflict_type", "reconciliation"),
    *("evidence_spans", "annotator_ids", "adjudication_notes", "pub_year_a", "combined_score"),
)


@pytest.mark.parametrize(
    ("what", "schema", "count", "fields"),
    [
        ("claims", "claims-line", 24, TABLE_26),
        ("pairs", "candidate-pairs-line", 12, ("pair_id", "similarity", "licence_a")),
        ("tasks", "annotation-tasks-line", 12, TASK),
        ("adjudicated", "adjudicated-pairs-line", 1, ADJUDICATED),
    ],
)
def test_lines_have_the_fields_of_the_tables(
    workspace: Workspace, tmp_path: Path, what: str, schema: str, count: int, fields: tuple[str, ...]
) -> None:
    add_pairs(workspace, DEMO, run="r", source="by hand", corpus="c")
    add_curator(workspace, "alpha", "Alpha")
    first = next(pairs.pairs(workspace, "r"))
    answer = PairAnswer(first.pair_id, True, ConflictType.NO_CONFLICT)
    fix = NewDecision("c1", "alpha", Action.FIX, item_id=first.item_id, answer=answer, note="As it stands.")
    append(workspace, [fix])
    manifest = export(workspace, what, tmp_path / "out.jsonl", run="r")  # type: ignore[arg-type]
    assert manifest.counts == {"rows": count}
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text("utf-8").splitlines()]
    for line in lines:
        Draft202012Validator(schemas.schema(schema)).validate(line)
        assert set(fields) <= line.keys()
    if what == "claims":
        assert all(line["claim_text"] in line["sentence"] for line in lines)
    if what == "adjudicated":
        assert lines[0]["annotator_ids"] == ["person-1"]
        assert (lines[0]["conflict_type"], lines[0]["adjudication_notes"]) == ("no_conflict", "As it stands.")


def test_a_run_of_concepts_has_no_claims(workspace: Workspace, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="name a run of claim pairs with --run"):
        export(workspace, "claims", tmp_path / "out.jsonl")
