"""Tables in CSV: rows of named cells, text in = text out, and no live formulas.

Cells are text: `NA`, `012` and `None` stay what they are, and an empty cell is a missing value. The separator
is a comma, or a semicolon or tab if the header says so. Encoding UTF-8, with or without a byte order mark;
lines inside quoted cells are kept.

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
from core.formats.articles import name_of
from core.formats.rows import RowError, shown
from core.formats.source import MAX_LINE, Source

GUARDED = "guarded_cells"

_FORMULA = re.compile(
    r"[\t\r\n]|[\s\x00-\x1f\u200b-\u200f\u2060\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20\u2212]"
)
"""Also full-width signs, the minus sign, and signs behind white space or characters that do not show."""

Row = dict[str, str]


def write_table(columns: Sequence[str], rows: Iterable[dict[str, Any]], out: BinaryIO) -> None:
    """Write rows by column name, guarded; None is an empty cell. `columns` must hold `guarded_cells`."""
    text = io.TextIOWrapper(out, encoding="utf-8", newline="")
    try:
        writer = csv.writer(text, lineterminator="\r\n")
        writer.writerow(columns)
        for row in rows:
            cells = {name: "" if row.get(name) is None else str(row[name]) for name in columns}
            guarded = [name for name, cell in cells.items() if _FORMULA.match(cell)]
            cells |= {name: "'" + cells[name] for name in guarded}
            cells[GUARDED] = " ".join(guarded)
            writer.writerow(cells.values())
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
        raise InputError(f"{source.name} has no header. {_name_them(required)}")


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
            f"{_name_them(required)}"
        )
    return columns


def _name_them(required: Sequence[str]) -> str:
    return f"Name the columns on the first line, {', '.join(required)} among them."


def _row(file: str, line: int, columns: list[str], cells: list[str]) -> Row | RowError:
    if len(cells) != len(columns):
        found = dict(zip(columns, cells, strict=False))
        cause = f"{len(cells)} cells for {len(columns)} columns"
        return RowError(file, line, name_of(found), None, cause, cells)
    row = dict(zip(columns, cells, strict=True))
    for name in row.pop(GUARDED, "").split():
        if not row.get(name, "").startswith("'"):
            cause = f"names {shown(name)}, but that cell has no guard"
            return RowError(file, line, row.get("doc_id"), GUARDED, cause, cells)
        row[name] = row[name][1:]
    return row
