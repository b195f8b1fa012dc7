"""Many rows of a table, written at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.store.connect import sqlite3

TOGETHER = 90
"""Rows of one statement, which costs SQLite much less a row than a statement for each. Far below the number
of values that any SQLite takes, 32,766."""


def insert_rows(db: sqlite3.Connection, table: str, columns: Mapping[str, Sequence[Any]]) -> None:
    """Insert rows in the order given.

    Args:
        columns: name -> the value of each row. Columns that no row fills are left out, for sqlite3 takes
            longer over a None than over a value.
    """
    filled = {name: values for name, values in columns.items() if values.count(None) < len(values)}
    names = ", ".join(f'"{name}"' for name in filled)
    row, width = f"({', '.join('?' * len(filled))})", len(filled)
    count = max(map(len, filled.values()), default=0)
    values = [None] * (count * width)
    for place, column in enumerate(filled.values()):
        values[place::width] = column
    for first in range(0, count, TOGETHER):
        part = values[first * width : (first + TOGETHER) * width]
        rows = ", ".join([row] * (len(part) // width))
        db.execute(f"INSERT INTO {table} ({names}) VALUES {rows}", part)
