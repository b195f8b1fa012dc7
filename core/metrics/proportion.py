"""Shares of independent items, with an interval that holds for few items and near 0 and 1.

    wilson(8, 10)                       # (0.490, 0.943)
    share(8, 10).value                  # 0.8, with those bounds
    difference(90, 100, 32, 40)         # (-0.021, 0.254)

**Wilson interval** of k hits among n items at a level such as 0.95, with z = Φ⁻¹((1 + level) / 2):

    centre = (k + z²/2) / (n + z²)
    half   = z / (n + z²) · √( k (n - k) / n + z²/4 )
    low, high = centre - half, centre + half

Unit: a share in [0, 1]. k = 0 gives low = 0 exactly, k = n gives high = 1 exactly; the interval always
holds k / n, is never empty and never leaves [0, 1]. n = 0: undefined (rule N0). Source: Wilson (1927), score
interval without continuity correction; metric-definitions has no entry.

Items of one document are not independent, so a value over a corpus takes the bootstrap over documents
(`core.metrics.bootstrap`); Wilson is for counts of items that stand for themselves, such as the cells of a
slice, where a bootstrap of few documents would say nothing.
"""

from __future__ import annotations

from math import hypot, sqrt
from statistics import NormalDist

from core.metrics.bootstrap import LEAST, TOO_FEW
from core.metrics.definition import Estimate, Family, Metric

FAMILY = Family(
    title="Shares with intervals",
    item="an item that is a hit or none, independent of the others",
    metrics={
        "share": Metric(
            "Share with Wilson interval",
            "Which share is it, and between which shares may it lie, given so few items?",
            "k / n; bounds (k + z²/2 ± z·√(k(n - k)/n + z²/4)) / (n + z²), z = Φ⁻¹((1 + level)/2)",
            "[0, 1]",
            "none",
            "Wilson (1927), score interval without continuity correction",
            "No item (n = 0).",
        ),
    },
)

NOTHING = "There is no item to take a share of."


def wilson(k: float, n: float, level: float = 0.95) -> tuple[float, float] | tuple[None, None]:
    """(low, high) of the share k / n, each in [0, 1]; (None, None) where n = 0.

    Args:
        k: hits, in [0, n]; k and n need not be whole, where a count is corrected (`core.metrics.whole_set`).
        level: in (0, 1).

    Raises:
        ValueError: k or n is no count of items, or the level is outside (0, 1).
    """
    if not 0 <= k <= n or not 0 < level < 1:
        raise ValueError(f"no interval at level {level} for {k} of {n}")
    if not n:
        return None, None
    z = NormalDist().inv_cdf((1 + level) / 2)
    centre = (k + z * z / 2) / (n + z * z)
    half = z / (n + z * z) * sqrt(k * (n - k) / n + z * z / 4)
    # at the ends the formula gives 0 and 1 but for the last bits
    return 0.0 if k == 0 else centre - half, 1.0 if k == n else centre + half


def difference(
    k: float, n: float, other_k: float, other_n: float, level: float = 0.95
) -> tuple[float, float] | tuple[None, None]:
    """(low, high) of k / n - other_k / other_n, two independent shares; each in [-1, 1]. (None, None) where
    either is of nothing.

    With p, q the shares and l, u their Wilson bounds: p - q - √((p - l)² + (u' - q)²) and
    p - q + √((u - p)² + (q - l')²). Source: Newcombe (1998), method 10, without continuity correction.

    Raises:
        ValueError: as `wilson`.
    """
    low, high = wilson(k, n, level)
    other_low, other_high = wilson(other_k, other_n, level)
    if low is None or high is None or other_low is None or other_high is None:
        return None, None
    p, q = k / n, other_k / other_n
    return p - q - hypot(p - low, other_high - q), p - q + hypot(high - p, q - other_low)


def share(k: int, n: int, level: float = 0.95, *, documents: int | None = None) -> Estimate:
    """k / n with its Wilson interval; `n` of the estimate counts items.

    Args:
        documents: that the items stand in; None: each item stands for itself. From fewer than two there is
            no interval, however many items they hold.
    """
    low, high = wilson(k, n, level)
    if not n:
        return Estimate(None, 0, reason=NOTHING)
    rests_on = n if documents is None else documents
    if rests_on < LEAST:
        return Estimate(k / n, n, interval_reason=TOO_FEW.format(rests_on), documents=documents)
    return Estimate(k / n, n, low=low, high=high, documents=documents)
