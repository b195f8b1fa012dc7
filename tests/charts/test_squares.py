"""100 squares: as many of each as were asked for, in reading order."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

from core.charts import squares
from core.charts.squares import CROSS, TICK

SVG = "{http://www.w3.org/2000/svg}"


def signs(right: int, wrong: int) -> str:
    """Of each square in order: tick, cross, or neither."""
    root = ElementTree.fromstring(squares(right, wrong))  # noqa: S314 - our own text
    words = {None: "-", TICK: "t", CROSS: "x"}
    found = []
    for square in root.findall(f"{SVG}g"):
        sign = square.find(f"{SVG}path")
        found.append(words[None if sign is None else sign.get("d")])
        assert (square.find(f"{SVG}rect").get("fill") == "none") == (sign is None)
    return "".join(found)


@pytest.mark.parametrize(("right", "wrong"), [(60, 23), (0, 0), (100, 0), (0, 100), (1, 1), (50, 50)])
def test_there_are_as_many_as_were_asked_for(right: int, wrong: int) -> None:
    assert signs(right, wrong) == "t" * right + "-" * (100 - right - wrong) + "x" * wrong


@pytest.mark.parametrize(("right", "wrong"), [(-1, 0), (0, -1), (60, 41)])
def test_more_than_all_is_refused(right: int, wrong: int) -> None:
    with pytest.raises(ValueError, match="not among 100"):
        squares(right, wrong)
