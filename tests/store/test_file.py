"""A file that takes its name is on the disk before it does, and so is its name before anybody is told."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from core.store import open_workspace
from core.store.backup import backup, record_path
from core.store.file import move_into_place
from tests.syncs import recorded

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="folders are synced where they can be opened")


def test_content_is_synced_before_the_name_and_the_folder_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    part = tmp_path / "w.db.part"
    part.write_bytes(b"content")
    inode, folder = part.stat().st_ino, tmp_path.stat().st_ino
    seen = recorded(monkeypatch, tmp_path)
    move_into_place(part, tmp_path / "w.db")
    assert seen == [(inode, ("w.db.part",)), (folder, ("w.db",))]
    assert (tmp_path / "w.db").read_bytes() == b"content"


def test_new_workspaces_and_backups_come_into_place_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, out = tmp_path / "w.db", tmp_path / "backup.db"
    seen = recorded(monkeypatch, tmp_path)
    with open_workspace(path) as opened:
        backup(opened, out)
    synced = [inode for inode, _ in seen]
    folder = tmp_path.stat().st_ino
    files = [p.stat().st_ino for p in (path, out, record_path(out))]
    assert synced == [files[0], folder, files[1], folder, files[2], folder]
