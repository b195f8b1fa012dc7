"""Score tables, and plotly figures drawn from them. The only importer of plotly; no Streamlit, no store.

table      what every number is shown in: cells, what each of them opens, and how it may be drawn
figures    one function per kind of figure
"""

from core.charts.figures import (
    BINS,
    COLOURS,
    Flow,
    Interval,
    bin_name,
    bin_of,
    distribution,
    figure_html,
    funnel,
    in_bins,
    intervals,
)
from core.charts.table import Cell, Chart, Key, Table, text

__all__ = [
    "BINS",
    "COLOURS",
    "Cell",
    "Chart",
    "Flow",
    "Interval",
    "Key",
    "Table",
    "bin_name",
    "bin_of",
    "distribution",
    "figure_html",
    "funnel",
    "in_bins",
    "intervals",
    "text",
]
