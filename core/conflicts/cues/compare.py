"""Two texts' cues side by side, axis by axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.conflicts.cues.numbers import days, interval
from core.conflicts.cues.phrases import regions
from core.records import Axis, Cue

_TOLERANCE = 1.1
"""Times within a tenth of each other are as long: 6 months and 26 weeks."""
_INTERVALS = {"age", "year", "stage", "grade", "NYHA class"}
_TIMES = {"duration", "window"}


@dataclass(frozen=True, slots=True)
class AxisRow:
    """What two texts say along one axis."""

    axis: Axis
    a: tuple[Cue, ...]
    b: tuple[Cue, ...]
    differs: bool
    """Whether both say something of the same kind (age, place, blinding, ...) that cannot be the same. False
    where one of them is silent: it may well be the same."""


def line_up(a: Sequence[Cue], b: Sequence[Cue]) -> list[AxisRow]:
    """A row for each axis on which a side says something, in the order of the axes."""
    rows = []
    for axis in Axis:
        left = tuple(cue for cue in a if cue.axis is axis)
        right = tuple(cue for cue in b if cue.axis is axis)
        if left or right:
            rows.append(AxisRow(axis, left, right, _differ(left, right)))
    return rows


def _differ(left: tuple[Cue, ...], right: tuple[Cue, ...]) -> bool:
    ours, theirs = _facets(left), _facets(right)
    return any(
        not any(_agree(facet, x, y) for x in ours[facet] for y in theirs[facet])
        for facet in ours.keys() & theirs.keys()
    )


def _facets(cues: tuple[Cue, ...]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for cue in cues:
        facet, _, value = cue.value.partition(": ")
        found.setdefault(facet, set()).add(value)
    return found


def _agree(facet: str, x: str, y: str) -> bool:
    """Whether two values of a facet may be the same thing."""
    if x == y:
        return True
    if facet == "place":
        return regions().get(x) == y or regions().get(y) == x
    if facet in _INTERVALS:
        first, second = interval(x), interval(y)
        return bool(first and second and first[0] <= second[1] and second[0] <= first[1])
    if facet in _TIMES:
        first, second = days(x), days(y)
        return bool(
            first and second and first[0] <= second[1] * _TOLERANCE and second[0] <= first[1] * _TOLERANCE
        )
    return False
