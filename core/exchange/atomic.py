"""Files and folders that appear whole or not at all."""

from __future__ import annotations

import gzip
import os
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, cast

from core.errors import InputError
from core.formats.rows import shown


@contextmanager
def replacing(path: Path, *, drop_empty: bool = False) -> Iterator[BinaryIO]:
    """Write `path` through a temporary file beside it: synced, then renamed, so that its name never shows
    half a file, and an older file stays until the new one is complete. `.gz` names are compressed.

    Args:
        drop_empty: leave no file if nothing was written.

    Raises:
        InputError: the file cannot be written here (no folder, no permission, disk full).
    """
    draft = path.with_name(f".touchstone-{uuid.uuid4().hex[:12]}.tmp")
    try:
        if path.is_dir():
            raise InputError(f"{shown(str(path))} is a folder. Name a file in it.")
        with draft.open("xb") as raw:
            if path.suffix.lower() == ".gz":
                # no name and no time inside, so that equal content gives equal files
                with gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as packed:
                    yield cast(BinaryIO, packed)
            else:
                yield raw
            raw.flush()
            os.fsync(raw.fileno())
            empty = raw.tell() == 0
        if not (drop_empty and empty):
            draft.replace(path)
            _sync_folder(path.parent)
    except OSError as error:
        cause = error.strerror or error
        raise InputError(
            f"{shown(str(path), 200)} was not written: {cause}. "
            "Check the folder, its permissions and the disk."
        ) from error
    finally:
        with suppress(OSError):
            draft.unlink()


@contextmanager
def appearing(folder: Path) -> Iterator[Path]:
    """A folder beside `folder` to write into, which takes its name when all is written and synced.

    Raises:
        InputError: `folder` holds something already, is a file, or cannot be written here.
    """
    draft = folder.with_name(f".touchstone-{uuid.uuid4().hex[:12]}.tmp")
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            what = "holds files already" if folder.is_dir() else "is a file"
            raise InputError(f"{shown(str(folder), 200)} {what}. Name a new folder; nothing was overwritten.")
        draft.mkdir(parents=True)
        yield draft
        for path in sorted(draft.rglob("*")):
            if path.is_file():
                with path.open("rb") as file:
                    os.fsync(file.fileno())
            else:
                _sync_folder(path)
        _sync_folder(draft)
        if folder.exists():
            folder.rmdir()  # empty, as seen above; if it is not by now, this fails and nothing is lost
        draft.rename(folder)
        _sync_folder(folder.parent)
    except OSError as error:
        cause = error.strerror or error
        raise InputError(
            f"{shown(str(folder), 200)} was not written: {cause}. "
            "Check the folder, its permissions and the disk."
        ) from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _sync_folder(folder: Path) -> None:
    """Make the rename itself durable, where the system lets a folder be synced."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
