"""Figures of pairs of concepts on one branch of an ontology: a small tree for each."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from core.charts.framing import column, short, still, value, words
from core.charts.table import Chart, Table, Value

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

MOST = 12
"""Trees, the first rows of the table."""
HIGH, APART = 64, 0.24
"""Pixels of a tree; how far its two twigs lie from the middle, where trees are 1 apart."""
SIDES = (("proposed", "diamond-open", -APART, "top"), ("gold", "circle", APART, "bottom"))
_NAMED = re.compile(r"\S+ \((.+)\)")
"""An id with its name: `X:1 (one)`."""


def branches(table: Table, chart: Chart) -> Figure:
    """One tree per row, from the nearest common ancestor on the left, one step right for each is_a step down:
    above the concept of the first column, below it that of the second. Where one is an ancestor of the other,
    it stands at the left itself. Rows without a common ancestor are left out."""
    import plotly.graph_objects as go

    at, at_above = column(table, chart.x), column(table, chart.parent or "")
    steps = [column(table, name) for name in chart.y]
    drawn = [r for r, row in enumerate(table.rows) if row[at_above] is not None][:MOST]
    figure = go.Figure()
    for side, (name, sign, off, beside) in enumerate(SIDES):
        ends = [int(value(table.rows[r][steps[side]]) or 0) for r in drawn]
        twigs = [([*range(end + 1), None], [y, *[y + off] * end, None]) for y, end in enumerate(ends) if end]
        figure.add_scatter(
            x=[x for xs, _ in twigs for x in xs],
            y=[y for _, ys in twigs for y in ys],
            mode="lines+markers",
            line={"width": 1.5},
            marker={"size": 4, "symbol": "circle"},
            opacity=0.6,
            hoverinfo="skip",
            showlegend=False,
        )
        figure.add_scatter(
            x=ends,
            y=[y + (off if end else 0) for y, end in enumerate(ends)],
            mode="markers+text",
            name=name,
            text=[f"  {_name(table.rows[r][side])}" for r in drawn],
            textposition=["middle right" if end else f"{beside} right" for end in ends],
            customdata=[[r, at, words(table.rows[r][side]), words(table.rows[r][at_above])] for r in drawn],
            marker={"symbol": sign, "size": 12, "line": {"width": 2}},
            hovertemplate=f"%{{customdata[2]}}<br>{name}; under %{{customdata[3]}}<extra></extra>",
            unselected={"marker": {"opacity": 0.45}},
        )
    deepest = max((int(value(table.rows[r][s]) or 0) for r in drawn for s in steps), default=0)
    figure.update_layout(height=HIGH * len(drawn) + 70)
    figure.update_xaxes(range=[-0.15, deepest + 2.5], showgrid=False, showticklabels=False, zeroline=False)
    figure.update_yaxes(
        tickvals=list(range(len(drawn))),
        ticktext=[_name(table.rows[r][at_above]) for r in drawn],
        range=[len(drawn) - 0.5, -0.5],
        showgrid=False,
        zeroline=False,
    )
    return still(figure, legend=True)


def _name(cell: Value) -> str:
    """Of a concept; its id stands in the table and in the hover text."""
    named = _NAMED.fullmatch(cell) if isinstance(cell, str) else None
    return short(named[1] if named else cell)
