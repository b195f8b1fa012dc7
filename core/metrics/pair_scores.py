"""Values over claim pairs, with percentile intervals over resamples of the pairs.

Every statistic of the conflict tasks is a function of sums over pairs, so that a resample is one row of sums
(`core.metrics.sums.scored`). The index lists count over all pairs of an evaluation, also over those that a
task skips: so every task, and both sides of a comparison, are resampled alike.
"""

from __future__ import annotations

from collections.abc import Iterable

from core.metrics.bootstrap import Draws

NO_PAIRS = "There is no pair to score."

Lists = Iterable[Draws] | Draws
"""Resamples over pairs in their order (see `bootstrap.draws`); empty for no intervals."""
