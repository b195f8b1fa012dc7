"""Linked mentions as a family: who knows what the older version cannot name."""

from __future__ import annotations

from collections.abc import Sequence

from core.charts import Cell, Chart, Key, Table
from core.evaluate.families.result import FamilyResult
from core.evaluate.settings import Settings
from core.metrics.bootstrap import draws
from core.metrics.discovery import NIL, Case, Discovery, discover, units
from core.metrics.documents import Item

FAMILY = "discovery"
_STRATA = {"nil": "out-of-KB (NIL)", "in_kb": "in-KB, right concept", "in_kb_detection": "in-KB, any concept"}
_MEASURES = ("precision", "recall", "f1")
_COUNTS = ("gold", "predicted", "tp")
_GOLD = {"nil": NIL, "concept": "a concept"}
_SAID = {"nil": NIL, "right": "the gold concept", "other": "another concept", "none": "nothing"}


def lay_out(cases: Sequence[Case], settings: Settings, notes: tuple[str, ...] = ()) -> FamilyResult:
    """Estimates, tables and the mentions behind them."""
    lists = draws(len(units(cases)), settings.bootstrap, settings.seed)
    found = discover(cases, index_lists=lists, level=settings.level)

    def open_cell(key: Key) -> list[Item]:
        kind, _, rest = key.partition(":")
        if kind != "confusion":
            return found.items(key)
        gold, _, said = rest.partition(":")
        if gold not in _GOLD or said not in _SAID:
            raise KeyError(key)
        everything = zip(found.cases, found.items("n"), strict=True)
        return [item for case, item in everything if _place(case) == (gold, said)]

    tables = (_strata(found), _confusion(found), _overall(found))
    return FamilyResult(FAMILY, found.estimates, tables, open_cell, notes, found.resampled)


def _place(case: Case) -> tuple[str, str]:
    """Row and column of a case in the confusion matrix."""
    gold = "nil" if case.gold == NIL else "concept"
    if case.predicted is None:
        return gold, "none"
    if case.predicted == NIL:
        return gold, "nil"
    return gold, "right" if case.is_right else "other"


def _strata(found: Discovery) -> Table:
    rows: list[tuple[Cell, ...]] = []
    opens: list[tuple[Key | None, ...]] = []
    for stratum, title in _STRATA.items():
        counts = [f"{stratum}_{name}" for name in _COUNTS]
        values = [f"{stratum}_{name}" for name in _MEASURES]
        rows.append((title, *(found.counts[c] for c in counts), *(found.estimates[v] for v in values)))
        opens.append((None, *counts, *values))
    heads = ("precision", "recall", "F1")
    return Table(
        "Out-of-KB and in-KB mentions",
        ("mentions", "gold", "predicted", "right", *heads),
        rows,
        name="strata",
        opens=opens,
        chart=Chart("intervals", x="mentions", y=heads, x_title="mentions", unit=True),
        note="The last row answers the easier question, known or new: any concept is right for a known one.",
    )


def _confusion(found: Discovery) -> Table:
    places = [_place(case) for case in found.cases]
    return Table(
        "Gold against predictions",
        ("gold", *_SAID.values()),
        [(title, *(places.count((gold, said)) for said in _SAID)) for gold, title in _GOLD.items()],
        name="confusion",
        opens=[(None, *(f"confusion:{gold}:{said}" for said in _SAID)) for gold in _GOLD],
        chart=Chart("heatmap", "gold", tuple(_SAID.values()), x_title="predicted", y_title="gold"),
        note="Rows are the gold, columns what was predicted.",
    )


def _overall(found: Discovery) -> Table:
    keys = ("accuracy", "n", "unpredicted")
    return Table(
        "All mentions",
        ("accuracy", "items", "without a prediction"),
        [(found.estimates["accuracy"], found.counts["n"], found.counts["unpredicted"])],
        name="overall",
        opens=[keys],
        note="A mention of several concepts is an item for each of them.",
        help={"accuracy": f"{FAMILY}.accuracy"},
    )
