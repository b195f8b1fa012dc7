"""How a metric introduces itself: one row, read by the app's help, the reports and the documentation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

Direction = Literal["higher", "lower", "none"]


class Metric(NamedTuple):
    """One number. Every field is a plain sentence or sign, written once and shown everywhere."""

    title: str
    question: str
    """What a reader asks when looking at it."""
    formula: str
    range: str
    """With unit, such as `[0, 1]`."""
    direction: Direction
    """Which way is better."""
    source: str
    """Paper and section, and the rule that settles what the paper leaves open."""
    undefined: str
    """When the value is None, or how zero denominators are settled."""


class Family(NamedTuple):
    """Metrics that share their items and their input; one file each."""

    title: str
    item: str
    """What is counted."""
    metrics: Mapping[str, Metric]


FEW = 10
"""Documents below which a value is marked: its interval is itself unsure."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with everything that must travel with it."""

    value: float | None
    """None: undefined, and `reason` says why."""
    n: int
    """Documents that the value rests on."""
    std: float | None = None
    """Population standard deviation (ddof = 0) over those documents; only for means over documents."""
    low: float | None = None
    high: float | None = None
    """Bounds of the interval; None where there is none."""
    dropped: int = 0
    """Resamples left out because the value was undefined in them."""
    reason: str | None = None
    interval_reason: str | None = None
    """Why a value that could have an interval has none, as a sentence."""
    blank: str | None = None
    """Why it is shown as a dash though its definition gives a number, as a sentence: nothing was there."""
    documents: int | None = None
    """Where `n` counts items: the documents that they stand in, as far as known."""

    @property
    def few(self) -> bool:
        """Whether the value rests on fewer than `FEW` documents."""
        rests_on = self.n if self.documents is None else self.documents
        return self.value is not None and rests_on < FEW

    def to_json(self) -> dict[str, Any]:
        return {
            "value": self.value,
            "n": self.n,
            "std": self.std,
            "low": self.low,
            "high": self.high,
            "resamples_dropped": self.dropped,
            "reason": self.reason,
            "interval_reason": self.interval_reason,
            "few": self.few,
        }
