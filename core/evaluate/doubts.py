"""Where review lowers a score against gold that somebody else made: the items on which the gold may be wrong.

    found = doubts_of(reviewed)
    found.lowered, found.lacks, found.holds

Review and gold disagree there; which of the two is right, only a look at the items tells.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from core.evaluate.evaluation import ReviewedEvaluation
from core.evaluate.tables.sections import value_name
from core.metrics.definition import Estimate
from core.metrics.documents import Item

HEADLINES = ("macro_f1", "micro_f1", "weighted_f1")


@dataclass(frozen=True, slots=True)
class Doubts:
    lowered: tuple[str, ...]
    """Headline values that review lowers, in words; empty: none, or the gold is the review itself."""
    lacks: tuple[Item, ...]
    """What review proposes and the run did not, spurious by the gold."""
    holds: tuple[Item, ...]
    """What the run proposed and review took away, missed by the gold."""

    def lists(self) -> Iterator[tuple[str, str, tuple[Item, ...]]]:
        """(name, what it says of the gold, items) of each list that holds any."""
        if self.lacks:
            yield "lacks", f"The gold may lack these {len(self.lacks)}", self.lacks
        if self.holds:
            yield "holds", f"The gold may hold these {len(self.holds)} wrongly", self.holds

    def sentence(self) -> str:
        """Empty where nothing is lowered."""
        if not self.lowered:
            return ""
        parts = " and ".join(title.replace("The", "the", 1) for _, title, _ in self.lists())
        may_be = f": {parts}" if parts else ""
        lowered = ", ".join(self.lowered)
        return f"Review lowers {lowered}. Review need not be wrong{may_be}. Look at the items."


def doubts_of(result: ReviewedEvaluation) -> Doubts:
    """Of the concepts of complete documents."""
    lowered = tuple(_lowered((result.difference or {}).get("corpus", {})))
    if result.after is None or result.is_circular or not lowered:
        return Doubts((), (), ())
    lacks: list[Item] = []
    holds: list[Item] = []
    for before, after in zip(result.before.outcomes, result.after.outcomes, strict=True):
        if before is after:
            continue
        lacks += [Item(after.doc_id, c, "fp") for c in after.fp if c not in before.fp]
        holds += [Item(after.doc_id, c, "fn") for c in after.fn if c not in before.fn]
    return Doubts(lowered, tuple(lacks), tuple(holds))


def _lowered(changes: Mapping[str, Estimate]) -> Iterator[str]:
    for name in HEADLINES:
        change = changes.get(name)
        if change is not None and change.value is not None and change.value < 0:
            yield value_name("corpus", name)
