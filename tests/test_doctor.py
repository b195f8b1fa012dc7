"""The environment report: each thing that can be wrong is said, and looking changes nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from core import doctor
from core.doctor import Row, address_row, disk_row, examine, file_system
from core.store import open_workspace
from core.store.connect import sqlite3
from tests.patience import SECONDS
from tests.store.making import furnish, judge
from tests.store.writers import children, result_of


def row(path: Path, name: str) -> Row:
    return next(r for r in examine(path).rows if r.name == name)


def test_report_covers_program_libraries_workspace_and_disk(tmp_path: Path) -> None:
    path = tmp_path / "w.db"
    with open_workspace(path) as opened:
        judge(opened, list(furnish(opened).items.values())[:3])
    found = {r.name: r for r in examine(path).rows}
    assert set(doctor.PACKAGES) | {
        "Python",
        "SQLite",
        "Writers",
        "Address",
        "Workspace",
        "File system",
        "Disk free",
    } <= set(found)
    assert found["SQLite"].value.startswith(sqlite3.sqlite_version)
    assert found["Workspace"].value == str(path)
    assert found["Journal"].value == "write-ahead log"
    assert found["Decisions"].value == "3"
    assert all(
        r.state == "ok"
        for name, r in found.items()
        if name not in ("Disk free", "File system", "SQLite", "Writers")
    )
    assert all(r.advice for r in found.values() if r.state != "ok")


def test_looking_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "w.db"
    with open_workspace(path) as opened:
        furnish(opened)
    before = {p.name: p.read_bytes() for p in tmp_path.iterdir()}
    examine(path)
    assert {p.name: p.read_bytes() for p in tmp_path.iterdir()} == before


def test_health_is_what_of_the_report_needs_attention_beyond_the_program(tmp_path: Path) -> None:
    folder = tmp_path / "Dropbox"  # a synchronised folder can tear a database
    for path in (tmp_path / "w.db", folder / "w.db"):
        path.parent.mkdir(exist_ok=True)
        open_workspace(path).close()
        told = [one.name for one in doctor.health(path)]
        of_report = [one.name for one in examine(path).rows if one.state != "ok"]
        assert told == [name for name in of_report if name not in doctor.PACKAGES]
        assert ("File system" in told) == (path.parent == folder)


def test_health_tells_a_log_that_nobody_writes_back(tmp_path: Path) -> None:
    path = tmp_path / "w.db"
    open_workspace(path).close()
    with path.with_name("w.db-wal").open("wb") as log:
        log.truncate(doctor.BIG_LOG + 1)
    assert "Size" in [one.name for one in doctor.health(path)]


def test_missing_workspace_is_not_made(tmp_path: Path) -> None:
    path = tmp_path / "no" / "w.db"
    assert row(path, "Workspace").state == "warn"
    assert not path.parent.exists()


@pytest.mark.parametrize("content", [b"", b"<html>", b"SQLite format 3\x00" + bytes(5000)])
def test_foreign_or_damaged_workspace_is_bad(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "w.db"
    path.write_bytes(content)
    found = row(path, "Workspace")
    assert found.state == "bad"
    assert found.advice
    assert examine(path).state == "bad"
    assert path.read_bytes() == content


def test_sqlite_without_the_fix_is_shown_with_its_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "sqlite_is_fixed", lambda: False)
    assert row(tmp_path / "w.db", "SQLite").state == "warn"
    assert row(tmp_path / "w.db", "Writers").value == "one process at a time, by lock file"


def test_missing_library_is_bad_and_missing_encoder_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "PACKAGES", ("no-such-package",))
    monkeypatch.setattr(doctor, "ENCODER", "no-such-encoder")
    assert row(tmp_path / "w.db", "no-such-package").state == "bad"
    assert row(tmp_path / "w.db", "no-such-encoder").state == "warn"


@pytest.mark.parametrize(
    ("environment", "files", "value", "state"),
    [
        ({}, ["127.0.0.1"], "127.0.0.1", "ok"),
        ({}, ["127.0.0.1", "0.0.0.0"], "127.0.0.1", "ok"),  # noqa: S104 - the first file wins
        ({}, [None, "0.0.0.0"], "0.0.0.0", "bad"),  # noqa: S104
        ({}, [None], "every address", "bad"),
        ({}, [], "every address", "bad"),
        ({"STREAMLIT_SERVER_ADDRESS": "192.168.1.5"}, ["127.0.0.1"], "192.168.1.5", "bad"),
        ({"STREAMLIT_SERVER_ADDRESS": "localhost"}, ["0.0.0.0"], "localhost", "ok"),  # noqa: S104
        ({"STREAMLIT_SERVER_ADDRESS": ""}, ["127.0.0.1"], "every address", "bad"),
    ],
)
def test_an_address_beyond_this_machine_is_bad(
    environment: dict[str, str], files: list[str | None], value: str, state: str, tmp_path: Path
) -> None:
    paths = [tmp_path / str(number) for number in range(len(files))]
    for path, address in zip(paths, files, strict=True):
        path.write_text(f"[server]\naddress = {address!r}" if address else "[server]\nport = 1", "utf-8")
    found = address_row(environment, [tmp_path / "none", *paths])
    assert found.value.startswith(value)
    assert found.state == state
    assert ("--listen" in found.advice) == (state == "bad")


def test_settings_that_cannot_be_read_are_bad(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text("address = [", "utf-8")
    assert address_row({}, [tmp_path / "config.toml"]).state == "bad"


MOUNTS = [
    ("/", "ext4"),
    ("/srv", "btrfs"),
    ("/srv/lab/share", "cifs"),
    ("/mnt/a", "ext4"),
    ("/mnt/a", "nfs4"),
]


@pytest.mark.parametrize(
    ("folder", "kind"),
    [
        ("/var/lib", "ext4"),
        ("/srv/lab", "btrfs"),
        ("/srv/lab/shared", "btrfs"),  # not below /srv/lab/share
        ("/srv/lab/share/x", "cifs"),
        ("/mnt/a/b", "nfs4"),  # mounted over the other
    ],
)
def test_file_system_is_that_of_the_nearest_mount(folder: str, kind: str) -> None:
    assert file_system(Path(folder), MOUNTS) == kind
    assert file_system(Path(folder), []) == ""


@pytest.mark.parametrize(
    ("path", "kind", "state"),
    [
        ("/srv/lab/w.db", "ext4", "ok"),
        ("/srv/lab/w.db", "apfs", "ok"),
        ("/srv/lab/w.db", "overlay", "ok"),
        ("/srv/lab/w.db", "NFS4", "bad"),
        ("/srv/lab/w.db", "smbfs", "bad"),
        ("/srv/lab/w.db", "fuse.sshfs", "bad"),
        ("/srv/lab/w.db", "fuseblk", "ok"),
        ("/srv/lab/Dropbox/w.db", "ext4", "warn"),
        ("/srv/lab/OneDrive - Hospital/w.db", "ext4", "warn"),
        ("/srv/lab/w.db", "", "ok"),
    ],
)
def test_network_disks_and_synchronised_folders_are_warned_of(path: str, kind: str, state: str) -> None:
    found = disk_row(Path(path), kind)
    assert found.state == state
    assert bool(found.advice) == (state != "ok")


def _hold(pipe: Any, path: Path) -> None:
    with open_workspace(path):
        pipe.send("open")
        pipe.recv()


def test_processes_that_have_the_workspace_open_are_named(tmp_path: Path) -> None:
    path = tmp_path / "w.db"
    open_workspace(path).close()
    assert not [r for r in examine(path).rows if r.name == "Open in"]
    with children((_hold, path)) as [pipe]:
        assert pipe.poll(SECONDS)
        pipe.recv()
        assert "(" in row(path, "Open in").value
        pipe.send("done")
        result_of(pipe)


def test_doctor_starts_at_once_without_the_heavy_libraries(tmp_path: Path) -> None:
    code = (
        "import sys, pathlib\nfrom core.doctor import examine\n"
        f"examine(pathlib.Path({str(tmp_path / 'w.db')!r}))\n"
        "heavy = {'torch', 'pandas', 'sentence_transformers', 'streamlit', 'faiss', 'openai', 'pronto'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    root = Path(__file__).parents[1]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
