"""Tables that several families of claim pairs have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from core.charts import BINS, Cell, Chart, Key, Table, bin_name, bin_of
from core.metrics import PAIR_FAMILIES
from core.metrics.definition import Estimate
from core.metrics.documents import Item

COUNT = "[0, pairs]"
"""Range of a metric that is a count, shown as one."""


def overall(
    family: str, columns: Mapping[str, Mapping[str, Estimate]], names: Sequence[str], head: str = "value"
) -> Table:
    """The values of a family, a row each; a cell opens the items of its estimate.

    Args:
        columns: head of a column -> (key of the estimate -> estimate); rows take theirs by name, with or
            without a stratum.
    """
    metrics = PAIR_FAMILIES[family].metrics
    rows: list[tuple[Cell, ...]] = []
    opens: list[tuple[Key | None, ...]] = []
    for name in names:
        found = [_of(estimates, name) for estimates in columns.values()]
        metric, _, stratum = name.partition(":")
        title = metrics[metric].title
        counts = metrics[metric].range == COUNT
        cells = [int(e.value or 0) if counts else e for _, e in found]
        rows.append((f"{title}, {stratum}" if stratum else title, *cells, found[0][1].n))
        opens.append((None, *(key for key, _ in found), None))
    return Table(PAIR_FAMILIES[family].title, (head, *columns, "pairs"), rows, "overall", opens)


def _of(estimates: Mapping[str, Estimate], name: str) -> tuple[str, Estimate]:
    if name in estimates:
        return name, estimates[name]
    key = next(key for key in estimates if key.startswith(f"{name}:"))
    return key, estimates[key]


def distribution(
    family: str, title: str, values: Mapping[str, Sequence[float | None]], head: str = "value"
) -> Table:
    """How often pairs lie where; bars open as `bin:METRIC:NUMBER`.

    Args:
        values: metric of the registry -> its value of every pair, None: not scored.
    """
    metrics = PAIR_FAMILIES[family].metrics
    names = {metric: metrics[metric].title for metric in values}
    rows: list[tuple[Cell, ...]] = []
    opens: list[tuple[Key | None, ...]] = []
    counted = [Counter(bin_of(v) for v in held if v is not None) for held in values.values()]
    for i in range(BINS):
        rows.append((bin_name(i), *(counts[i] for counts in counted)))
        opens.append((None, *(f"bin:{metric}:{i}" for metric in values)))
    chart = Chart("histogram", head, tuple(names.values()), x_title=head, y_title="pairs")
    return Table(title, (head, *names.values()), rows, "distribution", opens, chart)


def sorted_items(found: list[Item]) -> list[Item]:
    """In order of document and id."""
    return sorted(found, key=lambda item: (item.doc_id, str(item.id)))
