"""The items of two curators, each for itself: both say yes, both no, they are split, or one is missing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from core.charts import Cell, Chart, Table, Value
from core.evaluate.curator_answers import REJECTED
from core.evaluate.curators import Ratings, Unit
from core.evaluate.tables.curators import listed
from core.metrics.near_agreement import ABSENT

BOTH_YES, BOTH_NO, SPLIT, MISSING = "both yes", "both no", "split", "one missing"
STATES = (BOTH_YES, BOTH_NO, SPLIT, MISSING)
MOST = 400
"""Dots; more items are counted in groups."""
GROUPS = 12
_MEANT = (
    "both yes: the same answer; both no: both reject it; split: two answers; one missing: only one of the "
    "two has answered. What both reject counts here in any case."
)


def state(labels: tuple[str | None, ...]) -> str:
    """What two labels of one item, of which one at least is given, are to each other."""
    if None in labels:
        return MISSING
    if labels[0] != labels[1]:
        return SPLIT
    return BOTH_NO if labels[0] in (ABSENT, REJECTED) else BOTH_YES


def items_of_two(ratings: Ratings, a: str, b: str, shown: Callable[[Unit], bool]) -> Table:
    """A dot per item, or counts of `GROUPS` groups of equally many items where there are more than `MOST`; in
    order of what the two say, then of documents.

    Args:
        shown: whether somebody may see what is said of an item.
    """
    units = [unit for unit in ratings.universe((a, b), "judged") if set(unit[2]) != {None}]
    seen = [unit for unit in units if shown(unit)]
    hidden = len(units) - len(seen)
    note = _MEANT + (f" Left out are {hidden:,} that you have not settled yet." if hidden else "")
    at = ratings.curators.index
    place = f"{at(a)}:{at(b)}"
    if len(seen) > MOST:
        return _grouped(ratings, (a, b), seen, place, note)
    return _dots(ratings, (a, b), seen, place, note)


def _dots(ratings: Ratings, pair: tuple[str, str], units: Sequence[Unit], place: str, note: str) -> Table:
    order = sorted(units, key=lambda unit: STATES.index(state(unit[2])))
    rows: list[tuple[Value | Cell, ...]] = [
        (
            Cell(n, f"dot:{place}:{n}", listed(ratings, [unit], pair)),
            state(unit[2]),
            unit[0],
            f"{unit[1]} ({ratings.names[unit[1]]})" if unit[1] in ratings.names else str(unit[1]),
            *unit[2],
        )
        for n, unit in enumerate(order, 1)
    ]
    heads = ("item", "answers", "document", "concept" if ratings.kind == "concepts" else "pair")
    return Table.of(
        "Item by item",
        (*heads, *(ratings.people[curator] for curator in pair)),
        rows,
        f"dots:{place}",
        chart=Chart("dots", x="answers", y=("item",), groups=STATES),
        note=f"{note} Click a dot to open its item.",
    )


def _grouped(ratings: Ratings, pair: tuple[str, str], units: Sequence[Unit], place: str, note: str) -> Table:
    ends = [round(i * len(units) / GROUPS) for i in range(GROUPS + 1)]
    rows = []
    for start, end in pairwise(ends):
        held: dict[str, list[Unit]] = {name: [] for name in STATES}
        for unit in units[start:end]:
            held[state(unit[2])].append(unit)
        cells = [
            Cell(len(found), f"dots:{place}:{start}:{name}", listed(ratings, found, pair))
            for name, found in held.items()
        ]
        rows.append((f"{start + 1:,} to {end:,}", *cells))
    return Table.of(
        "Item by item",
        ("items", *STATES),
        rows,
        f"dots:{place}",
        chart=Chart("stacked", x="items", y=STATES, y_title="items"),
        note=f"{note} More than {MOST:,} items are counted in groups, in order of documents.",
    )
