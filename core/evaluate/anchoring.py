"""Whether showing the machine's answer makes people accept it: what was shown beside what was answered blind.

    anchoring([True] * 90 + [False] * 10, [True] * 32 + [False] * 8)      # 0.10, between -0.021 and 0.254
    of_passages([0, 1, 0, ...], [1, 2, 1, ...])                           # 0.8: so many more are named blind

Both are parts of one random order, and a hash of its own says which units are blind, so they differ by chance
alone unless showing makes a difference. Positive: more is accepted where it is shown; of passages, less is
looked for beyond what is shown. Source: review-budget, section 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, variance
from typing import Any, NamedTuple

from core.metrics.proportion import difference

LEAST = 10
"""Answers of each part from which on there is an interval."""
NONE_SHOWN = "No answer was given with the machine's answer on the screen."
NONE_BLIND = "No answer was given blind."
TOO_FEW = f"An interval needs {LEAST} answers given blind and {LEAST} given with the machine's answer shown."
ALIKE = "All passages of each slice lack as many concepts, which gives no interval."


class Anchoring(NamedTuple):
    """Of items the accepted share among shown less that among blind, in [-1, 1]; of passages the mean number
    of missing concepts among blind less that among shown."""

    value: float | None
    low: float | None
    high: float | None
    """95 % interval: of items Newcombe's, of passages Welch's."""
    shown: int
    """Decided units that were answered with the machine's answer on the screen; unsure ones do not count."""
    blind: int
    """Decided units that were answered, or passages that were listed, before it."""
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


def of_passages(shown: Sequence[int], blind: Sequence[int]) -> Anchoring:
    """Of passages, how many concepts each has that the run does not propose there: as they were closed with
    the proposals on the screen, and as they were listed before.

    The source names no interval for this difference of means; this is Welch's t interval, without equal
    variances, as `scipy.stats.ttest_ind` has it. Where neither slice varies there is none.
    """
    if not shown or not blind:
        return Anchoring(None, None, None, len(shown), len(blind), NONE_BLIND if shown else NONE_SHOWN)
    value = fmean(blind) - fmean(shown)
    few = min(len(shown), len(blind)) < LEAST
    if few or not variance(shown) + variance(blind):
        return Anchoring(value, None, None, len(shown), len(blind), TOO_FEW if few else ALIKE)
    from scipy.stats import ttest_ind

    low, high = ttest_ind(blind, shown, equal_var=False).confidence_interval(0.95)
    return Anchoring(value, float(low), float(high), len(shown), len(blind), None)
