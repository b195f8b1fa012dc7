"""Figures of areas: a grid of counts, and rectangles in rectangles.

The grid is made of bars, each a cell: plotly reports a click on a bar, and none on a cell of its own heatmap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.charts.framing import column, short, still, value, words
from core.charts.table import Chart, Table

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

ROW = "row-"
"""Before the row's number in the id of a rectangle."""


def heatmap(table: Table, chart: Chart) -> Figure:
    """Rows downwards, columns across; each cell with its value, deeper the larger it is."""
    import plotly.graph_objects as go

    at_x, n, m = column(table, chart.x), len(table.rows), len(chart.y)
    places = [(r, i, column(table, name)) for r in range(n) for i, name in enumerate(chart.y)]
    shown = [(r, i, at, v) for r, i, at in places if (v := value(table.rows[r][at])) is not None]
    largest = max((v for *_, v in shown), default=0.0)
    figure = go.Figure()
    figure.add_bar(
        x=[i for _, i, _, _ in shown],
        y=[0.96] * len(shown),
        base=[r - 0.48 for r, _, _, _ in shown],
        width=0.97,
        customdata=[
            [r, at, words(table.rows[r][at_x]), words(table.columns[at]), words(table.rows[r][at])]
            for r, _, at, _ in shown
        ],
        text=[words(table.rows[r][at]) for r, _, at, _ in shown],
        textposition="inside",
        insidetextanchor="middle",
        textangle=0,
        constraintext="none",
        insidetextfont={"size": 14},
        marker={
            "color": [v for *_, v in shown],
            "cmin": 0,
            "cmax": 1 if chart.unit else largest or 1,
            "coloraxis": "coloraxis",
            "line": {"width": 0},
        },
        hovertemplate=(
            f"{words(chart.y_title or chart.x)}: %{{customdata[2]}}<br>"
            f"{words(chart.x_title or 'column')}: %{{customdata[3]}}<br>%{{customdata[4]}}<extra></extra>"
        ),
        unselected={"marker": {"opacity": 0.45}},
    )
    figure.update_layout(
        height=min(110 + 46 * n, 1200),
        coloraxis={"showscale": False, "cmin": 0, "cmax": 1 if chart.unit else largest or 1},
        bargap=0,
    )
    figure.update_xaxes(
        title=words(chart.x_title),
        tickvals=list(range(m)),
        ticktext=[short(name) for name in chart.y],
        range=[-0.5, m - 0.5],
        side="top",
        showgrid=False,
        zeroline=False,
    )
    figure.update_yaxes(
        title=words(chart.y_title),
        tickvals=list(range(n)),
        ticktext=[short(row[at_x]) for row in table.rows],
        range=[n - 0.5, -0.5],
        showgrid=False,
        zeroline=False,
    )
    return still(figure, legend=False)


def treemap(table: Table, chart: Chart) -> Figure:
    """A rectangle per row as large as its first number, coloured by the second where there is one.

    Rows whose parent is another row's name stand inside it. A parent is drawn at least as large as its
    children together: where one child is under several parents, sizes exceed the parent's own.
    """
    import plotly.graph_objects as go

    at_x, at_size = column(table, chart.x), column(table, chart.y[0])
    at_colour = column(table, chart.y[1]) if len(chart.y) > 1 else None
    at_parent = None if chart.parent is None else column(table, chart.parent)
    place = {row[at_x]: r for r, row in enumerate(table.rows)}
    sizes = [max(value(row[at_size]) or 0.0, 0.0) for row in table.rows]
    above = [place.get(row[at_parent]) if at_parent is not None else None for row in table.rows]
    above = [None if parent == r else parent for r, parent in enumerate(above)]
    own = list(sizes)
    for r, parent in enumerate(above):
        if parent is not None:
            own[parent] = max(own[parent] - sizes[r], 0.0)
    # a rectangle without area cannot be clicked, and plotly would still give it a frame
    drawn = [r for r in range(len(table.rows)) if sizes[r]]
    colours = [None if at_colour is None else value(table.rows[r][at_colour]) for r in drawn]
    figure = go.Figure()
    figure.add_treemap(
        ids=[f"{ROW}{r}" for r in drawn],
        labels=[words(table.rows[r][at_x]) for r in drawn],
        parents=["" if (parent := above[r]) is None else f"{ROW}{parent}" for r in drawn],
        values=[own[r] for r in drawn],
        branchvalues="remainder",
        customdata=[
            [
                r,
                at_size,
                words(table.rows[r][at_size]),
                "–" if at_colour is None else words(table.rows[r][at_colour]),
            ]
            for r in drawn
        ],
        texttemplate="%{label}<br>%{customdata[2]}" + ("" if at_colour is None else "<br>%{customdata[3]}"),
        hovertemplate=(
            f"%{{label}}<br>{words(chart.y[0])}: %{{customdata[2]}}"
            + ("" if at_colour is None else f"<br>{words(chart.y[1])}: %{{customdata[3]}}")
            + "<extra></extra>"
        ),
        marker={"pad": {"t": 22, "l": 3, "r": 3, "b": 3}, "line": {"width": 1}}
        | ({} if at_colour is None else {"colors": colours, "coloraxis": "coloraxis"}),
        tiling={"pad": 2},
        pathbar={"visible": False},
        root={"color": "rgba(0,0,0,0)"},  # it is the page, no box of its own
    )
    figure.update_layout(height=440, margin={"t": 8, "r": 8, "b": 8, "l": 8})
    if at_colour is not None:
        figure.update_layout(
            coloraxis={"cmin": 0, "cmax": 1, "colorbar": {"title": {"text": words(chart.y[1])}}}
        )
    return figure
