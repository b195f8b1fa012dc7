"""100 squares: as many of each as were asked for, in reading order."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

from core.charts import squares
from core.charts.squares import CROSS, SIDE, STEP, TICK

SVG = "{http://www.w3.org/2000/svg}"
CELLS = SIDE * SIDE


def signs(right: int, wrong: int) -> str:
    """Of each square in order: tick, cross, or neither. Every square is drawn once."""
    root = ElementTree.fromstring(squares(right, wrong))  # noqa: S314 - our own text
    words = {None: "-", TICK: "t", CROSS: "x"}
    meant = {}
    for pattern in root.findall(f"{SVG}pattern"):
        sign = pattern.find(f"{SVG}path")
        meant[f"url(#{pattern.get('id')})"] = words[None if sign is None else sign.get("d")]
        assert (pattern.find(f"{SVG}rect").get("fill") == "none") == (sign is None)
    found: list[str] = [""] * CELLS
    for strip in root.findall(f"{SVG}rect"):
        x, y, width, height = (int(strip.get(name)) for name in ("x", "y", "width", "height"))
        assert height == STEP
        for column in range(x // STEP, (x + width) // STEP):
            found[y // STEP * SIDE + column] += meant[strip.get("fill")]
    return "".join(found)


@pytest.mark.parametrize(("right", "wrong"), [(60, 23), (0, 0), (100, 0), (0, 100), (1, 1), (50, 50)])
def test_there_are_as_many_as_were_asked_for(right: int, wrong: int) -> None:
    assert signs(right, wrong) == "t" * right + "-" * (100 - right - wrong) + "x" * wrong


def test_a_page_has_little_to_read() -> None:
    """It bears the picture as an address, letter by letter: one drawing of each square had 12,000."""
    assert (
        max(len(squares(right, wrong)) for right in range(0, 101, 7) for wrong in range(0, 101 - right, 7))
        < 2000
    )


@pytest.mark.parametrize(("right", "wrong"), [(-1, 0), (0, -1), (60, 41)])
def test_more_than_all_is_refused(right: int, wrong: int) -> None:
    with pytest.raises(ValueError, match="not among 100"):
        squares(right, wrong)
