"""Two annotators of pairs on the same pairs, worked by hand; slices by origin, confidence and provenance."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.errors import InputError
from core.evaluate import compare_pair_runs
from core.evaluate.inputs.claim_pairs import evaluate_pair_files
from core.exchange import add_pairs
from core.store import Workspace

NONE, DIRECT, CONTEXT = "no_conflict", "direct_contradiction", "contextual_contradiction"
A = [NONE, NONE, NONE, CONTEXT, CONTEXT, DIRECT]
B = [NONE, NONE, CONTEXT, CONTEXT, NONE, NONE]
"""Both NONE 2, both CONTEXT 1 of 6: observed 0.5. A: 3 / 2 / 1, B: 4 / 2 / 0, so expected (12 + 4) / 36."""


def rows(types: list[str], **more: Any) -> list[dict[str, Any]]:
    found = []
    for number, kind in enumerate(types):
        axis = ["geography", "study_design"] if kind == CONTEXT else []
        value: dict[str, Any] = {
            "pair_id": f"p{number}",
            "domain": "d",
            "tier": "pilot" if number < 2 else "full",
        }
        for side in ("a", "b"):
            value |= {
                f"claim_{side}_text": f"Claim {number} of {side}.",
                f"claim_{side}_article_uid": f"u{number}{side}",
                f"abstract_{side}": f"Claim {number} of {side}.",
            }
        label = {"conflict_type": kind, "divergence_axes": axis, "dominant_confounder": (axis or [None])[0]}
        found.append({**value, **label, "confidence": 0.5 + number / 10, **more})
    return found


def write(path: Path, given: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in given), "utf-8")
    return path


def test_agreement_types_axes_and_confidence_by_hand(workspace: Workspace, tmp_path: Path) -> None:
    for run, types in (("a", A), ("b", B)):
        file = write(tmp_path / f"{run}.jsonl", rows(types))
        add_pairs(workspace, file, run=run, source="s", corpus="c")
    found = compare_pair_runs(workspace, "a", "b")
    assert (found.both, found.agreement.observed) == (6, 0.5)
    assert found.agreement.kappa == pytest.approx((0.5 - 16 / 36) / (1 - 16 / 36))
    assert found.kappa.value == found.agreement.kappa
    assert found.kappa.n == 6
    assert found.kappa.low is not None
    assert found.kappa.high is not None
    assert -1 <= found.kappa.low < found.kappa.value < found.kappa.high <= 1
    by_type = {one.conflict_type: one for one in found.by_type}
    none, direct = by_type[NONE], by_type[DIRECT]
    assert (none.n_a, none.n_b, none.agree) == (3, 4, 2)
    assert (none.recall, none.precision, none.jaccard) == (2 / 3, 2 / 4, 2 / 5)
    assert (direct.recall, direct.precision, direct.jaccard) == (0.0, 0.0, 0.0)
    assert by_type["evidence_insufficiency"].jaccard is None
    ours = found.profiles["A"]
    assert (ours.n, ours.axes, ours.unique_axes, ours.confounders) == (6, 4, 2, 2)
    assert (ours.confounder_coverage, ours.mean_confidence) == (2 / 6, pytest.approx(0.75))
    assert (found.profiles["A, pilot"].n, found.profiles["A, all"].n) == (2, 6)
    assert [(one.pair_id[:5], one.type_a, one.type_b) for one in found.items] == [
        ("pair-", NONE, CONTEXT),
        ("pair-", DIRECT, NONE),
        ("pair-", CONTEXT, NONE),
    ]
    assert json.loads(json.dumps(found.to_json()))["both"] == 6
    assert [table.title for table in found.tables()] == ["Agreement", "Agreement by type", "What each says"]


def test_of_one_run_the_model_is_held_against_the_rules(workspace: Workspace, tmp_path: Path) -> None:
    both = [*rows(A), *rows(B, label_origin="heuristic")]
    add_pairs(workspace, write(tmp_path / "r.jsonl", both), run="r", source="s", corpus="c")
    found = compare_pair_runs(workspace, "r", "r")
    assert (found.both, found.agreement.observed) == (6, 0.5)


def test_what_cannot_be_compared_is_told(workspace: Workspace, tmp_path: Path) -> None:
    add_pairs(workspace, write(tmp_path / "a.jsonl", rows(A)), run="a", source="s", corpus="c")
    add_pairs(workspace, write(tmp_path / "b.jsonl", rows(B)), run="b", source="s", corpus="other")
    with pytest.raises(InputError, match="different corpora"):
        compare_pair_runs(workspace, "a", "b")
    with pytest.raises(InputError, match="no labels of both a model and the rules"):
        compare_pair_runs(workspace, "a", "a")


def test_slices_by_origin_confidence_and_provenance(tmp_path: Path) -> None:
    """Of six predictions two are the rules'; four are at least 0.7 sure (0.7 to 1.0)."""
    gold = write(tmp_path / "gold.jsonl", [row | {"provenance": "trials"} for row in rows(A)])
    said = [row | ({"label_origin": "heuristic"} if n < 2 else {}) for n, row in enumerate(rows(B))]
    found = evaluate_pair_files(write(tmp_path / "said.jsonl", said), gold)
    (table,) = [t for t in found.families["conflict_types"].tables if t.title.startswith("By origin")]
    told = {row[0]: (row[1], row[2]) for row in table.rows}
    assert told["the rules'"] == (2, 1.0)
    assert told["a model's"] == (4, 0.25)
    assert told["confidence from 0.7"] == (4, 0.25)
    assert told["confidence from 0.9"] == (2, 0.0)
    assert told["from trials"] == (6, 0.5)
