"""A consistent copy of a workspace, also while people work in it, and the way back.

A backup is one file that needs no -wal beside it, and a record next to it (`FILE.json`) with its sha256 and
chain head.
"""

from __future__ import annotations

import json
import shutil
import uuid
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

import filelock

from core.errors import InputError, IntegrityError, WorkspaceError
from core.store import digest, mark, turn
from core.store.chain import verify
from core.store.connect import connect, now, sqlite3
from core.store.file import SIDE_FILES, beside, copy_whole, discard, move_into_place, refuse_foreign
from core.store.link import head
from core.store.looking import refuse_writing
from core.store.workspace import Workspace, cause, file_lock, open_workspace

WAIT_MILLISECONDS = 5000
"""How long a restore waits for other processes to let go of the workspace."""


@dataclass(frozen=True, slots=True)
class BackupReport:
    """What a backup holds; written beside it as JSON."""

    file: str
    sha256: str
    bytes: int
    workspace: str
    """uuid of the workspace."""
    made_at: str
    number: int
    """Of the last decision."""
    head: str
    """Its link: `touchstone verify --head` shows whether a later history still holds this one."""
    decisions: int
    proposals: int
    passages: int


@dataclass(frozen=True, slots=True)
class RestoreReport:
    """What was put in place."""

    workspace: Path
    backup: Path
    replaced: Path | None
    """Where the workspace that was there before is kept; None if there was none."""
    number: int
    head: str
    decisions: int
    made_at: str | None
    """When the backup was made; None where no record lies beside it."""


def record_path(backup_file: Path) -> Path:
    return beside(backup_file, ".json")


def backup(workspace: Workspace, out: Path, *, force: bool = False) -> BackupReport:
    """Copy a workspace as it is at one moment; others may read and write meanwhile. `out` appears whole or
    not at all, and its pages are read back before it does.

    Raises:
        InputError: `out` exists and `force` is not set, is a folder, or is the workspace itself.
        WorkspaceError: the copy cannot be written, or the workspace is damaged.
    """
    out = out.resolve()
    if out == workspace.path:
        raise InputError("A backup cannot take the place of its own workspace. Name another file.")
    if out.is_dir():
        raise InputError(f"{out} is a folder. Name a file in it, for example {out / 'touchstone-backup.db'}.")
    if out.exists() and not force:
        raise InputError(f"{out} exists already. Name another file, or replace it with --force.")
    part = out.with_name(out.name + ".part")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        discard(part)
        copy_whole(workspace.db, part)
        report = _report(part, out)
        if out.exists():  # a record of another file beside a backup would make it look damaged
            record_path(out).unlink(missing_ok=True)
        shutil.copymode(workspace.path, part)
        move_into_place(part, out)
        part.write_text(json.dumps(asdict(report), indent=2) + "\n", encoding="utf-8")
        move_into_place(part, record_path(out))
    except (sqlite3.DatabaseError, OSError) as error:
        raise WorkspaceError(f"No backup was written to {out}: {cause(error, out)}") from error
    finally:
        discard(part)
    return report


def _report(part: Path, out: Path) -> BackupReport:
    copy = connect(part, "ro")
    try:
        damage = copy.execute("PRAGMA quick_check(1)").fetchone()[0]
        if damage != "ok":
            raise WorkspaceError(
                f"No backup was written to {out}: the workspace is damaged ({damage}). "
                "Run `touchstone verify`."
            )
        number, link = head(copy)
        identity = copy.execute("SELECT uuid FROM workspace").fetchone()[0]
        counts = {
            table: copy.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for table in ("decisions", "proposals", "passages")
        }
    finally:
        copy.close()
    return BackupReport(
        file=out.name,
        sha256=digest.of_file(part),
        bytes=part.stat().st_size,
        workspace=identity,
        made_at=now(),
        number=number,
        head=link,
        **counts,
    )


# --- restore ----------------------------------------------------------------------------------------------


def restore(backup_file: Path, target: Path, *, force: bool = False) -> RestoreReport:
    """Put a backup in a workspace's place, after verifying it in full. What was there is kept beside it under
    a dated name. The restored one has a new restore nonce, so that no cache and no open page outlives it.

    Raises:
        InputError: there is a workspace and `force` is not set, or the backup is the workspace itself.
        IntegrityError: the backup is damaged or altered.
        WorkspaceError: it is no backup; another process has the workspace open; the disk refuses; one may
            only look.
    """
    refuse_writing()
    backup_file, target = backup_file.resolve(), target.resolve()
    if not backup_file.exists():
        raise WorkspaceError(f"There is no backup at {backup_file}.")
    refuse_foreign(backup_file)
    if backup_file == target:
        raise InputError("The backup is the workspace itself. Name the backup, or another workspace.")
    if target.is_dir():
        raise InputError(f"{target} is a folder. Name a workspace file.")
    if target.exists() and not force:
        raise InputError(f"{target} exists already. Replace it with --force; it is kept beside the new one.")
    part = target.with_name(target.name + ".part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with file_lock(target).acquire(timeout=WAIT_MILLISECONDS / 1000):
            record = _checked_record(backup_file)
            number, link, decisions = _prepared(backup_file, part, record)
            replaced = _put(part, target)
    except filelock.Timeout as error:
        raise _in_use(target) from error
    except (sqlite3.DatabaseError, OSError) as error:
        raise WorkspaceError(
            f"{backup_file.name} was not restored to {target}: {cause(error, target)}"
        ) from error
    finally:
        discard(part)
        for suffix in (".lock", turn.SUFFIX, mark.SUFFIX):
            beside(part, suffix).unlink(missing_ok=True)
    return RestoreReport(
        workspace=target,
        backup=backup_file,
        replaced=replaced,
        number=number,
        head=link,
        decisions=decisions,
        made_at=record.made_at if record else None,
    )


def _checked_record(backup_file: Path) -> BackupReport | None:
    try:
        record = BackupReport(**json.loads(record_path(backup_file).read_text(encoding="utf-8")))
    except FileNotFoundError:
        return None
    except (ValueError, TypeError) as error:
        raise IntegrityError(
            f"{record_path(backup_file)} is no record of a backup. Move it away to restore without it."
        ) from error
    if record.sha256 != digest.of_file(backup_file):
        raise IntegrityError(
            f"{backup_file} was altered or damaged after {record.made_at}: its sha256 is not the recorded "
            "one. Restore another backup."
        )
    return record


def _prepared(backup_file: Path, part: Path, record: BackupReport | None) -> tuple[int, str, int]:
    """The backup as a workspace of today's schema beside the target, verified; returns head and count."""
    discard(part)
    source = connect(backup_file, "ro")
    try:
        copy_whole(source, part)
    finally:
        source.close()
    with open_workspace(part, keep=False) as candidate:
        with candidate.write() as db:
            db.execute("UPDATE workspace SET restore_nonce = ?", (uuid.uuid4().hex,))
        found = verify(candidate, head=record.head if record else None)
        candidate.db.execute("PRAGMA journal_mode = DELETE")
    if found.problems:
        raise IntegrityError(
            f"{backup_file} is damaged or altered: {found.problems[0]} ({len(found.problems)} in all.) "
            "Nothing was restored."
        )
    return found.number, found.head, found.decisions


def _put(part: Path, target: Path) -> Path | None:
    """Into a workspace that SQLite can open by its own means, page by page in one transaction: the file stays
    the same one, so whoever opens it meanwhile waits and then sees what was restored. A damaged or foreign
    file, in which nobody can be working, is moved aside."""
    kept = _kept_name(target) if target.exists() else None
    if kept is not None and _overwritten(part, target, kept):
        return kept
    for suffix in SIDE_FILES:  # a stale log would be played into the new file
        if beside(target, suffix).exists():
            beside(target, suffix).replace(beside(kept or _kept_name(target), suffix))
    if kept is not None:
        target.replace(kept)
    move_into_place(part, target)
    return kept


def _overwritten(part: Path, target: Path, kept: Path) -> bool:
    try:
        refuse_foreign(target)
        _overwrite(part, target, kept)
    except WorkspaceError:
        return False
    except sqlite3.DatabaseError as error:
        code = error.sqlite_errorcode & 0xFF
        if code == sqlite3.SQLITE_BUSY:
            raise _in_use(target) from error
        if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_FULL):
            raise
        return False
    return True


def _overwrite(part: Path, target: Path, kept: Path) -> None:
    source, held = connect(part, "ro"), sqlite3.connect(target, isolation_level=None)
    try:
        held.execute(f"PRAGMA busy_timeout = {WAIT_MILLISECONDS}")
        held.execute("PRAGMA locking_mode = EXCLUSIVE")
        held.execute("PRAGMA synchronous = FULL")
        held.execute("BEGIN EXCLUSIVE")  # refused while any other process has the workspace open
        held.execute("COMMIT")  # the locking mode keeps the lock
        keep = beside(kept, ".part")
        try:
            copy_whole(held, keep)
            move_into_place(keep, kept)
        finally:
            discard(keep)
        source.backup(held)
    finally:
        held.close()
        source.close()


def _kept_name(target: Path) -> Path:
    stamp = f"{datetime.now():%Y-%m-%dT%H%M%S}"
    names = (
        target.with_name(f"{target.stem}.replaced-{stamp}{more}{target.suffix}")
        for more in ("", *(f"-{n}" for n in range(2, 1000)))
    )
    return next(name for name in names if not name.exists())


def _in_use(target: Path) -> WorkspaceError:
    return WorkspaceError(
        f"Another process has {target} open. Close the app and any running command, then restore again; "
        "nothing was changed."
    )
