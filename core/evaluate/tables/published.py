"""What others have printed, beside what was measured here: as a table of its own, and as lines in charts.

Off until somebody asks for it, and named as published wherever it stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.charts import Chart, Reference, Table, Value
from core.evaluate.tables.sections import value_name
from core.metrics.definition import Estimate
from core.metrics.published import PUBLISHED, Published

TITLE = "Published by others"
QUOTED = "Quoted from the source, on other texts: for orientation only. None of these was measured here."


def published(family: str = "corpus") -> list[Table]:
    """What others have printed, under their names; nothing where nothing is known."""
    known = printed(family)
    names = tuple(dict.fromkeys(name for row in known for name in row.values))
    rows: list[tuple[Value, ...]] = [
        (row.system, row.data, *(row.values.get(name) for name in names), row.source) for row in known
    ]
    columns = ("system", "data", *(value_name(family, name) for name in names), "source")
    return [Table(TITLE, columns, rows, "published", note=QUOTED)] if rows else []


def printed(family: str) -> list[Published]:
    """What others have printed of the values of a family."""
    return [row for row in PUBLISHED if row.family == family]


def beside(table: Table, family: str, chosen: Sequence[Published]) -> Table:
    """The table with published values as reference lines, each beside the cell that opens its estimate.

    A table that is not drawn by itself is drawn for them, where its values lie in [0, 1].
    """
    chart = table.chart or _drawn(table)
    if chart is None or chart.kind not in ("bars", "intervals"):
        return table
    places = {
        (row, at): key.removeprefix("before:").removeprefix("after:")
        for row in range(len(table.rows))
        for at, name in enumerate(table.columns)
        if name in chart.y and (key := table.key_at(row, at))
    }
    found = [
        Reference(f"{row.name}, published", row.source, at)
        for row in chosen
        if row.family == family
        and (at := {place: row.values[key] for place, key in places.items() if key in row.values})
    ]
    return replace(table, chart=replace(chart, references=tuple(found))) if found else table


def _drawn(table: Table) -> Chart | None:
    """Estimates in [0, 1] as intervals, by the names in the first column."""
    columns = {name: [row[at] for row in table.rows] for at, name in enumerate(table.columns)}
    drawn = tuple(
        name
        for name, cells in columns.items()
        if all(isinstance(cell, Estimate) and 0 <= (cell.value or 0) <= 1 for cell in cells)
    )
    if table.columns[0] in drawn:
        return None  # its rows have no names
    return Chart("intervals", table.columns[0], drawn, unit=True) if drawn else None
