"""Score tables, and plotly figures drawn from them. The only importer of plotly; no Streamlit, no store.

table      what every number is shown in: cells, what each of them opens, and how it may be drawn
drawing    the figure of a table, and the cell behind a clicked point; lines and areas beside it
figures    figures with numbers of their own, and figures as HTML
downloads  a table as CSV
explain    what a metric means, in the registry's words
framing    what all figures share
"""

from core.charts.downloads import file_name, table_csv
from core.charts.drawing import cell_at, draw
from core.charts.explain import direction, explanation, family_title, metric_of, title
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
from core.charts.table import Cell, Chart, Key, Table, heads, text
from core.metrics.definition import Estimate

__all__ = [
    "BINS",
    "COLOURS",
    "Cell",
    "Chart",
    "Estimate",
    "Flow",
    "Interval",
    "Key",
    "Table",
    "bin_name",
    "bin_of",
    "cell_at",
    "direction",
    "distribution",
    "draw",
    "explanation",
    "family_title",
    "figure_html",
    "file_name",
    "funnel",
    "heads",
    "in_bins",
    "intervals",
    "metric_of",
    "table_csv",
    "text",
    "title",
]
