"""Tables that several families of claim pairs have."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from core.charts import BINS, Cell, Chart, Items, Key, Table, bin_name, bin_of
from core.kinds.names import called
from core.metrics import PAIR_FAMILIES
from core.metrics.definition import Estimate

Said = TypeVar("Said", bound=str)
COUNT = "[0, pairs]"
"""Range of a metric that is a count, shown as one."""


def overall(
    family: str,
    columns: Mapping[str, Mapping[str, Estimate]],
    names: Sequence[str],
    items: Callable[[Key], Items],
) -> Table:
    """The values of a family, a row each; a cell opens the items of its estimate.

    Args:
        columns: head of a column -> (key of the estimate -> estimate); rows take theirs by name, with or
            without a stratum.
        items: key of an estimate -> the pairs behind it.
    """
    metrics, rows = PAIR_FAMILIES[family].metrics, []
    for name in names:
        found = [_of(estimates, name) for estimates in columns.values()]
        metric, _, stratum = name.partition(":")
        title = metrics[metric].title
        counts = metrics[metric].range == COUNT
        cells = [Cell(int(e.value or 0) if counts else e, key, items(key)) for key, e in found]
        rows.append((f"{title}, {called(stratum)}" if stratum else title, *cells, found[0][1].n))
    return Table.of(PAIR_FAMILIES[family].title, ("value", *columns, "pairs"), rows, "overall")


def _of(estimates: Mapping[str, Estimate], name: str) -> tuple[str, Estimate]:
    if name in estimates:
        return name, estimates[name]
    key = next(key for key in estimates if key.startswith(f"{name}:"))
    return key, estimates[key]


def confusion(
    title: str,
    rows: Sequence[Said],
    columns: Sequence[Said],
    counts: Mapping[tuple[Any, Any], int],
    items: Callable[[Said, Said], Items],
    note: str,
) -> Table:
    """What gold says against what is predicted, as counts of pairs; `items` lists those of a cell."""
    return Table.of(
        title,
        ("gold", *columns),
        [(g, *(Cell(counts[g, p], f"confusion:{g}:{p}", items(g, p)) for p in columns)) for g in rows],
        "confusion",
        chart=Chart("heatmap", "gold", tuple(columns), x_title="predicted", y_title="gold"),
        note=note,
    )


def distribution(
    family: str, values: Mapping[str, Sequence[float | None]], items: Callable[[Callable[[int], bool]], Items]
) -> Table:
    """How often pairs lie where.

    Args:
        values: metric of the registry -> its value of every pair, None: not scored.
        items: whether the pair at a place is meant -> those that are.
    """
    metrics = PAIR_FAMILIES[family].metrics
    names = tuple(metrics[metric].title for metric in values)
    bins = {m: [None if v is None else bin_of(v) for v in held] for m, held in values.items()}
    rows = [
        (
            bin_name(i),
            *(Cell(held.count(i), f"bin:{m}:{i}", items(partial(_in, held, i))) for m, held in bins.items()),
        )
        for i in range(BINS)
    ]
    chart = Chart("histogram", "value", names, x_title="value", y_title="pairs")
    return Table.of("Pairs by value", ("value", *names), rows, "distribution", chart=chart)


def _in(bins: Sequence[int | None], wanted: int, at: int) -> bool:
    return bins[at] == wanted
