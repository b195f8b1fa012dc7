"""Predictions about claim pairs: whatever a system said is read; only the pair id must be there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.errors import InputError
from core.formats.pair_predictions import Predicted, Quoted, read_predictions


def read(tmp_path: Path, *rows: Any) -> list[Predicted]:
    path = tmp_path / "said.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return list(read_predictions(path))


def test_a_pair_id_is_enough(tmp_path: Path) -> None:
    (row,) = read(tmp_path, {"pair_id": "p"})
    assert row == Predicted("p", None, None, None, "", (), 0, "model", None, (None, None), (None, None))


def test_labels_are_kept_as_they_are(tmp_path: Path) -> None:
    (row,) = read(
        tmp_path,
        {
            "pair_id": "p",
            "conflict_type": 7,
            "axes": ["diet", 1],  # another name of divergence_axes
            "confounder": "diet",
            "reconciliation": ["no text"],
            "confidence": 1,
            "label_origin": "heuristic",
        },
    )
    assert (row.conflict_type, row.axes, row.confounder) == (7, ["diet", 1], "diet")
    assert (row.reconciliation, row.confidence, row.origin) == ("", 1.0, "heuristic")


@pytest.mark.parametrize("confidence", ["0.9", True, 1.5, -0.1, None])
def test_a_confidence_that_is_no_share_is_none(tmp_path: Path, confidence: Any) -> None:
    assert read(tmp_path, {"pair_id": "p", "confidence": confidence})[0].confidence is None


def test_spans_keep_what_can_be_used(tmp_path: Path) -> None:
    spans = [
        {"article_uid": "u1", "text": "in mice", "start": 3, "end": 10},
        {"side": "b", "quote": "in rats", "frame": "abstract", "start": 5, "end": 12},
        {"article_uid": "u1", "start": 3, "end": 10},
        {"text": "words alone", "start": -1, "end": 4},
        {"text": "end before start", "start": 9, "end": 9},
        {"side": "c", "text": "of no side", "start": "3"},
        "words in a list",
        {"text": " "},
        {"start": 5},
        17,
    ]
    (row,) = read(tmp_path, {"pair_id": "p", "evidence_spans": spans})
    assert row.odd_spans == 3
    assert row.spans == (
        Quoted(None, "u1", 3, 10, "in mice", False),
        Quoted("b", None, 5, 12, "in rats", True),
        Quoted(None, "u1", 3, 10, "", False),
        Quoted(None, None, None, None, "words alone", False),
        Quoted(None, None, None, None, "end before start", False),
        Quoted(None, None, None, None, "of no side", False),
        Quoted(None, None, None, None, "words in a list", False),
    )


@pytest.mark.parametrize(
    ("row", "says"),
    [({"conflict_type": "no_conflict"}, "pair_id"), ({"pair_id": 3}, "pair_id"), ([1], "an object")],
)
def test_a_row_without_a_pair_is_named_with_its_line(tmp_path: Path, row: Any, says: str) -> None:
    with pytest.raises(InputError, match=f"line 2.*{says}"):
        read(tmp_path, {"pair_id": "p"}, row)


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is empty"):
        read(tmp_path)
