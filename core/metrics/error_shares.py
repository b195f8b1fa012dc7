"""What apparent false positives are: missing gold, and five kinds of error, each as a share of two wholes.

    found = error_shares([ErrorType.MISSING_GOLD, ErrorType.CONTEXT, ErrorType.CONTEXT, None])
    found.counts[ErrorType.CONTEXT], found.open                     # 2, 1
    found.of_apparent[ErrorType.CONTEXT].value                      # 2 of 3 apparent false positives
    found.of_true[ErrorType.CONTEXT].value                          # 2 of 2 true errors

Unit: an apparent false positive that somebody classified. The two denominators are never mixed: paper 000
says "among true errors" and divides by all 104 apparent false positives, missing gold included (R43). Unsure
and open ones are in neither. Intervals are Wilson's (`core.metrics.proportion`): the items of an audit set
are drawn one by one, so each stands for itself. Source: paper 000, section 6.2 and Figure 4.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from core.metrics.definition import Estimate, Family, Metric
from core.metrics.proportion import share
from core.records import ErrorType

FAMILY = Family(
    title="Kinds of errors",
    item="an apparent false positive that somebody classified",
    direction="none",
    source="Paper 000, section 6.2 and Figure 4; metric-definitions R43",
    metrics={
        "of_apparent": Metric(
            "Share of apparent false positives",
            "Of all that the run proposes and gold lacks, which share is of this kind?",
            "n of the kind / classified apparent false positives, missing gold included; Wilson interval",
            undefined="Nothing is classified.",
        ),
        "of_true": Metric(
            "Share of true errors",
            "Of what is really wrong, which share is of this kind?",
            "n of the kind / classified apparent false positives without missing gold; Wilson interval",
            undefined="No true error is classified.",
        ),
    },
)
TRUE_ERRORS = tuple(error for error in ErrorType if error is not ErrorType.MISSING_GOLD)
UNSURE: Literal["unsure"] = "unsure"
NOTHING = "Nothing is classified."
NO_ERROR = "No true error is classified."


@dataclass(frozen=True, slots=True)
class ErrorShares:
    """Counts and shares of the kinds, in the order of `ErrorType`."""

    counts: Mapping[ErrorType, int]
    unsure: int
    open: int
    """Nobody has said anything about them."""
    of_apparent: Mapping[ErrorType, Estimate]
    of_true: Mapping[ErrorType, Estimate]
    """Without missing gold, which is no error."""

    @property
    def classified(self) -> int:
        """The denominator of `of_apparent`."""
        return sum(self.counts.values())

    @property
    def true_errors(self) -> int:
        """The denominator of `of_true`."""
        return self.classified - self.counts[ErrorType.MISSING_GOLD]

    def to_json(self) -> dict[str, Any]:
        counts = {error.value: n for error, n in self.counts.items()}
        return {
            "counts": counts | {"unsure": self.unsure, "open": self.open},
            "share_of_apparent": {error.value: one.value for error, one in self.of_apparent.items()},
            "share_of_true": {error.value: one.value for error, one in self.of_true.items()},
            "interval_of_apparent": {error.value: _bounds(one) for error, one in self.of_apparent.items()},
            "interval_of_true": {error.value: _bounds(one) for error, one in self.of_true.items()},
        }


def _bounds(found: Estimate) -> list[float | None] | None:
    return None if found.low is None else [found.low, found.high]


def error_shares(said: Iterable[ErrorType | Literal["unsure"] | None], level: float = 0.95) -> ErrorShares:
    """
    Args:
        said: of each apparent false positive of a sample: what it is, `unsure`, or None where it is open.
        level: of the intervals, in (0, 1).
    """
    found = Counter(said)
    counts = {error: found[error] for error in ErrorType}
    apparent = sum(counts.values())
    errors = apparent - counts[ErrorType.MISSING_GOLD]
    return ErrorShares(
        counts,
        found[UNSURE],
        found[None],
        {error: _share(n, apparent, level, NOTHING) for error, n in counts.items()},
        {error: _share(counts[error], errors, level, NO_ERROR) for error in TRUE_ERRORS},
    )


def _share(k: int, n: int, level: float, reason: str) -> Estimate:
    return share(k, n, level) if n else Estimate(None, 0, reason=reason)
