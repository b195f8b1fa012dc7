"""CSV: one annotation a row, or one row for a document that has none.

Columns, in any order; only `doc_id` is required, and of articles any of `pmid`, `pmcid` and `doi` will do:

    doc_id          documents are runs of rows with one doc_id: keep the rows of a document together
    text            on the first row of a document, or repeated on each
    abstract        (or abstract_sections) of an article, in place of text: see `articles`
    title, article  of the document
    concept_id      (or hpo_id, entity_id) a CURIE or an OBO address; empty: the row annotates nothing
    label, assertion_status, text_span, start_offset, end_offset, class, confidence, run, reason
    meta_json       further fields of the document as a JSON object
    metadata_json   the metadata of the whole file as a JSON object, on its first row
    guarded_cells   names of the columns of this row that carry a guard (below), separated by spaces

Any other column is a further field of its document, as text. Cells are text: `NA`, `012` and `None` stay
what they are, and an empty cell is a missing value. The separator is a comma, or a semicolon or tab if the
header says so. Encoding UTF-8, with or without a byte order mark; lines inside quoted cells are kept.

Spreadsheets run cells that start like a formula. The writer puts an apostrophe before such a cell and names
its column in `guarded_cells`; the reader takes away exactly these, so text in = text out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, BinaryIO

from core.errors import InputError
from core.formats.articles import ABSTRACTS, IDENTIFIERS, name_of
from core.formats.documents import Metadata, annotation_value
from core.formats.json import dumps
from core.formats.rows import Notes, Raw, RowError, Unread, shown
from core.formats.source import Source
from core.formats.strict_json import JsonFault, loads
from core.formats.tables import GUARDED, Row, read_table, write_table
from core.records import Document

METADATA = "metadata_json"
OF_DOCUMENT = ("doc_id", "text", "title", "article", "meta_json")
OF_ANNOTATION = (
    "concept_id",
    "label",
    "assertion_status",
    "text_span",
    "start_offset",
    "end_offset",
    "class",
    "confidence",
    "run",
    "reason",
)
COLUMNS = (*OF_DOCUMENT, *OF_ANNOTATION, METADATA, GUARDED)
_INTEGER = re.compile(r"-?[0-9]{1,18}")
_NUMBER = re.compile(r"-?[0-9]*\.?[0-9]+([eE][+-]?[0-9]{1,4})?")


def read(source: Source, notes: Notes) -> tuple[Any, Iterator[Raw | RowError]]:
    """Metadata, if the first row holds them, and documents of a CSV file."""
    rows = _named(read_table(source, ["doc_id"], _of_articles))
    first = next(rows, None)
    if first is None:
        return {}, iter(())
    cell = "" if isinstance(first[1], RowError) else first[1].pop(METADATA, "")
    try:
        return loads(cell) if cell else {}, _documents(source.name, chain([first], rows), notes)
    except JsonFault as fault:
        raise InputError(f"{source.name}, line {first[0]}, {METADATA}: {fault.cause}. Correct it.") from None


def _of_articles(columns: list[str]) -> bool:
    return any(name in columns for name in ABSTRACTS) and any(name in columns for name in IDENTIFIERS)


def _named(table: Iterable[tuple[int, Row | RowError]]) -> Iterator[tuple[int, Row | RowError]]:
    """Rows with a doc_id, which articles need not have."""
    for line, row in table:
        if isinstance(row, dict) and "doc_id" not in row:
            row["doc_id"] = name_of(row) or ""
        if isinstance(row, dict) and not row.keys() & {"concept_id", "hpo_id"} and "entity_id" in row:
            row["concept_id"] = row.pop("entity_id")  # as HI-ALD calls it
        yield line, row


def _documents(
    file: str, table: Iterable[tuple[int, Row | RowError]], notes: Notes
) -> Iterator[Raw | RowError]:
    group: list[tuple[int, Row]] = []
    errors: list[RowError] = []
    doc_id: str | None = None
    for line, row in table:
        here = row.doc_id if isinstance(row, RowError) else row["doc_id"]
        if here is not None and here != doc_id:
            yield from _document(file, group, errors, notes)
            group, errors, doc_id = [], [], here
        if isinstance(row, RowError):
            errors.append(row)
        else:
            group.append((line, row))
    yield from _document(file, group, errors, notes)


def _document(
    file: str, rows: list[tuple[int, Row]], errors: list[RowError], notes: Notes
) -> Iterator[Raw | RowError]:
    """One document from its rows: its error rows, or the whole. A row that names no document may be of the
    one before it, which therefore falls with it, and is told, too."""
    value: dict[str, Any] = {"annotations": []}
    lines: list[int] = []
    for line, row in rows:
        try:
            _merge(value, row, notes)
        except _BadCell as bad:
            errors.append(RowError(file, line, row["doc_id"], bad.column, bad.cause, row))
            continue
        try:
            annotation: Any = _annotation(row)
        except _BadCell as bad:
            annotation = Unread(bad.cause, row, bad.column)
        if annotation:
            value["annotations"].append(annotation)
            lines.append(line)
    if rows and "text" not in value and any(name in rows[0][1] for name in ABSTRACTS):
        value.setdefault("abstract", None)
    if errors:
        yield from errors
        if rows and all(error.doc_id is None for error in errors):
            line, row = rows[0]
            cause = "a row that follows cannot be read and may be of this document"
            yield RowError(file, line, row["doc_id"], None, cause, [cells for _, cells in rows])
    elif rows:
        yield Raw(value, rows[0][0], tuple(lines))


class _BadCell(ValueError):
    def __init__(self, column: str, cause: str):
        super().__init__(cause)
        self.column = column
        self.cause = cause


def _merge(value: dict[str, Any], row: Row, notes: Notes) -> None:
    """Take over what a row says about its document. Rows may repeat it; they must not contradict."""
    if row.get(METADATA):
        raise _BadCell(METADATA, "stands on the first row of a file, and only there")
    elsewhere = (*OF_ANNOTATION, "hpo_id", "meta_json")
    fields: dict[str, Any] = {name: cell for name, cell in row.items() if cell and name not in elsewhere}
    if cell := row.get("meta_json"):
        try:
            further = loads(cell)
        except JsonFault as fault:
            raise _BadCell("meta_json", f"is no valid JSON: {fault.cause}") from None
        if not isinstance(further, dict) or further.keys() & fields.keys() & set(OF_DOCUMENT):
            raise _BadCell("meta_json", "must be a JSON object without the fields that have columns")
        fields = {**further, **fields}
    for name, cell in fields.items():
        if value.setdefault(name, cell) == cell:
            continue
        if name in (*OF_DOCUMENT, *ABSTRACTS):
            cause = f"{shown(cell)} differs from {shown(value[name])} on an earlier row of the document"
            raise _BadCell(name, cause)
        notes.ignored[name] += 1


def _annotation(row: Row) -> dict[str, Any] | None:
    found: dict[str, Any] = {name: row[name] for name in (*OF_ANNOTATION, "hpo_id") if row.get(name)}
    if not found.keys() & {"concept_id", "hpo_id"}:
        if found:
            raise _BadCell("concept_id", f"is empty, but the row has {', '.join(found)}")
        return None
    for name in ("start_offset", "end_offset"):
        if name in found:
            found[name] = int(_like(_INTEGER, name, found[name], "a whole number"))
    if "confidence" in found:
        found["confidence"] = float(_like(_NUMBER, "confidence", found["confidence"], "a number from 0 to 1"))
    return found


def _like(pattern: re.Pattern[str], column: str, cell: str, what: str) -> str:
    if not pattern.fullmatch(cell):
        raise _BadCell(column, f"expected {what}, found {shown(cell)}")
    return cell


def write(metadata: Metadata, documents: Iterable[Document], out: BinaryIO) -> dict[str, int]:
    """Write documents, the text on the first row of each. Nothing is left out."""
    write_table(COLUMNS, _rows(metadata.value(), documents), out)
    return {}


def _rows(metadata: dict[str, Any], documents: Iterable[Document]) -> Iterator[dict[str, Any]]:
    about: dict[str, Any] = {METADATA: dumps(metadata).decode()} if metadata else {}
    for document in documents:
        row = about | {
            "doc_id": document.doc_id,
            "text": document.text,
            "title": document.title,
            "article": document.article,
            "meta_json": dumps(document.meta).decode() if document.meta else None,
        }
        for annotation in document.annotations or (None,):
            yield row | annotation_value(annotation) if annotation else row
            row, about = {"doc_id": document.doc_id}, {}
