"""Two systems on the same items: those that only one of the two gets right, and McNemar's test on them.

    first, second = discordant(baseline, system)
    mcnemar(len(first), len(second))

metric-definitions has no entry; the definition in its style:

**McNemar, exact.** Item: a concept of a document that is gold or proposed by either, over documents scored in
both (`core.metrics.paired.shared`). A system is right on an item if it proposes it and it is gold, or if it
does not and it is not. With b items that only the first gets right and c that only the second does:

    p = min(1, 2 · P(X ≤ min(b, c))),   X ~ Binomial(b + c, 1/2)

Unit: a probability in [0, 1], two-sided. b + c = 0: undefined. Source: McNemar (1947), exact form.

Items of one document are not independent of each other, so this p is too small where errors come in clusters:
the tests over documents are the ones to quote.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from core.metrics.bootstrap import LEAST, TOO_FEW
from core.metrics.definition import Family, Metric
from core.metrics.documents import Item, Outcome, Vacuous
from core.metrics.paired import shared

FAMILY = Family(
    title="Two systems on the same items",
    item="a concept of a document that is gold or proposed by either",
    metrics={
        "mcnemar_p": Metric(
            "McNemar's test, exact",
            "Of the concepts that only one of the two gets right, do the two have unequal shares?",
            "p = min(1, 2·P(X ≤ min(b, c))), X ~ Binomial(b + c, 1/2); b: only the first right, c: only the"
            " second",
            "[0, 1]",
            "lower",
            "McNemar (1947); items of a document are not independent, so quote the tests over documents",
            "Not one item that only one of the two gets right.",
        ),
    },
)

NOWHERE = "There is no item that only one of the two gets right."


@dataclass(frozen=True, slots=True)
class McNemar:
    p: float | None
    """Two-sided, exact, in [0, 1]; None: undefined, and `reason` says why."""
    first: int
    """Items that only the first system gets right."""
    second: int
    reason: str | None = None

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def mcnemar(first: int, second: int, documents: int | None = None) -> McNemar:
    """Whether items that only one system gets right fall to both alike.

    Args:
        documents: that the items stand in; None: each item stands for itself. Fewer than two are no sample.

    Raises:
        ValueError: a count is negative.
    """
    if min(first, second) < 0:
        raise ValueError(f"counts are whole numbers from 0, not {first} and {second}")
    n = first + second
    if not n:
        return McNemar(None, first, second, NOWHERE)
    if documents is not None and documents < LEAST:
        return McNemar(None, first, second, TOO_FEW.format(documents))
    from scipy import stats

    return McNemar(min(1.0, 2 * float(stats.binom.cdf(min(first, second), n, 0.5))), first, second)


def discordant(
    first: Sequence[Outcome], second: Sequence[Outcome], vacuous: Vacuous = "one"
) -> tuple[list[Item], list[Item]]:
    """Items that only the first system gets right, and that only the second does, in order of document and
    id. Their outcome is that of the system which is wrong: `fn` or `fp`."""
    found: tuple[list[Item], list[Item]] = ([], [])
    for a, b in zip(*shared(first, second, vacuous), strict=True):
        for items, right, wrong in ((found[0], a, b), (found[1], b, a)):
            named, silent = set(right.tp), set(right.fp)
            only = [Item(wrong.doc_id, concept, "fn") for concept in wrong.fn if concept in named]
            only += [Item(wrong.doc_id, concept, "fp") for concept in wrong.fp if concept not in silent]
            items += sorted(only, key=lambda item: str(item.id))
    return found
