"""A file from outside, read with care: gzip, encodings and sizes are checked while reading.

Nothing in a file's name is trusted: it opens the file and appears, escaped, in messages.
"""

from __future__ import annotations

import codecs
import gzip
import hashlib
import io
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from core.errors import InputError
from core.formats.rows import OffsetUnit, shown

MAX_EXPANDED = 4 * 2**30
"""Bytes a file may hold once decompressed."""
MAX_LINE = 32 * 2**20
"""Bytes in one line of a line-based format."""
MAX_OBJECT = 256 * 2**20
"""Bytes of a JSON object, which is read whole; JSONL has no such limit."""

_FOREIGN = (
    (codecs.BOM_UTF32_LE, "UTF-32 text. Save it as UTF-8"),
    (codecs.BOM_UTF16_LE, "UTF-16 text. Save it as UTF-8"),
    (codecs.BOM_UTF16_BE, "UTF-16 text. Save it as UTF-8"),
    (b"\x1f\x8b", "gzip within gzip. Unpack it once"),
    (b"PK\x03\x04", "a zip archive or a spreadsheet. Unpack it, or save it as CSV"),
    (b"SQLite format 3\x00", "a SQLite database. Name a text file"),
    (b"\x80\x02", "a pickle, which can run code when opened, so it is never read. Export it as JSON"),
    (b"\x80\x03", "a pickle, which can run code when opened, so it is never read. Export it as JSON"),
    (b"\x80\x04", "a pickle, which can run code when opened, so it is never read. Export it as JSON"),
    (b"\x80\x05", "a pickle, which can run code when opened, so it is never read. Export it as JSON"),
    (b"%PDF", "a PDF. Extract its text first"),
)

_SUFFIXES = (".txt", ".tsv", ".csv", ".json", ".jsonl", ".ann", ".out")
_WEB_PAGE = re.compile(rb"<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE)


class Source:
    """One input file, `.gz` or plain (told by its first bytes, not by its name)."""

    def __init__(
        self, path: Path | str, *, max_expanded: int = MAX_EXPANDED, offsets: OffsetUnit = "code-points"
    ):
        self.path = Path(path)
        self.name = shown(self.path.name)[1:-1]
        self.max_expanded = max_expanded
        self.offsets = offsets
        """What offsets in it count, for formats that put texts together by them."""

    def files(self) -> list[Path]:
        """The file, or the files of a folder by name; hidden ones are passed over.

        Raises:
            InputError: a folder without files, or with another folder in it.
        """
        if not self.path.is_dir():
            return [self.path]
        found = sorted(path for path in self.path.iterdir() if not path.name.startswith("."))
        if not found:
            raise InputError(f"The folder {self.name} is empty. Name one that holds files.")
        if within := next((path for path in found if path.is_dir()), None):
            raise InputError(f"{self.name} holds the folder {shown(within.name)}: move its files up.")
        return found

    def sha256(self) -> str:
        """Digest, hex, of the file as given, before decompression; of a folder, of the names and digests of
        its files."""
        if self.path.is_dir():
            lines = (f"{path.name} {Source(path).sha256()}\n" for path in self.files())
            return hashlib.sha256("".join(lines).encode("utf-8", "surrogateescape")).hexdigest()
        with self._faults(), self.path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    @property
    def reference(self) -> str:
        """`file:NAME@` and the first 12 hex digits of its digest: what results call it."""
        return f"file:{self.path.name}@{self.sha256()[:12]}"

    @property
    def stem(self) -> str:
        """The file's name as the name of what it holds: without `.gz`, and without what says its format."""
        path = self.path.with_suffix("") if self.path.suffix.lower() == ".gz" else self.path
        return path.stem if path.suffix.lower() in _SUFFIXES else path.name

    def holds_markup(self) -> bool:
        """Whether the file starts like XML."""
        with self._faults(), self._open(markup=None) as file:
            return cast(io.BufferedReader, file).peek(64).removeprefix(codecs.BOM_UTF8).lstrip()[:1] == b"<"

    def lines(self) -> Iterator[tuple[int, str]]:
        """(1-based number, line with its line end) without reading the file whole. Only a line feed ends a
        line: other separators of Unicode are part of the text."""
        with self._faults(), self._open() as file:
            total = 0
            number = 0
            while line := file.readline(MAX_LINE + 1):
                number += 1
                total += len(line)
                if len(line) > MAX_LINE:
                    raise InputError(
                        f"{self.name}, line {number}: the line is longer than {_megabytes(MAX_LINE)}. "
                        "Check that the file has one row a line."
                    )
                self._check_size(total)
                yield number, self._decode(line, number)

    def pieces(self, size: int) -> Iterator[bytes]:
        """The bytes of a file of markup, `size` at a time."""
        with self._faults(), self._open(markup=True) as file:
            total = 0
            while piece := file.read(size):
                total += len(piece)
                self._check_size(total)
                yield piece

    def whole(self, limit: int = MAX_OBJECT) -> str:
        """The whole text, for formats that cannot stream."""
        with self._faults(), self._open() as file:
            data = bytearray()  # in pieces: one large read of gzip takes four times its size
            while piece := file.read(2**20):
                data += piece
                if len(data) > limit:
                    raise InputError(
                        f"{self.name} expands beyond {_megabytes(limit)}, too much for one JSON object. "
                        "Write it as JSONL, one document a line, which is read line by line."
                    )
            return self._decode(data, 1)

    @contextmanager
    def _open(self, *, markup: bool | None = False) -> Iterator[BinaryIO]:
        with self.path.open("rb") as raw:
            packed = raw.peek(2)[:2] == b"\x1f\x8b"
            file = io.BufferedReader(gzip.GzipFile(fileobj=raw)) if packed else raw
            try:
                self._check_head(file.peek(1024), markup)
                yield cast(BinaryIO, file)
            finally:
                file.close()

    def _check_head(self, head: bytes, markup: bool | None) -> None:
        """Of markup, of text, or of either where `markup` is None."""
        for magic, what in _FOREIGN:
            if head.startswith(magic):
                raise InputError(f"{self.name} is {what} and name it again.")
        start = head.removeprefix(codecs.BOM_UTF8).lstrip()
        if not head:
            raise InputError(f"{self.name} is empty. Check that it was written or downloaded completely.")
        if _WEB_PAGE.match(start) or (start.startswith(b"<") and markup is False):
            raise InputError(
                f"{self.name} is HTML or XML, perhaps the error page of a failed download. Download it "
                "again, or convert it to JSON, JSONL, CSV or PubTator; for PubMed XML name --format pubmed."
            )
        if markup and not start.startswith(b"<"):
            raise InputError(f"{self.name} is no XML. Check that it is complete, and its --format.")

    def _check_size(self, total: int) -> None:
        if total > self.max_expanded:
            raise InputError(
                f"{self.name} expands beyond {_megabytes(self.max_expanded)}. Split it into smaller files."
            )

    def _decode(self, data: bytes | bytearray, first: int) -> str:
        """UTF-8 without a byte order mark; `first` is the number of the first line in `data`."""
        if first == 1:
            data = data.removeprefix(codecs.BOM_UTF8)
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            line = first + data.count(b"\n", 0, error.start)
            column = error.start - data.rfind(b"\n", 0, error.start)
            raise InputError(
                f"{self.name}, line {line}: byte 0x{data[error.start]:02X} at position {column} is not valid "
                "UTF-8. The file was probably saved in another encoding (Latin-1, Windows-1252): save it as "
                "UTF-8."
            ) from None
        if "\0" in text:
            line = first + text.count("\n", 0, text.index("\0"))
            raise InputError(
                f"{self.name}, line {line}: a NUL character. The file is binary, UTF-16 or damaged: write it "
                "as UTF-8 text."
            )
        return text

    @contextmanager
    def _faults(self) -> Iterator[None]:
        try:
            yield
        except FileNotFoundError:
            raise InputError(f"There is no file {self.name}. Check the path.") from None
        except IsADirectoryError:
            raise InputError(f"{self.name} is a folder. Name a file in it.") from None
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise InputError(
                f"{self.name} is a damaged or cut-off gzip file ({error}). Copy or download it again."
            ) from None
        except OSError as error:
            raise InputError(
                f"{self.name} cannot be read: {error.strerror or error}. Check the file."
            ) from None


def _megabytes(count: int) -> str:
    return f"{count // 2**20} MB" if count >= 2**20 else f"{count} bytes"
