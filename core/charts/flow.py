"""A figure of what flows from one set of groups to another: bands, each as broad as its count."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.charts.framing import column, short, still, value, words
from core.charts.table import Chart, Table

if TYPE_CHECKING:
    from plotly.graph_objects import Figure


def flow(table: Table, chart: Chart) -> Figure:
    """One band per row, from its x on the left to its parent on the right. Plotly reports no click on a band:
    the numbers beside it open."""
    import plotly.graph_objects as go

    from_, to, at = column(table, chart.x), column(table, chart.parent or ""), column(table, chart.y[0])
    rows = [(r, v) for r, row in enumerate(table.rows) if (v := value(row[at]))]
    left = list(dict.fromkeys(table.rows[r][from_] for r, _ in rows))
    right = list(dict.fromkeys(table.rows[r][to] for r, _ in rows))
    figure = go.Figure()
    figure.add_sankey(
        arrangement="fixed",
        node={
            "label": [short(name) for name in (*left, *right)],
            "customdata": [words(name) for name in (*left, *right)],
            "hovertemplate": "%{customdata}: %{value}<extra></extra>",
            "pad": 18,
            "thickness": 14,
        },
        link={
            "source": [left.index(table.rows[r][from_]) for r, _ in rows],
            "target": [len(left) + right.index(table.rows[r][to]) for r, _ in rows],
            "value": [v for _, v in rows],
            "customdata": [[r, at, words(table.rows[r][from_]), words(table.rows[r][to])] for r, _ in rows],
            "hovertemplate": "%{customdata[2]} to %{customdata[3]}: %{value}<extra></extra>",
        },
    )
    return still(figure, legend=False).update_layout(height=max(240, 44 * max(len(left), len(right))))
