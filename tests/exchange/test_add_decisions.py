"""In: a log of decisions comes back equal, once, and what is at odds with it is named."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from core.cli import cli
from core.errors import InputError
from core.exchange import add_corpus, add_decisions, export
from core.records import Action, Assertion, NewDecision, Span
from core.store import Workspace, open_workspace
from core.store.chain import verify
from core.store.decisions import add_curator, append, decisions
from tests.exchange.conftest import Curators
from tests.store.pairing import answer, pair_up


@pytest.fixture
def decided(corpus: Workspace, curators: Curators) -> Workspace:
    """Decisions of every kind, on concepts, passages and pairs."""
    first = curators.accept("alpha", "d1", "HP:0001250", "Seizure", Assertion.AFFIRMED)
    curators.decide("alpha", Action.UNDO, "d1", "HP:0001250", undoes=first)
    curators.accept("alpha", "d1", "HP:0001250", "Seizure", Assertion.NEGATED, Span(3, 11, "seizures"))
    curators.decide("beta", Action.REJECT, "d2", "HP:0000957", note="no", blind=True)
    curators.decide("beta", Action.CLOSE, "d3")
    paired = pair_up(corpus)
    one, two = paired.pairs
    incoming = [
        NewDecision("p1", "alpha", Action.FIX, item_id=one.item_id, answer=answer(one), milliseconds=70),
        NewDecision("p2", "alpha", Action.REJECT, item_id=two.item_id, note="not comparable"),
        NewDecision("p3", "alpha", Action.UNDO, undoes=7),
    ]
    assert [one.refused for one in append(corpus, incoming)] == [None] * 3
    return corpus


@pytest.fixture
def anew(tmp_path: Path, gold_file: Path) -> Iterator[Workspace]:
    """Another workspace with the same corpora and pairs, and no decision."""
    with open_workspace(tmp_path / "anew.db") as workspace:
        add_corpus(workspace, gold_file, name="tiny")
        pair_up(workspace)
        yield workspace


def test_a_log_brings_no_curator_whose_name_would_be_misread(
    decided: Workspace, anew: Workspace, tmp_path: Path
) -> None:
    log = tmp_path / "log.jsonl"
    export(decided, "decisions", log)
    log.write_text(log.read_text().replace('"alpha"', '"=1+1"'))
    with pytest.raises(InputError, match=r"'=1\+1' cannot be the id of a curator"):
        add_decisions(anew, log)
    report = add_decisions(anew, log, skip_bad=True)
    assert (report.curators, report.stored) == (("beta",), 2)


def said(workspace: Workspace) -> list[tuple[Any, ...]]:
    """All of a log but the links, and row numbers of items."""
    return [
        (
            *(d.number, d.client_id, d.kind, d.subject, d.curator, d.action, d.answer, d.note, d.undoes),
            *(d.blind, d.milliseconds, d.decided_at, d.guideline_revision),
        )
        for d in decisions(workspace)
    ]


@pytest.mark.parametrize("name", ["a.json", "a.jsonl", "a.csv", "a.csv.gz"])
def test_a_log_comes_back_equal_and_only_once(
    decided: Workspace, anew: Workspace, tmp_path: Path, name: str
) -> None:
    export(decided, "decisions", tmp_path / name)
    report = add_decisions(anew, tmp_path / name)
    assert (report.stored, report.known, report.faults, report.curators) == (8, 0, 0, ("alpha", "beta"))
    assert said(anew) == said(decided)
    again = add_decisions(anew, tmp_path / name)
    assert (again.stored, again.known, again.curators) == (0, 8, ())
    assert said(anew) == said(decided)
    assert add_decisions(decided, tmp_path / name).known == 8
    assert verify(anew).problems == ()


@pytest.mark.parametrize("name", ["a.json", "a.jsonl", "a.csv"])
def test_a_log_of_an_older_version_names_no_kinds_and_is_taken_in(
    decided: Workspace, anew: Workspace, tmp_path: Path, name: str
) -> None:
    path = tmp_path / name
    export(decided, "decisions", path)
    if name.endswith("csv"):
        rows = list(csv.reader(io.StringIO(path.read_text("utf-8"), newline="")))
        at = rows[0].index("kind")
        assert [row[at] for row in rows[1:]] == [*["concept"] * 4, "passage", *["pair"] * 3]
        with path.open("w", encoding="utf-8", newline="") as out:
            csv.writer(out).writerows(row[:at] + row[at + 1 :] for row in rows)
    else:
        text, count = re.subn(r'"kind":\s*"[a-z]+",\s*', "", path.read_text("utf-8"))
        assert count == 8
        path.write_text(text, "utf-8")
    assert add_decisions(anew, path).stored == 8
    assert said(anew) == said(decided)


def test_a_log_that_has_grown_adds_what_is_new(
    decided: Workspace, curators: Curators, anew: Workspace, tmp_path: Path
) -> None:
    export(decided, "decisions", tmp_path / "a.jsonl")
    add_decisions(anew, tmp_path / "a.jsonl")
    curators.count = 100
    curators.accept("alpha", "d1", "HP:0001250", "Seizure", Assertion.UNCERTAIN)
    export(decided, "decisions", tmp_path / "a.jsonl")
    report = add_decisions(anew, tmp_path / "a.jsonl")
    assert (report.stored, report.known) == (1, 8)
    assert said(anew) == said(decided)


def test_what_a_curator_decided_here_is_not_decided_over(
    decided: Workspace, anew: Workspace, tmp_path: Path
) -> None:
    """Beta rejected HP:0000957 in d2 and closed d3 in the log. Here, beta is unsure of the one and has closed
    the other as well: the first is a conflict, the second a repeat."""
    export(decided, "decisions", tmp_path / "a.jsonl")
    here = Curators(anew)
    here.count = 200
    here.decide("beta", Action.UNSURE, "d2", "HP:0000957")
    here.decide("beta", Action.CLOSE, "d3")
    with pytest.raises(
        InputError, match=r"document 'd2', decision 4: beta decided otherwise here.*decision 1, "
    ):
        add_decisions(anew, tmp_path / "a.jsonl")
    assert len(said(anew)) == 2
    report = add_decisions(anew, tmp_path / "a.jsonl", skip_bad=True)
    assert (report.stored, report.known, report.faults) == (6, 1, 1)
    assert report.rejects is not None
    (left,) = map(json.loads, Path(report.rejects).read_text(encoding="utf-8").splitlines())
    assert (left["doc_id"], left["row"]["action"]) == ("d2", "reject")


def altered(path: Path, number: int, **fields: Any) -> Path:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    rows[number - 1] |= fields
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("number", "fields", "words"),
    [
        (4, {"doc_id": "d9"}, "corpus tiny has no such document"),
        (4, {"corpus": "other"}, "There is no corpus 'other'"),
        (6, {"concept": "pair-none"}, "no pair 'pair-none' here"),
        (2, {"undoes": 99}, "it cancels decision 99"),
        (2, {"curator": "beta"}, "Only the curator who decided"),
        (4, {"client_id": "c1"}, "Its id stands for another decision already, number 1"),
        (4, {"decided_at": "soon"}, "decided_at: 'soon' is no time"),
        (4, {"action": "add"}, "needs the answer"),
        (4, {"kind": "pair"}, "said to be on a pair, and 'HP:0000957' names a concept"),
    ],
)
def test_what_cannot_be_stored_is_named_and_nothing_is(
    decided: Workspace, anew: Workspace, tmp_path: Path, number: int, fields: dict[str, Any], words: str
) -> None:
    export(decided, "decisions", tmp_path / "a.jsonl")
    with pytest.raises(InputError, match=f"decision {number}: .*{words}"):
        add_decisions(anew, altered(tmp_path / "a.jsonl", number, **fields))
    assert said(anew) == []
    assert add_curator(anew, "gamma", "Gamma")


def test_a_quote_that_does_not_stand_there(decided: Workspace, anew: Workspace, tmp_path: Path) -> None:
    export(decided, "decisions", tmp_path / "a.jsonl")
    answered = json.loads((tmp_path / "a.jsonl").read_text(encoding="utf-8").splitlines()[2])["answer"]
    path = altered(tmp_path / "a.jsonl", 3, answer=answered | {"spans": [[3, 11, "fever"]]})
    with pytest.raises(
        InputError, match=r"decision 3: The quote 'fever' does not stand at 3-11 of the passage\.\n"
    ):
        add_decisions(anew, path)


def test_the_command_line(decided: Workspace, anew: Workspace, tmp_path: Path) -> None:
    export(decided, "decisions", tmp_path / "a.jsonl")
    altered(tmp_path / "a.jsonl", 4, doc_id="d9")
    add = ["--workspace", str(anew.path), "decisions", "add", str(tmp_path / "a.jsonl")]
    assert isinstance(CliRunner().invoke(cli, add).exception, InputError)
    done = CliRunner().invoke(cli, [*add, "--skip-bad", "--json"])
    assert done.exit_code == 1, done.output
    assert json.loads(done.stdout)["stored"] == 7
