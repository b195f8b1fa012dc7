"""Two runs on one gold, by the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.cli import main
from core.exchange import add_pairs
from core.records import Action, ConflictType, NewDecision, PairAnswer
from core.store import decisions, open_workspace, pairs
from tests.evaluate import ward
from tests.evaluate.pairs import test_pair_comparison as by_hand
from tests.evaluate.ward import AFFIRMED, NEGATED, A, B, C, D


@pytest.fixture
def filled(workspace_path: Path) -> Path:
    with open_workspace(workspace_path) as workspace:
        ids = ward.fill(workspace)
        with workspace.write() as db:
            corpus, ontology = db.execute("SELECT corpus_id, ontology_id FROM runs").fetchone()
            said = {"d1": [(A, AFFIRMED), (B, AFFIRMED)], "d2": [(C, AFFIRMED), (D, NEGATED)]}
            ward.add_run(db, "lexicon-2", corpus, ontology, {ids[d]: drafts for d, drafts in said.items()})
    return workspace_path


def status(workspace: Path, *words: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["--workspace", str(workspace), "runs", "compare", *words])
    return int(ended.value.code or 0)


def test_scores_are_compared_where_a_gold_is_named(filled, capsys):
    assert status(filled, ward.RUN, "lexicon-2", "--gold", ward.GOLD, "--json") == 0
    report = json.loads(capsys.readouterr().out)
    # lexicon-1 alone is right on A in d4; lexicon-2 alone on B and E in d1 and on D in d2
    assert (report["on_gold"]["mcnemar"]["first"], report["on_gold"]["mcnemar"]["second"]) == (1, 3)
    # micro F1 2·3/(2·3 + 2 + 1) = 2/3 and 2·3/(2·3 + 0 + 1) = 6/7
    assert report["on_gold"]["differences"]["micro_f1"]["value"] == pytest.approx(6 / 7 - 2 / 3, abs=1e-9)
    assert report["both"] == 3  # A in d1, C and D in d2: statuses apart


def test_without_a_gold_only_the_labels_are_compared(filled, capsys):
    assert status(filled, ward.RUN, "lexicon-2", "--json") == 0
    assert "on_gold" not in json.loads(capsys.readouterr().out)


def test_tables_and_what_to_know(filled, capsys):
    assert status(filled, ward.RUN, "lexicon-2", "--gold", ward.GOLD, "--bootstrap", "100") == 0
    said = capsys.readouterr().out
    for part in ("Macro F1", "Wilcoxon", "McNemar", "+0.190", "quote the tests over documents"):
        assert part in said


def test_a_gold_that_is_not_there_is_named(filled, capsys):
    assert status(filled, ward.RUN, "lexicon-2", "--gold", "imported:none@1") == 2
    assert "none@1" in capsys.readouterr().err


def test_further_families_and_more_than_two_runs(filled, capsys):
    assert (
        status(filled, ward.RUN, "lexicon-2", "--gold", ward.GOLD, "--families", "assertions", "--json") == 0
    )
    report = json.loads(capsys.readouterr().out)["on_gold"]
    assert {"value", "low", "p"} <= report["families"]["assertions"]["joint_f1"].keys()
    assert status(filled, ward.RUN, "lexicon-2", "lexicon-2") == 2
    assert "add --gold" in capsys.readouterr().err
    assert status(filled, ward.RUN, "lexicon-2", "lexicon-2", "--gold", ward.GOLD) == 2
    assert "twice" in capsys.readouterr().err


def test_runs_of_pairs_are_scored_on_a_gold_too(workspace_path: Path, tmp_path: Path, capsys) -> None:
    """Of six pairs a curator settles the first three as run A has them; B has two of them so."""
    with open_workspace(workspace_path) as workspace:
        decisions.add_curator(workspace, "ada", "Ada")
        for run, types in (("a", by_hand.A), ("b", by_hand.B)):
            file = by_hand.write(tmp_path / f"{run}.jsonl", by_hand.rows(types))
            add_pairs(workspace, file, run=run, source="s", corpus="c")
        for number, pair in enumerate(sorted(pairs.pairs(workspace, "a"), key=lambda one: one.a.text)[:3]):
            answer = PairAnswer(pair.pair_id, True, ConflictType(by_hand.A[number]))
            new = NewDecision(f"n{number}", "ada", Action.ACCEPT, item_id=pair.item_id, answer=answer)
            assert decisions.append(workspace, [new])[0].refused is None
    words = ("a", "b", "--gold", "reviewed@now:any", "--bootstrap", "0")
    assert status(workspace_path, *words, "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert report["both"] == 6
    accuracy = report["on_gold"]["families"]["conflict_types"]["accuracy"]
    assert accuracy["runs"] == [1.0, pytest.approx(2 / 3)]
    assert status(workspace_path, *words) == 0
    assert "2 runs against" in capsys.readouterr().out
