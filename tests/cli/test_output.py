"""What verbs print obeys nobody but us: hostile names and texts are written out, in errors, too."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from core.cli import cli, main
from core.store import corpora, open_workspace, runs
from tests.text.test_visible import TRICKS, hidden


@pytest.fixture
def hostile(workspace_path: Path) -> Path:
    with open_workspace(workspace_path) as workspace, workspace.write() as db:
        corpora.create_corpus(db, "ward", domain=TRICKS, source=TRICKS)
        runs.begin_run(
            db,
            "run",
            kind="imported",
            source=TRICKS,
            corpus_id=1,
            ontology_id=None,
            settings={"file": TRICKS},
            fingerprint="f",
        )
    return workspace_path


@pytest.mark.parametrize(
    "verb", [("corpus", "list"), ("corpus", "show", "ward"), ("runs", "list"), ("runs", "show", "run")]
)
def test_tables_and_json_hold_nothing_that_a_terminal_obeys(hostile: Path, verb: tuple[str, ...]) -> None:
    shown = CliRunner().invoke(cli, ["--workspace", str(hostile), *verb])
    assert shown.exit_code == 0
    assert hidden(shown.output) == []
    told = CliRunner().invoke(cli, ["--workspace", str(hostile), *verb, "--json"])
    assert hidden(told.stdout) == []
    assert any(TRICKS in said for said in _strings(json.loads(told.stdout)))


def _strings(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [one for each in inside for one in _strings(each)]


@pytest.mark.parametrize(
    "arguments",
    [
        ("corpus", "show", f"x{TRICKS}".replace("\x00", "")),
        ("corpus", "add", "no\x1b[2Jfile\u202e.jsonl", "--name", "x"),
        ("--workspace", "gone\x1b]0;x\x07\u202e.db", "verify"),
        ("gone\x1b[31m\u202everb",),
    ],
)
def test_errors_name_the_thing_without_obeying_it(
    hostile: Path,
    arguments: tuple[str, ...],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TOUCHSTONE_WORKSPACE", str(hostile))
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    assert ended.value.code == 2
    printed = capsys.readouterr()
    assert printed.err
    assert hidden(printed.out + printed.err) == []
