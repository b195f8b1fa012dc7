"""Values from elsewhere in a figure: dashed, grey, named in the legend, and behind no click.

Each line crosses only the place of the cell that it stands beside: a published F1 says nothing about recall.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from core.charts.framing import words
from core.charts.table import Chart, Table

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

REFERENCE = "reference"
"""`meta` of such a trace."""
GREY = "#7d8a8f"
"""Apart from the chart colours, with a contrast above 3 on either background."""
DASHES = ("dash", "dot", "dashdot", "longdash", "longdashdot")
Extent = Callable[[int, int], tuple[float, float]]
"""(row, number of the series) -> where its place begins and ends on the axis of the names."""


def add_references(figure: Figure, table: Table, chart: Chart, extent: Extent, *, lying: bool) -> bool:
    """Draw the references of a chart; whether there are any.

    Args:
        lying: values run along x.
    """
    for number, reference in enumerate(chart.references):
        values: list[float | None] = []
        across: list[float | None] = []
        for (row, at), value in sorted(reference.at.items()):
            values += [value, value, None]
            across += [*extent(row, chart.y.index(table.columns[at])), None]
        along = "x" if lying else "y"
        figure.add_scatter(
            **{"x": values, "y": across} if lying else {"x": across, "y": values},
            mode="lines",
            name=f"{words(reference.name)}<br>{words(reference.source)}",
            meta=REFERENCE,
            line={"dash": DASHES[number % len(DASHES)], "width": 2, "color": GREY},
            hovertemplate=(
                f"{words(reference.name)}: %{{{along}:.3f}}<br>{words(reference.source)}<extra></extra>"
            ),
        )
    return bool(chart.references)
