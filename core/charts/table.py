"""The table: what every number is shown in, on pages, in reports, on the terminal and as CSV.

    Table.of("Confusion", ("gold", "affirmed", "negated"),
             [("affirmed", Cell(8, "confusion:affirmed:affirmed", lambda: right), ...), ...],
             name="confusion", chart=Chart("heatmap", x="gold", y=("affirmed", "negated")))

A table holds raw values; `text` makes words of them where they are shown, and downloads keep full precision.
A cell may open the items behind it: it then has a key, its address, and a function that lists them when
somebody asks. A figure is a way of drawing a table, so that its data is at hand, and a click on a bar or a
point is a click on the cell it was drawn from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Literal, NamedTuple

from core.kinds.names import Values, called
from core.metrics.definition import Estimate
from core.metrics.documents import Item

Value = str | int | float | Estimate | None
"""None: undefined, shown as a dash. A float is a value in its own unit, shown with three decimals."""
Key = str
"""What a cell is called by in addresses, such as `fp` or `confusion:affirmed:negated`."""
Items = Callable[[], list[Item]]
"""Lists what is behind a cell, in order of document and id."""


class Cell(NamedTuple):
    """A value that opens."""

    value: Value
    key: Key
    items: Items


Kind = Literal[
    "bars",
    "stacked",
    "intervals",
    "heatmap",
    "curve",
    "treemap",
    "icicle",
    "funnel",
    "histogram",
    "dots",
    "flow",
    "branches",
]


@dataclass(frozen=True, slots=True)
class Reference:
    """Values from elsewhere beside the measured ones: a dashed line across the place of each."""

    name: str
    """Whose values, such as `ClinPhen, published`."""
    source: str
    at: Mapping[tuple[int, int], float]
    """Row and column of the cell that it stands beside -> value, in the cell's unit."""


@dataclass(frozen=True, slots=True)
class Chart:
    """How a table is drawn. Columns are named by their heads.

    bars       x: categories; y: one bar series per column
    stacked    the same, one bar made of all series
    intervals  x: names; y: columns of estimates, drawn as dots with their intervals
    heatmap    x: row names; y: columns of counts; rows are the vertical axis
    curve      x: a number; y: numbers, a line with a point per row
    treemap    x: names; y: (size, colour in [0, 1]); `parent` names the column of parents
    icicle     the same, children beside their parent; where the colour is undefined nothing is drawn
    funnel     x: stages, first on top; y: counts, stacked
    histogram  x: bins, in order; y: counts per bin, series side by side
    dots       x: group of a row, one of `groups`; y: the column that a dot opens, one dot per row
    flow       x: where from; `parent` names the column of where to; y: counts
    branches   x: what a tree opens; `parent` names the column of the common ancestor; y: how many steps the
               concepts of the first two columns lie below it
    """

    kind: Kind
    x: str
    y: tuple[str, ...]
    parent: str | None = None
    x_title: str = ""
    y_title: str = ""
    unit: bool = False
    """Whether the values lie in [0, 1], so that the axis does, too."""
    groups: tuple[str, ...] = ()
    """Of dots: in the order of the legend; each has a sign of its own, also where others are empty."""
    references: tuple[Reference, ...] = ()
    """Of bars and intervals alone."""

    def __post_init__(self) -> None:
        if self.references and self.kind not in ("bars", "intervals"):
            raise ValueError(f"a chart of kind {self.kind!r} has no place for references")


@dataclass(frozen=True, slots=True)
class Table:
    title: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[Value, ...]]
    name: str = ""
    """Within its family, for addresses and file names; fixed, unlike the title."""
    opens: Sequence[tuple[Key | None, ...]] = ()
    """Of the shape of `rows`, or empty: None where a cell opens nothing."""
    chart: Chart | None = None
    note: str = ""
    """A sentence that must be read together with it. Ours: safe to show anywhere."""
    help: Mapping[str, str] = field(default_factory=dict)
    """Column -> `family.metric` of the registry, for its explanation."""
    signed: tuple[str, ...] = ()
    """Columns of differences: every number but a count is shown with its sign."""
    items: Mapping[Key, Items] = field(default_factory=dict)
    """What the keys of `opens` open."""

    @classmethod
    def of(
        cls,
        title: str,
        columns: tuple[str, ...],
        rows: Iterable[Iterable[Any]],
        name: str,
        **more: Any,
    ) -> Table:
        """A table whose cells say themselves what they open.

        Args:
            rows: of values, and of cells that open.
            more: further fields, by name.
        """
        held = [tuple(row) for row in rows]
        return cls(
            title,
            columns,
            [tuple(cell.value if isinstance(cell, Cell) else cell for cell in row) for row in held],
            name,
            [tuple(cell.key if isinstance(cell, Cell) else None for cell in row) for row in held],
            items={cell.key: cell.items for row in held for cell in row if isinstance(cell, Cell)},
            **more,
        )

    def __post_init__(self) -> None:
        if self.opens and [len(row) for row in self.opens] != [len(row) for row in self.rows]:
            raise ValueError(f"what table {self.title!r} opens is not of the shape of its rows")

    @property
    def estimates(self) -> dict[Key, Estimate]:
        """The estimates that open, by their keys, row by row."""
        return {
            key: cell
            for row, keys in zip(self.rows, self.opens, strict=True)
            for cell, key in zip(row, keys, strict=True)
            if key is not None and isinstance(cell, Estimate)
        }

    def through(self, change: Callable[[Items], Items]) -> Table:
        """The same numbers; what is behind them is listed in another way."""
        return replace(self, items={key: change(items) for key, items in self.items.items()})

    def key_at(self, row: int, column: int) -> Key | None:
        return self.opens[row][column] if self.opens else None

    def shown(self, row: int, column: int) -> str | None:
        """A cell in words; None where it is undefined."""
        return text(self.rows[row][column], "+" if self.columns[column] in self.signed else "")


def heads(table: Table) -> list[str]:
    """Names of its columns, each once: a second `F1` is `F1 (2)`."""
    names = table.columns
    return [name if name not in names[:i] else f"{name} ({i + 1})" for i, name in enumerate(names)]


def text(cell: Value, sign: str = "") -> str | None:
    """A cell or a head in words: `0.873 [0.802, 0.933]`, `0.873`, `12`; a value of the vocabulary by its
    name; None stays None (shown as a dash).

    Args:
        sign: `+` prints the sign of every number that is no count.
    """
    if isinstance(cell, Estimate):
        if cell.blank:
            return None
        if cell.value is None or cell.low is None or cell.high is None:
            return text(cell.value, sign)
        return f"{cell.value:{sign}.3f} [{cell.low:{sign}.3f}, {cell.high:{sign}.3f}]"
    if isinstance(cell, (StrEnum, Values)):
        return called(cell)
    return f"{cell:{sign}.3f}" if isinstance(cell, float) else None if cell is None else str(cell)
