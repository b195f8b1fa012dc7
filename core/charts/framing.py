"""What all figures share: the frame, and text from outside made fit for plotly.

Plotly reads `<b>`, `<a href>` and entities in every label, so what comes from outside is escaped,
hidden characters are written out, and long names are cut where they stand on an axis (the hover text holds
them in full).
"""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

from core.charts.table import Chart, Table, Value, text
from core.metrics.definition import Estimate
from core.text.visible import visible

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

LONGEST = 34
"""Characters of a name on an axis."""
_BREAKS = re.compile(r"[\t\n]+")


def words(cell: Value) -> str:
    """A cell as a label that plotly shows as it is; a dash where it is undefined."""
    said = "–" if (shown := text(cell)) is None else shown
    # "$" would start a formula, and "%{" a template, wherever such text is read as one
    return (
        html.escape(visible(_BREAKS.sub(" ", said)), quote=False)
        .replace("$", "&#36;")
        .replace("%{", "%&#123;")
    )


def short(cell: Value) -> str:
    """The same, cut to what an axis has room for."""
    said = "–" if (shown := text(cell)) is None else shown
    return words(said if len(said) <= LONGEST else said[: LONGEST - 1].rstrip() + "…")


def value(cell: Value) -> float | None:
    """What is drawn of a cell; None: nothing is (undefined, shown as a dash, or no number)."""
    if isinstance(cell, Estimate):
        return None if cell.blank else cell.value
    return None if cell is None or isinstance(cell, str) else float(cell)


def whiskers(cells: list[Value]) -> dict[str, object] | None:
    """Plotly's error bars of estimates with an interval; None where no cell has one."""
    up, down = [], []
    for cell in cells:
        known = isinstance(cell, Estimate) and cell.value is not None and cell.low is not None
        if known and isinstance(cell, Estimate) and cell.high is not None:
            up.append(max(cell.high - (cell.value or 0), 0.0))
            down.append(max((cell.value or 0) - (cell.low or 0), 0.0))
        else:
            up.append(0.0)
            down.append(0.0)
    if not any(up) and not any(down):
        return None
    return {
        "type": "data",
        "symmetric": False,
        "array": up,
        "arrayminus": down,
        "thickness": 1.5,
        "width": 4,
    }


def measured(chart: Chart) -> str:
    """Title of the axis of values, with their unit: a fraction where it ends at 1, else what is counted."""
    title = chart.y_title or ((text(chart.y[0]) or "") if len(chart.y) == 1 else "")
    if chart.unit and "fraction" not in title:
        return f"{title} (fraction)" if title else "fraction"
    return title or "n"


def column(table: Table, name: str) -> int:
    """Its place in the table.

    Raises:
        ValueError: the table has no such column.
    """
    if name not in table.columns:
        raise ValueError(f"table {table.title!r} has no column {name!r} to draw")
    return table.columns.index(name)


def still(figure: Figure, *, legend: bool) -> Figure:
    """Little space around, and axes that neither mouse, finger nor wheel on its way down the page moves.

    The legend stands above: below, it would drift over the axis title of a tall figure.
    """
    figure.update_layout(
        margin={"t": 34 if legend else 14, "r": 8, "b": 8, "l": 8},
        showlegend=legend,
        legend={"orientation": "h", "x": 0, "y": 1.0, "yanchor": "bottom", "traceorder": "normal"},
        dragmode=False,
    )
    figure.update_xaxes(automargin=True, fixedrange=True)
    figure.update_yaxes(automargin=True, fixedrange=True)
    return figure
