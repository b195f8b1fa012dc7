"""Values in [0, 1] sorted into bars: [0, 0.1), [0.1, 0.2), ... and [0.9, 1], each value in exactly one."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from core.charts.table import Chart, Table

BINS = 10


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


def spread(groups: Mapping[str, Sequence[float | None]], measure: str = "F1") -> Table:
    """How many documents reach which value, one series per group; undefined values are left out."""
    heights = {name: [0] * BINS for name in groups}
    for name, found in groups.items():
        for value in found:
            if value is not None:
                heights[name][bin_of(value)] += 1
    return Table(
        f"{measure} of the documents",
        (measure, *groups),
        [(bin_name(i), *(heights[name][i] for name in groups)) for i in range(BINS)],
        "distribution",
        chart=Chart(
            "histogram", measure, tuple(groups), x_title=f"{measure} of a document", y_title="Documents"
        ),
    )
