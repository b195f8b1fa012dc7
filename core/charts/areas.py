"""Figures of areas: a grid of counts, and rectangles in rectangles.

The grid is made of bars, each a square: plotly reports a click on a bar and none on a cell of its own
heatmap, a bar fits its place at every width as no marker does, and its number is written in a colour that
can be read on it.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from core.charts.framing import LONGEST, column, still, value, words
from core.charts.table import Chart, Table, text

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

ROW = "row-"
"""Before the row's number in the id of a rectangle."""
GRID, SMALLEST, LARGEST = 400, 46, 84
"""Pixels: the side of a whole grid, and the least and the most that its squares keep to."""
LETTER, LINE, BESIDE = 6.6, 15, 34
"""Pixels: about the width of a letter, the height of a line, and what the title of an axis takes."""
MANY = 8
"""From more columns on, their heads are upright lines."""


def heatmap(table: Table, chart: Chart) -> Figure:
    """Squares: rows downwards, columns across; each with its value, deeper the larger it is."""
    import plotly.graph_objects as go

    at_x, n, m = column(table, chart.x), len(table.rows), len(chart.y)
    places = [(r, i, column(table, name)) for r in range(n) for i, name in enumerate(chart.y)]
    shown = [(r, i, at, v) for r, i, at in places if (v := value(table.rows[r][at])) is not None]
    largest = max((v for *_, v in shown), default=0.0)
    scale = {"cmin": 0, "cmax": 1 if chart.unit else largest or 1}
    side = min(max(GRID / max(n, m, 1), SMALLEST), LARGEST)
    names = [_lines(table.shown(r, at_x) or "–", 16) for r in range(n)]
    left = LETTER * max((len(line) for lines in names for line in lines), default=0)
    heads, angle, above = _heads([text(name) or "" for name in chart.y], side)
    figure = go.Figure()
    _add_squares(figure, table, chart, shown)
    figure.update_xaxes(
        title=words(chart.x_title),
        tickvals=list(range(m)),
        ticktext=["<br>".join(map(words, lines)) for lines in heads],
        tickangle=angle,
        range=[-0.5, m - 0.5],
        side="top",
        showgrid=False,
        zeroline=False,
    )
    figure.update_yaxes(
        title=words(chart.y_title),
        tickvals=list(range(n)),
        ticktext=["<br>".join(map(words, lines)) for lines in names],
        range=[n - 0.5, -0.5],
        showgrid=False,
        zeroline=False,
    )
    # margins of its own: a margin that fits itself to the labels would take its room from the squares
    margin = {"l": round(left + BESIDE), "t": round(above + BESIDE), "r": 8, "b": 8}
    return (
        still(figure, legend=False)
        .update_layout(
            width=round(m * side) + margin["l"] + margin["r"],
            height=round(n * side) + margin["t"] + margin["b"],
            margin=margin,
            coloraxis={"showscale": False, **scale},
            bargap=0,
        )
        .update_xaxes(automargin=False)
        .update_yaxes(automargin=False)
    )


def _add_squares(
    figure: Figure, table: Table, chart: Chart, shown: Sequence[tuple[int, int, int, float]]
) -> None:
    """One square for each (row, place across, column of the table, value)."""
    at_x = column(table, chart.x)
    figure.add_bar(
        x=[i for _, i, _, _ in shown],
        y=[0.96] * len(shown),
        base=[r - 0.48 for r, _, _, _ in shown],
        width=0.96,
        customdata=[
            [r, at, words(table.rows[r][at_x]), words(table.columns[at]), words(table.rows[r][at])]
            for r, _, at, _ in shown
        ],
        text=[words(table.rows[r][at]) for r, _, at, _ in shown],
        textposition="inside",
        insidetextanchor="middle",
        textangle=0,
        constraintext="inside",
        insidetextfont={"size": 16, "weight": 600},
        marker={"color": [v for *_, v in shown], "coloraxis": "coloraxis", "line": {"width": 0}},
        hovertemplate=(
            f"{words(chart.y_title or chart.x)}: %{{customdata[2]}}<br>"
            f"{words(chart.x_title or 'column')}: %{{customdata[3]}}<br>%{{customdata[4]}}<extra></extra>"
        ),
        unselected={"marker": {"opacity": 0.45}},
    )


def _heads(names: Sequence[str], side: float) -> tuple[list[list[str]], int, float]:
    """Names above columns in lines, their angle, and how many pixels they take: upright where they must."""
    level = [_lines(name, 12) for name in names]
    if all(len(line) * LETTER <= side for lines in level for line in lines):
        return level, 0, LINE * max(map(len, level))
    upright = [_lines(name, 22 if len(names) <= MANY else LONGEST) for name in names]
    return upright, -90, LETTER * max(len(line) for lines in upright for line in lines)


def _lines(name: str, letters: int) -> list[str]:
    """A name in lines of whole words; a long one is cut."""
    lines = [""]
    for part in re.split(r"(?<=[ _])", name if len(name) <= LONGEST else f"{name[: LONGEST - 1].rstrip()}…"):
        if lines[-1] and len(lines[-1]) + len(part) > letters:
            lines.append(part)
        else:
            lines[-1] += part
    return lines


def treemap(table: Table, chart: Chart) -> Figure:
    """A rectangle per row as large as its first number, coloured by the second where there is one.

    Rows whose parent is another row's name stand inside it. A parent is drawn at least as large as its
    children together: where one child is under several parents, sizes exceed the parent's own.
    """
    import plotly.graph_objects as go

    figure = go.Figure()
    figure.add_treemap(
        **_nested(table, chart, {"pad": {"t": 22, "l": 3, "r": 3, "b": 3}}),
        tiling={"pad": 2},
        pathbar={"visible": False},
    )
    return _framed(figure, table, chart)


def icicle(table: Table, chart: Chart) -> Figure:
    """The same as bands beside each other, the first on the left: a parent is as tall as its children
    together. Where the second number is undefined nothing is drawn, since every colour would say something.
    """
    import plotly.graph_objects as go

    nested = _nested(table, chart, {}, undefined=False)
    names = [table.shown(r, column(table, chart.x)) or "–" for r, *_ in nested["customdata"]]
    figure = go.Figure()
    figure.add_icicle(
        **nested | {"texttemplate": "%{text}"},
        text=_written(nested, names),
        tiling={"orientation": "h", "pad": 1},
        pathbar={"visible": False},
        sort=False,
    )
    # a name that does not fit is left out, and the text beside the pointer holds it
    return _framed(figure, table, chart).update_layout(
        height=600, uniformtext={"minsize": 11, "mode": "hide"}
    )


WIDE, TALL = 108, 560
"""Letters and pixels: about what all bands of an icicle have room for, side by side and above each other."""


def _written(nested: dict[str, Any], names: list[str]) -> list[str]:
    """What is written on each band of an icicle: as much of its name as a band of its size holds."""
    above = dict(zip(nested["ids"], nested["parents"], strict=True))
    depth = {}
    for band in nested["ids"]:
        depth[band] = depth.get(above[band], 0) + 1
    letters = WIDE // max(depth.values(), default=1)
    inside: dict[str, float] = dict(zip(nested["ids"], nested["values"], strict=True))
    for band in sorted(depth, key=lambda band: -depth[band]):
        if above[band]:
            inside[above[band]] += inside[band]
    whole = max(inside.values(), default=1) or 1
    return [
        _cut(name, letters, max(int((TALL * inside[band] / whole - 8) / LINE), 1))
        for band, name in zip(nested["ids"], names, strict=True)
    ]


def _cut(name: str, letters: int, most: int) -> str:
    lines = textwrap.wrap(name, letters, max_lines=most, placeholder="…")
    return "<br>".join(map(words, lines))


def _nested(table: Table, chart: Chart, marker: dict[str, Any], *, undefined: bool = True) -> dict[str, Any]:
    """Rectangles in rectangles, as plotly's traces of both forms take them.

    Args:
        undefined: whether those are drawn whose colour is undefined.
    """
    at_x, at_size = column(table, chart.x), column(table, chart.y[0])
    at_colour = column(table, chart.y[1]) if len(chart.y) > 1 else None
    at_parent = None if chart.parent is None else column(table, chart.parent)
    place = {row[at_x]: r for r, row in enumerate(table.rows)}
    sizes = [max(value(row[at_size]) or 0.0, 0.0) for row in table.rows]
    above = [place.get(row[at_parent]) if at_parent is not None else None for row in table.rows]
    above = [None if parent == r else parent for r, parent in enumerate(above)]
    # a rectangle without area cannot be clicked, and plotly would still give it a frame
    drawn = [r for r in range(len(table.rows)) if sizes[r]]
    if at_colour is not None and not undefined:
        drawn = [r for r in drawn if value(table.rows[r][at_colour]) is not None]
    own = list(sizes)
    for r in drawn:
        if (parent := above[r]) is not None:
            own[parent] = max(own[parent] - sizes[r], 0.0)
    colours = [None if at_colour is None else value(table.rows[r][at_colour]) for r in drawn]
    return {
        "ids": [f"{ROW}{r}" for r in drawn],
        "labels": [words(table.rows[r][at_x]) for r in drawn],
        "parents": ["" if (parent := above[r]) is None else f"{ROW}{parent}" for r in drawn],
        "values": [own[r] for r in drawn],
        "branchvalues": "remainder",
        "customdata": [
            [
                r,
                at_size,
                words(table.rows[r][at_size]),
                "–" if at_colour is None else words(table.rows[r][at_colour]),
            ]
            for r in drawn
        ],
        "texttemplate": "%{label}<br>%{customdata[2]}"
        + ("" if at_colour is None else "<br>%{customdata[3]}"),
        "hovertemplate": (
            f"%{{label}}<br>{words(chart.y[0])}: %{{customdata[2]}}"
            + ("" if at_colour is None else f"<br>{words(chart.y[1])}: %{{customdata[3]}}")
            + "<extra></extra>"
        ),
        "marker": {**marker, "line": {"width": 1}}
        | ({} if at_colour is None else {"colors": colours, "coloraxis": "coloraxis"}),
        "root": {"color": "rgba(0,0,0,0)"},  # it is the page, no box of its own
    }


def _framed(figure: Figure, table: Table, chart: Chart) -> Figure:
    figure.update_layout(height=440, margin={"t": 8, "r": 8, "b": 8, "l": 8})
    if len(chart.y) > 1:
        found = [value(row[column(table, chart.y[1])]) for row in table.rows]
        largest = 1 if chart.unit else max((v for v in found if v is not None), default=0) or 1
        bar = {"title": {"text": words(chart.y[1])}}
        figure.update_layout(coloraxis={"cmin": 0, "cmax": largest, "colorbar": bar})
    return figure
