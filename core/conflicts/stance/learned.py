"""The learned weights at work."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from core.conflicts.finding import read
from core.conflicts.finding.direction import is_negated
from core.conflicts.stance.words import says_no, words
from core.records import Direction

HERE = Path(__file__).parent
BASE = "(base)"
"""The row of a table that holds of every claim or pair."""
SURE = 0.6
"""Chance from which the weights tell the direction of a claim that the rules cannot read."""
DIRECTIONS = (Direction.DECREASED, Direction.UNCHANGED, Direction.INCREASED)


class Effects(NamedTuple):
    """Chances, in [0, 1], that a claim says its outcome was less, no different, more; they sum to 1."""

    less: float
    none: float
    more: float


@cache
def table(name: str) -> dict[str, tuple[float, ...]]:
    """Row -> its weights."""
    lines = (HERE / f"{name}.tsv").read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t") for line in lines if line and not line.startswith("#"))
    return {row[0]: tuple(map(float, row[1:])) for row in rows}


@lru_cache(4_096)
def _effects(claim: str) -> Effects:
    return effects(claim, table("effect"))


def effects(claim: str, weights: Mapping[str, tuple[float, ...]] | None = None) -> Effects:
    """What a claim says of its outcome, by its words and by what the rules read.

    Args:
        weights: in place of `effect.tsv`.
    """
    if weights is None:
        return _effects(claim)
    held = words(claim, read(claim).direction, is_negated(claim))
    sums = list(weights[BASE])
    for one in held:
        for at, weight in enumerate(weights.get(one, ())):
            sums[at] += weight
    top = max(sums)
    raised = [math.exp(one - top) for one in sums]
    return Effects(*(one / sum(raised) for one in raised))


def corrected(claim: str) -> Direction:
    """The likeliest direction; unclear where the rules read none and the weights are not sure."""
    chances = effects(claim)
    best = max(range(3), key=chances.__getitem__)
    told = read(claim).direction
    return told if told is Direction.UNCLEAR and chances[best] < SURE else DIRECTIONS[best]


def signs(a: str, b: str, chances: Callable[[str], Effects] = _effects) -> dict[str, float]:
    """What speaks for two claims of one question disagreeing; names are those of `conflict.tsv`.

    Args:
        chances: what a claim says of its outcome.
    """
    one, two = chances(a), chances(b)
    read_a, read_b = read(a).direction, read(b).direction
    told = Direction.UNCLEAR not in (read_a, read_b)
    gap = one.none * (1 - two.none) + two.none * (1 - one.none)
    found = {
        "both read": float(told),
        "effect against none": gap if told else 0.0,
        "less against more": one.less * two.more + one.more * two.less if told else 0.0,
        "read otherwise": float(told and read_a is not read_b),
        "one side says no": float(says_no(a) != says_no(b)),
        "one side denies": float(is_negated(a) != is_negated(b)),
        "one side says no, unread": float(not told and says_no(a) != says_no(b)),
        "one side denies, unread": float(not told and is_negated(a) != is_negated(b)),
        "effect against none, unread": 0.0 if told else gap,
    }
    return found


def conflict(
    a: str,
    b: str,
    weights: Mapping[str, tuple[float, ...]] | None = None,
    chances: Callable[[str], Effects] = _effects,
) -> float:
    """Chance, in [0, 1], that two claims of one question disagree.

    Args:
        weights: in place of `conflict.tsv`.
        chances: what a claim says of its outcome.
    """
    weights = table("conflict") if weights is None else weights
    odds = weights[BASE][0] + sum(weights[name][0] * value for name, value in signs(a, b, chances).items())
    return 1 / (1 + math.exp(-odds))
