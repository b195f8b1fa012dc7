"""Agreement of two raters on nominal labels, neither of whom is gold.

    agreement([("present", "absent"), ...])          # observed agreement and Cohen's kappa
    pairwise_f1({"d1": {"HP:1"}}, {"d1": set()})     # F1 of one against the other, the same either way round

What an item is, the caller decides and says. Over a union of what either rater proposed every item is
positive for somebody, so kappa on it is pessimistic: pairwise F1 stands beside it (metric-definitions,
section 8 and R28).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import asdict, dataclass
from typing import Any

from core.metrics.definition import Family, Metric
from core.metrics.documents import Sets, compare, ratios

_SOURCE = "Full-Text HPO Extraction Benchmarking Framework, section 4.2; metric-definitions, section 8"

FAMILY = Family(
    title="Agreement of two raters",
    item="an item that both rate, such as a concept of a document",
    metrics={
        "observed": Metric(
            "Observed agreement",
            "On which share of the items do both say the same?",
            "p_o = items with equal labels / items",
            "[0, 1]",
            "higher",
            _SOURCE,
            "No item rated by both.",
        ),
        "kappa": Metric(
            "Cohen's kappa",
            "How far is their agreement above what two raters with these habits reach by chance?",
            "κ = (p_o - p_e) / (1 - p_e), p_e = Σ_k p_A(k) · p_B(k)",
            "[-1, 1]",
            "higher",
            _SOURCE,
            "No item rated by both, or both give one and the same label to everything (p_e = 1). One rater"
            " constant: 0 by the formula.",
        ),
        "pairwise_f1": Metric(
            "Pairwise F1",
            "How much of what either names does the other name, too?",
            "2·both / (2·both + only A + only B), summed over documents: micro F1 of one against the other",
            "[0, 1]",
            "higher",
            _SOURCE,
            "No documents. Both silent everywhere: 1 (rule V1).",
        ),
    },
)

_NO_ITEM = "No item was rated by both."
_ONE_LABEL = "Both give one and the same label to every item, so chance agreement is complete."


@dataclass(frozen=True, slots=True)
class Agreement:
    observed: float | None
    """Share of items with equal labels, in [0, 1]."""
    expected: float | None
    """The share to expect by chance from how often each rater uses each label, in [0, 1]."""
    kappa: float | None
    """In [-1, 1]; None: undefined, and `reason` says why."""
    n: int
    """Items rated by both."""
    missing: int = 0
    """Items left out because a label is missing."""
    reason: str | None = None

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def agreement(pairs: Iterable[tuple[Hashable | None, Hashable | None]]) -> Agreement:
    """Observed agreement and Cohen's kappa, nominal labels compared as they are.

    Args:
        pairs: one (label of A, label of B) for each item; None: missing, which removes the item.
    """
    everything = list(pairs)
    rated = [(a, b) for a, b in everything if a is not None and b is not None]
    n, missing = len(rated), len(everything) - len(rated)
    if not n:
        return Agreement(None, None, None, 0, missing, _NO_ITEM)
    # whole numbers until the last step: equal tables give equal values, and "complete" is exact
    equal = sum(a == b for a, b in rated)
    of_a, of_b = Counter(a for a, _ in rated), Counter(b for _, b in rated)
    chance = sum(count * of_b[label] for label, count in of_a.items())
    observed, expected = equal / n, chance / n**2
    if chance == n**2:
        return Agreement(observed, expected, None, n, missing, _ONE_LABEL)
    return Agreement(observed, expected, (equal * n - chance) / (n**2 - chance), n, missing)


def pairwise_f1(a: Sets, b: Sets) -> float | None:
    """Micro F1 of two raters' sets over the documents of either, in [0, 1]; None where there is none."""
    documents = {d: a.get(d, frozenset()) for d in a.keys() | b.keys()}
    outcomes = compare(documents, b)
    if not outcomes:
        return None
    both = sum(len(o.tp) for o in outcomes)
    return ratios(both, sum(len(o.fp) for o in outcomes), sum(len(o.fn) for o in outcomes)).f1
