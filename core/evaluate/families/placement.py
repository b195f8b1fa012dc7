"""Ranked edges as a family: how near the top the right places of a new concept stand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial

from core.charts import Cell, Chart, Table
from core.evaluate.families.result import FamilyResult
from core.evaluate.settings import Settings
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
    resampling = settings.resampling(len(units(gold, documents)))
    found = place(rankings, gold, edges, documents=documents, **resampling)

    tables = (_cuts(found), _ranks(found), _where(found))
    return FamilyResult(FAMILY, found.estimates, tables, notes=notes, resampled=found.resampled), found


def _bin(rank: int | None) -> int:
    if rank is None:
        return _UNRANKED
    return next(i for i, (_, last) in enumerate(_BINS) if last is None or rank <= last)


def _cells(found: Placement, keys: Iterable[str]) -> list[Cell]:
    return [Cell(found.estimates[key], key, partial(found.items, key)) for key in keys]


def _cuts(found: Placement) -> Table:
    def hits(k: int) -> list[Item]:
        return [item for item in found.items(f"recall:{k}") if item.outcome == "tp"]

    heads = ("P@k", "R@k", "F1@k")
    return Table.of(
        "Among the k best edges",
        ("cut", "gold edges", *heads),
        [
            (
                f"k = {k}",
                Cell(found.hits[k], f"hits:{k}", partial(hits, k)),
                *_cells(found, (f"{measure}:{k}" for measure in _MEASURES)),
            )
            for k in CUTS
        ],
        "cuts",
        chart=Chart("intervals", x="cut", y=heads, unit=True),
        note="P@k divides by k even where fewer edges were ranked; R@k pools the gold edges of all mentions.",
        help={head: f"{FAMILY}.{name}" for head, name in zip(heads, _MEASURES, strict=True)},
    )


def _ranks(found: Placement) -> Table:
    rows = [(_TITLES[name], *_cells(found, (name,))) for name in _RANKS]
    return Table.of("Ranks of gold edges", ("value", "estimate"), rows, "ranks")


def _where(found: Placement) -> Table:
    places = [_bin(placed.rank) for placed in found.gold]
    names = [f"{a}" if a == b else f"{a} to {b}" if b else f"{a} and more" for a, b in _BINS]

    def items(wanted: int) -> list[Item]:
        every = zip(places, found.items("mr"), strict=True)
        return [item for place, item in every if place == wanted]

    return Table.of(
        "Where the gold edges stand",
        ("rank", "gold edges"),
        [
            (name, Cell(places.count(i), f"bin:{i}", partial(items, i)))
            for i, name in enumerate((*names, "not ranked"))
        ],
        "where",
        chart=Chart("bars", x="rank", y=("gold edges",), x_title="rank", y_title="gold edges"),
    )
