"""Figures that are drawn from numbers of their own rather than from a table, and figures as HTML.

Figures set no colours, so that the page's theme gives them; `figure_html` adds the same ones for a file.
Names in legends and axes are ours; text from outside (document ids) appears nowhere as markup.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from core.charts.framing import framed

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

BINS = 10
"""Bars of a distribution: [0, 0.1), [0.1, 0.2), ... and [0.9, 1], each value in exactly one."""
COLOURS = ("#0b6a69", "#c88500", "#3d8fd6", "#4b2e83", "#7a3b0e", "#c776b5")
"""Of the light theme, for files."""
SCALE = tuple(
    zip((0.0, 0.25, 0.5, 0.75, 1.0), ("#e6f2f0", "#abd5cf", "#61afa6", "#23827c", "#033f40"), strict=True)
)
"""Of the light theme, few to many."""


class Interval(NamedTuple):
    """A value with its interval; None: undefined, not drawn."""

    name: str
    value: float | None
    low: float | None = None
    high: float | None = None


def bin_of(value: float) -> int:
    """The bar, from 0 to 9, that a value in [0, 1] belongs to; 1 itself belongs to the last.

    The nudge keeps 0.3 (and any k / 10 that rounding puts just below) in the bar that its label says.
    """
    return min(int(value * BINS + 1e-9), BINS - 1)


def in_bins(value: float | None, bins: Collection[int]) -> bool:
    """Whether a value belongs to one of these bars; an undefined one belongs to none."""
    return value is not None and bin_of(value) in bins


def bin_name(index: int) -> str:
    """Such as `0.3 to 0.4`."""
    return f"{index / BINS:.1f} to {(index + 1) / BINS:.1f}"


def distribution(groups: Mapping[str, Sequence[float | None]], measure: str = "F1") -> Figure:
    """How many documents reach which value: one bar series per group, such as before and after review.

    Undefined values are left out. A bar's place in its series is its bin, so that a click can open it.
    """
    import plotly.graph_objects as go

    figure = go.Figure()
    for name, values in groups.items():
        heights = [0] * BINS
        for value in values:
            if value is not None:
                heights[bin_of(value)] += 1
        figure.add_bar(
            x=[bin_name(i) for i in range(BINS)],
            y=heights,
            name=name,
            hovertemplate=f"{measure} %{{x}}: %{{y}} documents<extra>{name}</extra>",
        )
    figure.update_layout(barmode="group", bargap=0.15, height=320)
    figure.update_xaxes(title=f"{measure} of a document")
    figure.update_yaxes(title="Documents", rangemode="tozero", tickformat=",d")
    return framed(figure, legend=len(groups) > 1)


def intervals(groups: Mapping[str, Sequence[Interval]]) -> Figure:
    """Values in [0, 1] as dots with their intervals as whiskers; one colour and sign per group."""
    import plotly.graph_objects as go

    figure = go.Figure()
    signs = ("circle-open", "circle", "diamond", "square")
    names = list(dict.fromkeys(row.name for rows in groups.values() for row in rows))
    for index, (group, rows) in enumerate(groups.items()):
        drawn = [(row.name, row.value, row.low, row.high) for row in rows if row.value is not None]
        shift = (index - (len(groups) - 1) / 2) * 0.25
        figure.add_scatter(
            x=[value for _, value, _, _ in drawn],
            y=[names.index(name) + shift for name, _, _, _ in drawn],
            mode="markers",
            name=group,
            text=[name for name, _, _, _ in drawn],
            marker={"symbol": signs[index % len(signs)], "size": 11, "line": {"width": 2}},
            error_x={
                "type": "data",
                "symmetric": False,
                "array": [0 if high is None else high - value for _, value, _, high in drawn],
                "arrayminus": [0 if low is None else value - low for _, value, low, _ in drawn],
                "thickness": 1.5,
                "width": 5,
            },
            hovertemplate="%{text}: %{x:.3f}<extra>" + group + "</extra>",
        )
    figure.update_layout(height=110 + 46 * len(names))
    figure.update_xaxes(range=[-0.02, 1.02], title="Value, with its interval")
    figure.update_yaxes(
        tickvals=list(range(len(names))),
        ticktext=names,
        range=[len(names) - 0.5, -0.5],
        showgrid=False,
        zeroline=False,
    )
    return framed(figure, legend=len(groups) > 1)


class Flow(NamedTuple):
    """What a stage did with the candidates of a run; counts."""

    stage: str
    kept: int
    """Came in and went on."""
    added: int
    dropped: int


def funnel(flows: Sequence[Flow], unit: str = "Candidates") -> Figure:
    """One bar per stage, the first on top: what it let through, added and dropped. Stage names are ours."""
    import plotly.graph_objects as go

    figure = go.Figure()
    stages = [flow.stage for flow in flows]
    parts = (("Kept", "kept", "", 1), ("Added", "added", "", 1), ("Dropped", "dropped", "/", 1))
    for name, part, pattern, opacity in parts:
        values = [getattr(flow, part) for flow in flows]
        figure.add_bar(
            orientation="h",
            y=stages,
            x=values,
            name=name,
            text=[f"{value:,}" if value else "" for value in values],
            textposition="inside",
            insidetextanchor="middle",
            marker={
                "opacity": opacity,
                "pattern": {"shape": pattern, "fillmode": "overlay", "solidity": 0.2},
            },
            hovertemplate=f"%{{y}}: %{{x:,}} {name.lower()}<extra></extra>",
        )
    figure.update_layout(barmode="stack", bargap=0.25, height=120 + 46 * len(flows))
    figure.update_xaxes(title=unit, rangemode="tozero", tickformat=",d")
    figure.update_yaxes(autorange="reversed", showgrid=False)
    return framed(figure, legend=True).update_layout(legend={"traceorder": "normal"})


def figure_html(figure: Figure, *, with_library: bool = True) -> str:
    """The figure as an HTML fragment that asks nothing of the network.

    Args:
        with_library: put plotly's script (about 5 MB) in front; once per file.
    """
    import plotly.graph_objects as go
    import plotly.io

    own = go.Figure(figure).update_layout(
        template="plotly_white", colorway=COLOURS, colorscale={"sequential": SCALE}
    )
    return str(
        plotly.io.to_html(
            own,
            full_html=False,
            include_plotlyjs=with_library,
            config={"displaylogo": False, "responsive": True},
        )
    )
