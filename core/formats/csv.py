"""CSV: one annotation a row, or one row for a document that has none.

Columns, in any order; only `doc_id` is required, and of articles any of `pmid`, `pmcid` and `doi` will do:

    doc_id          documents are runs of rows with one doc_id: keep the rows of a document together
    text            on the first row of a document, or repeated on each
    abstract        (or abstract_sections) of an article, in place of text: see `articles`
    title, article  of the document
    concept_id      (or hpo_id) a CURIE; empty: the row annotates nothing
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

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, BinaryIO

from core.errors import InputError
from core.formats.articles import ABSTRACTS, IDENTIFIERS, name_of
from core.formats.documents import Metadata, annotation_value
from core.formats.json import dumps
from core.formats.rows import Notes, Raw, RowError, shown
from core.formats.source import MAX_LINE, Source
from core.formats.strict_json import JsonFault, loads
from core.records import Document

GUARDED = "guarded_cells"
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
_NAME_THEM = f"Name the columns on the first line, some or all of {', '.join(COLUMNS)}."

_FORMULA = re.compile(
    r"[\t\r\n]|[\s\x00-\x1f\u200b-\u200f\u2060\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20\u2212]"
)
"""Also full-width signs, the minus sign, and signs behind white space or characters that do not show."""
_INTEGER = re.compile(r"-?[0-9]{1,18}")
_NUMBER = re.compile(r"-?[0-9]*\.?[0-9]+([eE][+-]?[0-9]{1,4})?")

Row = dict[str, str]


# --- tables: any rows of named cells, guarded -------------------------------------------------------------


def write_table(columns: Sequence[str], rows: Iterable[dict[str, Any]], out: BinaryIO) -> None:
    """Write rows by column name, guarded; None is an empty cell. `columns` must hold `guarded_cells`."""
    text = io.TextIOWrapper(out, encoding="utf-8", newline="")
    try:
        writer = csv.writer(text, lineterminator="\r\n")
        writer.writerow(columns)
        for row in rows:
            cells = {name: "" if row.get(name) is None else str(row[name]) for name in columns}
            guarded = [name for name in columns if _FORMULA.match(cells[name])]
            cells |= {name: "'" + cells[name] for name in guarded}
            cells[GUARDED] = " ".join(guarded)
            writer.writerow(cells[name] for name in columns)
    finally:
        text.detach()  # flushes, and leaves `out` open


def read_table(
    source: Source, required: Sequence[str], instead: Callable[[list[str]], bool] = lambda columns: False
) -> Iterator[tuple[int, Row | RowError]]:
    """(line, cells by column) of each row, guards taken away; blank lines are skipped.

    Args:
        instead: whether these columns will do, too.

    Raises:
        InputError: no header, a required column missing, a column named twice, or broken quoting.
    """
    csv.field_size_limit(MAX_LINE)
    lines = (line for _, line in source.lines())
    header_line = next(lines, "")
    reader = csv.reader(chain([header_line], lines), delimiter=_separator(header_line), strict=True)
    columns: list[str] = []
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader, None)
        except csv.Error as error:
            raise InputError(
                f"{source.name}, line {line}: {error}. Put cells that hold separators, quotes or line breaks "
                'in double quotes, and write a quote in them as "".'
            ) from None
        if cells is None:
            break
        if not cells:
            continue
        if not columns:
            columns = _header(source.name, cells, required, instead)
        else:
            yield line, _row(source.name, line, columns, cells)
    if not columns:
        raise InputError(f"{source.name} has no header. {_NAME_THEM}")


def _separator(header: str) -> str:
    """The most frequent of comma, semicolon and tab in the header, the comma where there is none."""
    return max(",;\t", key=header.count)


def _header(
    file: str, cells: list[str], required: Sequence[str], instead: Callable[[list[str]], bool]
) -> list[str]:
    columns = [cell.strip() for cell in cells]
    twice = sorted({name for name in columns if columns.count(name) > 1})
    if twice:
        names = ", ".join(map(shown, twice))
        raise InputError(f"{file}, line 1: the column {names} occurs more than once. Rename or remove it.")
    if (missing := [name for name in required if name not in columns]) and not instead(columns):
        raise InputError(
            f"{file}, line 1: there is no column {', '.join(missing)}; found {shown(columns, 200)}. "
            f"{_NAME_THEM}"
        )
    return columns


def _row(file: str, line: int, columns: list[str], cells: list[str]) -> Row | RowError:
    if len(cells) != len(columns):
        found = dict(zip(columns, cells, strict=False))
        cause = f"{len(cells)} cells for {len(columns)} columns"
        return RowError(file, line, found.get("doc_id"), None, cause, cells)
    row = dict(zip(columns, cells, strict=True))
    for name in row.pop(GUARDED, "").split():
        if not row.get(name, "").startswith("'"):
            cause = f"names {shown(name)}, but that cell has no guard"
            return RowError(file, line, row.get("doc_id"), GUARDED, cause, cells)
        row[name] = row[name][1:]
    return row


# --- concept documents ------------------------------------------------------------------------------------


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
    """One document from its rows: its error rows, or the whole."""
    value: dict[str, Any] = {"annotations": []}
    lines: list[int] = []
    for line, row in rows:
        try:
            annotation = _annotation(row)
            _merge(value, row, notes)
        except _BadCell as bad:
            errors.append(RowError(file, line, row["doc_id"], bad.column, bad.cause, row))
            continue
        if annotation:
            value["annotations"].append(annotation)
            lines.append(line)
    if rows and "text" not in value and any(name in rows[0][1] for name in ABSTRACTS):
        value.setdefault("abstract", None)
    if errors:
        yield from errors
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
