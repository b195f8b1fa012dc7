"""Many rows of a table, written or looked up at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, TypeVar

from core.store.connect import sqlite3

T = TypeVar("T")

ASKED = 500
"""Values looked up at once, well under SQLite's limit on bound values."""
TOGETHER = 40
"""Rows of one statement, which costs SQLite much less a row than a statement for each. Far below the number
of values that any SQLite takes, 32,766. What is left over goes row by row, for each length of a statement is
a statement of its own to prepare."""


def chunks(values: Iterable[T], size: int) -> Iterator[list[T]]:
    """So many values at a time."""
    source = iter(values)
    while chunk := list(islice(source, size)):
        yield chunk


def in_chunks(db: sqlite3.Connection, sql: str, values: Iterable[Any], *more: Any) -> Iterator[Any]:
    """Rows of `sql`, in which `IN (?*)` stands for the values, any number of them, and comes before all other
    marks. An order is one within a chunk."""
    for part in chunks(dict.fromkeys(values), ASKED):
        yield from db.execute(sql.replace("(?*)", f"({','.join('?' * len(part))})"), (*part, *more))


def plain(db: sqlite3.Connection, sql: str, values: Sequence[Any] = ()) -> Iterator[Any]:
    """Rows as tuples, streamed: where there are many, names would cost as much as the rows."""
    cursor = db.cursor()
    cursor.row_factory = None
    return cursor.execute(sql, values)


def column(db: sqlite3.Connection, sql: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> list[Any]:
    """The first value of each row."""
    return [row[0] for row in db.execute(sql, values)]


def mapping(db: sqlite3.Connection, sql: str, values: Sequence[Any] = ()) -> dict[Any, Any]:
    """The first value of each row -> the second."""
    return dict(plain(db, sql, values))


def insert_rows(
    db: sqlite3.Connection, table: str, shared: Mapping[str, Any], columns: Mapping[str, Sequence[Any]]
) -> None:
    """Insert rows in the order given.

    Args:
        shared: name -> the value of all rows, which is handed over once a statement.
        columns: name -> the value of each row. Columns that no row fills are left out, for sqlite3 takes
            longer over a None than over a value.
    """
    filled = {name: values for name, values in columns.items() if values.count(None) < len(values)}
    if not filled:
        return
    names = ", ".join(f'"{name}"' for name in [*shared, *filled])
    marks = [f"?{n}" for n in range(1, len(shared) + 1)] + ["?"] * len(filled)
    row, width = f"({', '.join(marks)})", len(filled)
    count = max(map(len, filled.values()))
    values = [None] * (count * width)
    for place, column in enumerate(filled.values()):
        values[place::width] = column
    insert = f"INSERT INTO {table} ({names}) VALUES "
    together = insert + ", ".join([row] * TOGETHER)
    whole = count - count % TOGETHER
    for first in range(0, whole, TOGETHER):
        db.execute(together, [*shared.values(), *values[first * width : (first + TOGETHER) * width]])
    rest = range(whole * width, count * width, width)
    db.executemany(insert + row, ([*shared.values(), *values[at : at + width]] for at in rest))
