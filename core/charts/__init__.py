"""Score tables, and plotly figures drawn from them. The only importer of plotly; no Streamlit, no store.

table      what every number is shown in: cells, what each of them opens, and how it may be drawn
drawing    the figure of a table, and the cell behind a clicked point; lines, areas, dots, references
flow       bands from one set of groups to another
branches   pairs of concepts, each as a small tree
squares    a set as 100 squares: right, wrong, not known
bins       values in [0, 1] sorted into bars
fragment   a figure as HTML
downloads  a table as CSV
explain    what a metric means, in the registry's words
framing    what all figures share
"""

from core.charts.bins import BINS, bin_name, bin_of, in_bins, spread
from core.charts.downloads import file_name, table_csv
from core.charts.drawing import cell_at, draw, is_drawn
from core.charts.explain import (
    direction,
    explanation,
    family_title,
    labels,
    metric_of,
    title,
    unit,
    value_title,
)
from core.charts.fragment import COLOURS, figure_html
from core.charts.references import REFERENCE
from core.charts.squares import squares
from core.charts.table import Cell, Chart, Items, Key, Reference, Table, Value, heads, text
from core.metrics.definition import Estimate

__all__ = [
    "BINS",
    "COLOURS",
    "REFERENCE",
    "Cell",
    "Chart",
    "Estimate",
    "Items",
    "Key",
    "Reference",
    "Table",
    "Value",
    "bin_name",
    "bin_of",
    "cell_at",
    "direction",
    "draw",
    "explanation",
    "family_title",
    "figure_html",
    "file_name",
    "heads",
    "in_bins",
    "is_drawn",
    "labels",
    "metric_of",
    "spread",
    "squares",
    "table_csv",
    "text",
    "title",
    "unit",
    "value_title",
]
