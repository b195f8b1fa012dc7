"""Where curators agree less, as tables: by field of their answers, by class of the proposal, over time."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from core.charts import Cell, Chart, Table, Value
from core.evaluate.curators import Ratings, Unit
from core.evaluate.tables.curators import ABOVE_CHANCE, listed
from core.kinds.names import Values, called
from core.metrics.definition import Estimate
from core.metrics.kappa_words import NAMED, in_words

_COUNTED = "items: answered by two curators or more. Every coefficient opens those on which they differ."
_ORDER = "The least agreement first."


class Part(NamedTuple):
    """Agreement of all curators over some of the items."""

    name: str
    ratings: Ratings
    rated: list[Unit]
    """By two or more."""
    differing: list[Unit]
    observed: Estimate
    kappa: Estimate
    """Cohen's of two curators, Fleiss' of more."""
    alpha: Estimate


def doubly(units: Sequence[Unit]) -> list[Unit]:
    """What two or more curators rated."""
    return [unit for unit in units if len(unit[2]) - unit[2].count(None) > 1]


def kappa_of(ratings: Ratings) -> str:
    """What kappa of all curators is called."""
    return "kappa" if len(ratings.curators) == 2 else "Fleiss' kappa"


def fields(found: Sequence[Part]) -> Table:
    """A row for each field of the answers."""
    rows = [(called(part.name), *_values("fields", part)) for part in found]
    note = f"{_ORDER} {_COUNTED} {NAMED}"
    return _table("Answer by answer", ("answer",), rows, "fields", found, note)


def classes(found: Sequence[Part], ratings: Ratings) -> Table:
    """A row for each class, or type of conflict, under which items were proposed."""
    concepts = ratings.kind == "concepts"
    title = "By class of the proposal" if concepts else "By type of conflict, as proposed"
    rows = [(Values(part.name.replace("_", " ")), *_values("classes", part)) for part in found]
    note = f"{_ORDER} The newest proposal of an item names its row. {_COUNTED}"
    return _table(title, ("proposed as",), rows, "classes", found, note)


def time(found: Sequence[Part], rated: int, least: int) -> Table:
    """A row for each window of equally many items.

    Args:
        rated: how many items have two answers.
        least: how many of them are needed.
    """
    note = (
        "Windows of equally many items, in the order in which they got their second answer; until: the day "
        f"of the last one, UTC. {_COUNTED}"
    )
    if not found:
        note = f"Agreement over time needs {least} items with two answers; there are {rated}."
    so_far = list(accumulate(len(part.rated) for part in found))
    rows = [
        (at, part.name or None, *_values(f"time:{at}", part)) for at, part in zip(so_far, found, strict=True)
    ]
    return _table("Over time", ("items so far", "until"), rows, "time", found, note)


def _values(place: str, part: Part) -> tuple[Value | Cell, ...]:
    base = f"{place}:{part.name}"
    differing = listed(part.ratings, part.differing)
    return (
        Cell(len(part.rated), f"{base}:rated", listed(part.ratings, part.rated)),
        Cell(len(part.differing), f"{base}:differ", differing),
        Cell(part.observed, f"{base}:observed", differing),
        Cell(part.kappa, f"{base}:kappa", differing),
        in_words(part.kappa.value),
        Cell(part.alpha, f"{base}:alpha", differing),
    )


def _table(
    title: str,
    first: tuple[str, ...],
    rows: Sequence[tuple[Value | Cell, ...]],
    name: str,
    found: Sequence[Part],
    note: str,
) -> Table:
    kappa = kappa_of(found[0].ratings) if found else "kappa"
    chart = Chart("intervals", x=first[0], y=(kappa, "alpha"), y_title=ABOVE_CHANCE)
    if name == "time":
        chart = Chart("curve", x=first[0], y=("alpha",), y_title="alpha")
    return Table.of(
        title,
        (*first, "items", "differ", "observed", kappa, "in words", "alpha"),
        rows,
        name,
        chart=chart,
        note=note,
        help={
            "observed": "agreement.observed",
            kappa: "agreement.kappa" if kappa == "kappa" else "agreement.fleiss",
            "alpha": "agreement.alpha",
        },
    )
