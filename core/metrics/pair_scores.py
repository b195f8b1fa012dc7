"""Values over claim pairs, with percentile intervals over resamples of the pairs.

Every statistic of the conflict tasks is a function of sums over pairs, so that a resample is one row of sums
(`core.metrics.bootstrap`). The index lists count over all pairs of an evaluation, also over those that a task
skips: so every task, and both sides of a comparison, are resampled alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.metrics.bootstrap import Draws, Floats
from core.metrics.definition import Estimate
from core.metrics.sums import estimated

NO_PAIRS = "There is no pair to score."

Lists = Iterable[Draws] | Draws
"""Resamples over pairs in their order (see `bootstrap.draws`); empty for no intervals."""


@dataclass(frozen=True, slots=True)
class PairScores:
    estimates: dict[str, Estimate]
    resampled: dict[str, Floats]
    """Name -> its value in each resample, NaN where undefined. For `core.metrics.differences`."""


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
