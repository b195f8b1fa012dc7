"""What a whole set is worth, from the decisions on a beginning of its draw (`core.metrics.draw`).

    precision([True, True, False, True], f, inclusion(u, q, 4), size=10, mean_f=0.8)
    # value 0.75, low 0.381, high 0.936, n 4, of 10, method "wilson"

y: the answer to a unit, None where it is unsure. f: the machine's probability that the unit is right. w = 1
/ pi, means are weighted by w. With u the influence of a unit on the share of right ones among the decided,
u = (y - share) * (all w / decided w), 0 where it is unsure:

    lambda = sum w (f - f_w) u / sum w (f - f_w)^2
    value  = share + lambda (mean f of the frame - f_w)
    e      = u - lambda (f - f_w)
    V      = [n / (n - 2)] sum (1 - pi)(e / pi)^2 / N^2                        n - 1 without lambda

Interval: logit scale, Student's t with n - 2 (n - 1) degrees of freedom. This is PPI++ for a finite set:
the factor 1 - pi makes the interval shrink to nothing where all is decided. Where no answer is unsure, u =
y - share and these are the formulas of review-budget, section 3. Fewer than 30 decisions, or fewer than 5
of either answer: Wilson's interval with n' = n / (1 - counted / N) where all chances are equal, else no
interval.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from core.metrics.definition import Family, Metric
from core.metrics.draw import Floats
from core.metrics.proportion import wilson

ENOUGH, ENOUGH_OF_EACH = 30, 5
"""Decisions, and decisions of either answer, from which the normal approximation is trusted."""
TWO, ENOUGH_PASSAGES = 2, 10
"""Passages from which there is a value, and an interval."""
NO_SPREAD = 1e-12
"""Sum of squares below which all f are the same but for rounding."""
MANY_UNSURE = 0.05
"""Share of unsure answers from which the bounds say more than the value."""
FAMILY = Family(
    title="Estimates of a whole set",
    item="a drawn unit of a frame",
    metrics={
        "precision": Metric(
            "Estimated precision",
            "Which share of all that the run proposed is right, and how sure is that after so few decisions?",
            "y_w + λ (f_U − f_w), λ = Σw(f − f_w)(y − y_w) / Σw(f − f_w)²; logit interval from "
            "V = n/(n − 2) · Σ(1 − π)(e/π)² / N²; Wilson with n' = n/(1 − n/N) for few decisions",
            "[0, 1]",
            "higher",
            "Angelopoulos et al. (2023), PPI++, for a finite set; Wilson (1927)",
            "No drawn unit is decided.",
        ),
    },
)
NONE_DECIDED = "No drawn item is decided."
NOTHING_PROPOSED = "Nothing is proposed in the passages that are decided."
TOO_FEW = "Where chances differ, an interval needs 30 decisions, and 5 of either answer."
TOO_FEW_PASSAGES = "A value needs 2 closed passages, an interval 10."
NO_HELP = "Confidences do not help here: they are missing or all the same."
OUTSIDE = "The estimate lies outside (0, 1), so it has no interval."


@dataclass(frozen=True, slots=True)
class SetEstimate:
    """A figure of a whole set."""

    value: float | None
    low: float | None = None
    high: float | None = None
    """Bounds of the 95 % interval."""
    n: int = 0
    """Decisions that it rests on; unsure ones are not counted."""
    of: int = 0
    """Units of the frame."""
    slope: float = 0.0
    """lambda: how far the machine's guess is used."""
    variance: float | None = None
    """V, of the value; None where there is no such interval."""
    method: str | None = None
    """`regression`, `decisions` (without the machine's guess), `wilson` or `census`."""
    reason: str | None = None
    """Why there is no value, no interval, or no use of confidences, as a sentence."""
    unsure: int = 0
    if_wrong: float | None = None
    if_right: float | None = None
    """The value if all unsure answers were wrong, or right, by decisions alone."""

    @property
    def is_open(self) -> bool:
        """Whether so many answers are unsure that the bounds are the headline."""
        return self.unsure >= MANY_UNSURE * (self.n + self.unsure) and self.unsure > 0

    def to_json(self) -> dict[str, Any]:
        return {
            **{name: getattr(self, name) for name in ("value", "low", "high", "n", "of")},
            "lambda": self.slope,
            "V": self.variance,
            "method": self.method,
            "reason": self.reason,
            **{name: getattr(self, name) for name in ("unsure", "if_wrong", "if_right")},
        }


def precision(
    y: Sequence[bool | None], f: Sequence[float | None], pi: Floats, size: int, mean_f: float | None
) -> SetEstimate:
    """The share of right units in a whole frame, with its interval.

    Args:
        y: answers to the counted units, None where unsure.
        f: the machine's probability that each of them is right; None: there is none, and it is not used.
        pi: their inclusion probabilities, shape (counted,), in (0, 1].
        size: units of the frame.
        mean_f: mean of f over the whole frame; None where a unit has none.
    """
    counted = len(y)
    decided = np.array([one is not None for one in y], dtype=bool)
    right = np.array([bool(one) for one in y], dtype=bool)
    n, hits = int(decided.sum()), int(right.sum())
    found = SetEstimate(None, n=n, of=size, unsure=counted - n)
    w = 1 / pi
    if counted > n:
        found = replace(found, if_wrong=_share(w, right), if_right=_share(w, right | ~decided))
    if not n:
        return replace(found, reason=NONE_DECIDED)
    share = _share(w[decided], right[decided])
    found = replace(found, value=share)
    if counted == size:
        return replace(found, low=share, high=share, variance=0.0, method="census")
    if n < ENOUGH or min(hits, n - hits) < ENOUGH_OF_EACH:
        if np.ptp(pi) > 0:
            return replace(found, reason=TOO_FEW)
        corrected = n / (1 - counted / size)
        low, high = wilson(share * corrected, corrected)
        return replace(found, low=low, high=high, method="wilson")
    u = np.where(decided, right - share, 0.0) * (w.sum() / w[decided].sum())
    guess, mean = np.zeros(counted), 0.0
    if mean_f is not None:
        guess = np.array(f, dtype=np.float64)
        mean = float(np.average(guess, weights=w))
        guess -= mean
    spread = float((w * guess**2).sum())
    slope = float((w * guess * u).sum()) / spread if spread > NO_SPREAD else 0.0
    e = u - slope * guess
    freedom = n - 2 if slope else n - 1
    variance = float(n / freedom * ((1 - pi) * (e / pi) ** 2).sum() / size**2)
    found = replace(
        found,
        value=share + slope * ((mean_f or 0.0) - mean),
        slope=slope,
        variance=variance,
        method="regression" if slope else "decisions",
        reason=None if slope else NO_HELP,
    )
    return _with_interval(found, freedom)


def precision_of_passages(
    right: Sequence[int], proposed: Sequence[int], pi: Floats, size: int, unsure: int = 0
) -> SetEstimate:
    """The share of right proposals in a whole frame of passages, which are drawn, and so count, as one unit
    each (a ratio estimator; review-budget, section 3, without the machine's guess).

    Args:
        right: right proposals of each counted passage.
        proposed: its decided proposals.
        pi: inclusion probabilities of these passages, shape (counted,).
        size: passages of the frame.
        unsure: proposals in these passages without an answer either way.
    """
    counted, n = len(right), np.array(proposed, dtype=np.float64)
    found = SetEstimate(None, n=counted, of=size, unsure=unsure)
    if not counted:
        return replace(found, reason=NONE_DECIDED)
    w, hits = 1 / pi, np.array(right, dtype=np.float64)
    mean = float(np.average(n, weights=w))
    if not mean:
        return replace(found, reason=NOTHING_PROPOSED)
    value = float((w * hits).sum() / (w * n).sum())
    if counted == size:
        return replace(found, value=value, low=value, high=value, variance=0.0, method="census")
    if counted < TWO:
        return replace(found, reason=TOO_FEW_PASSAGES)
    found = replace(found, value=value, method="decisions")
    if counted < ENOUGH_PASSAGES:
        return replace(found, reason=TOO_FEW_PASSAGES)
    e = (hits - value * n) / mean
    variance = float(counted / (counted - 1) * ((1 - pi) * (e / pi) ** 2).sum() / size**2)
    return _with_interval(replace(found, variance=variance), counted - 1)


def _share(w: Floats, right: Any) -> float:
    return float((w * right).sum() / w.sum())


def _with_interval(found: SetEstimate, freedom: int) -> SetEstimate:
    from scipy.special import expit, logit, stdtrit

    value, variance = found.value, found.variance
    if value is None or variance is None or not 0 < value < 1:
        return replace(found, reason=OUTSIDE)
    half = stdtrit(freedom, 0.975) * variance**0.5 / (value * (1 - value))
    return replace(found, low=float(expit(logit(value) - half)), high=float(expit(logit(value) + half)))
