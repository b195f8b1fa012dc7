"""Agreement of curators where alike answers are not a whole disagreement: concepts, and sets of axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from core.evaluate.curator_answers import NONE
from core.evaluate.tables.curators import Pair
from core.metrics.agreement_intervals import Bootstrap
from core.metrics.definition import Estimate
from core.metrics.near_agreement import ABSENT, Aligned, align, hierarchy_f1
from core.metrics.near_agreement import Similarity as Alike
from core.metrics.near_alpha import Across, hierarchy_alpha


class Near(NamedTuple):
    """Agreement of concepts that are alike."""

    similar: Alike
    across: Across
    alike: float
    how: Bootstrap

    def alpha(self, pairs: Sequence[Pair], documents: Sequence[str]) -> Estimate:
        """Of these pairs of curators together."""
        items = [item for pair in pairs for item in self._aligned(pair, None)]
        return hierarchy_alpha(items, documents, self.across, self.how)

    def f1(self, pair: Pair, counted: set[str]) -> Estimate:
        """A concept of a status that does not count is absent."""
        return hierarchy_f1(self._aligned(pair, counted), pair.documents, self.how)

    def _aligned(self, pair: Pair, counted: set[str] | None) -> list[Aligned]:
        sides: tuple[dict[str, dict[Any, str]], dict[str, dict[Any, str]]] = ({}, {})
        for doc_id, item, labels in pair.named:
            for side, label in zip(sides, labels, strict=True):
                named = counted is None or label in counted
                side.setdefault(doc_id, {})[item] = label if named and label is not None else ABSENT
        return align(*sides, self.similar, self.alike)


def overlap(left: Sequence[str], right: Sequence[str]) -> list[float]:
    """1 - Jaccard of two sets of axes; none against anything else is 1."""
    found = []
    for a, b in zip(left, right, strict=True):
        ours, theirs = (set(label.split(", ")) - {NONE} for label in (a, b))
        found.append(1 - len(ours & theirs) / len(ours | theirs) if ours | theirs else 0.0)
    return found
