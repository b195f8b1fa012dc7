"""A set of labels as 100 squares: right, not known, wrong. Plain SVG, so that it is there at once."""

from __future__ import annotations

from collections.abc import Iterator

SIDE = 10
"""Squares in a row, and rows."""
STEP, SIZE = 20, 17
"""Units from one square to the next, and its side."""
RIGHT, WRONG, UNKNOWN = "#1e837a", "#c4483a", "#7b8783"
"""Each has a contrast of at least 3 on the light and on the dark background."""
TICK, CROSS = "M4.5 9l3 3 5-6.5", "M5 5l7 7M12 5l-7 7"


def squares(right: int, wrong: int) -> str:
    """The picture, row by row: what is right with a tick from the first square on, what is wrong with a cross
    up to the last one, hollow in between.

    Raises:
        ValueError: there are fewer than none, or more than 100.
    """
    if min(right, wrong) < 0 or right + wrong > SIDE * SIDE:
        raise ValueError(f"{right} right and {wrong} wrong squares are not among {SIDE * SIDE}")
    drawn = "".join(_square(at, right, wrong) for at in range(SIDE * SIDE))
    side = SIDE * STEP
    size = f'viewBox="0 0 {side} {side}" width="{side}" height="{side}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{drawn}</svg>'


def _square(at: int, right: int, wrong: int) -> str:
    place = f"translate({at % SIDE * STEP} {at // SIDE * STEP})"
    return f'<g transform="{place}">{"".join(_parts(at, right, wrong))}</g>'


def _parts(at: int, right: int, wrong: int) -> Iterator[str]:
    if right <= at < SIDE * SIDE - wrong:
        inner = SIZE - 1
        yield f'<rect x=".5" y=".5" width="{inner}" height="{inner}" rx="3" fill="none" stroke="{UNKNOWN}"/>'
        return
    colour, sign = (RIGHT, TICK) if at < right else (WRONG, CROSS)
    yield f'<rect width="{SIZE}" height="{SIZE}" rx="3" fill="{colour}"/>'
    yield f'<path d="{sign}" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round"/>'
