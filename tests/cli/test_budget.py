"""The verbs of a budget on claim pairs, by strata and below a root."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from core.cli import cli
from core.errors import InputError
from core.evaluate.anchoring import TOO_FEW
from core.records import Action, ConflictType, PairAnswer
from core.store import Workspace, open_workspace
from tests.evaluate.test_estimated import say
from tests.review.clinic import HYPOTONIA, NERVOUS, SEIZURE, many
from tests.review.pairs import library


def verb(path: Path, *words: str) -> dict[str, Any]:
    done = CliRunner().invoke(cli, ["--workspace", str(path), *words, "--json"])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def refused(path: Path, *words: str) -> str:
    done = CliRunner().invoke(cli, ["--workspace", str(path), *words])
    assert isinstance(done.exception, InputError)
    return str(done.exception)


def labelled(workspace: Workspace) -> dict[int, ConflictType]:
    """Pair -> the type that a model gives it, or else the rules."""
    rows = workspace.db.execute(
        "SELECT item_id, answer ->> 'conflict_type' FROM proposals ORDER BY origin = 'rule' DESC"
    )
    return {item: ConflictType(of) for item, of in rows}


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    with open_workspace(tmp_path / "shelf.db") as workspace:
        library.furnish(workspace)
    return tmp_path / "shelf.db"


@pytest.fixture
def ward(tmp_path: Path) -> Path:
    many(tmp_path / "ward.db", {"cases": 20})
    return tmp_path / "ward.db"


def test_pairs_are_drawn_decided_and_estimated(shelf: Path) -> None:
    """Two of the first three are kept as contextual, one is turned into no conflict."""
    open_ = ("budget", "open", "--run", "alpha", "--unit", "item", "--seed", "3")
    made = verb(shelf, *open_, "--name", "pairs")
    assert (made["size"], made["blind"], made["scope"], made["unit"]) == (4, 0.1, {"kind": "pair"}, "item")
    cut = verb(shelf, *open_, "--name", "cut", "--policy", "strata", "--by", "type")
    assert (cut["policy"], cut["scope"]) == ("strata", {"kind": "pair", "by": "type"})
    units = verb(shelf, "budget", "next", "pairs")["units"]
    assert len({unit["q"] for unit in units}) == 1
    found = sorted(unit["q"] for unit in verb(shelf, "budget", "next", "cut")["units"])
    assert found == pytest.approx([0.7, 1.1, 1.1, 1.1])
    with open_workspace(shelf) as workspace:
        types = labelled(workspace)
        for at, unit in enumerate(units[:3]):
            of = ConflictType.NO_CONFLICT if at == 1 else types[unit["item_id"]]
            action = Action.FIX if at == 1 else Action.ACCEPT
            say(workspace, "alpha", action, unit["item_id"], answer=PairAnswer(unit["id"], True, of))
    shown = verb(shelf, "budget", "show", "pairs")
    accuracy = shown["metrics"]["accuracy"]
    assert (accuracy["value"], accuracy["n"], accuracy["of"]) == (pytest.approx(2 / 3), 3, 4)
    assert accuracy["method"] == "wilson"
    assert shown["gap"] == units[3]["id"]
    assert verb(shelf, "evaluate", "alpha", "--gold", "estimated@now:pairs") == shown
    said = CliRunner().invoke(cli, ["--workspace", str(shelf), "budget", "show", "pairs"]).output
    assert "Accuracy" in said
    assert "3 of 4 pairs" in said
    assert "decide all 4 pairs" in " ".join(said.split())


def test_the_terminal_names_pairs_as_such(shelf: Path) -> None:
    words = ["budget", "open", "--run", "alpha", "--name", "pairs"]
    said = CliRunner().invoke(cli, ["--workspace", str(shelf), *words]).output
    assert "Frame pairs holds 4 pairs of run alpha." in " ".join(said.split())


def test_what_pairs_do_not_know_is_refused(shelf: Path) -> None:
    words = ("budget", "open", "--run", "alpha", "--name", "x")
    assert "Choose one of: item" in refused(shelf, *words, "--unit", "passage")


def test_pairs_are_answered_blind_and_what_was_shown_is_set_beside_it(shelf: Path) -> None:
    words = ("budget", "open", "--run", "alpha")
    assert verb(shelf, *words, "--name", "open", "--blind", "0")["blind"] == 0
    assert verb(shelf, *words, "--name", "half", "--blind", "0.5", "--seed", "1")["blind"] == 0.5
    units = verb(shelf, "budget", "next", "half")["units"]
    assert [unit["blind"] for unit in units].count(True) == 2
    assert not any(unit["blind"] for unit in verb(shelf, "budget", "next", "open")["units"])
    wrong = next(unit for unit in units if unit["blind"])
    with open_workspace(shelf) as workspace:
        types = labelled(workspace)
        for unit in units:
            of = ConflictType.NO_CONFLICT if unit is wrong else types[unit["item_id"]]
            answer = PairAnswer(unit["id"], True, of)
            say(workspace, "alpha", Action.FIX, unit["item_id"], answer=answer, blind=unit["blind"])
    shown = verb(shelf, "budget", "show", "half")
    assert shown["metrics"]["anchoring"] == {
        "value": 0.5,
        "low": None,
        "high": None,
        "shown": 2,
        "blind": 2,
        "reason": TOO_FEW,
    }
    assert shown["blind"] == {"share": 0.5, "units": 2, "answered": 2}
    said = CliRunner().invoke(cli, ["--workspace", str(shelf), "budget", "show", "half"]).output
    assert "Anchoring" in said
    assert "2 shown, 2 blind" in " ".join(said.split())


def test_strata_and_a_root_of_concepts(ward: Path) -> None:
    words = ("budget", "open", "--run", "run-cases")
    cut = verb(ward, *words, "--name", "cut", "--policy", "strata", "--by", "branch")
    assert (cut["size"], cut["scope"]["by"], cut["blind"]) == (40, "branch", 0.1)
    below = verb(ward, *words, "--name", "seizures", "--root", SEIZURE)
    assert (below["size"], below["scope"]["root"]) == (20, SEIZURE)
    units = verb(ward, "budget", "next", "seizures", "--limit", "30")["units"]
    assert len(units) == 20
    assert all(unit["id"].endswith(SEIZURE) for unit in units)
    again = ("--name", "again", "--policy", "strata", "--by", "class", "--pilot", "seizures")
    assert verb(ward, *words, *again)["scope"]["pilot"] == "estimated@0:seizures"
    notes = verb(ward, *words, "--name", "notes", "--unit", "passage", "--root", NERVOUS)
    assert notes["scope"]["root"] == NERVOUS
    shown = verb(ward, "budget", "show", "notes")
    assert shown["metrics"].keys() == {"precision", "recall", "f1", "anchoring"}
    assert shown["scope"]["root"] == NERVOUS
    assert "holds no concept 'HP:9'" in refused(ward, *words, "--name", "x", "--root", "HP:9")
    assert "Choose with --by" in refused(ward, *words, "--name", "x", "--policy", "strata", "--by", "type")
    assert "Choose --policy strata" in refused(ward, *words, "--name", "x", "--by", "class")
    assert f"nothing below {HYPOTONIA}" in refused(
        ward, *words, "--name", "x", "--root", HYPOTONIA, "--assertions", "negated"
    )


def test_help_names_the_options() -> None:
    said = CliRunner().invoke(cli, ["budget", "open", "--help"], env={"COLUMNS": "200"}).output
    for option in ("--by", "--pilot", "--root", "--policy", "strata", "claim pair"):
        assert option in said
