"""Values from elsewhere in a figure: dashed, grey, named in the legend, and behind no click.

Each line crosses only the place of the cell that it stands beside: a published F1 says nothing about recall.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from core.charts.framing import words
from core.charts.table import Chart, Reference, Table

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

REFERENCE = "reference"
"""`meta` of such a trace."""
GREY = "#7d8a8f"
"""Apart from the chart colours, with a contrast above 3 on either background."""
DASHES = ("5px,3px", "2px,3px", "9px,3px", "9px,3px,2px,3px", "5px,3px,2px,3px")
"""Short, since the place of a cell is."""
WHOLE = 0.45
"""How far a line reaches from the middle of a row whose series all stand beside the same value."""
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
        for (start, end), value in _places(table, chart, reference, extent):
            values += [value, value, None]
            across += [start, end, None]
        along = "x" if lying else "y"
        figure.add_scatter(
            **{"x": values, "y": across} if lying else {"x": across, "y": values},
            mode="lines",
            name=f"{words(reference.name)}<br>{words(reference.source)}",
            meta=REFERENCE,
            line={"dash": DASHES[number % len(DASHES)], "width": 2.5, "color": GREY},
            hovertemplate=(
                f"{words(reference.name)}: %{{{along}:.3f}}<br>{words(reference.source)}<extra></extra>"
            ),
        )
    return bool(chart.references)


def _places(
    table: Table, chart: Chart, reference: Reference, extent: Extent
) -> Iterator[tuple[tuple[float, float], float]]:
    """Where a reference is drawn: beside each cell, or once across a row of one value."""
    for row in range(len(table.rows)):
        found = {
            index: reference.at[row, at]
            for index, name in enumerate(chart.y)
            if (row, at := table.columns.index(name)) in reference.at
        }
        if len(found) == len(chart.y) and len(set(found.values())) == 1:
            yield (row - WHOLE, row + WHOLE), found[0]
        else:
            yield from ((extent(row, index), value) for index, value in found.items())
