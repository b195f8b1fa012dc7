"""Whether showing the machine's answer makes people accept it: what was shown beside what was answered blind.

    anchoring([True] * 90 + [False] * 10, [True] * 32 + [False] * 8)      # 0.10, between -0.021 and 0.254

Both are parts of one random order, and a hash of its own says which units are blind, so they differ by chance
alone unless showing makes a difference. Positive: more is accepted where it is shown. Source: review-budget,
section 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from core.metrics.proportion import difference

LEAST = 10
"""Answers of each part from which on there is an interval."""
NONE_SHOWN = "No answer was given with the machine's answer on the screen."
NONE_BLIND = "No answer was given blind."
TOO_FEW = f"An interval needs {LEAST} answers given blind and {LEAST} given with the machine's answer shown."
OF_PASSAGES = "It is told of frames of items alone."


class Anchoring(NamedTuple):
    """Accepted share among shown less that among blind."""

    value: float | None
    low: float | None
    high: float | None
    """Newcombe's 95 % interval."""
    shown: int
    """Decided units that were answered with the machine's answer on the screen; unsure ones do not count."""
    blind: int
    """Decided units that were answered before it."""
    reason: str | None
    """Why there is no value, or no interval, as a sentence."""

    def to_json(self) -> dict[str, Any]:
        return self._asdict()


def anchoring(shown: Sequence[bool | None], blind: Sequence[bool | None]) -> Anchoring:
    """Of answers given, each whether it accepts what is proposed, or None where it is unsure."""
    yes, of = shown.count(True), len(shown) - shown.count(None)
    blind_yes, blind_of = blind.count(True), len(blind) - blind.count(None)
    if not of or not blind_of:
        return Anchoring(None, None, None, of, blind_of, NONE_BLIND if of else NONE_SHOWN)
    value = yes / of - blind_yes / blind_of
    if min(of, blind_of) < LEAST:
        return Anchoring(value, None, None, of, blind_of, TOO_FEW)
    low, high = difference(yes, of, blind_yes, blind_of)
    return Anchoring(value, low, high, of, blind_of, None)
