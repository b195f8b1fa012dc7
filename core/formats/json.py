"""Documents as JSON (one object) and as JSONL (one document a line), plain or gzipped.

The first line of a JSONL file may be `{"metadata": {...}}`. JSON is written with one document a line, too.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, BinaryIO

from core.errors import InputError
from core.formats.documents import Metadata, document_value
from core.formats.rows import Notes, Raw, RowError
from core.formats.source import Source
from core.formats.strict_json import Cursor, JsonFault, loads
from core.records import Document


def read_object(source: Source, notes: Notes) -> tuple[Any, Iterator[Raw | RowError]]:
    """Metadata and documents of one JSON object, or a list of documents alone. Read whole (up to
    `source.MAX_OBJECT`), so that metadata that follow the documents are known, too."""
    text = source.whole()
    try:
        fields, rows = _walk(Cursor(text))
    except JsonFault as fault:
        hint = "Correct the JSON, or, if each line is one document, name the format: --format jsonl."
        place = f"line {fault.line}, column {fault.column}"
        raise InputError(f"{source.name}, {place}: {fault.cause}. {hint}") from None
    if rows is None:
        other = " For a page of Europe PMC results name --format europepmc." if "resultList" in fields else ""
        raise InputError(
            f'{source.name} has no "documents". A file of documents is '
            f'{{"metadata": {{...}}, "documents": [...]}}.{other}'
        )
    notes.ignored.update(fields.keys() - {"metadata", "$schema"})
    return fields.get("metadata", {}), iter(rows)


def _walk(cursor: Cursor) -> tuple[dict[str, Any], list[Raw | RowError] | None]:
    """Take the outer object apart, noting the line on which each document starts."""
    if cursor.next_is("["):
        rows: list[Raw | RowError] | None = [Raw(value, line) for line, value in cursor.elements()]
        cursor.end()
        return {}, rows
    fields: dict[str, Any] = {}
    rows = None
    for _, name in cursor.members():
        if name == "documents":
            rows = [Raw(value, line) for line, value in cursor.elements()]
        else:
            fields[name] = cursor.value()
    cursor.end()
    return fields, rows


def read_lines(source: Source, notes: Notes) -> tuple[Any, Iterator[Raw | RowError]]:
    """Metadata (of the first line, if it holds them) and documents, line by line. A line that is no valid
    JSON is the error of that line alone."""
    rows = lines_of(source)
    first = next(rows, None)
    if isinstance(first, Raw) and isinstance(first.value, dict) and "metadata" in first.value:
        if "documents" in first.value:
            raise InputError(f"{source.name} is one JSON object, not JSONL. Read it with --format json.")
        if "doc_id" not in first.value:
            notes.ignored.update(first.value.keys() - {"metadata"})
            return first.value["metadata"], rows
    return {}, rows if first is None else chain([first], rows)


def lines_of(source: Source) -> Iterator[Raw | RowError]:
    """The value of each line that is not blank."""
    for number, line in source.lines():
        if not line.strip(" \t\r\n"):
            continue
        try:
            yield Raw(loads(line), number)
        except JsonFault as fault:
            yield RowError(source.name, number, None, None, f"column {fault.column}: {fault.cause}", line)


def values(source: Source) -> Iterator[tuple[int, Any]]:
    """(line, value) of all that a JSON file holds: one value, a list of them, or several after each other,
    as in JSONL. Read whole (up to `source.MAX_OBJECT`).

    Raises:
        InputError: something in it is no valid JSON.
    """
    cursor = Cursor(source.whole())
    line, counted = 1, 0
    try:
        while cursor.at < len(cursor.text):
            line += cursor.text.count("\n", counted, cursor.at)
            counted = cursor.at
            if cursor.next_is("["):
                yield from cursor.elements()
                cursor.skip()
            else:
                yield line, cursor.value()
    except JsonFault as fault:
        place = f"line {fault.line}, column {fault.column}"
        raise InputError(f"{source.name}, {place}: {fault.cause}. Correct the JSON.") from None


def write_object(metadata: Metadata, documents: Iterable[Document], out: BinaryIO) -> dict[str, int]:
    """Write one JSON object. Nothing is left out."""
    write_object_of(metadata.value(), map(document_value, documents), out)
    return {}


def write_object_of(metadata: dict[str, Any], documents: Iterable[dict[str, Any]], out: BinaryIO) -> None:
    out.write(b'{"metadata": ' + dumps(metadata) + b',\n "documents": [')
    for index, document in enumerate(documents):
        out.write((b"," if index else b"") + b"\n  " + dumps(document))
    out.write(b"\n]}\n")


def write_lines(metadata: Metadata, documents: Iterable[Document], out: BinaryIO) -> dict[str, int]:
    """Write JSONL, the metadata on the first line if there are any. Nothing is left out."""
    if value := metadata.value():
        out.write(dumps({"metadata": value}) + b"\n")
    for document in documents:
        out.write(dumps(document_value(document)) + b"\n")
    return {}


_LINE = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


def dumps(value: Any) -> bytes:
    """One line of JSON in UTF-8."""
    return _LINE(value).encode("utf-8")
