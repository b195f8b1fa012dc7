"""Opening, cache keys, and files that are something else or broken."""

from __future__ import annotations

import gzip
import os
import random
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.errors import WorkspaceError
from core.records import Action
from core.store import Workspace, decisions, migrate, open_workspace, schema
from core.store import workspace as workspace_module
from core.store.connect import connect, sqlite3
from core.store.file import SIDE_FILES, beside
from tests.repeats import times
from tests.store.making import CURATORS, furnish, judge, say

PAGES = times(24, 500)
"""Copies of a workspace with one page destroyed, besides the other corrupt and foreign files."""


# --- opening ----------------------------------------------------------------------------------------------


def test_every_pragma_is_set_on_every_connection(workspace: Workspace) -> None:
    found = {
        name: workspace.db.execute(f"PRAGMA {name}").fetchone()[0]
        for name in (
            "journal_mode",
            "synchronous",
            "foreign_keys",
            "recursive_triggers",
            "trusted_schema",
            "busy_timeout",
        )
    }
    assert found == {
        "journal_mode": "wal",
        "synchronous": 2,  # FULL
        "foreign_keys": 1,
        "recursive_triggers": 1,
        "trusted_schema": 0,
        "busy_timeout": 30_000,
    }


def test_all_tables_are_strict(workspace: Workspace) -> None:
    rows = workspace.db.execute("PRAGMA table_list").fetchall()
    loose = {
        r["name"]
        for r in rows
        if r["type"] == "table" and not r["strict"] and not r["name"].startswith(("sqlite_", "_sqlite_"))
    }
    assert loose == set()


def test_missing_workspace_is_named_and_not_made_where_none_is_wanted(tmp_path: Path) -> None:
    path = tmp_path / "none" / "w.db"
    with pytest.raises(WorkspaceError, match=r"no workspace at .*w\.db"):
        open_workspace(path, create=False)
    assert not path.parent.exists()
    open_workspace(path).close()
    assert path.exists()


def test_opening_makes_no_other_file_and_closing_leaves_one(tmp_path: Path) -> None:
    with open_workspace(tmp_path / "w.db") as opened:
        furnish(opened)
    assert {p.name for p in tmp_path.iterdir()} == {"w.db", "w.db.lock", "w.db.turn", "w.db.open"}


def test_link_to_a_workspace_is_the_workspace(tmp_path: Path) -> None:
    """One lock and one -wal, by whatever name it is opened."""
    link = tmp_path / "elsewhere" / "link.db"
    link.parent.mkdir()
    try:
        link.symlink_to(tmp_path / "w.db")
    except OSError:
        pytest.skip("no symbolic links here")
    with open_workspace(link) as first, open_workspace(tmp_path / "w.db") as second:
        assert first.path == second.path
        assert first.uuid == second.uuid
    assert [p.name for p in link.parent.iterdir()] == ["link.db"]


def test_leftovers_of_a_killed_creation_do_no_harm(tmp_path: Path) -> None:
    part = tmp_path / "w.db.new"
    for suffix in ("", *SIDE_FILES):
        beside(part, suffix).write_bytes(b"half a file")
    with open_workspace(tmp_path / "w.db") as opened:
        assert furnish(opened).items
    assert {p.name for p in tmp_path.iterdir()} == {"w.db", "w.db.lock", "w.db.turn", "w.db.open"}


def test_log_without_its_workspace_is_not_thrown_away(tmp_path: Path) -> None:
    wal = tmp_path / "w.db-wal"
    wal.write_bytes(b"somebody's last decisions")
    with pytest.raises(WorkspaceError, match=r"w\.db-wal, which holds its last changes"):
        open_workspace(tmp_path / "w.db")
    assert [p.name for p in tmp_path.iterdir()] == ["w.db-wal"]
    assert wal.read_bytes() == b"somebody's last decisions"


def test_write_block_is_all_or_nothing(workspace: Workspace) -> None:
    key = workspace.key()

    def fail_half_way() -> None:
        with workspace.write() as db:
            db.execute("INSERT INTO curators VALUES ('x', 'X', NULL, 'now')")
            raise RuntimeError("half way")

    with pytest.raises(RuntimeError, match="half way"):
        fail_half_way()
    assert decisions.list_curators(workspace) == []
    assert workspace.key() == key
    furnish(workspace)  # and the connection is good for the next one


def test_moved_or_deleted_workspace_takes_no_writes(tmp_path: Path) -> None:
    path = tmp_path / "w.db"
    with open_workspace(path) as opened:
        house = furnish(opened)
        path.rename(tmp_path / "moved.db")
        with pytest.raises(WorkspaceError, match="was moved, deleted or replaced"):
            say(opened, "alpha", Action.REJECT, house.item())
        shutil.copy(tmp_path / "moved.db", path)
        with pytest.raises(WorkspaceError, match="was moved, deleted or replaced"):
            say(opened, "alpha", Action.REJECT, house.item())


# --- cache keys -------------------------------------------------------------------------------------------


def test_revision_changes_with_every_write_but_not_with_leases(workspace: Workspace) -> None:
    house = furnish(workspace)
    seen = [workspace.key()]
    for item in house.items.values():
        say(workspace, "alpha", Action.REJECT, item)
        seen.append(workspace.key())
    assert len({key.revision for key in seen}) == len(seen)
    with workspace.write(bump=False) as db:
        db.execute("INSERT INTO leases VALUES (?, 0, 'tab', 'alpha', 1e9)", (house.item(),))
    assert workspace.key() == seen[-1]


def test_write_of_another_process_changes_the_key_here(tmp_path: Path) -> None:
    with open_workspace(tmp_path / "w.db") as here, open_workspace(tmp_path / "w.db") as there:
        before = here.key()
        decisions.add_curator(there, "alpha", "Alpha")
        assert here.key() == there.key() != before


def test_two_workspaces_open_at_once_never_mix(tmp_path: Path) -> None:
    with open_workspace(tmp_path / "a.db") as a, open_workspace(tmp_path / "b.db") as b:
        houses = {a: furnish(a), b: furnish(b)}
        assert a.uuid != b.uuid
        for turn in range(6):
            for here, action in ((a, Action.REJECT), (b, Action.UNSURE)):
                item = list(houses[here].items.values())[turn]
                assert say(here, CURATORS[turn % 3], action, item) == turn + 1  # each counts for itself
                assert a.key() != b.key()
        assert {d.action for d in decisions.decisions(a)} == {Action.REJECT}
        assert {d.action for d in decisions.decisions(b)} == {Action.UNSURE}
        links = [{d.link for d in decisions.decisions(w)} for w in (a, b)]
        assert not links[0] & links[1]


def test_copies_that_went_apart_have_different_keys(tmp_path: Path) -> None:
    with open_workspace(tmp_path / "a.db") as a:
        items = list(furnish(a).items.values())
    shutil.copy(tmp_path / "a.db", tmp_path / "b.db")
    with open_workspace(tmp_path / "a.db") as a, open_workspace(tmp_path / "b.db") as b:
        assert a.key() == b.key()  # the same content still
        judge(a, items[:1])
        judge(b, items[1:2])
        assert a.revision() == b.revision()
        assert a.key() != b.key()


# --- foreign and damaged files ----------------------------------------------------------------------------


def sqlite_of_others(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE decisions (number INTEGER PRIMARY KEY, link TEXT)")
    connection.execute("INSERT INTO decisions VALUES (1, 'not ours')")
    connection.commit()
    connection.close()


def sqlite_of_others_in_wal_mode(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("CREATE TABLE _sqlite_migrations (id INTEGER, migration_set TEXT, name TEXT)")
    connection.execute("INSERT INTO _sqlite_migrations VALUES (1, 'theirs', 'm001')")
    connection.commit()
    connection.close()


def with_our_number(path: Path) -> None:
    sqlite_of_others(path)
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
    connection.close()


FOREIGN: dict[str, Callable[[Path], object]] = {
    "empty": lambda p: p.write_bytes(b""),
    "one byte": lambda p: p.write_bytes(b"S"),
    "zeros": lambda p: p.write_bytes(bytes(8192)),
    "one page of zeros": lambda p: p.write_bytes(bytes(4096)),
    "noise": lambda p: p.write_bytes(random.Random(1).randbytes(20_000)),
    "html": lambda p: p.write_text("<!doctype html><title>404</title>"),
    "json": lambda p: p.write_text('{"documents": []}'),
    "text": lambda p: p.write_text("SQLite format 3 is what this is about"),
    "magic alone": lambda p: p.write_bytes(b"SQLite format 3\x00"),
    "magic and zeros": lambda p: p.write_bytes(b"SQLite format 3\x00" + bytes(4080)),
    "magic and noise": lambda p: p.write_bytes(b"SQLite format 3\x00" + random.Random(2).randbytes(4080)),
    "gzip": lambda p: p.write_bytes(gzip.compress(b"SQLite format 3\x00" * 100)),
    "other sqlite": sqlite_of_others,
    "other sqlite in wal mode": sqlite_of_others_in_wal_mode,
    "other sqlite with our number": with_our_number,
}


@pytest.mark.parametrize("kind", FOREIGN)
def test_foreign_file_is_refused_and_stays_as_it_is(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "thesis.db"
    FOREIGN[kind](path)
    before = path.read_bytes()
    for create in (True, False):
        with pytest.raises(WorkspaceError) as error:
            open_workspace(path, create=create)
        assert str(path) in str(error.value)
    assert path.read_bytes() == before
    assert {p.name for p in tmp_path.iterdir()} <= {"thesis.db"}


def test_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WorkspaceError, match="is a folder"):
        open_workspace(tmp_path)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A workspace of some hundred pages with decisions, as bytes."""
    path = tmp_path_factory.mktemp("sound") / "w.db"
    with open_workspace(path) as opened:
        house = furnish(opened, 40)
        judge(opened, list(house.items.values()))
    return path.read_bytes()


def refused_unchanged(path: Path, damaged: bytes) -> str:
    """Opening for a server's start refuses the file and leaves every byte of it; returns the error."""
    path.write_bytes(damaged)
    with pytest.raises(WorkspaceError) as error:
        open_workspace(path, check=True).close()
    assert path.read_bytes() == damaged
    return str(error.value)


HEADER = {
    "magic": range(16),
    "page size": (16, 17),
    "format versions": (18, 19),
    "reserved space": (20,),
    "payload fractions": (21, 22, 23),
    "schema format": (44, 45, 46, 47),
    "encoding": (56, 57, 58, 59),
    "application id": (68, 69, 70, 71),
    "root page": (100, 103, 104, 105, 106, 108, 109),
}
"""Bytes of the first page whose change makes it another file. The rest of the header are counters and fields
that SQLite ignores."""


@pytest.mark.parametrize("field", HEADER)
def test_flipped_bytes_in_the_header_are_noticed(tmp_path: Path, sound: bytes, field: str) -> None:
    for at in HEADER[field]:
        damaged = bytearray(sound)
        damaged[at] ^= 0xFF
        refused_unchanged(tmp_path / f"{at}.db", bytes(damaged))


@pytest.mark.parametrize("kept", [100, 512, 4095, 4096, 4097, 8192, 0.25, 0.5, 0.75, 0.99])
def test_truncated_file_is_noticed(tmp_path: Path, sound: bytes, kept: float) -> None:
    refused_unchanged(tmp_path / "w.db", sound[: int(kept if kept > 1 else len(sound) * kept)])


@pytest.mark.parametrize("seed", range(PAGES))
def test_overwritten_page_is_noticed(tmp_path: Path, sound: bytes, seed: int) -> None:
    """A page of zeros or of noise, somewhere in the file."""
    chance = random.Random(seed)
    page = chance.randrange(len(sound) // 4096) * 4096
    wrong = chance.randbytes(4096) if seed % 2 else bytes(4096)
    refused_unchanged(tmp_path / "w.db", sound[:page] + wrong + sound[page + 4096 :])


def test_error_on_a_damaged_file_says_what_to_do(tmp_path: Path, sound: bytes) -> None:
    error = refused_unchanged(tmp_path / "w.db", sound[: len(sound) // 2])
    assert "damaged" in error
    assert "touchstone restore" in error


def test_damage_met_while_writing_is_an_error_not_a_traceback(tmp_path: Path, sound: bytes) -> None:
    path = tmp_path / "w.db"
    path.write_bytes(sound)
    with open_workspace(path) as opened:
        root = opened.db.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'acknowledgements'"
        ).fetchone()[0]
    path.write_bytes(sound[: (root - 1) * 4096] + bytes(4096) + sound[root * 4096 :])
    with open_workspace(path) as opened:
        with pytest.raises(WorkspaceError, match="damaged"):
            say(opened, "beta", Action.REJECT, 1)
        assert decisions.chain_head(opened)[0] == 160


# --- versions ---------------------------------------------------------------------------------------------


def test_workspace_of_a_newer_version_is_refused_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "w.db"
    with open_workspace(path) as opened, opened.write() as db:
        db.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES (?, 'm999', '')",
            (migrate.SET,),
        )
    before = path.read_bytes()
    with pytest.raises(WorkspaceError, match="newer Touchstone"):
        open_workspace(path)
    assert path.read_bytes() == before


UPGRADE = (
    "CREATE TABLE shelves (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT",
    "INSERT INTO shelves (name) SELECT name FROM corpora",
    "ALTER TABLE curators ADD COLUMN affiliation TEXT",
    "CREATE INDEX shelves_by_name ON shelves (name)",
)


def statements_of(path: Path) -> set[str]:
    connection = connect(path, "ro")
    try:
        return {str(row[0]) for row in connection.execute("SELECT sql FROM sqlite_master")}
    finally:
        connection.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork to kill a process at a chosen moment")
@pytest.mark.parametrize("moment", ["statement", "call"])
@pytest.mark.parametrize("existing", [False, True], ids=["creation", "upgrade"])
def test_migration_killed_at_any_moment_is_never_half_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, existing: bool, moment: str
) -> None:
    """At every statement that changes the file, and around every third call that the store makes; by day at
    some of them, of an upgrade at every statement."""
    import sqlite_utils  # noqa: F401 - here, so that no child pays for it

    path = tmp_path / "w.db"
    if existing:
        with open_workspace(path) as opened:
            furnish(opened)
        old = statements_of(path)
        monkeypatch.setitem(schema.MIGRATIONS, "m002_shelves", UPGRADE)
    open_workspace(tmp_path / "fresh.db").close()
    whole = statements_of(tmp_path / "fresh.db")
    step = times(10, 3) if moment == "call" else times(1 if existing else 2, 1)
    at, kills = 1, 0
    while True:
        child = os.fork()
        if child == 0:
            die_at_statement(at) if moment == "statement" else _die_at_call(at)
            open_workspace(path).close()
            os._exit(0)
        if os.waitpid(child, 0)[1] == 0:
            break
        kills += 1
        at += step
        if existing:
            assert statements_of(path) in (old, whole)
        elif path.exists():
            assert statements_of(path) == whole
        if path.exists() and statements_of(path) == whole:  # done before it was killed: anew
            if existing:
                break
            for file in tmp_path.glob("w.db*"):
                file.unlink()
    print(f"{kills} kills")
    assert kills > (len(UPGRADE) if existing else 50)
    with open_workspace(path) as opened:
        assert furnish(opened, corpus="later", run="later").items
    assert statements_of(path) == whole


def _die_at_call(call: int) -> None:
    """kill -9 before or after the n-th built-in call made by the store or for it; runs in a child process."""
    count = 0

    def watch(frame: Any, event: str, _: Any) -> None:
        nonlocal count
        module = frame.f_globals.get("__name__", "")
        if event in ("c_call", "c_return") and module.startswith(("core.store", "shutil", "pathlib")):
            count += 1
            if count == call:
                os.kill(os.getpid(), 9)

    sys.setprofile(watch)


def die_at_statement(statement: int) -> None:
    """kill -9 before the n-th statement that changes anything; runs in a child process."""
    count = 0

    def traced(sql: str) -> None:
        nonlocal count
        if not sql.lstrip().upper().startswith(("SELECT", "PRAGMA", "--")):
            count += 1
            if count == statement:
                os.kill(os.getpid(), 9)

    original = workspace_module.connect

    def watched(path: Path, mode: Any = "rw") -> sqlite3.Connection:
        connection = original(path, mode)
        connection.set_trace_callback(traced)
        return connection

    workspace_module.connect = watched
    migrate.connect = watched
