"""The verbs of an audit, from a draw to the log of decisions in another workspace."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from core.cli import cli
from core.errors import InputError
from core.records import Action, Annotation, Assertion, ErrorAnswer, ErrorType, NewDecision
from core.store import Workspace, corpora, decisions, open_workspace
from core.store.chain import verify
from tests.review.clinic import FOCAL, SEIZURE, many

GOLD = "imported:cases@1"


def furnished(path: Path) -> None:
    """Twenty passages with a seizure and hypotonia proposed in each; gold holds a focal seizure in each."""
    many(path, {"cases": 20})
    with open_workspace(path) as workspace, workspace.write() as db:
        of = corpora.corpus(workspace, "cases").id
        rows = [
            (passage, Annotation(FOCAL, assertion=Assertion.AFFIRMED))
            for passage in corpora.passage_ids(workspace, "cases").values()
        ]
        corpora.add_annotation_set(db, "cases", "1", of, rows, exhaustive=True, sha256="1" * 64)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    furnished(tmp_path / "ward.db")
    return tmp_path / "ward.db"


def verb(path: Path, *words: str) -> dict[str, Any]:
    done = CliRunner().invoke(cli, ["--workspace", str(path), *words, "--json"])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def draw(path: Path, name: str, *more: str, size: int = 5) -> dict[str, Any]:
    return verb(
        path,
        *("audit", "draw", "--run", "run-cases", "--gold", GOLD, "--size", str(size), "--seed", "7"),
        *("--name", name, *more),
    )


def classify(workspace: Workspace, items: list[int], answers: list[ErrorType | None]) -> None:
    for at, (on, error) in enumerate(zip(items, answers, strict=True)):
        action = Action.CLASSIFY_ERROR if error else Action.UNSURE
        answer = ErrorAnswer(error) if error else None
        (done,) = decisions.append(
            workspace, [NewDecision(f"c{at}", "alpha", action, item_id=on, answer=answer)]
        )
        assert done.refused is None


def error_items(workspace: Workspace, name: str) -> list[int]:
    rows = workspace.db.execute(
        "SELECT n.item_id FROM frame_units n JOIN frames r ON r.id = n.frame_id WHERE r.name = ?"
        " AND n.position <= r.scope ->> 'size' ORDER BY n.position",
        (name,),
    )
    return [row[0] for row in rows]


def test_draw_classify_and_show(path: Path) -> None:
    made = draw(path, "a")
    assert (made["name"], made["run"], made["gold"], made["size"], made["of"]) == (
        *("a", "run-cases", GOLD),
        *(5, 40),
    )
    shown = verb(path, "audit", "show", "a")
    assert {"name", "run", "gold", "size", "of", "items", "counts", "share_of_apparent", "share_of_true"} <= (
        shown.keys()
    )
    assert shown["counts"] == {
        "missing_gold": 0,
        "E-1": 0,
        "E-2": 0,
        "E-3": 0,
        "E-4": 0,
        "E-5": 0,
        "unsure": 0,
        "open": 5,
    }
    assert set(shown["share_of_apparent"].values()) == {None}
    assert [one["position"] for one in shown["items"]] == [1, 2, 3, 4, 5]
    for one in shown["items"]:
        assert one["proposed"] == ("E-1" if one["concept"] == SEIZURE else None)
        assert {"doc_id", "concept", "stratum", "proposed", "error", "curator"} <= one.keys()

    said = [ErrorType.MISSING_GOLD, ErrorType.GRANULARITY, ErrorType.TRIGGER, None]
    with open_workspace(path) as workspace:
        classify(workspace, error_items(workspace, "a")[:4], said)
    found = verb(path, "audit", "show", "a")
    assert [one["error"] for one in found["items"]] == ["missing_gold", "E-1", "E-4", None, None]
    assert [one["curator"] for one in found["items"]] == ["alpha"] * 4 + [None]
    assert (found["counts"]["unsure"], found["counts"]["open"]) == (1, 1)
    assert found["share_of_apparent"]["missing_gold"] == pytest.approx(1 / 3)
    assert found["share_of_true"] == {"E-1": 0.5, "E-2": 0, "E-3": 0, "E-4": 0.5, "E-5": 0}
    then = verb(path, "audit", "show", "a", "--at", "1")
    assert (then["counts"]["missing_gold"], then["counts"]["open"]) == (1, 4)

    larger = draw(path, "b", size=9)
    assert larger["size"] == 9
    first = [(one["doc_id"], one["concept"]) for one in verb(path, "audit", "show", "b")["items"]][:5]
    assert first == [(one["doc_id"], one["concept"]) for one in found["items"]]


def test_half_of_each_branch_comes_first(path: Path) -> None:
    """Seizures and hypotonia both lie in the nervous system: by class and branch there is one stratum."""
    assert draw(path, "a", "--by", "branch")["by"] == "branch"
    strata = {one["stratum"] for one in verb(path, "audit", "show", "a")["items"]}
    assert strata == {"Abnormality of the nervous system"}


def test_in_words(path: Path) -> None:
    draw(path, "a")
    with open_workspace(path) as workspace:
        classify(workspace, error_items(workspace, "a")[:1], [ErrorType.CONTEXT])
    done = CliRunner().invoke(cli, ["--workspace", str(path), "audit", "show", "a"])
    assert done.exit_code == 0, done.output
    assert f"Audit set a: run-cases against {GOLD}" in done.output
    told = " ".join(done.output.split())
    assert "Classified: 1, of which true errors: 1" in told
    assert "In neither share: 0 unsure, 4 open." in told


@pytest.mark.parametrize(
    "words",
    [
        ("budget", "show", "a"),
        ("budget", "next", "a"),
        ("evaluate", "run-cases", "--gold", "estimated@now:a"),
    ],
)
def test_what_estimates_names_the_other_verb(path: Path, words: tuple[str, ...]) -> None:
    draw(path, "a")
    done = CliRunner().invoke(cli, ["--workspace", str(path), *words])
    assert isinstance(done.exception, InputError)
    assert "touchstone audit show a" in str(done.exception)


@pytest.mark.parametrize("suffix", ["json", "jsonl", "csv"])
def test_the_log_names_kinds_and_errors_and_another_workspace_takes_it_in(
    path: Path, tmp_path: Path, suffix: str
) -> None:
    draw(path, "a")
    with open_workspace(path) as workspace:
        classify(workspace, error_items(workspace, "a")[:2], [ErrorType.MISSING_GOLD, None])
    log = tmp_path / f"log.{suffix}"
    verb(path, "export", "decisions", "--out", str(log))
    if suffix == "jsonl":
        rows = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
        assert [row["kind"] for row in rows] == ["error", "error"]
        assert [row["answer"] for row in rows] == [{"error": "missing_gold"}, None]
        assert rows[0]["concept"].startswith(f"error-{GOLD} HP:")
    elsewhere = tmp_path / "elsewhere.db"
    furnished(elsewhere)
    assert verb(elsewhere, "decisions", "add", str(log))["stored"] == 2
    draw(elsewhere, "a")
    shown, there = (verb(where, "audit", "show", "a") for where in (path, elsewhere))
    assert there == shown
    with open_workspace(elsewhere) as workspace:
        assert verify(workspace).problems == ()
