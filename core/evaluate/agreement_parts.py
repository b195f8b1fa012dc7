"""Where curators agree less: field by field, class by class of what was proposed, and over time.

    found = parts(answers, ratings, "named", Bootstrap(1000), decided_at)

The values of a part are those of all curators together, over its items: of two curators Cohen's kappa, of
more Fleiss' kappa, over what all of them rated. Intervals resample the documents that hold its items.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from core.charts import Table
from core.evaluate.curator_answers import Answers
from core.evaluate.curators import Place, Ratings, Unit, Universe
from core.evaluate.tables import agreement_parts as cells
from core.evaluate.tables.agreement_parts import Part, doubly
from core.evaluate.tables.curators import differ
from core.metrics.agreement_intervals import Bootstrap, alpha_estimate, fleiss_estimate, kappa, observed

WINDOWS, LEAST = 10, 10
"""At most so many windows of time, each of at least so many items."""
NOT_PROPOSED = "not proposed"
Moments = Callable[[Container[int]], Mapping[int, str]]
"""Numbers of decisions -> when each was made, in UTC."""


class Parts(NamedTuple):
    tables: tuple[Table, ...]
    """`fields`, `classes` and `time`."""
    fields: tuple[Ratings, ...]
    """What the curators say in every field, the least agreement first."""
    disputed: tuple[Place, ...]
    """What they differ on in any field, each once, in the order of the fields."""
    unsettled: tuple[Place, ...]
    """Of these, what no adjudication has settled."""


def parts(answers: Answers, ratings: Ratings, universe: Universe, how: Bootstrap, moments: Moments) -> Parts:
    """
    Args:
        ratings: of the field that classes and time are about.
    """
    units = ratings.universe(ratings.curators, universe)
    by_field = _worst_first(_fields(answers, universe, how))
    tables = (
        cells.fields(by_field),
        cells.classes(_worst_first(_classes(answers, ratings, units, how)), ratings),
        cells.time(_windows(answers, ratings, units, how, moments), len(doubly(units)), 2 * LEAST),
    )
    disputed = dict.fromkeys(unit[:2] for part in by_field for unit in part.differing)
    unsettled = [place for place in disputed if ratings.items.get(place) not in answers.ruled]
    return Parts(tables, tuple(part.ratings for part in by_field), tuple(disputed), tuple(unsettled))


def _fields(answers: Answers, universe: Universe, how: Bootstrap) -> list[Part]:
    found = []
    for asked, ratings in answers.fields.items():
        looked = sorted({doc_id for pair in ratings.pairs() for doc_id in ratings.looked(pair)})
        units = ratings.universe(ratings.curators, universe)
        found.append(_part(asked, ratings, units, how, looked))
    return found


def _classes(answers: Answers, ratings: Ratings, units: Sequence[Unit], how: Bootstrap) -> list[Part]:
    of: dict[str, list[Unit]] = {}
    for unit in doubly(units):
        of.setdefault(answers.proposed.get(unit[:2], NOT_PROPOSED), []).append(unit)
    return [_part(name, ratings, held, how) for name, held in sorted(of.items())]


def _windows(
    answers: Answers, ratings: Ratings, units: Sequence[Unit], how: Bootstrap, moments: Moments
) -> list[Part]:
    """Windows of equally many items, in the order in which they got their second answer."""
    rated = doubly(units)
    number = {unit[:2]: _second(answers, ratings, unit) for unit in rated}
    decided = moments(set(number.values()))
    order = sorted(rated, key=lambda unit: (decided.get(number[unit[:2]], ""), number[unit[:2]]))
    n, k = len(order), min(WINDOWS, len(order) // LEAST)
    ends = [round(i * n / k) for i in range(k + 1)] if k > 1 else []
    found = []
    for start, end in pairwise(ends):
        until = decided.get(number[order[end - 1][:2]], "")[:10]
        found.append(_part(until, ratings, order[start:end], how))
    return found


def _second(answers: Answers, ratings: Ratings, unit: Unit) -> int:
    """Number of the decision by which an item had two answers; 0 where it is not known."""
    doc_id, item, said = unit
    given = []
    for curator, label in zip(ratings.curators, said, strict=True):
        if label is not None:
            closed = answers.closed.get(curator, {}).get(doc_id, 0)
            given.append(answers.numbers.get(curator, {}).get((doc_id, item), closed))
    return sorted(given)[1]


def _part(
    name: str,
    ratings: Ratings,
    units: Sequence[Unit],
    how: Bootstrap,
    documents: Sequence[str] | None = None,
) -> Part:
    """
    Args:
        documents: what is resampled; None: those that hold a unit.
    """
    several = doubly(units)
    complete = [unit for unit in several if None not in unit[2]]
    looked = sorted({unit[0] for unit in several}) if documents is None else documents
    of_two = len(ratings.curators) == 2
    every = ratings.looked(ratings.curators) if documents is not None else sorted({u[0] for u in complete})
    chance = kappa if of_two else fleiss_estimate
    return Part(
        name,
        ratings,
        several,
        [unit for unit in several if differ(unit)],
        observed(_rated(several), looked, how),
        chance(_rated(complete), looked if of_two else every, how),
        alpha_estimate(_rated(several), looked, how),
    )


def _rated(units: Sequence[Unit]) -> list[tuple[str, tuple[str | None, ...]]]:
    return [(unit[0], unit[2]) for unit in units]


def _worst_first(found: Sequence[Part]) -> list[Part]:
    """By alpha, which takes every item that two have answered; what is undefined comes last."""

    def key(part: Part) -> tuple[bool, float, int]:
        value = part.alpha.value
        return value is None, 0.0 if value is None else value, -len(part.differing)

    return sorted(found, key=key)
