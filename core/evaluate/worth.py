"""What one stage of the labelling is worth: micro F1 with it, less micro F1 without it.

Of each stage the longest row that ends with it is compared with the same row without it, over the documents
whose gold is complete. Selection changes no label: with it the passages that it keeps are scored, without it
all of them. Intervals: paired percentile bootstrap over documents (metric-definitions 0.6).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from core.concepts.ablation import Row
from core.evaluate.settings import Settings
from core.metrics.bootstrap import Floats, draws, interval, resample
from core.metrics.definition import Estimate
from core.metrics.documents import Outcome
from core.metrics.sums import divide

Passages = Literal["all", "retained"]
Line = tuple[Row, Passages, Sequence[Outcome]]
"""(stages, which passages are scored, what came of them)"""


class Worth(NamedTuple):
    stage: str
    after: str
    """The stages before it."""
    gain: Estimate
    """F1 with the stage less F1 without it; blank where one of the two is undefined."""
    changes: bool
    """Whether it changes any label, or leaves out any passage."""

    def to_json(self) -> dict[str, Any]:
        return {
            "stage": self.stage,
            "after": self.after,
            "gain": self.gain.to_json(),
            "changes": self.changes,
        }


def worth(lines: Sequence[Line], settings: Settings) -> tuple[Worth, ...]:
    """Of every stage for which there is a row with it and one without it, in the order of the rows."""
    whole = {row: outcomes for row, passages, outcomes in lines if passages == "all"}
    scored = whole | {row: outcomes for row, passages, outcomes in lines if passages == "retained"}
    found: dict[str, Worth] = {}
    for row in sorted(scored, key=lambda row: len(row.stages)):
        before = row._replace(stages=row.stages[:-1])
        if before in whole:
            gain = _gain(whole[before], scored[row], settings)
            changes = list(whole[before]) != list(scored[row])
            found[row.stages[-1]] = Worth(row.stages[-1], before.name, gain, changes)
    return tuple(found.values())


def _gain(without: Sequence[Outcome], with_it: Sequence[Outcome], settings: Settings) -> Estimate:
    there = {one.doc_id: _counts(one) for one in with_it}
    table = np.array(
        [(*_counts(one), *there.get(one.doc_id, (0, 0, 0))) for one in without if one.complete], dtype=float
    ).reshape(-1, 6)
    value = float(_difference(table.sum(axis=0, keepdims=True))[0, 0])
    if np.isnan(value):
        return Estimate(None, len(table), reason="There is nothing to find, and nothing was found.")
    resampled = resample(table, _difference, draws(len(table), settings.bootstrap, settings.seed))[:, 0]
    low, high, _ = interval(resampled, settings.level) if settings.bootstrap else (None, None, 0)
    return Estimate(value, len(table), low=low, high=high)


def _counts(outcome: Outcome) -> tuple[int, int, int]:
    return len(outcome.tp), len(outcome.fp), len(outcome.fn)


def _difference(sums: Floats) -> Floats:
    without, with_it = (_f1(part) for part in np.hsplit(sums, 2))
    return (with_it - without)[:, None]


def _f1(sums: Floats) -> Floats:
    right, wrong, missed = sums.T
    return divide(2 * right, 2 * right + wrong + missed)
