"""A table as a file: every number in full, every interval in columns of its own, safe in a spreadsheet."""

from __future__ import annotations

import io
import re

from core.charts.table import Table, Value, heads
from core.formats.tables import GUARDED, write_table
from core.metrics.definition import Estimate

BESIDE = ("low", "high", "std", "n", "reason")
"""Of an estimate, after its value; only those that some estimate of the column has."""
_FORMULA = re.compile(r"[=+\-@\t\r]")


def table_csv(table: Table) -> bytes:
    """CSV with a head. An estimate takes several columns (`F1`, `F1 low`, `F1 high` ...); undefined is empty.

    Cells that a spreadsheet would calculate are guarded, and named in the last column.
    """
    names = [f"'{head}" if _FORMULA.match(head) else head for head in heads(table)]
    parts = [_parts([row[at] for row in table.rows]) for at in range(len(names))]
    columns = [
        head if not part else f"{head} {part}"
        for head, found in zip(names, parts, strict=True)
        for part in found
    ]
    rows = (
        dict(
            zip(
                columns,
                (_value(row[at], part) for at, found in enumerate(parts) for part in found),
                strict=True,
            )
        )
        for row in table.rows
    )
    out = io.BytesIO()
    write_table((*columns, GUARDED), rows, out)
    return out.getvalue()


def file_name(*parts: str) -> str:
    """A name for a download that no shell or file system minds: `run-1_assertions_confusion`."""
    plain = (re.sub(r"[^A-Za-z0-9.-]+", "-", part).strip("-.") for part in parts)
    return "_".join(part[:60] for part in plain if part) or "table"


def _parts(cells: list[Value]) -> list[str]:
    estimates = [cell for cell in cells if isinstance(cell, Estimate)]
    return ["", *(part for part in BESIDE if any(getattr(e, part) is not None for e in estimates))]


def _value(cell: Value, part: str) -> Value:
    if isinstance(cell, Estimate):
        found: Value = getattr(cell, part or "value")
        return found
    return None if part else cell
