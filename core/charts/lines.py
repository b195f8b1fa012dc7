"""Figures of points: estimates with their intervals, and curves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.charts.framing import column, measured, short, still, value, whiskers, words
from core.charts.references import add_references
from core.charts.table import Chart, Table
from core.metrics.definition import Estimate

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

POINTS = 1000
"""Of one curve; a longer one is drawn by every k-th row, first and last included."""
SIGNS = ("circle", "circle-open", "diamond", "square-open", "triangle-up", "x")
APART = 0.22
"""Between the series of one row, which are 1 apart."""
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")


def intervals(table: Table, chart: Chart) -> Figure:
    """Dots with whiskers, one row per name, the first on top; one colour and sign per column."""
    import plotly.graph_objects as go

    figure = go.Figure()
    at_x, n, half = column(table, chart.x), len(table.rows), (len(chart.y) - 1) / 2
    for index, name in enumerate(chart.y):
        at = column(table, name)
        drawn = [r for r, row in enumerate(table.rows) if value(row[at]) is not None]
        cells = [table.rows[r][at] for r in drawn]
        bars = whiskers(cells)
        figure.add_scatter(
            x=[value(cell) for cell in cells],
            y=[r + (index - half) * APART for r in drawn],
            mode="markers",
            name=words(name),
            customdata=[[r, at, words(table.rows[r][at_x]), words(table.rows[r][at])] for r in drawn],
            marker={"symbol": SIGNS[index % len(SIGNS)], "size": 11, "line": {"width": 2}},
            **{"error_x": bars} if bars else {},
            hovertemplate=f"%{{customdata[2]}}<br>{words(name)}: %{{customdata[3]}}<extra></extra>",
            unselected={"marker": {"opacity": 0.45}},
        )

    def extent(row: int, index: int) -> tuple[float, float]:
        middle = row + (index - half) * APART
        return middle - APART / 2, middle + APART / 2

    compared = add_references(figure, table, chart, extent, lying=True)
    each = 34 if compared and half else 20
    named = 24 * len(chart.references)  # the legend takes its room from the plot
    figure.update_layout(height=min(100 + max(40, each * len(chart.y)) * n + named, 1400))
    figure.update_xaxes(title=words(measured(chart)), showgrid=True)
    if chart.unit:
        figure.update_xaxes(range=[-0.02, 1.02])
    elif set(chart.y) <= set(table.signed):
        figure.update_xaxes(range=_around_zero(table, chart), zeroline=True, zerolinewidth=2)
    figure.update_yaxes(
        title=words(chart.x_title),
        tickvals=list(range(n)),
        ticktext=[short(row[at_x]) for row in table.rows],
        range=[n - 0.5, -0.5],
        showgrid=False,
        zeroline=False,
    )
    return still(figure, legend=len(chart.y) > 1 or compared)


def _around_zero(table: Table, chart: Chart) -> list[float]:
    """The range of an axis of changes: 0 in the middle, and room for the largest with its interval."""
    drawn = [row[column(table, name)] for row in table.rows for name in chart.y]
    found = [value(cell) for cell in drawn]
    found += [end for cell in drawn if isinstance(cell, Estimate) for end in (cell.low, cell.high)]
    largest = max((abs(v) for v in found if v is not None), default=0.0)
    return [-1.1 * largest, 1.1 * largest] if largest else [-0.1, 0.1]


def curve(table: Table, chart: Chart) -> Figure:
    """Lines with a point per row, in the order of the rows."""
    import plotly.graph_objects as go

    figure = go.Figure()
    at_x, rows = column(table, chart.x), _thinned(len(table.rows))
    for index, name in enumerate(chart.y):
        at = column(table, name)
        drawn = [r for r in rows if None not in (value(table.rows[r][at_x]), value(table.rows[r][at]))]
        bars = whiskers([table.rows[r][at] for r in drawn])
        figure.add_scatter(
            x=[value(table.rows[r][at_x]) for r in drawn],
            y=[value(table.rows[r][at]) for r in drawn],
            mode="lines+markers",
            name=words(name),
            line={"dash": DASHES[index % len(DASHES)], "width": 2},
            customdata=[[r, at, words(table.rows[r][at_x]), words(table.rows[r][at])] for r in drawn],
            marker={"symbol": SIGNS[index % len(SIGNS)], "size": 8 if len(drawn) <= 60 else 5},
            **{"error_y": bars} if bars else {},
            hovertemplate=(
                f"{words(chart.x)}: %{{customdata[2]}}<br>{words(name)}: %{{customdata[3]}}<extra></extra>"
            ),
            unselected={"marker": {"opacity": 0.45}},
        )
    along: dict[str, Any] = {"title": words(chart.x_title or chart.x), "showgrid": True, "zeroline": False}
    figure.update_layout(height=380)
    figure.update_xaxes(**along)
    figure.update_yaxes(title=words(measured(chart)), rangemode="tozero")
    if chart.unit:
        figure.update_yaxes(range=[-0.02, 1.03])
        across = [value(row[at_x]) for row in table.rows]
        if all(x is not None and 0 <= x <= 1 for x in across):
            figure.update_xaxes(range=[-0.02, 1.02])
    return still(figure, legend=len(chart.y) > 1)


def _thinned(n: int) -> list[int]:
    """Rows to draw."""
    if n <= POINTS:
        return list(range(n))
    return sorted({round(i * (n - 1) / (POINTS - 1)) for i in range(POINTS)})
