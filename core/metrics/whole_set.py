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

Passages are drawn, and so count, as one unit each (`of_passages`): ratios of weighted means, whose variance
rests on the influence of each passage, without the machine's guess.
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
SMALL = {"item": 60, "passage": 30}
"""Units below which a frame is decided whole: a sample of it saves little."""
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
        "accuracy": Metric(
            "Estimated accuracy",
            "Of which share of all claim pairs is the conflict type right, and how sure is that after so few "
            "decisions?",
            "y_w + λ (f_U − f_w) with y = 1 where the answer keeps the type; interval as for precision",
            "[0, 1]",
            "higher",
            "Angelopoulos et al. (2023), PPI++, for a finite set; Wilson (1927)",
            "No drawn pair is decided.",
        ),
        "recall": Metric(
            "Estimated recall",
            "Which share of all that the passages support has the run proposed?",
            "a/(a + b) of the weighted means of right and missing concepts a passage; logit interval from "
            "V = k/(k − 1) · Σ(1 − π)(u/π)² / D², u = (b·right − a·missing)/(a + b)²",
            "[0, 1]",
            "higher",
            "Särndal, Swensson and Wretman (1992), ratio estimator",
            "No drawn passage is closed, or nothing is right and nothing missing in those that are.",
        ),
        "f1": Metric(
            "Estimated F1",
            "What are precision and recall of the whole run together?",
            "2a/(a + b + c) of the weighted means of right, missing and proposed concepts a passage; "
            "interval as for recall, u = ((2 − F1)·right − F1·missing − F1·proposed)/(a + b + c)",
            "[0, 1]",
            "higher",
            "Särndal, Swensson and Wretman (1992), ratio estimator",
            "No drawn passage is closed, or nothing is proposed and nothing missing in those that are.",
        ),
    },
)
NONE_DECIDED = "No drawn item is decided."
NONE_CLOSED = "No drawn passage is closed, with all that is proposed in it answered."
NOTHING_PROPOSED = "Nothing is proposed in the passages that are decided."
NOTHING_SUPPORTED = "Nothing is right and nothing is missing in the passages that are decided."
NOTHING_SAID = "Nothing is proposed and nothing is missing in the passages that are decided."
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
    """The share of right units in a whole frame, with its interval: of concepts the precision, of claim pairs
    the accuracy.

    Args:
        y: answers to the counted units, None where unsure.
        f: the machine's probability that each of them is right; None: there is none, and it is not used.
        pi: their inclusion probabilities, shape (counted,), in (0, 1].
        size: units of the frame.
        mean_f: mean of f over the whole frame; None where a unit has none.

    Raises:
        ValueError: a confidence lies outside [0, 1].
    """
    for one in (*f, mean_f):
        if one is not None and not 0 <= one <= 1:
            raise ValueError(f"a confidence lies in [0, 1], not at {one}")
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


def of_passages(
    right: Sequence[int],
    missing: Sequence[int],
    proposed: Sequence[int],
    pi: Floats,
    size: int,
    unsure: int = 0,
) -> dict[str, SetEstimate]:
    """Precision, recall and F1 of a whole frame of passages (review-budget, section 3). With a, b, c the
    weighted means of right, missing and proposed per passage:

        precision = a / c      recall = a / (a + b)      F1 = 2a / (a + b + c)

    Args:
        right: right proposals of each counted passage.
        missing: concepts that it supports and that are not proposed there.
        proposed: its decided proposals.
        pi: inclusion probabilities of these passages, shape (counted,).
        size: passages of the frame.
        unsure: proposals in these passages without an answer either way.
    """
    counted = len(right)
    none = SetEstimate(None, n=counted, of=size, unsure=unsure)
    if not counted:
        return dict.fromkeys(("precision", "recall", "f1"), replace(none, reason=NONE_CLOSED))
    tp, m, n = (np.array(one, dtype=np.float64) for one in (right, missing, proposed))
    parts = {
        "precision": (tp, n, NOTHING_PROPOSED),
        "recall": (tp, tp + m, NOTHING_SUPPORTED),
        "f1": (2 * tp, tp + m + n, NOTHING_SAID),
    }
    return {
        name: _ratio(none, top, whole, pi) if whole.any() else replace(none, reason=reason)
        for name, (top, whole, reason) in parts.items()
    }


def _ratio(found: SetEstimate, top: Floats, whole: Floats, pi: Floats) -> SetEstimate:
    """The ratio of two means of passages with its interval; the influence of a passage on a / c is
    (top - (a / c) whole) / c, for each of the three the same as review-budget writes it.

    Args:
        found: how many passages are counted, and of how many.
        top, whole: of each counted passage, shape (counted,).
    """
    w = 1 / pi
    value = float((w * top).sum() / (w * whole).sum())
    if found.n == found.of:
        return replace(found, value=value, low=value, high=value, variance=0.0, method="census")
    if found.n < TWO:
        return replace(found, reason=TOO_FEW_PASSAGES)
    found = replace(found, value=value, method="decisions")
    if found.n < ENOUGH_PASSAGES:
        return replace(found, reason=TOO_FEW_PASSAGES)
    e = (top - value * whole) / np.average(whole, weights=w)
    variance = float(found.n / (found.n - 1) * ((1 - pi) * (e / pi) ** 2).sum() / found.of**2)
    return _with_interval(replace(found, variance=variance), found.n - 1)


def _share(w: Floats, right: Any) -> float:
    return float((w * right).sum() / w.sum())


def _with_interval(found: SetEstimate, freedom: int) -> SetEstimate:
    from scipy.special import expit, logit, stdtrit

    value, variance = found.value, found.variance
    if value is None or variance is None or not 0 < value < 1:
        return replace(found, reason=OUTSIDE)
    half = stdtrit(freedom, 0.975) * variance**0.5 / (value * (1 - value))
    return replace(found, low=float(expit(logit(value) - half)), high=float(expit(logit(value) + half)))
