"""Linked mentions as a family: who knows what the older version cannot name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from core.charts import Cell, Chart, Table, Value
from core.evaluate.families.result import FamilyResult
from core.evaluate.settings import Settings
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
    found = discover(cases, **settings.resampling(len(units(cases))))

    tables = (_strata(found), _confusion(found), _overall(found))
    return FamilyResult(FAMILY, found.estimates, tables, notes=notes, resampled=found.resampled)


def _place(case: Case) -> tuple[str, str]:
    """Row and column of a case in the confusion matrix."""
    gold = "nil" if case.gold == NIL else "concept"
    if case.predicted is None:
        return gold, "none"
    if case.predicted == NIL:
        return gold, "nil"
    return gold, "right" if case.is_right else "other"


def _cells(found: Discovery, keys: Iterable[str]) -> list[Cell]:
    """Counts and values by name, each with its mentions."""
    known: dict[str, Value] = {**found.counts, **found.estimates}
    return [Cell(known[key], key, partial(found.items, key)) for key in keys]


def _strata(found: Discovery) -> Table:
    heads = ("precision", "recall", "F1")
    return Table.of(
        "Out-of-KB and in-KB mentions",
        ("mentions", "gold", "predicted", "right", *heads),
        [
            (title, *_cells(found, (f"{stratum}_{name}" for name in (*_COUNTS, *_MEASURES))))
            for stratum, title in _STRATA.items()
        ],
        "strata",
        chart=Chart("intervals", x="mentions", y=heads, x_title="mentions", unit=True),
        note="The last row answers the easier question, known or new: any concept is right for a known one.",
    )


def _confusion(found: Discovery) -> Table:
    places = [_place(case) for case in found.cases]

    def items(wanted: tuple[str, str]) -> list[Item]:
        every = zip(places, found.items("n"), strict=True)
        return [item for place, item in every if place == wanted]

    return Table.of(
        "Gold against predictions",
        ("gold", *_SAID.values()),
        [
            (
                title,
                *(
                    Cell(places.count((gold, said)), f"confusion:{gold}:{said}", partial(items, (gold, said)))
                    for said in _SAID
                ),
            )
            for gold, title in _GOLD.items()
        ],
        "confusion",
        chart=Chart("heatmap", "gold", tuple(_SAID.values()), x_title="predicted", y_title="gold"),
        note="Rows are the gold, columns what was predicted.",
    )


def _overall(found: Discovery) -> Table:
    return Table.of(
        "All mentions",
        ("accuracy", "items", "without a prediction"),
        [_cells(found, ("accuracy", "n", "unpredicted"))],
        "overall",
        note="A mention of several concepts is an item for each of them.",
        help={"accuracy": f"{FAMILY}.accuracy"},
    )
