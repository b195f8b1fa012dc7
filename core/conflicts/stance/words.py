"""A claim as the words and pairs of neighbouring words that weights are kept for."""

from __future__ import annotations

import re
from itertools import pairwise

from core.records import Direction

_P_VALUE = re.compile(r"\bp\s*(?:-?values?)?\s*(?:was|of|is)?\s*([<=>≤≥])\s*0?\.(\d+)")
_NUMBER = re.compile(r"\d[\d.,]*")
_WORD = re.compile(r"[a-z][a-z-]+")
_FIVE = re.compile(r"\b(?:no|not|without|neither|nor)\b", re.IGNORECASE)
SIGNIFICANT, NOT_SIGNIFICANT = "p-below", "p-above"
"""Stand for a p value of at most 0.05 and for another one."""


def says_no(claim: str) -> bool:
    """Whether it has one of five words: no, not, without, neither, nor."""
    return bool(_FIVE.search(claim))


def words(claim: str, direction: Direction, negated: bool) -> frozenset[str]:
    """Names of what holds of a claim.

    Args:
        direction, negated: as the rules read them.
    """
    text = _P_VALUE.sub(_level, claim.lower().replace("·", "."))
    found = _WORD.findall(_NUMBER.sub(" ", text))
    held = {*found, *map(" ".join, pairwise(found)), f"rule: {direction.value}"}
    return frozenset(held | ({"rule: negated"} if negated else set()))


def _level(found: re.Match[str]) -> str:
    value, sign = float(f"0.{found[2]}"), found[1]
    below = sign not in ">≥" and (value < 0.05 or (value == 0.05 and sign in "<≤"))
    return f" {SIGNIFICANT if below else NOT_SIGNIFICANT} "
