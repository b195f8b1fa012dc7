"""Ranked edges as a family: how near the top the right places of a new concept stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from core.charts import Cell, Chart, Key, Table
from core.evaluate.families.result import FamilyResult
from core.evaluate.settings import Settings
from core.metrics.bootstrap import draws
from core.metrics.documents import Item
from core.metrics.placement import CUTS, Edge, Placement, place, units

FAMILY = "placement"
_MEASURES = ("precision", "recall", "f1")
_RANKS = ("mr", "mrr", "mr_macro", "mrr_first", "mrr_scaled")
_TITLES = {
    "mr": "mean rank (MR)",
    "mrr": "mean reciprocal rank (MRR)",
    "mr_macro": "mean rank, per mention",
    "mrr_first": "reciprocal rank of the first",
    "mrr_scaled": "reciprocal rank in tens",
}
_BINS = ((1, 1), (2, 5), (6, 10), (11, 50), (51, None))
_UNRANKED = len(_BINS)


def lay_out(
    rankings: Mapping[str, Sequence[Edge]],
    gold: Mapping[str, AbstractSet[Edge]],
    edges: int | None,
    documents: Mapping[str, str],
    settings: Settings,
    notes: tuple[str, ...] = (),
) -> tuple[FamilyResult, Placement]:
    """Estimates, tables and the gold edges behind them.

    Raises:
        ValueError: a mention names more edges than the catalogue holds.
    """
    lists = draws(len(units(gold, documents)), settings.bootstrap, settings.seed)
    found = place(rankings, gold, edges, documents=documents, index_lists=lists, level=settings.level)

    def open_cell(key: Key) -> list[Item]:
        kind, _, rest = key.partition(":")
        if kind == "hits" and rest in map(str, CUTS):
            return [item for item in found.items(f"recall:{rest}") if item.outcome == "tp"]
        if kind == "bin" and rest in map(str, range(_UNRANKED + 1)):
            both = zip(found.gold, found.items("mr"), strict=True)
            return [item for placed, item in both if _bin(placed.rank) == int(rest)]
        return found.items(key)

    tables = (_cuts(found), _ranks(found), _where(found))
    return FamilyResult(FAMILY, found.estimates, tables, open_cell, notes, found.resampled), found


def _bin(rank: int | None) -> int:
    if rank is None:
        return _UNRANKED
    return next(i for i, (_, last) in enumerate(_BINS) if last is None or rank <= last)


def _cuts(found: Placement) -> Table:
    rows: list[tuple[Cell, ...]] = []
    opens: list[tuple[Key | None, ...]] = []
    for k in CUTS:
        keys = [f"{measure}:{k}" for measure in _MEASURES]
        rows.append((f"k = {k}", found.hits[k], *(found.estimates[key] for key in keys)))
        opens.append((None, f"hits:{k}", *keys))
    heads = ("P@k", "R@k", "F1@k")
    return Table(
        "Among the k best edges",
        ("cut", "gold edges", *heads),
        rows,
        name="cuts",
        opens=opens,
        chart=Chart("intervals", x="cut", y=heads, unit=True),
        note="P@k divides by k even where fewer edges were ranked; R@k pools the gold edges of all mentions.",
        help={head: f"{FAMILY}.{name}" for head, name in zip(heads, _MEASURES, strict=True)},
    )


def _ranks(found: Placement) -> Table:
    rows: list[tuple[Cell, ...]] = [(_TITLES[name], found.estimates[name]) for name in _RANKS]
    opens = [(None, name) for name in _RANKS]
    return Table("Ranks of gold edges", ("value", "estimate"), rows, name="ranks", opens=opens)


def _where(found: Placement) -> Table:
    places = [_bin(placed.rank) for placed in found.gold]
    names = [f"{a}" if a == b else f"{a} to {b}" if b else f"{a} and more" for a, b in _BINS]
    rows: list[tuple[Cell, ...]] = [(n, places.count(i)) for i, n in enumerate((*names, "not ranked"))]
    return Table(
        "Where the gold edges stand",
        ("rank", "gold edges"),
        rows,
        name="where",
        opens=[(None, f"bin:{i}") for i in range(len(rows))],
        chart=Chart("bars", x="rank", y=("gold edges",), x_title="rank", y_title="gold edges"),
    )
