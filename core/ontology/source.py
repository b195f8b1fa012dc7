"""The bytes of an ontology file: size limits, decompression that is counted, and what format they are in."""

from __future__ import annotations

import gzip
import io
import re
import zlib
from collections.abc import Callable
from pathlib import Path

from core.errors import InputError

GZIP = b"\x1f\x8b"
_ARCHIVES = {GZIP: "gzip", b"PK\x03\x04": "zip", b"BZh": "bzip2", b"\xfd7zXZ\x00": "xz"}
_UTF8_BOM = b"\xef\xbb\xbf"
_UTF16_BOMS = (b"\xff\xfe", b"\xfe\xff")
_HTML = re.compile(rb"(?:<!--.*?-->|\s)*<(?:!doctype\s+html|html|head|body)\b", re.I | re.S)
_XML = re.compile(rb"\s*<(?:\?xml|!DOCTYPE|!--|\w+:RDF|RDF)\b|\s*<!--", re.I)
_OBO = re.compile(rb"^[ \t]*(?:\[(?:Term|Typedef|Instance)\]|format-version[ \t]*:)", re.M)
_OTHER = (
    (re.compile(rb"^\s*(?:@prefix|@base|PREFIX)\s", re.I), "Turtle"),
    (re.compile(rb"^\s*(?:Prefix\(|Ontology\()"), "OWL functional syntax"),
    (re.compile(rb"^\s*(?:Prefix:|Ontology:)"), "Manchester syntax"),
)
_READABLE = "OBO, OBO Graph JSON or OWL in RDF/XML, plain or gzipped"
_CHUNK = 1 << 20


def megabytes(size: float) -> str:
    """A size for people: `512 MB`, `0.3 MB`."""
    value = size / (1 << 20)
    return f"{value:.0f} MB" if value >= 10 else f"{value:.1f} MB"


def read_capped(read: Callable[[int], bytes], cap: int) -> bytes | None:
    """All bytes that `read(size)` gives, or None as soon as there are more than `cap`."""
    collected = bytearray()
    while chunk := read(min(_CHUNK, cap + 1)):
        collected += chunk
        if len(collected) > cap:
            return None
    return bytes(collected)


def read_file(path: Path, cap: int) -> bytes:
    """The file as given. InputError where it is larger than `cap` bytes or cannot be read."""
    try:
        with path.open("rb") as stream:
            data = read_capped(stream.read, cap)
    except OSError as error:
        raise InputError(f"{path.name!r} cannot be read: {error.strerror or error}.") from error
    if data is None:
        raise InputError(f"{path.name!r} is larger than {megabytes(cap)}, the limit for an ontology file.")
    return data


def unpack(data: bytes, cap: int, name: str) -> bytes:
    """`data` without its gzip layer, if it has one; decompression stops at `cap` bytes."""
    if data.startswith(GZIP):
        try:
            with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
                unpacked = read_capped(stream.read, cap)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise InputError(
                f"{name!r} is a damaged or cut-off gzip file ({error}). Get it again."
            ) from error
        if unpacked is None:
            raise InputError(f"{name!r} expands beyond {megabytes(cap)} and was not read further.")
        if unpacked.startswith(GZIP):
            raise InputError(f"{name!r} is compressed twice. Unpack it once and add the result.")
        data = unpacked
    for magic, archive in _ARCHIVES.items():
        if data.startswith(magic):
            raise InputError(f"{name!r} is a {archive} archive. Unpack it and add the ontology file itself.")
    return data


def looks_like_html(head: bytes) -> bool:
    return _HTML.match(head.removeprefix(_UTF8_BOM)) is not None


def kind_of(data: bytes, name: str) -> str:
    """`obo`, `json` or `owl`. InputError for everything else, saying what it seems to be instead."""
    body = data.removeprefix(_UTF8_BOM)
    if not body.strip():
        raise InputError(f"{name!r} is empty. Get it again, or choose another file.")
    if looks_like_html(body):
        raise InputError(
            f"{name!r} is a web page, not an ontology; the download probably answered with an error page. "
            "Get the file again."
        )
    if body.lstrip().startswith(b"{"):
        return "json"
    if body.startswith(_UTF16_BOMS):
        if "rdf:RDF" in body[:20_000].decode("utf-16", errors="replace"):
            return "owl"
        raise InputError(f"{name!r} is in UTF-16. Save it as UTF-8 and add it again.")
    if _XML.match(body):
        return "owl"
    if _OBO.search(body):
        return "obo"
    for pattern, syntax in _OTHER:
        if pattern.match(body):
            raise InputError(
                f"{name!r} is in {syntax}. Convert it (ROBOT's convert command does) to one of: {_READABLE}."
            )
    raise InputError(f"{name!r} is not an ontology file that can be read. It must be {_READABLE}.")


def decode(data: bytes, name: str) -> str:
    """UTF-8 text with `\\n` line ends and no byte-order mark. InputError names the first bad line."""
    data = data.removeprefix(_UTF8_BOM)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = len(re.findall(rb"\r\n|\r|\n", data[: error.start])) + 1
        raise InputError(
            f"{name!r} is not UTF-8: line {line} holds the byte 0x{data[error.start]:02x}. "
            "Save the file as UTF-8 (it may be in Latin-1 or Windows-1252 now) and add it again."
        ) from error
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise InputError(f"{name!r} holds a NUL character in line {line}: it is damaged or not a text file.")
    return text
