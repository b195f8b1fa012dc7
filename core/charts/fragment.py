"""A figure as a piece of an HTML file, with the colours that the page's theme would give it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

COLOURS = ("#0b6a69", "#c88500", "#3d8fd6", "#4b2e83", "#7a3b0e", "#c776b5")
"""Of the light theme."""
SCALE = tuple(
    zip((0.0, 0.25, 0.5, 0.75, 1.0), ("#e6f2f0", "#abd5cf", "#61afa6", "#23827c", "#033f40"), strict=True)
)
"""Of the light theme, few to many."""


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
