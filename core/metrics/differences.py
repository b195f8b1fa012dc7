"""Two sets of values on the same documents (or pairs), and one value over several runs.

    difference(before, after)["micro_f1"]             # after - before, with its paired interval
    with_test(baseline, system)["kappa:length 1"].p      # the same, and the p of the paired bootstrap test
    over_seeds([0.0, 0.0, 0.25])                      # mean and standard deviation over runs

Both sides must have drawn the same resamples of the same documents: what they share then cancels out, and the
interval is that of the difference, not of two values beside each other (metric-definitions 0.6). A value that
one of the two gives without resamples has a difference without an interval, and no test.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, Protocol

import numpy as np

from core.metrics.bootstrap import Floats, bounded
from core.metrics.definition import Estimate

DIGITS = 12
"""Differences are rounded to this many decimals: two that are equal as fractions are a tie."""


class Sampled(Protocol):
    """Values, and what they are in each resample."""

    @property
    def estimates(self) -> Mapping[str, Estimate]: ...
    @property
    def resampled(self) -> Mapping[str, Floats]:
        """Name -> shape (resamples,), NaN: undefined; names without an interval may be left out."""


class Difference(NamedTuple):
    estimate: Estimate
    """Second - first, with its paired interval."""
    p: float | None
    """Of the paired bootstrap test (`core.metrics.paired`), two-sided; None where it is undefined, as from
    fewer than two documents."""


def difference(before: Sampled, after: Sampled, level: float = 0.95) -> dict[str, Estimate]:
    """after - before of every value that both have; None where either is undefined. `n` is the smaller of
    the two.

    Raises:
        ValueError: the two were not resampled alike.
    """
    return {name: found.estimate for name, found in _differences(before, after, level, False).items()}


def with_test(first: Sampled, second: Sampled, level: float = 0.95) -> dict[str, Difference]:
    """As `difference`, each with the p of the paired bootstrap test."""
    return _differences(first, second, level, True)


def bootstrap_p(differences: Floats) -> float | None:
    """Two-sided p of resampled differences; NaN marks a resample without a value. None without any value."""
    kept = np.round(differences[~np.isnan(differences)], DIGITS)
    if not len(kept):
        return None
    tail = min(np.count_nonzero(kept <= 0), np.count_nonzero(kept >= 0))
    return min(1.0, 2 * (1 + int(tail)) / (1 + len(kept)))


def over_seeds(values: Sequence[float | None], documents: int | None = None) -> Estimate:
    """Mean and population standard deviation (ddof = 0, R19) of one metric over runs that differ in their
    seed; `n` counts runs with a value. No value: undefined; one: std 0.

    Args:
        documents: that the values of the runs rest on, as far as known.
    """
    found = [value for value in values if value is not None]
    if not found:
        return Estimate(None, 0, reason="No run has a value.")
    return Estimate(float(np.mean(found)), len(found), float(np.std(found)), documents=documents)


def _differences(before: Sampled, after: Sampled, level: float, test: bool) -> dict[str, Difference]:
    found = {}
    for name, b in after.estimates.items():
        if (a := before.estimates.get(name)) is None:
            continue
        n = min(a.n, b.n)
        if a.value is None or b.value is None:
            found[name] = Difference(Estimate(None, n, reason=b.reason or a.reason), None)
            continue
        changes = _changes(before.resampled.get(name), after.resampled.get(name))
        documents = min((e.documents for e in (a, b) if e.documents is not None), default=None)
        if changes is None:
            found[name] = Difference(Estimate(b.value - a.value, n, documents=documents), None)
            continue
        estimate = bounded(b.value - a.value, n, changes, level, documents=documents)
        if a.blank and b.blank:
            estimate = replace(estimate, blank=b.blank)
        tested = test and estimate.low is not None
        found[name] = Difference(estimate, bootstrap_p(changes) if tested else None)
    return found


def _changes(before: Floats | None, after: Floats | None) -> Floats | None:
    if before is None or after is None:
        return None
    if before.shape != after.shape:
        raise ValueError("a paired difference needs the same resamples on both sides")
    return after - before
