"""Backups taken under load restore all that was acknowledged; nothing is ever overwritten unasked."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from core.errors import InputError, IntegrityError, WorkspaceError
from core.records import Action
from core.store import Workspace, decisions, open_workspace
from core.store.backup import BackupReport, backup, record_path, restore
from core.store.chain import verify
from core.store.connect import connect, sqlite3
from tests.patience import SECONDS
from tests.repeats import times
from tests.store.making import Furniture, answer, furnish, judge, say
from tests.store.writers import Writing, children, furnished, result_of

BACKUPS = times(20, 200)


@pytest.fixture
def house(workspace: Workspace) -> Furniture:
    house = furnish(workspace)
    say(workspace, "alpha", Action.ACCEPT, house.item(), answer=answer())
    judge(workspace, list(house.items.values())[1:6], "beta")
    return house


def contents(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table but what a restore must change."""
    db = connect(path, "ro")
    try:
        tables = [r[0] for r in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        kept = {"workspace": "id, uuid, created_at"}
        return {
            t: sorted(map(tuple, db.execute(f"SELECT {kept.get(t, '*')} FROM {t}")), key=repr) for t in tables
        }
    finally:
        db.close()


# --- backup -----------------------------------------------------------------------------------------------


def test_backup_is_one_file_with_a_record(workspace: Workspace, house: Furniture, tmp_path: Path) -> None:
    out = tmp_path / "backups" / "monday.db"
    report = backup(workspace, out)
    assert {p.name for p in out.parent.iterdir()} == {"monday.db", "monday.db.json"}
    assert contents(out) == contents(workspace.path)
    assert (report.number, report.head) == decisions.chain_head(workspace)
    assert (report.decisions, report.proposals, report.passages) == (6, 12, 3)
    assert report.sha256 == hashlib.sha256(out.read_bytes()).hexdigest()
    assert report.bytes == out.stat().st_size
    assert report.workspace == workspace.uuid
    assert BackupReport(**json.loads(record_path(out).read_text())) == report


def test_backup_opens_where_nothing_can_be_written_beside_it(
    workspace: Workspace, house: Furniture, tmp_path: Path
) -> None:
    backup(workspace, tmp_path / "b.db")
    assert (tmp_path / "b.db").read_bytes()[18:20] == b"\x01\x01"  # no -wal needed
    before = set(tmp_path.iterdir())
    assert contents(tmp_path / "b.db")
    assert set(tmp_path.iterdir()) == before


def test_existing_file_is_replaced_only_when_asked(
    workspace: Workspace, house: Furniture, tmp_path: Path
) -> None:
    out = tmp_path / "thesis.docx"
    out.write_text("three years of work")
    with pytest.raises(InputError, match="exists already"):
        backup(workspace, out)
    assert out.read_text() == "three years of work"
    backup(workspace, out, force=True)
    say(workspace, "gamma", Action.REJECT, house.item())
    report = backup(workspace, out, force=True)
    assert report.decisions == 7
    assert restore(out, tmp_path / "restored.db").decisions == 7


def test_backup_onto_the_workspace_or_a_folder_is_refused(workspace: Workspace, tmp_path: Path) -> None:
    for out in (workspace.path, tmp_path / "." / workspace.path.name):
        with pytest.raises(InputError, match="its own workspace"):
            backup(workspace, out, force=True)
    with pytest.raises(InputError, match="is a folder"):
        backup(workspace, tmp_path, force=True)


def test_damaged_workspace_makes_no_backup(tmp_path: Path) -> None:
    path = tmp_path / "w.db"
    with open_workspace(path) as opened:
        furnish(opened, 40)
        root = opened.db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'evidence'").fetchone()[0]
    content = bytearray(path.read_bytes())
    content[(root - 1) * 4096 : root * 4096] = bytes(range(256)) * 16
    path.write_bytes(content)
    with open_workspace(path) as opened, pytest.raises(WorkspaceError, match="workspace is damaged"):
        backup(opened, tmp_path / "b.db")
    assert not list(tmp_path.glob("b.db*"))


def test_backups_under_write_load_hold_every_acknowledged_decision(tmp_path: Path) -> None:
    path = tmp_path / "w.db"
    items = furnished(path, 10)
    with Writing(path, items) as acknowledged, open_workspace(path) as opened:
        for n in range(BACKUPS):
            out = tmp_path / f"{n}.db"
            before = acknowledged()
            report = backup(opened, out)
            assert report.decisions == report.number >= len(before)
            restored = tmp_path / f"restored-{n}.db"
            restore(out, restored)
            with open_workspace(restored) as copy:
                assert before <= {d.client_id for d in decisions.decisions(copy)}
                assert decisions.chain_head(copy) == (report.number, report.head)
            out.unlink()
        assert len(acknowledged()) > BACKUPS  # they were writing all the while


# --- restore ----------------------------------------------------------------------------------------------


def test_round_trip_gives_every_row_back(workspace: Workspace, house: Furniture, tmp_path: Path) -> None:
    before = contents(workspace.path)
    report = backup(workspace, tmp_path / "b.db")
    restored = restore(tmp_path / "b.db", tmp_path / "new" / "w.db")
    assert contents(tmp_path / "new" / "w.db") == before
    assert (restored.number, restored.head, restored.decisions) == (report.number, report.head, 6)
    assert (restored.replaced, restored.made_at) == (None, report.made_at)
    assert {p.name for p in (tmp_path / "new").iterdir()} == {"w.db", "w.db.lock"}


def test_restore_keeps_what_it_replaces_and_changes_the_nonce(tmp_path: Path) -> None:
    path = tmp_path / "w.db"
    with open_workspace(path) as opened:
        house = furnish(opened)
        judge(opened, [house.item(0)])
        key = opened.key()
        backup(opened, tmp_path / "b.db")
        judge(opened, [house.item(1)])
        later = opened.key()
    later_contents = contents(path)
    with pytest.raises(InputError, match="--force"):
        restore(tmp_path / "b.db", path)
    assert contents(path) == later_contents
    report = restore(tmp_path / "b.db", path, force=True)
    assert report.replaced is not None
    assert report.replaced.name.startswith("w.replaced-20")
    assert contents(report.replaced) == later_contents
    with open_workspace(path) as opened:
        assert decisions.chain_head(opened)[0] == 1
        assert opened.key().uuid == key.uuid
        assert opened.key().restore_nonce not in (key.restore_nonce, later.restore_nonce)
        assert judge(opened, [house.item(2)]) == [2]
    again = restore(tmp_path / "b.db", path, force=True)  # within the same second, too
    assert again.replaced not in (None, report.replaced)


def test_two_restores_of_one_backup_are_two_workspaces_to_a_cache(
    workspace: Workspace, house: Furniture, tmp_path: Path
) -> None:
    backup(workspace, tmp_path / "b.db")
    keys = set()
    for name in ("a.db", "c.db"):
        restore(tmp_path / "b.db", tmp_path / name)
        with open_workspace(tmp_path / name) as opened:
            keys.add(opened.key())
            assert verify(opened).problems == ()
    assert len(keys) == 2


def test_restore_takes_away_the_log_of_the_file_that_was_there(tmp_path: Path) -> None:
    """A -wal left behind would be played into the restored file."""
    path = tmp_path / "w.db"
    items = furnished(path, 3)
    with open_workspace(path) as opened:
        backup(opened, tmp_path / "b.db")
        judge(opened, items[:4])
        for suffix in ("", "-wal"):
            shutil.copy(f"{path}{suffix}", tmp_path / f"crashed.db{suffix}")
    crashed = tmp_path / "crashed.db"
    report = restore(tmp_path / "b.db", crashed, force=True)
    with open_workspace(crashed) as opened:
        assert decisions.chain_head(opened)[0] == 0
        assert verify(opened).problems == ()
    assert report.replaced is not None
    with open_workspace(report.replaced) as opened:  # and what the log held is in the copy that is kept
        assert decisions.chain_head(opened)[0] == 4


def test_stray_log_beside_a_missing_workspace_is_moved_aside(
    workspace: Workspace, house: Furniture, tmp_path: Path
) -> None:
    backup(workspace, tmp_path / "b.db")
    target = tmp_path / "lost.db"
    shutil.copy(f"{workspace.path}-wal", f"{target}-wal")
    restore(tmp_path / "b.db", target)
    with open_workspace(target) as opened:
        assert verify(opened).problems == ()
    assert len(list(tmp_path.glob("lost.replaced-*.db-wal"))) == 1


@pytest.mark.parametrize("damage", ["header", "zeros", "half", "noise", "foreign"])
def test_damaged_workspace_is_replaced_and_kept_as_it_was(
    workspace: Workspace, house: Furniture, tmp_path: Path, damage: str
) -> None:
    backup(workspace, tmp_path / "b.db")
    path = tmp_path / "broken.db"
    sound = (tmp_path / "b.db").read_bytes()
    broken = {
        "header": bytes(100) + sound[100:],
        "zeros": bytes(len(sound)),
        "half": sound[: len(sound) // 2],
        "noise": sound[:4096] + os.urandom(len(sound) - 4096),
        "foreign": b"<html>not found</html>",
    }[damage]
    path.write_bytes(broken)
    report = restore(tmp_path / "b.db", path, force=True)
    assert report.replaced is not None
    if damage != "noise":  # whose pages SQLite can still copy, if not read
        assert report.replaced.read_bytes() == broken
    with open_workspace(path, check=True) as opened:
        assert verify(opened).problems == ()
        assert decisions.chain_head(opened)[0] == 6


def refused_restore(out: Path, workspace: Workspace, tmp_path: Path) -> str:
    """Restoring over the workspace fails and leaves it, and nothing else, behind; returns the error."""
    before = contents(workspace.path)
    workspace.close()
    with pytest.raises((IntegrityError, WorkspaceError)) as error:
        restore(out, workspace.path, force=True)
    assert contents(workspace.path) == before
    assert not list(tmp_path.glob("*replaced*"))
    assert not list(tmp_path.glob("*.part*"))
    return str(error.value)


@pytest.mark.parametrize("where", [0, 20, 26, 70, 5000, 20_000, -2000])
def test_backup_with_one_other_bit_than_recorded_is_refused(
    workspace: Workspace, house: Furniture, tmp_path: Path, where: int
) -> None:
    out = tmp_path / "b.db"
    backup(workspace, out)
    content = bytearray(out.read_bytes())
    content[where] ^= 1
    out.write_bytes(content)
    assert "b.db" in refused_restore(out, workspace, tmp_path)


def test_altered_backup_without_its_record_is_refused_by_its_chain(
    workspace: Workspace, house: Furniture, tmp_path: Path
) -> None:
    out = tmp_path / "b.db"
    backup(workspace, out)
    record_path(out).unlink()
    content = bytearray(out.read_bytes())
    at = content.rindex(b"unsure")  # SQLite fills a page from its end: the first of beta's decisions
    content[at : at + 6] = b"reject"
    out.write_bytes(content)
    assert "Decision 2 was altered" in refused_restore(out, workspace, tmp_path)


def test_backup_whose_end_was_cut_off_is_refused_by_its_record(
    workspace: Workspace, house: Furniture, tmp_path: Path
) -> None:
    """Even if the record's sha256 was forged to fit: its head is no longer in the chain."""
    out = tmp_path / "b.db"
    backup(workspace, out)
    db = sqlite3.connect(out, isolation_level=None)
    for statement in (
        "DROP TRIGGER decisions_no_delete",
        "DROP TRIGGER acknowledgements_no_delete",
        "DELETE FROM acknowledgements WHERE number = 6",
        "DELETE FROM decisions WHERE number = 6",
        "UPDATE sqlite_sequence SET seq = 5 WHERE name = 'decisions'",
    ):
        db.execute(statement)
    db.close()
    record = json.loads(record_path(out).read_text())
    record["sha256"] = hashlib.sha256(out.read_bytes()).hexdigest()
    record_path(out).write_text(json.dumps(record))
    assert "damaged or altered" in refused_restore(out, workspace, tmp_path)


def test_record_that_is_none_is_refused(workspace: Workspace, house: Furniture, tmp_path: Path) -> None:
    backup(workspace, tmp_path / "b.db")
    for text in ("", "{}", "[1]", '{"sha256": 1}'):
        record_path(tmp_path / "b.db").write_text(text)
        with pytest.raises(IntegrityError, match="no record of a backup"):
            restore(tmp_path / "b.db", tmp_path / "new.db")
    assert not (tmp_path / "new.db").exists()


def test_foreign_file_and_missing_file_are_no_backups(tmp_path: Path) -> None:
    foreign = tmp_path / "other.db"
    db = sqlite3.connect(foreign)
    db.execute("CREATE TABLE t (x)")
    db.close()
    (tmp_path / "page.html").write_text("<html>")
    (tmp_path / "empty.db").touch()
    for name in ("other.db", "page.html", "empty.db", "none.db"):
        with pytest.raises(WorkspaceError, match=name):
            restore(tmp_path / name, tmp_path / "w.db")
    assert not (tmp_path / "w.db").exists()


def test_backup_of_a_newer_version_is_refused(workspace: Workspace, house: Furniture, tmp_path: Path) -> None:
    with workspace.write() as db:
        db.execute(
            "UPDATE _sqlite_migrations SET name = 'm999'"
            " WHERE id = (SELECT max(id) FROM _sqlite_migrations WHERE migration_set = 'touchstone')"
        )
    backup(workspace, tmp_path / "b.db")
    with pytest.raises(WorkspaceError, match="newer Touchstone"):
        restore(tmp_path / "b.db", tmp_path / "w.db")
    assert not (tmp_path / "w.db").exists()


def _keep_open(pipe: Any, path: Path) -> None:
    with open_workspace(path) as opened:
        opened.key()
        pipe.send("open")
        pipe.recv()


def test_restore_waits_for_no_one_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process has the workspace open: refused, nothing changed; and done once it lets go."""
    from core.store import backup as module

    monkeypatch.setattr(module, "WAIT_MILLISECONDS", 200)
    path = tmp_path / "w.db"
    items = furnished(path, 2)
    with open_workspace(path) as opened:
        backup(opened, tmp_path / "b.db")
        judge(opened, items[:3])
    before = contents(path)
    with children((_keep_open, path)) as [pipe]:
        assert pipe.poll(SECONDS)
        pipe.recv()
        with pytest.raises(WorkspaceError, match=r"Another process has .* open"):
            restore(tmp_path / "b.db", path, force=True)
        assert contents(path) == before
        assert not list(tmp_path.glob("*replaced*"))
        pipe.send("let go")
        result_of(pipe)
    restore(tmp_path / "b.db", path, force=True)
    assert contents(path)["decisions"] == []


def test_writer_that_waited_out_a_restore_writes_into_the_restored_file(tmp_path: Path) -> None:
    """Whoever opens the workspace while it is being restored waits, and no decision goes to the old one."""
    path = tmp_path / "w.db"
    items = furnished(path, 2)
    with open_workspace(path) as opened:
        backup(opened, tmp_path / "b.db")
    for _ in range(5):
        with children((_judge_anew, path, items[0])) as [pipe]:
            report = restore(tmp_path / "b.db", path, force=True)
            result_of(pipe)
        assert report.replaced is not None
        with open_workspace(path) as restored, open_workspace(report.replaced) as kept:
            # told to be saved, so it is in one of the two, as the order was
            assert decisions.chain_head(restored)[0] + decisions.chain_head(kept)[0] >= 1
            assert verify(restored).problems == verify(kept).problems == ()


def _judge_anew(_: Any, path: Path, item: int) -> None:
    with open_workspace(path) as opened:
        judge(opened, [item])
