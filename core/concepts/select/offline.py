"""Stage 5 of 5, offline: five tiers from how sure the labels are and how much of the passage they explain.

Support is the mean confidence of the labels. Coverage is the share of what the passage seems to speak of that
got a label: labels against labels and near misses (names of the first stage that no concept was near enough
to, and labels that a learned head would not keep). A passage without labels is not rated and stays: there is
nothing wrong with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from core.concepts.judged import judged
from core.concepts.ratings import RETAINED
from core.concepts.tools import Tools
from core.records.labelling import Labelling, Quality, Verdict

STAGE = "select"
_UNKNOWN = 0.5
"""Confidence of a label that states none."""
_TIERS = ((0.6, Quality.EXCELLENT), (0.4, Quality.GOOD), (0.08, Quality.AVERAGE), (0.04, Quality.POOR))
"""Least support times coverage of each tier; below the last: very poor."""


def run(labellings: Iterable[Labelling], tools: Tools) -> Iterator[Labelling]:
    """Each passage with its quality; below average it is discarded. Streams."""
    for labelling in labellings:
        yield _rate(labelling, tools)


def _rate(labelling: Labelling, tools: Tools) -> Labelling:
    labels = judged(labelling, tools, STAGE).candidates
    if not labelling.candidates:
        reason = "There are no labels to rate."
        return labelling.record(
            STAGE, Verdict.RATED, reason=reason, quality=None, retained=labelling.retained
        )
    missed = sum(record.verdict == Verdict.UNMATCHED for record in labelling.records)
    missed += len(labelling.candidates) - len(labels)
    support = sum(_UNKNOWN if c.confidence is None else c.confidence for c in labels) / max(1, len(labels))
    coverage = len(labels) / (len(labels) + missed)
    quality = next((tier for least, tier in _TIERS if support * coverage >= least), Quality.VERY_POOR)
    retained = quality in RETAINED
    labelling = replace(labelling, quality=quality, retained=retained)
    reason = f"Labels are sure to {support:.2f} on average and cover {coverage:.2f} of what is spoken of."
    return labelling.record(STAGE, Verdict.RATED, reason=reason, quality=quality.value, retained=retained)
