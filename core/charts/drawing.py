"""`draw(table)`: the figure that a table's `Chart` asks for.

Whatever is drawn carries the place of its cell as custom data, `[row, column]`, so that a click on it is a
click on the cell (`cell_at`). Undefined cells are left out. Figures set no colours but scales of the theme.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from core.charts import areas, dots, lines
from core.charts.branches import branches
from core.charts.flow import flow
from core.charts.framing import column, measured, short, still, value, whiskers, words
from core.charts.references import add_references
from core.charts.table import Chart, Kind, Table, Value

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

PATTERNS = ("", "/", ".", "x", "-", "+")
"""Of the series of a figure, one after the other."""
_FAINT = {"fillmode": "overlay", "solidity": 0.15, "size": 12, "fgopacity": 0.4}
MANY, LONG = 12, 16
"""Bars lie down from this many of them on, or where a name is longer than that."""


def is_drawn(table: Table) -> bool:
    """Whether a table says how to draw it, and has a value to draw: else there is only a frame."""
    if table.chart is None:
        return False
    places = [column(table, name) for name in table.chart.y]
    return any(value(row[at]) is not None for row in table.rows for at in places)


def draw(table: Table) -> Figure:
    """The figure of a table.

    Raises:
        ValueError: it names no chart, or a column that is not there.
    """
    if table.chart is None:
        raise ValueError(f"table {table.title!r} says not how to draw it")
    return _DRAWN[table.chart.kind](table, table.chart)


def cell_at(table: Table, point: Mapping[str, Any]) -> tuple[int, int] | None:
    """The cell that a clicked point was drawn from, as (row, column); None for a frame or an empty place.

    Args:
        point: as Streamlit reports it: with `customdata`, or of a treemap or an icicle with `id`.
    """
    if isinstance(point.get("id"), str) and table.chart is not None:
        place = [point["id"].removeprefix(areas.ROW), column(table, table.chart.y[0])]
    else:
        place = list(point.get("customdata") or ())[:2]
    try:
        row, at = (int(part) for part in place)
    except (TypeError, ValueError):
        return None
    return (row, at) if 0 <= row < len(table.rows) and 0 <= at < len(table.columns) else None


def _bars(table: Table, chart: Chart) -> Figure:
    names = [str(short(row[column(table, chart.x)])) for row in table.rows]
    return _series(table, chart, lying=len(names) > MANY or any(len(n) > LONG for n in names))


def _stacked(table: Table, chart: Chart) -> Figure:
    return _bars(table, chart).update_layout(barmode="stack")


def _histogram(table: Table, chart: Chart) -> Figure:
    figure = _series(table, chart, lying=False).update_layout(bargap=0.12, bargroupgap=0.02)
    return figure.update_traces(text=None)


def _funnel(table: Table, chart: Chart) -> Figure:
    figure = _series(table, chart, lying=True)
    return figure.update_layout(barmode="stack", bargap=0.25).update_traces(insidetextanchor="middle")


def _series(table: Table, chart: Chart, *, lying: bool) -> Figure:
    """One bar series per column, a group of bars per row. Lying: the first row on top."""
    import plotly.graph_objects as go

    figure = go.Figure()
    at_x = column(table, chart.x)
    for index, name in enumerate(chart.y):
        at = column(table, name)
        drawn = [r for r, row in enumerate(table.rows) if value(row[at]) is not None]
        cells = [table.rows[r][at] for r in drawn]
        lengths = [value(cell) for cell in cells]
        bars, error = whiskers(cells), "error_x" if lying else "error_y"
        figure.add_bar(
            **{"y": drawn, "x": lengths} if lying else {"x": drawn, "y": lengths},
            **{error: bars} if bars else {},
            orientation="h" if lying else "v",
            name=words(name),
            customdata=[[r, at, words(table.rows[r][at_x]), words(table.rows[r][at])] for r in drawn],
            text=None if bars else [_written(cell) for cell in cells],
            textposition="auto",
            textangle=0,
            constraintext="both",
            # a number stands on the lines of its bar: few and faint ones, and a rim around its letters
            insidetextfont={"size": 14, "weight": 600, "shadow": "auto"},
            marker={"pattern": {"shape": PATTERNS[index % len(PATTERNS)], **_FAINT}},
            hovertemplate=f"%{{customdata[2]}}<br>{words(name)}: %{{customdata[3]}}<extra></extra>",
            unselected={"marker": {"opacity": 0.45}},
        )
    ticks = {
        "tickvals": list(range(len(table.rows))),
        "ticktext": [short(row[at_x]) for row in table.rows],
        "zeroline": False,
    }
    lengths_axis = {"rangemode": "tozero", "title": {"text": words(measured(chart))}} | (
        {"range": [0, 1.03]} if chart.unit else {}
    )
    names_axis: dict[str, Any] = {**ticks, "title": {"text": words(chart.x_title)}, "showgrid": False}
    n = len(table.rows)
    gap = max(0.2, 0.8 - 0.15 * n)
    width = (1 - gap) / len(chart.y)

    def extent(row: int, index: int) -> tuple[float, float]:
        start = row - (1 - gap) / 2 + index * width
        return start, start + width

    compared = add_references(figure, table, chart, extent, lying=lying)
    if lying:
        figure.update_layout(xaxis=lengths_axis, yaxis=names_axis | {"range": [n - 0.5, -0.5]})
        height = 90 + max(26, 14 * len(chart.y)) * n
    else:
        figure.update_layout(yaxis=lengths_axis, xaxis=names_axis | {"range": [-0.5, n - 0.5]})
        height = 320
    figure.update_layout(barmode="group", bargap=gap, height=min(max(height, 200), 1400))
    return still(figure, legend=len(chart.y) > 1 or compared)


def _written(cell: Value) -> str:
    """On a bar; nothing where there is no bar to write on."""
    v = value(cell)
    if not v:
        return ""
    return f"{cell:,}" if isinstance(cell, int) else f"{v:.2f}"


_DRAWN: dict[Kind, Callable[[Table, Chart], Figure]] = {
    "bars": _bars,
    "stacked": _stacked,
    "histogram": _histogram,
    "funnel": _funnel,
    "intervals": lines.intervals,
    "curve": lines.curve,
    "heatmap": areas.heatmap,
    "treemap": areas.treemap,
    "icicle": areas.icicle,
    "dots": dots.dots,
    "flow": flow,
    "branches": branches,
}
