"""Workspaces that an older version stored: brought up to date, they say what they said, byte for byte.

`before/make.py` made them, with the code of that time, and wrote down what each said then.
"""

from __future__ import annotations

import json
import lzma
import os
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from core.cli import cli
from core.errors import WorkspaceError
from core.exchange import export
from core.records import Action, ItemKind
from core.store import Workspace, open_workspace, proposals, runs
from core.store.chain import verify
from core.store.connect import connect
from core.store.looking import READ_ONLY
from core.store.migrate import pending
from core.store.schema import MIGRATIONS
from tests.repeats import times
from tests.store import making
from tests.store.before.said import said
from tests.store.making import answer, say
from tests.store.test_workspace import die_at_statement, statements_of

FOLDER = Path(__file__).parent / "before"
SAID: dict[str, Any] = json.loads((FOLDER / "said.json").read_text("utf-8"))
NAMES = sorted(SAID)


def stored(name: str, folder: Path) -> Path:
    """The workspace as it was."""
    path = folder / f"{name}.db"
    path.write_bytes(lzma.decompress((FOLDER / f"{name}.db.xz").read_bytes()))
    return path


def rows_of(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    db = connect(path, "ro")
    try:
        tables = [r[0] for r in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {t: [tuple(r) for r in db.execute(f"SELECT * FROM {t}")] for t in tables if "_fts" not in t}
    finally:
        db.close()


MENDED = "person_and_rules"
"""Where a person and rules had labelled a pair, that export called the person's label a model's."""


def test_there_are_twenty_and_the_mended_one() -> None:
    assert len(NAMES) == 21
    assert {f"{name}.db.xz" for name in NAMES} == {path.name for path in FOLDER.glob("*.xz")}


@pytest.mark.parametrize("name", NAMES)
def test_it_says_what_it_said(tmp_path: Path, name: str) -> None:
    with open_workspace(stored(name, tmp_path)) as workspace:
        found = json.loads(json.dumps(said(workspace, tmp_path)))
    expected = SAID[name]
    if name == MENDED:
        told = [found["exports"].pop("proposals of mixed"), expected["exports"].pop("proposals of mixed")]
        assert told[0] != told[1]
    assert found["problems"] == []
    assert found == expected


def test_a_label_of_a_person_is_exported_as_such_beside_that_of_rules(tmp_path: Path) -> None:
    with open_workspace(stored(MENDED, tmp_path)) as workspace:
        export(workspace, "proposals", tmp_path / "out.jsonl", run="mixed")
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text("utf-8").splitlines()]
    assert sorted((row["label_origin"], row["annotator_id"], row["seen_by_person"]) for row in rows) == [
        ("heuristic", "rules", False),
        ("model", "some-model", False),
        ("person", "alpha", True),
    ]


@pytest.mark.parametrize("name", NAMES)
def test_its_schema_is_that_of_a_new_one_and_a_copy_of_the_old_one_is_kept(tmp_path: Path, name: str) -> None:
    path = stored(name, tmp_path)
    before = rows_of(path)
    open_workspace(path).close()
    open_workspace(tmp_path / "fresh.db").close()
    assert statements_of(path) == statements_of(tmp_path / "fresh.db")
    kept = tmp_path / f"{name}.before-m004.db"
    assert rows_of(kept) == before
    open_workspace(path).close()
    assert [p.name for p in tmp_path.glob("*before*")] == [kept.name]


def test_labels_know_who_made_them_and_where_they_lay(tmp_path: Path) -> None:
    with open_workspace(stored(MENDED, tmp_path)) as workspace:
        rows = workspace.db.execute("SELECT origin, annotator, old_table, old_id FROM proposals ORDER BY id")
        assert [tuple(row) for row in rows] == [
            ("person", "alpha", "pair_labels", 1),
            ("rule", "rules", "pair_labels", 2),
            ("model", "some-model", "pair_labels", 3),
            ("rule", "rules", "pair_labels", 4),
        ]
    with open_workspace(stored("both_kinds", tmp_path)) as workspace:
        rows = workspace.db.execute("SELECT min(id), max(id), old_table FROM proposals GROUP BY 3 ORDER BY 1")
        assert [tuple(row) for row in rows] == [(1, 12, None), (13, 15, "pair_labels")]


@pytest.mark.parametrize(
    ("table", "change"),
    [
        ("proposals", "UPDATE proposals SET answer = json_set(answer, '$.label', 'x') WHERE old_id IS NULL"),
        (
            "proposals",
            "UPDATE proposals SET answer = json_set(answer, '$.reconciliation', 'x') WHERE old_id = 1",
        ),
        ("proposals", "UPDATE proposals SET old_id = 9 WHERE old_id = 1"),
        ("evidence", "UPDATE evidence SET role = 'x' WHERE side = 'a'"),
        ("decisions", "UPDATE decisions SET form = 2 WHERE base LIKE 'labels:%'"),
        ("proposals", "UPDATE proposals SET origin = 'person' WHERE old_id = 1"),
    ],
)
def test_an_edit_of_what_was_moved_is_noticed(tmp_path: Path, table: str, change: str) -> None:
    with open_workspace(stored("both_kinds", tmp_path)) as workspace:
        with workspace.write() as db:
            [(trigger,)] = db.execute(
                "SELECT sql FROM sqlite_master WHERE name = ?", (f"{table}_no_update",)
            ).fetchall()
            db.execute(f"DROP TRIGGER {table}_no_update")
            assert db.execute(change).rowcount
            db.execute(trigger)
        assert verify(workspace).problems


@pytest.mark.parametrize(("was", "is_now"), [("model", "person"), ("person", "model")])
def test_who_made_a_label_that_was_moved_cannot_be_altered_unseen(
    tmp_path: Path, was: str, is_now: str
) -> None:
    with open_workspace(stored("by_people", tmp_path)) as workspace:
        with workspace.write() as db:
            [(trigger,)] = db.execute("SELECT sql FROM sqlite_master WHERE name = 'proposals_no_update'")
            db.execute("DROP TRIGGER proposals_no_update")
            assert db.execute("UPDATE proposals SET origin = ? WHERE origin = ?", (is_now, was)).rowcount == 1
            db.execute(trigger)
        [problem] = verify(workspace).problems
        assert "Who made proposal" in problem


def decide_anew(workspace: Workspace) -> None:
    """One decision on an item of each kind, on what is shown of it now."""
    for kind in (ItemKind.CONCEPT, ItemKind.PAIR):
        [item] = workspace.db.execute(
            "SELECT item_id FROM proposals p JOIN items i ON i.id = p.item_id WHERE kind = ? LIMIT 1", (kind,)
        ).fetchone()
        shown = tuple(one.id for one in proposals.of_items(workspace, [item])[item])
        number = say(workspace, "gamma", Action.REJECT, item, shown=shown)
        row = workspace.db.execute("SELECT base, form FROM decisions WHERE number = ?", (number,)).fetchone()
        assert tuple(row) == ("proposals:" + ",".join(map(str, sorted(shown))), 2)


def test_it_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(making, "_client", iter(range(80, 90)))  # the last stored decision has number 80
    with open_workspace(stored("both_kinds", tmp_path)) as workspace:
        decide_anew(workspace)
        assert verify(workspace, head=SAID["both_kinds"]["head"][1]).problems == ()
    with open_workspace(stored("half_done", tmp_path)) as workspace:
        with workspace.write() as db:
            runs.finish_run(db, "half")
        assert verify(workspace).problems == ()
        say(workspace, "alpha", Action.ACCEPT, 1, shown=(1,), answer=answer())
        assert verify(workspace).problems == ()


def test_it_is_not_migrated_by_whoever_only_looks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = stored("decided", tmp_path)
    before = path.read_bytes()
    monkeypatch.setenv(READ_ONLY, "1")
    with pytest.raises(WorkspaceError, match=r"must be migrated.*without --read-only"):
        open_workspace(path)
    assert path.read_bytes() == before
    assert not list(tmp_path.glob("*before*"))


def test_the_app_with_read_only_says_that_it_must_be_migrated(tmp_path: Path) -> None:
    path = stored("decided", tmp_path)
    before = path.read_bytes()
    done = CliRunner().invoke(cli, ["--workspace", str(path), "app", "--read-only", "--no-browser"])
    assert done.exit_code != 0
    assert "must be migrated" in str(done.exception)
    assert path.read_bytes() == before


def test_a_copy_of_another_state_is_never_replaced(tmp_path: Path) -> None:
    path = stored("decided", tmp_path)
    other = stored("pairs", tmp_path).rename(tmp_path / "decided.before-m004.db").read_bytes()
    open_workspace(path).close()
    assert (tmp_path / "decided.before-m004.db").read_bytes() == other
    assert (tmp_path / "decided.before-m004-2.db").exists()


def test_a_damaged_one_is_left_as_it_is(tmp_path: Path) -> None:
    path = stored("decided", tmp_path)
    content = bytearray(path.read_bytes())
    page = len(content) // 4096 // 2
    content[page * 4096 : page * 4096 + 512] = b"\xff" * 512
    path.write_bytes(content)
    with pytest.raises(WorkspaceError, match="damaged"):
        open_workspace(path)
    assert path.read_bytes() == content


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork to kill a process at a chosen moment")
@pytest.mark.parametrize("name", ["both_kinds", "by_people_decided"])
def test_killed_at_any_moment_it_is_the_old_or_the_new_one(tmp_path: Path, name: str) -> None:
    import sqlite_utils  # noqa: F401 - here, so that no child pays for it

    path = stored(name, tmp_path)
    old = rows_of(path)
    at = 1
    while True:
        child = os.fork()
        if child == 0:
            die_at_statement(at)
            open_workspace(path).close()
            os._exit(0)
        if os.waitpid(child, 0)[1] == 0:
            break
        db = connect(path)
        left = pending(db, path)
        db.close()
        assert left in (list(MIGRATIONS)[3:], [])
        if left:
            assert rows_of(path) == old
        at += times(3, 1)
    assert at > 25
    with open_workspace(path) as workspace:
        assert json.loads(json.dumps(said(workspace, tmp_path))) == SAID[name]
    assert [p.name for p in tmp_path.glob("*before*")] == [f"{name}.before-m004.db"]
