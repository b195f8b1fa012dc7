"""Disks that fail, fill up or take no writes: a named cause, nothing half-written, nothing wrongly saved."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from core.errors import WorkspaceError
from core.records import Action, NewDecision
from core.store import Workspace, decisions, open_workspace
from core.store.backup import backup
from core.store.chain import verify
from core.store.decisions import append
from tests.repeats import times
from tests.store.disk import FailingDisk, through
from tests.store.making import furnish, judge, new
from tests.store.writers import children, result_of

EVERY = times(3, 1)
"""A failure at every n-th call of the disk."""
FILLINGS = times(10, 50)
BATCHES = 4


def batch(n: int, items: list[int], note: str = "") -> list[NewDecision]:
    return [
        new("alpha", Action.UNSURE, items[(n + i) % len(items)], client_id=f"{n}-{i}", note=f"{n} {note}")
        for i in range(2)
    ]


def whole_batches(path: Path) -> set[int]:
    """Numbers of the batches in a sound workspace; none may be there by half."""
    with open_workspace(path, check=True) as opened:
        assert verify(opened).problems == ()
        found = [d.client_id.split("-") for d in decisions.decisions(opened)]
    assert sorted(found) == sorted([n, i] for n in {n for n, _ in found} for i in ("0", "1"))
    return {int(n) for n, _ in found}


# --- single calls that fail -------------------------------------------------------------------------------

FAILURES = {
    "write fails": ("write", apsw.IOError, apsw.SQLITE_IOERR_WRITE),
    "disk is full": ("write", apsw.FullError, apsw.SQLITE_FULL),
    "sync fails": ("sync", apsw.IOError, apsw.SQLITE_IOERR_FSYNC),
    "read fails": ("read", apsw.IOError, apsw.SQLITE_IOERR_READ),
    "truncation fails": ("truncate", apsw.IOError, apsw.SQLITE_IOERR_TRUNCATE),
}


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, list[int]]:
    path = tmp_path_factory.mktemp("base") / "w.db"
    with open_workspace(path) as opened:
        items = list(furnish(opened, 4).items.values())
    return path.read_bytes(), items


@pytest.mark.parametrize("failure", FAILURES)
def test_failure_at_any_call_is_never_reported_as_saved(
    tmp_path: Path, base: tuple[bytes, list[int]], failure: str
) -> None:
    content, items = base
    call, error, code = FAILURES[failure]
    refused = tried = 0
    at = 1
    while True:
        path = tmp_path / f"{at}.db"
        path.write_bytes(content)
        told, errors, failed = sitting(path, items, FailingDisk(f"failing-{at}", call, at, error, code))
        if not failed:
            break
        tried += 1
        refused += bool(errors)
        stored = whole_batches(path)
        assert told <= stored, f"call {at}: told {told}, stored {stored}"
        for message in errors:
            assert "disk" in message or "doctor" in message
        with open_workspace(path) as opened:  # and all is well once the disk is
            assert all(o.refused is None for o in append(opened, batch(99, items)))
        at += EVERY
    assert tried
    assert refused or call == "truncate"  # that is only tidying up


def sitting(path: Path, items: list[int], disk: FailingDisk) -> tuple[set[int], list[str], bool]:
    """Append some batches on a failing disk: (batches told saved, error messages, whether it did fail)."""
    told: set[int] = set()
    errors: list[str] = []
    try:
        with through(path, disk.vfs_name, "wal_autocheckpoint = 12") as opened:
            for n in range(BATCHES):
                try:
                    if all(o.refused is None for o in append(opened, batch(n, items))):
                        told.add(n)
                except WorkspaceError as error:
                    errors.append(str(error))
    except (apsw.Error, *_sqlite_errors()):
        errors.append("the disk failed while the file was opened or closed")
    finally:
        disk.unregister()
    return told, errors, disk.failed


def _sqlite_errors() -> tuple[type[Exception], ...]:
    from core.store.connect import sqlite3

    return (sqlite3.Error,)


# --- a disk that is full ----------------------------------------------------------------------------------


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 2 MB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)]
    if not sys.platform.startswith("linux") or not shutil.which("mount"):
        pytest.skip("a small disk is mounted on Linux alone")
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("no right to mount a small disk here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def fill(folder: Path, leave: int = 0) -> Path:
    filler = folder / "filler"
    filler.write_bytes(bytes(max(0, shutil.disk_usage(folder).free - leave)))
    return filler


def append_until_full(opened: Workspace, items: list[int], first: int) -> tuple[set[int], str]:
    """(batches told saved, the error that ended it)"""
    told: set[int] = set()
    for n in range(first, first + 200):
        try:
            append(opened, batch(n, items, "x" * 5000))
        except WorkspaceError as error:
            return told, str(error)
        told.add(n)
    pytest.fail("the disk never filled up")


def test_full_disk_loses_nothing_and_works_again_once_there_is_room(small_disk: Path) -> None:
    path = small_disk / "w.db"
    with open_workspace(path) as opened:
        items = list(furnish(opened, 4).items.values())
    told: set[int] = set()
    for turn in range(FILLINGS):
        with open_workspace(path) as opened:
            filler = fill(small_disk, leave=60_000)
            saved, error = append_until_full(opened, items, turn * 1000)
            assert "Not saved" in error
            assert "disk is full" in error
            assert told | saved <= {int(d.client_id.split("-")[0]) for d in decisions.decisions(opened)}
            filler.unlink()
            again = turn * 1000 + 999
            assert all(
                o.refused is None for o in append(opened, batch(again, items))
            )  # on the same connection
        told |= saved | {again}
    assert whole_batches(path) == told


def test_opening_on_a_full_disk_names_the_cause(small_disk: Path) -> None:
    path = small_disk / "w.db"
    with open_workspace(path) as opened:
        furnish(opened)
    fill(small_disk)
    with pytest.raises(WorkspaceError, match="disk is full"):
        open_workspace(path)
    with pytest.raises(WorkspaceError, match=r"disk is full|No space left"):
        open_workspace(small_disk / "new.db")
    assert not list(small_disk.glob("new.db[!.]*")), "half a workspace was left"
    (small_disk / "filler").unlink()
    with open_workspace(path, check=True) as opened:
        assert verify(opened).problems == ()


def test_backup_onto_a_full_disk_leaves_no_file(small_disk: Path, tmp_path: Path) -> None:
    with open_workspace(tmp_path / "w.db") as opened:
        furnish(opened, 40)
        fill(small_disk, leave=100_000)
        with pytest.raises(WorkspaceError, match=r"No backup was written .* disk is full"):
            backup(opened, small_disk / "backup.db")
    assert {p.name for p in small_disk.iterdir()} == {"filler"}


def test_file_that_may_not_grow_refuses_by_name_and_goes_on_later(tmp_path: Path) -> None:
    """The same everywhere, mount or no mount: SQLite's own limit raises the same error."""
    path = tmp_path / "w.db"
    with open_workspace(path) as opened:
        items = list(furnish(opened, 4).items.values())
        pages = opened.db.execute("PRAGMA page_count").fetchone()[0]
        opened.db.execute(f"PRAGMA max_page_count = {pages + 8}")
        told, error = append_until_full(opened, items, 0)
        assert "disk is full" in error
        assert {int(d.client_id.split("-")[0]) for d in decisions.decisions(opened)} == told
        opened.db.execute("PRAGMA max_page_count = 1000000")
        append(opened, batch(500, items))
    assert whole_batches(path) == told | {500}


# --- a disk that takes no writes --------------------------------------------------------------------------


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that anybody may reach; pytest's own is root's alone."""
    folder = Path(tempfile.mkdtemp(prefix="touchstone-"))
    folder.chmod(0o777)
    yield folder
    folder.chmod(0o777)
    shutil.rmtree(folder)


def _as_nobody(_: object, path: Path) -> tuple[str, str]:
    """What an ordinary user meets: (opening, writing), each an error or "done"."""
    if os.geteuid() == 0:
        os.seteuid(65534)
    try:
        opened = open_workspace(path)
    except WorkspaceError as error:
        return str(error), ""
    with opened:
        assert opened.key().uuid
        try:
            judge(opened, [1])
        except WorkspaceError as error:
            return "done", str(error)
    return "done", "done"


@pytest.mark.skipif(os.name != "posix", reason="POSIX permissions")
@pytest.mark.parametrize("folder_too", [False, True], ids=["file", "file and folder"])
def test_read_only_file_is_refused_by_name(open_folder: Path, folder_too: bool) -> None:
    path = open_folder / "w.db"
    with open_workspace(path) as opened:
        furnish(opened)
    before = path.read_bytes()
    for file in open_folder.iterdir():
        file.chmod(0o444)
    open_folder.chmod(0o555 if folder_too else 0o777)
    with children((_as_nobody, path)) as [pipe]:
        opening, writing = result_of(pipe)
    said = opening if opening != "done" else writing
    assert "read-only" in said or "permissions" in said
    assert path.read_bytes() == before


@pytest.mark.skipif(os.name != "posix", reason="POSIX permissions")
def test_new_workspace_in_a_read_only_folder_is_refused_by_name(open_folder: Path) -> None:
    open_folder.chmod(0o555)
    with children((_as_nobody, open_folder / "w.db")) as [pipe]:
        opening, _ = result_of(pipe)
    assert "Permission denied" in opening
    assert list(open_folder.iterdir()) == []


def test_read_only_mode_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "w.db"
    with open_workspace(path) as opened:
        items = list(furnish(opened).items.values())
    before = path.read_bytes()
    monkeypatch.setenv("TOUCHSTONE_READ_ONLY", "1")
    with open_workspace(path) as opened, pytest.raises(WorkspaceError, match="--read-only"):
        judge(opened, items)
    assert path.read_bytes() == before
