"""A disk that keeps a log, and a disk that fails: SQLite through a file layer written in Python (apsw).

The store's own code runs on it: `through` gives a `Workspace` whose connection goes through the file layer,
with the very pragmas that the product sets.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw

from core.store.connect import JOURNAL, PRAGMAS, sqlite3
from core.store.file import identity
from core.store.mark import Mark
from core.store.workspace import Workspace

SECTOR = 512
"""Bytes that a disk writes whole or not at all."""


# --- the store on an apsw connection ----------------------------------------------------------------------


class Row(tuple[Any, ...]):
    """A row that can be asked by column name, as sqlite3's."""

    names: tuple[str, ...]

    def __getitem__(self, key: Any) -> Any:
        return tuple.__getitem__(self, self.names.index(key) if isinstance(key, str) else key)


class Cursor:
    def __init__(self, cursor: apsw.Cursor):
        self._cursor = cursor

    def fetchone(self) -> Row | None:
        with translated():
            return next(self._cursor, None)

    def fetchall(self) -> list[Row]:
        with translated():
            return list(self._cursor)

    def __iter__(self) -> Iterator[Row]:
        while (row := self.fetchone()) is not None:
            yield row


class Connection:
    """As much of sqlite3.Connection as the store uses to write."""

    def __init__(self, connection: apsw.Connection):
        self._connection = connection

    @property
    def in_transaction(self) -> bool:
        return self._connection.in_transaction

    def execute(self, sql: str, values: Sequence[Any] = ()) -> Cursor:
        with translated():
            cursor = self._connection.cursor()
            cursor.row_trace = _named
            return Cursor(cursor.execute(sql, tuple(values)))

    def close(self) -> None:
        with translated():
            self._connection.close(True)


def _named(cursor: apsw.Cursor, row: tuple[Any, ...]) -> Row:
    found = Row(row)
    found.names = tuple(column[0] for column in cursor.get_description())
    return found


@contextmanager
def translated() -> Iterator[None]:
    """apsw's errors as sqlite3 would raise them."""
    try:
        yield
    except apsw.Error as error:
        code = getattr(error, "result", 1)
        kind = {
            apsw.SQLITE_CONSTRAINT: sqlite3.IntegrityError,
            apsw.SQLITE_CORRUPT: sqlite3.DatabaseError,
            apsw.SQLITE_NOTADB: sqlite3.DatabaseError,
        }.get(code, sqlite3.OperationalError)
        raised = kind(str(error))
        raised.sqlite_errorcode = getattr(error, "extendedresult", code)
        raise raised from error


class Through(Workspace):
    """A workspace whose file is opened by apsw alone: two libraries must never have one file open."""

    def __init__(self, path: Path, db: Connection):
        self.path = path
        self.read_only = False
        self.db = db  # type: ignore[assignment]
        self._writer_lock = None
        self._identity = identity(path)
        self._mark = Mark(path)


@contextmanager
def through(path: Path, vfs: str, *pragmas: str) -> Iterator[Through]:
    """Open a workspace through a file layer; `pragmas` come after the product's own."""
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE, vfs=vfs)
    for pragma in (*PRAGMAS, JOURNAL, *pragmas):
        connection.execute(f"PRAGMA {pragma}")
    opened = Through(path, Connection(connection))
    try:
        yield opened
    finally:
        opened.close()


# --- a disk that keeps a log ------------------------------------------------------------------------------

Entry = tuple[Any, ...]
"""("write", file, offset, data), ("truncate", file, size), ("sync", file), ("delete", file) or
("acknowledged", client ids)."""


class RecordingDisk(apsw.VFS):
    """Passes everything on and writes down what a power cut might undo. Files are known by their name's end:
    the database itself by an empty string, its log by `-wal`."""

    def __init__(self, name: str, path: Path):
        self.name, self.path = name, str(path)
        self.log: list[Entry] = []
        super().__init__(name, "")

    def xOpen(self, name: Any, flags: list[int]) -> apsw.VFSFile:
        return _RecordedFile(self, name, flags)

    def xDelete(self, name: str, sync: bool) -> None:
        self.log.append(("delete", self.end(name)))
        super().xDelete(name, sync)

    def end(self, name: Any) -> str:
        return str(name.filename() if hasattr(name, "filename") else name).removeprefix(self.path)


class _RecordedFile(apsw.VFSFile):
    def __init__(self, disk: RecordingDisk, name: Any, flags: list[int]):
        self.disk, self.end = disk, disk.end(name)
        super().__init__("", name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:
        self.disk.log.append(("write", self.end, offset, bytes(data)))
        super().xWrite(data, offset)

    def xTruncate(self, size: int) -> None:
        self.disk.log.append(("truncate", self.end, size))
        super().xTruncate(size)

    def xSync(self, flags: int) -> None:
        super().xSync(flags)
        self.disk.log.append(("sync", self.end))


class AfterPowerLoss:
    """What is on the disk if the power goes at some entry of a log.

    What was synced is there. Of what was not, any part may be: each write is kept or lost, or kept in some of
    its sectors only. Deleting a file counts as durable at once, and a sync as kept by the disk.
    """

    def __init__(self, log: list[Entry], base: dict[str, bytes]):
        self._log = iter(log)
        self._at = 0
        self._files = {name: bytearray(content) for name, content in base.items()}
        self._pending: dict[str, list[Entry]] = {}
        self.acknowledged: set[str] = set()

    def advance(self, to: int) -> None:
        while self._at < to:
            entry = next(self._log)
            self._at += 1
            match entry:
                case ("write" | "truncate", name, *_):
                    self._pending.setdefault(name, []).append(entry)
                case ("sync", name):
                    for waiting in self._pending.pop(name, []):
                        _apply(self._files.setdefault(name, bytearray()), waiting)
                case ("delete", name):
                    self._files.pop(name, None)
                    self._pending.pop(name, None)
                case ("acknowledged", ids):
                    self.acknowledged.update(ids)

    def cut(self, path: Path, chance: random.Random) -> None:
        """Lay the files down as they might be found."""
        for name in self._files.keys() | self._pending.keys():
            content = bytearray(self._files.get(name, b""))
            for entry in self._pending.get(name, []):
                fate = chance.random()
                if fate < 0.4:
                    _apply(content, entry)
                elif fate < 0.6 and entry[0] == "write":
                    _, _, offset, data = entry
                    for start in range(0, len(data), SECTOR):
                        if chance.random() < 0.5:
                            part = data[start : start + SECTOR]
                            _apply(content, ("write", name, offset + start, part))
            path.with_name(path.name + name).write_bytes(content)


def _apply(content: bytearray, entry: Entry) -> None:
    if entry[0] == "truncate":
        del content[entry[2] :]
        return
    _, _, offset, data = entry
    content.extend(bytes(max(0, offset - len(content))))
    content[offset : offset + len(data)] = data


# --- a disk that fails ------------------------------------------------------------------------------------


class FailingDisk(apsw.VFS):
    """Fails once, at the n-th call of one kind, and works again after it."""

    def __init__(self, name: str, call: str, at: int, error: type[apsw.Error], code: int):
        self.vfs_name, self.call, self.at, self.error, self.code = name, call, at, error, code
        self.calls = 0
        super().__init__(name, "")

    def xOpen(self, name: Any, flags: list[int]) -> apsw.VFSFile:
        return _FailingFile(self, name, flags)

    def excepthook(self, *_: Any) -> None:
        """The failure is made on purpose: not printed."""

    def count(self, call: str) -> None:
        if call == self.call:
            self.calls += 1
            if self.calls == self.at:
                error = self.error("the disk fails as it was told to")
                error.extendedresult = self.code
                raise error

    @property
    def failed(self) -> bool:
        return self.calls >= self.at


class _FailingFile(apsw.VFSFile):
    def __init__(self, disk: FailingDisk, name: Any, flags: list[int]):
        self.disk = disk
        super().__init__("", name, flags)

    def excepthook(self, *_: Any) -> None:
        """The failure is made on purpose: not printed."""

    def xWrite(self, data: bytes, offset: int) -> None:
        self.disk.count("write")
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:
        self.disk.count("sync")
        super().xSync(flags)

    def xRead(self, amount: int, offset: int) -> bytes:
        self.disk.count("read")
        return super().xRead(amount, offset)

    def xTruncate(self, size: int) -> None:
        self.disk.count("truncate")
        super().xTruncate(size)
