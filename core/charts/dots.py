"""Figures of single items: a dot each, in rows, told apart by sign, colour and the words of the legend."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.charts.framing import column, still, value, words
from core.charts.table import Chart, Table

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

PER_ROW = 25
"""Dots; as many as a narrow page has room for."""
SIGNS = ("circle", "circle-open", "diamond", "x-thin-open", "square-open", "triangle-up")
SIZE, HIGH = 9, 22
"""Pixels: of a dot, and of a row."""


def dots(table: Table, chart: Chart) -> Figure:
    """A dot for each row, in their order, row by row from the top left; one sign for each group."""
    import plotly.graph_objects as go

    figure = go.Figure()
    at_x, at = column(table, chart.x), column(table, chart.y[0])
    drawn = [r for r, row in enumerate(table.rows) if value(row[at]) is not None]
    place = {r: divmod(n, PER_ROW) for n, r in enumerate(drawn)}
    for index, name in enumerate(chart.groups):
        held = [r for r in drawn if table.rows[r][at_x] == name]
        figure.add_scatter(
            x=[place[r][1] for r in held],
            y=[place[r][0] for r in held],
            mode="markers",
            name=f"{words(name)} ({len(held):,})",
            customdata=[[r, at, _told(table, r)] for r in held],
            marker={"symbol": SIGNS[index % len(SIGNS)], "size": SIZE, "line": {"width": 2}},
            hovertemplate="%{customdata[2]}<extra></extra>",
            unselected={"marker": {"opacity": 0.45}},
        )
    rows = -(-len(drawn) // PER_ROW)
    hidden = {"showgrid": False, "showticklabels": False, "zeroline": False, "title": ""}
    figure.update_layout(height=max(120, HIGH * rows + 70))
    figure.update_xaxes(range=[-0.7, PER_ROW - 0.3], **hidden)
    figure.update_yaxes(range=[rows - 0.4, -0.6], **hidden)
    return still(figure, legend=True)


def _told(table: Table, row: int) -> str:
    """A row in lines, for the one who points at its dot."""
    told = zip(table.columns, table.rows[row], strict=True)
    return "<br>".join(f"{words(head)}: {words(cell)}" for head, cell in told)
