"""What asking about pairs will cost, about, before anything is asked."""

from __future__ import annotations

from collections.abc import Iterable

from core.llm import Endpoint, Prices, estimate, load_prices
from core.pipeline.conflicts.plan import ANNOTATE
from core.pipeline.estimate import RunEstimate
from core.records import PairTask

AROUND = 800
"""Letters of a task besides the abstracts: claims, titles, what was read out of them, about."""
SAID = 350
"""Tokens of an answer, about: type, axes, reconciliation, quotes."""


def estimate_pairs(
    tasks: Iterable[PairTask], endpoint: Endpoint, prices: Prices | None = None, *, batch: bool = False
) -> RunEstimate:
    """For these pairs, as if no answer about them were stored yet.

    Args:
        prices: default the shipped table.
        batch: at the price of a batch file.
    """
    from core.conflicts.annotate.prompt import prompt

    lengths = [len(task.a.text) + len(task.b.text) + AROUND for task in tasks]
    total = estimate(
        prices or load_prices(), endpoint.model_for(ANNOTATE), prompt(), lengths, SAID, batch=batch
    )
    return RunEstimate(len(lengths), total, "pairs")
