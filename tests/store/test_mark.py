"""A workspace that was copied without its -wal while it was open is refused, a sound one never."""

from __future__ import annotations

import shutil
import subprocess
import sys
import threading
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from core.cli import main
from core.doctor import examine
from core.errors import WorkspaceError
from core.records import Action
from core.store import decisions, open_workspace
from core.store.backup import backup, restore
from core.store.chain import verify
from core.store.connect import connect
from core.store.file import beside
from tests.store.making import furnish, say
from tests.store.writers import PROCESSES, children, furnished, write_until_killed

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="nothing is marked without flock")
MARKED = 60
"""First of the four bytes of SQLite's user version (file format, section 1.3.18)."""


def marked(path: Path) -> bool:
    return path.read_bytes()[MARKED : MARKED + 4] != bytes(4)


def log(path: Path) -> Path:
    return beside(path, "-wal")


def copied(path: Path, *suffixes: str) -> Path:
    """A copy as a file manager makes it, of the workspace's file and those with `suffixes`."""
    copy = path.with_name("copy.db")
    for suffix in ("", *suffixes):
        shutil.copy(beside(path, suffix), beside(copy, suffix))
    return copy


def noted(path: Path) -> list[str]:
    with open_workspace(path, create=False) as opened:
        assert verify(opened).problems == ()
        return [d.note for d in decisions.decisions(opened)]


def killed(path: Path) -> None:
    """Leave a workspace as a process does that is killed while it writes: with its -wal."""
    items = furnished(path, 3)
    here, there = PROCESSES.Pipe()
    process = PROCESSES.Process(target=write_until_killed, args=(there, path, "alpha", "kill", items))
    process.start()
    there.close()
    for _ in range(3):
        assert here.recv()
    process.kill()
    process.join()
    here.close()
    assert log(path).exists()


def closed_by_another_program(path: Path) -> None:
    code = "import sys; from core.store.connect import sqlite3; d = sqlite3.connect(sys.argv[1]);"
    subprocess.run(
        [
            sys.executable,
            "-c",
            f"{code} d.execute('SELECT count(*) FROM decisions').fetchone(); d.close()",
            path,
        ],
        check=True,
    )
    assert not log(path).exists()


# --- copies ------------------------------------------------------------------------------------------------


def test_copy_without_its_log_is_refused_and_stays_as_it_is(tmp_path: Path) -> None:
    with open_workspace(tmp_path / "w.db") as opened:
        item = furnish(opened).item()
    with open_workspace(tmp_path / "w.db") as opened:
        say(opened, "alpha", Action.REJECT, item, note="first")
        say(opened, "beta", Action.REJECT, item, note="second")
        copy = copied(tmp_path / "w.db")
    before = copy.read_bytes()
    with pytest.raises(WorkspaceError, match=r"without copy\.db-wal: what was saved last may be missing"):
        open_workspace(copy)
    with pytest.raises(WorkspaceError, match=r"--accept-loss"):
        restore(copy, tmp_path / "other.db")
    [row] = [r for r in examine(copy).rows if r.name == "Workspace"]
    assert row.state == "bad"
    assert "--accept-loss" in row.advice
    assert copy.read_bytes() == before
    assert not (tmp_path / "other.db").exists()
    assert noted(tmp_path / "w.db") == ["first", "second"]


def test_the_first_write_is_acknowledged_when_the_main_file_is_marked(tmp_path: Path) -> None:
    path = tmp_path / "w.db"
    with open_workspace(path) as opened:
        assert not marked(path)
        decisions.add_curator(opened, "alpha", "Alpha")
        assert marked(path)
    assert not marked(path)


def test_copy_with_its_log_opens(tmp_path: Path) -> None:
    path = tmp_path / "w.db"
    with open_workspace(path) as opened:
        item = furnish(opened).item()
        say(opened, "alpha", Action.REJECT, item, note="only in the log")
        copy = copied(path, "-wal")
    assert noted(copy) == ["only in the log"]
    assert not marked(copy)


def test_copy_of_a_closed_workspace_opens(tmp_path: Path) -> None:
    path = tmp_path / "w.db"
    with open_workspace(path) as opened:
        say(opened, "alpha", Action.REJECT, furnish(opened).item(), note="there")
    assert noted(copied(path)) == ["there"]


def test_backup_of_an_open_workspace_opens(tmp_path: Path) -> None:
    with open_workspace(tmp_path / "w.db") as opened:
        say(opened, "alpha", Action.REJECT, furnish(opened).item(), note="there")
        backup(opened, tmp_path / "backup.db")
    assert not marked(tmp_path / "backup.db")
    assert noted(copied(tmp_path / "backup.db")) == ["there"]
    kept = restore(tmp_path / "backup.db", tmp_path / "w.db", force=True).replaced
    assert kept is not None
    assert not marked(tmp_path / "w.db")
    assert not marked(kept)
    assert noted(tmp_path / "w.db") == noted(kept) == ["there"]


def test_copy_is_opened_where_the_loss_is_accepted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    with open_workspace(tmp_path / "w.db") as opened:
        furnish(opened)
        copy = copied(tmp_path / "w.db")
    with pytest.raises(SystemExit) as ended:
        main(["--workspace", str(copy), "verify"])
    assert ended.value.code == 2
    assert "--accept-loss verify" in capsys.readouterr().err
    with pytest.raises(SystemExit) as ended:
        main(["--workspace", str(copy), "--accept-loss", "verify"])
    assert ended.value.code == 0
    assert "without what may be missing" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["--workspace", str(tmp_path / "w.db"), "--accept-loss", "verify"])
    assert "missing" not in capsys.readouterr().err
    noted(copy)


def test_accepting_a_loss_opens_no_foreign_file(tmp_path: Path) -> None:
    path = tmp_path / "thesis.db"
    path.write_bytes(b"SQLite format 3\x00" + b"\x01" * 4080)
    with pytest.raises(SystemExit) as ended:
        main(["--workspace", str(path), "--accept-loss", "verify"])
    assert ended.value.code == 2
    assert path.read_bytes() == b"SQLite format 3\x00" + b"\x01" * 4080


# --- sound workspaces ---------------------------------------------------------------------------------------


def test_workspace_of_a_killed_process_opens_and_is_unmarked_by_whoever_closes_it(tmp_path: Path) -> None:
    path = tmp_path / "w.db"
    killed(path)
    assert marked(path)
    assert noted(path)
    assert not marked(path)
    assert noted(copied(path))


def test_workspace_that_another_program_closed_opens_and_is_unmarked_again(tmp_path: Path) -> None:
    """That program writes the whole -wal back and deletes it, but knows nothing of the mark."""
    path = tmp_path / "w.db"
    killed(path)
    closed_by_another_program(path)
    assert marked(path)
    with pytest.raises(WorkspaceError, match="may be missing"):
        open_workspace(copied(path))  # it lacks nothing, which nobody can know
    assert noted(path)
    assert not marked(path)
    assert noted(copied(path))


def test_renamed_workspace_is_no_copy(tmp_path: Path) -> None:
    path = tmp_path / "w.db"
    killed(path)
    closed_by_another_program(path)
    assert noted(path.rename(tmp_path / "renamed.db"))


def test_mark_is_cleared_by_the_last_one_out_alone(tmp_path: Path) -> None:
    path = tmp_path / "w.db"
    reader = open_workspace(path)
    with open_workspace(path) as opened:
        decisions.add_curator(opened, "alpha", "Alpha")
    with open_workspace(path):
        assert marked(path)
    reader.close()
    assert not marked(path)


def test_mark_waits_for_a_reader_no_longer_than_for_its_end(tmp_path: Path) -> None:
    """A reader of what was before keeps the checkpoint waiting, but no write."""
    path = tmp_path / "w.db"
    with open_workspace(path) as opened, open_workspace(path) as reader:
        reader.db.execute("BEGIN")
        assert reader.db.execute("SELECT count(*) FROM curators").fetchone()[0] == 0
        decisions.add_curator(opened, "alpha", "Alpha")
        assert not marked(path)
        reader.db.execute("COMMIT")
        decisions.add_curator(opened, "beta", "Beta")
        assert marked(path)


def test_process_that_dies_between_mark_and_checkpoint_leaves_a_sound_workspace(tmp_path: Path) -> None:
    path = tmp_path / "w.db"
    open_workspace(path).close()
    process = PROCESSES.Process(target=_die_before_the_checkpoint, args=(path,))
    process.start()
    process.join()
    assert process.exitcode == -9
    assert log(path).exists()
    with open_workspace(path) as opened:
        assert [c.id for c in decisions.list_curators(opened)] == ["alpha"]
    assert not marked(path)


def _die_before_the_checkpoint(path: Path) -> None:
    import os
    import signal

    from core.store.mark import Mark

    Mark.bring = lambda *_: os.kill(os.getpid(), signal.SIGKILL)  # type: ignore[method-assign, assignment]
    decisions.add_curator(open_workspace(path), "alpha", "Alpha")


def test_whoever_leaves_at_the_same_moment_leaves_no_mark(tmp_path: Path) -> None:
    """Processes, each with threads that open, write and close: the last one out is always found."""
    path = tmp_path / "w.db"
    open_workspace(path).close()
    for _ in range(3):
        with children(*[(_come_and_go, path)] * 3) as pipes:
            for pipe in pipes:
                pipe.send("go")
            for pipe in pipes:
                assert pipe.recv() == ("done", None)
        assert not log(path).exists()
        assert not marked(path)


def _come_and_go(pipe: Connection, path: Path) -> None:
    pipe.recv()

    def visit() -> None:
        for _ in range(4):
            with open_workspace(path) as opened, opened.write() as db:
                db.execute("UPDATE workspace SET created_at = created_at")

    threads = [threading.Thread(target=visit) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_workspaces_of_before_are_unmarked_and_open(tmp_path: Path) -> None:
    """No migration sets the user version, so the mark is free and an older file has none."""
    path = tmp_path / "w.db"
    with open_workspace(path):
        pass
    db = connect(path, "ro")
    assert db.execute("PRAGMA user_version").fetchone()[0] == 0
    db.close()
    assert noted(copied(path)) == []
