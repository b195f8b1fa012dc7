"""A set of labels as 100 squares: right, not known, wrong. Plain SVG, so that it is there at once.

Each kind of square is drawn once, as a pattern that fills rows: a page that bears the picture as an address
reads every letter of it.
"""

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
    patterns = f"{_solid('right', RIGHT, TICK)}{_hollow('unknown')}{_solid('wrong', WRONG, CROSS)}"
    ends = {"right": right, "unknown": SIDE * SIDE - wrong, "wrong": SIDE * SIDE}
    side = SIDE * STEP
    size = f'viewBox="0 0 {side} {side}" width="{side}" height="{side}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{patterns}{"".join(_strips(ends))}</svg>'


def _strips(ends: dict[str, int]) -> Iterator[str]:
    """Squares side by side in one row, each kind up to the square before its end."""
    at = 0
    for kind, end in ends.items():
        while at < end:
            row, column = divmod(at, SIDE)
            n = min(end - at, SIDE - column)
            place = f'x="{column * STEP}" y="{row * STEP}" width="{n * STEP}" height="{STEP}"'
            yield f'<rect {place} fill="url(#{kind})"/>'
            at += n


def _solid(kind: str, colour: str, sign: str) -> str:
    return _pattern(
        kind,
        f'<rect width="{SIZE}" height="{SIZE}" rx="3" fill="{colour}"/>'
        f'<path d="{sign}" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round"/>',
    )


def _hollow(kind: str) -> str:
    inner = f'x=".5" y=".5" width="{SIZE - 1}" height="{SIZE - 1}"'
    return _pattern(kind, f'<rect {inner} rx="3" fill="none" stroke="{UNKNOWN}"/>')


def _pattern(kind: str, drawn: str) -> str:
    units = f'patternUnits="userSpaceOnUse" width="{STEP}" height="{STEP}"'
    return f'<pattern id="{kind}" {units}>{drawn}</pattern>'
