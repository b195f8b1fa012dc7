"""How a metric introduces itself: one row, read by the app's help, the reports and the documentation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

Direction = Literal["higher", "lower", "none"]
Floats = npt.NDArray[np.float64]


def _elsewhere(sums: Any) -> Any:
    """Of metrics that their family computes from other things than sums."""
    raise NotImplementedError("this metric is not computed from sums")


class Metric(NamedTuple):
    """One number: what it means and how it is computed. Texts are plain sentences or signs, shown everywhere.

    An empty range, direction, source or undefined case is that of the family, which fills it in.
    """

    title: str
    question: str
    """What a reader asks when looking at it."""
    formula: str
    range: str = ""
    """With unit, such as `[0, 1]`."""
    direction: Direction | Literal[""] = ""
    """Which way is better."""
    source: str = ""
    """Paper and section, and the rule that settles what the paper leaves open."""
    undefined: str = ""
    """When the value is None, or how zero denominators are settled."""
    of: Callable[[Any], Floats] = _elsewhere
    """The formula: the family's named sums, shape (rows,) each -> values, shape (rows,); NaN: undefined."""
    per: str = ""
    """What the formula gives one value each of, such as `type`, shape (rows, types); empty: one value."""
    whole: Callable[[Any], Floats] | None = None
    """Beside values of each thing, the value over all of them; None: there is none."""
    over: str = ""
    """Which documents enter the sums, in the family's words."""
    rests_on: str = "documents"
    """The sum that counts what the value rests on."""
    std: str = ""
    """The quantity of one document whose mean this is; empty: no mean, so no standard deviation."""
    opens: str = "f1"
    """The measure whose items the value counts (`core.metrics.documents.BEHIND`)."""
    reason: str = ""
    """Why it is undefined although documents enter the sums, as a sentence."""

    def to_json(self) -> dict[str, str]:
        """What it means, without how it is computed."""
        return {name: getattr(self, name) for name in TEXTS}


TEXTS = ("title", "question", "formula", "range", "direction", "source", "undefined")
_SHARED = ("range", "direction", "source", "undefined")


@dataclass(frozen=True, slots=True)
class Family:
    """Metrics that share their items and their input; one file each."""

    title: str
    item: str
    """What is counted."""
    metrics: Mapping[str, Metric]
    """Complete: what a row leaves empty is filled in from here."""
    range: str = "[0, 1]"
    direction: Direction = "higher"
    source: str = ""
    undefined: str = ""
    adds: Callable[[Any], Mapping[str, float]] = _elsewhere
    """What one document (`core.metrics.documents.Outcome`) adds to the sums that the formulas name. A family
    that has it is evaluated by its rows alone; others have a file in `core.evaluate.families`."""

    def __post_init__(self) -> None:
        complete = {
            name: row._replace(**{field: getattr(row, field) or getattr(self, field) for field in _SHARED})
            for name, row in self.metrics.items()
        }
        object.__setattr__(self, "metrics", complete)

    @property
    def computed(self) -> dict[str, Metric]:
        """The rows that bear their formula as a function."""
        return {name: row for name, row in self.metrics.items() if row.of is not _elsewhere}

    def names(self, strata: Sequence[object] = ()) -> tuple[str, ...]:
        """Of the computed values, in their order: `NAME`, or `NAME:STRATUM` of each where a row has such."""
        return tuple(
            name
            for key, row in self.computed.items()
            for name in (
                *([key] if row.whole or not row.per else []),
                *(f"{key}:{stratum}" for stratum in strata if row.per),
            )
        )

    def values(self, sums: Any) -> Floats:
        """The values of `names` for each row of named sums, shape (rows, names)."""
        rows = self.computed.values()
        return np.column_stack([of(sums) for row in rows for of in (row.whole, row.of) if of is not None])


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
