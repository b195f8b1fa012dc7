"""Many rows of a table, written at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.store.connect import sqlite3

TOGETHER = 40
"""Rows of one statement, which costs SQLite much less a row than a statement for each. Far below the number
of values that any SQLite takes, 32,766. What is left over goes row by row, for each length of a statement is
a statement of its own to prepare."""


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
