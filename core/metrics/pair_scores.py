"""Values over claim pairs, with percentile intervals over resamples of the pairs.

Every statistic of the conflict tasks is a function of sums over pairs, so that a resample is one row of sums
(`core.metrics.bootstrap`). The index lists count over all pairs of an evaluation, also over those that a task
skips: so every task, and both sides of a comparison, are resampled alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.metrics.bootstrap import Draws, Floats, interval
from core.metrics.definition import Estimate
from core.metrics.sums import estimated

NO_PAIRS = "There is no pair to score."

Lists = Iterable[Draws] | Draws
"""Resamples over pairs in their order (see `bootstrap.draws`); empty for no intervals."""


@dataclass(frozen=True, slots=True)
class PairScores:
    estimates: dict[str, Estimate]
    resampled: dict[str, Floats]
    """Name -> its value in each resample, NaN where undefined. For paired differences."""


def scored(
    table: Floats,
    statistic: Callable[[Floats], Floats],
    names: Sequence[str],
    *,
    n: Callable[[str], int],
    reason: Callable[[str], str],
    std: Mapping[str, float | None] | None = None,
    index_lists: Lists = (),
    level: float = 0.95,
) -> PairScores:
    """Estimates of `names`.

    Args:
        table: one row per pair, one column per quantity that the statistic sums, shape (pairs, columns).
        statistic: sums (rows, columns) -> values (rows, names), NaN: undefined.
        n: name -> pairs that the value rests on.
        reason: name -> why it is undefined, as a sentence; asked only where it is.
        std: population standard deviations, of means over pairs.
    """
    estimates, resampled = estimated(
        table, statistic, names, n=n, reason=reason, std=std, index_lists=index_lists, level=level
    )
    return PairScores(estimates, {name: resampled[:, i] for i, name in enumerate(names)})


def difference(before: PairScores, after: PairScores, level: float = 0.95) -> dict[str, Estimate]:
    """after - before of every value that both have, with paired intervals; None where either is undefined.

    Raises:
        ValueError: the two were not resampled alike.
    """
    found = {}
    for name, b in after.estimates.items():
        if (a := before.estimates.get(name)) is None:
            continue
        if before.resampled[name].shape != after.resampled[name].shape:
            raise ValueError("a paired difference needs the same resamples on both sides")
        low, high, dropped = interval(after.resampled[name] - before.resampled[name], level)
        value = None if a.value is None or b.value is None else b.value - a.value
        why = (b.reason or a.reason) if value is None else None
        found[name] = Estimate(value, min(a.n, b.n), None, low, high, dropped, why)
    return found


def over_seeds(values: Sequence[float | None]) -> Estimate:
    """Mean and population standard deviation (ddof = 0, R19) of one metric over runs that differ in their
    seed; `n` counts runs with a value. No value: undefined; one: std 0."""
    found = [value for value in values if value is not None]
    if not found:
        return Estimate(None, 0, reason="No run has a value.")
    return Estimate(float(np.mean(found)), len(found), float(np.std(found)))
