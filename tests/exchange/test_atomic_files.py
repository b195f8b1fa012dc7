"""A file shows whole or not at all, whatever happens while it is written."""

from __future__ import annotations

import gzip
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from core.errors import InputError
from core.exchange.atomic import appearing, replacing
from tests.syncs import recorded

ROOT = Path(__file__).parents[2]


def left(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_a_fault_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("old")

    def break_off() -> None:
        with replacing(path) as out:
            out.write(b"half of the new")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        break_off()
    assert path.read_text() == "old"
    assert left(tmp_path) == {"a.json"}


def test_the_name_shows_the_new_file_only_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("old")
    with replacing(path) as out:
        out.write(b"new")
        out.flush()
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    assert left(tmp_path) == {"a.json"}


@pytest.mark.skipif(sys.platform == "win32", reason="folders are synced where they can be opened")
@pytest.mark.parametrize("name", ["a.json", "a.json.gz"])
def test_a_file_is_synced_before_its_name_and_the_folder_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    seen = recorded(monkeypatch, tmp_path)
    with replacing(tmp_path / name) as out:
        out.write(b"new")
    (content, before), (folder, after) = seen
    assert (content, folder) == ((tmp_path / name).stat().st_ino, tmp_path.stat().st_ino)
    assert name not in before
    assert after == (name,)


def test_equal_content_is_an_equal_compressed_file(tmp_path: Path) -> None:
    for name in ("a.json.gz", "b.JSON.GZ"):
        with replacing(tmp_path / name) as out:
            out.write(b"content")
    first, second = (p.read_bytes() for p in sorted(tmp_path.iterdir()))
    assert first == second
    assert gzip.decompress(first) == b"content"


def test_nothing_written_can_mean_no_file(tmp_path: Path) -> None:
    with replacing(tmp_path / "a", drop_empty=True):
        pass
    assert left(tmp_path) == set()
    with replacing(tmp_path / "a"):
        pass
    assert (tmp_path / "a").read_bytes() == b""


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for path in (tmp_path / "gone" / "a.json", tmp_path / "file" / "a.json"):
        with pytest.raises(InputError, match="was not written"), replacing(path) as out:
            out.write(b"x")
    with pytest.raises(InputError, match="is a folder"), replacing(tmp_path) as out:
        out.write(b"x")
    assert left(tmp_path) == {"file"}


WRITER = """
import sys
from pathlib import Path
from core.exchange.atomic import appearing, replacing
{before}
with replacing(Path(sys.argv[1])) as out:
    while True:
        out.write(b"x" * 65536)
        out.flush()
        {meanwhile}
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits on file size are POSIX")
def test_a_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    """A real limit on file size stands for the full disk."""
    path = tmp_path / "a.json"
    path.write_text("old")
    code = WRITER.format(
        before="import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))", meanwhile=""
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], cwd=ROOT, capture_output=True, text=True)
    assert "InputError" in done.stderr.splitlines()[-1]
    assert "was not written: File too large" in done.stderr
    assert path.read_text() == "old"
    assert left(tmp_path) == {"a.json"}


@pytest.mark.skipif(sys.platform == "win32", reason="kill -9 is POSIX")
def test_a_killed_writer_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("old")
    code = WRITER.format(before="", meanwhile="print(1, flush=True); sys.stdin.readline()")
    with subprocess.Popen(
        [sys.executable, "-c", code, str(path)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGKILL)
    assert path.read_text() == "old"


# --- folders ----------------------------------------------------------------------------------------------


def test_a_folder_takes_its_name_when_it_is_complete(tmp_path: Path) -> None:
    with appearing(tmp_path / "new") as folder:
        (folder / "part").mkdir()
        (folder / "part" / "a").write_text("a")
        assert not (tmp_path / "new").exists()
    assert (tmp_path / "new" / "part" / "a").read_text() == "a"
    assert left(tmp_path) == {"new"}


@pytest.mark.skipif(sys.platform == "win32", reason="folders are synced where they can be opened")
def test_all_of_a_folder_is_synced_before_its_name_and_what_holds_it_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = recorded(monkeypatch, tmp_path)
    with appearing(tmp_path / "new") as folder:
        (folder / "part").mkdir()
        (folder / "part" / "a").write_text("a")
    new = tmp_path / "new"
    within = {path.stat().st_ino for path in (new, new / "part", new / "part" / "a")}
    assert {inode for inode, names in seen if "new" not in names} == within
    assert [inode for inode, names in seen if "new" in names] == [tmp_path.stat().st_ino]


def test_a_fault_leaves_no_folder(tmp_path: Path) -> None:
    def break_off() -> None:
        with appearing(tmp_path / "new") as folder:
            (folder / "a").write_text("half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        break_off()
    assert left(tmp_path) == set()


def test_a_folder_that_fills_up_meanwhile_is_left_alone(tmp_path: Path) -> None:
    def collide() -> None:
        with appearing(tmp_path / "new") as folder:
            (folder / "a").write_text("ours")
            (tmp_path / "new").mkdir()
            (tmp_path / "new" / "b").write_text("theirs")

    with pytest.raises(InputError, match="was not written"):
        collide()
    assert left(tmp_path) == {"new"}
    assert left(tmp_path / "new") == {"b"}


def test_a_folder_cannot_appear_within_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for place in ("file", "file/new"):
        with pytest.raises(InputError), appearing(tmp_path / place):
            pass
    assert left(tmp_path) == {"file"}
