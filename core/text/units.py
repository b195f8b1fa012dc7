"""Units of columns, by the names that columns bear in every table."""

from __future__ import annotations

FRACTIONS = (
    *("P", "R", "F1", "Precision", "Recall", "precision", "recall", "accuracy", "share", "share unsure"),
    *("share of proposals", "mean ΔF1"),
)
UNITS = dict.fromkeys(FRACTIONS, "fraction") | {"price": "US$", "spent": "US$", "ceiling": "US$"}


def with_unit(column: str, of_metric: str = "") -> str:
    """The head of a column: `accuracy (fraction)`, `price (US$)`; the name alone where no unit is known.

    Args:
        of_metric: unit of the metric that the column holds, where it is known.
    """
    unit = of_metric or UNITS.get(column)
    return f"{column} ({unit})" if unit and unit != column else column
