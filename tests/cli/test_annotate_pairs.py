"""Pairs of a file are labelled without a corpus, and the result comes in as proposals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.cli import main
from core.formats.pairs import PairRow, read_pairs
from tests.llm.server import scripted_server
from tests.pipeline.conflicts import lab

BARE = [
    ("Aspirin reduced stroke in women.", "Aspirin did not reduce stroke in women."),
    ("Aspirin reduced stroke in women.", "Helmets were comfortable."),
]


def status(workspace: Path, *words: object) -> int:
    with pytest.raises(SystemExit) as end:
        main(["--workspace", str(workspace), *map(str, words)])
    return int(end.value.code or 0)


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def bare(path: Path) -> Path:
    return write(path, [{"claim_a_text": a, "claim_b_text": b} for a, b in BARE])


def labelled(path: Path) -> list[PairRow]:
    return [row for row in read_pairs(path) if isinstance(row, PairRow)]


def test_two_claims_suffice_and_proposals_add_takes_the_result(tmp_path: Path) -> None:
    workspace, out = tmp_path / "w.db", tmp_path / "out.jsonl"
    assert status(workspace, "annotate", "pairs", bare(tmp_path / "in.jsonl"), "--out", out, "--offline") == 0
    assert not workspace.exists()
    one, two = labelled(out)
    assert [one.label_origin, two.label_origin] == ["heuristic", "heuristic"]
    assert (one.conflict_type != "no_conflict", two.conflict_type) == (True, "no_conflict")
    assert one.claim_a_article_uid == two.claim_a_article_uid
    assert all(span.start is not None for span in one.evidence_spans)
    options = ("--run", "r", "--source", "rules", "--corpus", "c")
    assert status(workspace, "proposals", "add", out, *options) == 0


def test_a_model_is_asked_and_the_rules_are_told_beside_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    workspace, out = tmp_path / "w.db", tmp_path / "out.jsonl"
    with scripted_server(lab.scripted) as server:
        options = ("--model", "scripted", "--base-url", server.url, "--json")
        words = ("annotate", "pairs", bare(tmp_path / "in.jsonl"), "--out", out, *options)
        assert status(workspace, *words) == 0
        assert len(server.requests) == 2
        assert json.loads(capsys.readouterr().out)["labels"] == {"model": 2}
        assert status(workspace, *words) == 0  # answers are kept: nothing is asked twice
        assert len(server.requests) == 2
    one, _ = labelled(out)
    assert (one.label_origin, one.conflict_type) == ("model", "contextual_contradiction")
    assert [label.label_origin for label in one.machine_labels] == ["model", "heuristic"]


def test_ids_and_abstracts_of_the_file_are_kept_and_its_labels_are_not(tmp_path: Path) -> None:
    given = {
        "pair_id": "mine",
        "domain": "neurology",
        "claim_a_text": BARE[0][0],
        "claim_b_text": BARE[0][1],
        "claim_a_article_uid": "one",
        "claim_b_article_uid": "two",
        "abstract_a": f"We asked. {BARE[0][0]} It was so.",
        "conflict_type": "quarrel",
    }
    out = tmp_path / "out.jsonl"
    words = ("annotate", "pairs", write(tmp_path / "in.jsonl", [given]), "--out", out, "--offline")
    assert status(tmp_path / "w.db", *words) == 0
    (row,) = labelled(out)
    assert (row.pair_id, row.domain, row.claim_a_start, row.abstract_b) == (
        "mine",
        "neurology",
        10,
        BARE[0][1],
    )


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([{"claim_a_text": "Aspirin helped."}], "claim_b_text: the text of the claim is missing"),
        ([{"pair_id": "p", "claim_a_text": "A b.", "claim_b_text": "C d."}] * 2, "stands in an earlier row"),
        (
            [{"claim_a_text": "A b.", "claim_b_text": "C d.", "abstract_a": "Something else."}],
            "does not occur in abstract_a",
        ),
    ],
)
def test_what_cannot_be_labelled_is_named_and_nothing_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], rows: list[dict[str, Any]], said: str
) -> None:
    out = tmp_path / "out.jsonl"
    words = ("annotate", "pairs", write(tmp_path / "in.jsonl", rows), "--out", out, "--offline")
    assert status(tmp_path / "w.db", *words) == 2
    assert said in capsys.readouterr().err
    assert not out.exists()
