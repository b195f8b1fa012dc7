"""What asking about pairs will cost, about, before anything is asked."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace

from core.llm import Endpoint, Prices, estimate, load_prices
from core.pipeline.conflicts.plan import ANNOTATE
from core.pipeline.estimate import RunEstimate
from core.records import PairTask

AROUND = 800
"""Letters of a task besides the abstracts: claims, titles, journals, about."""
SAID = 450
"""Tokens of an answer, about: both sides, type, axes, reconciliation, quotes."""


def estimate_pairs(
    tasks: Iterable[PairTask],
    endpoint: Endpoint,
    prices: Prices | None = None,
    *,
    batch: bool = False,
    swapped: bool = False,
) -> RunEstimate:
    """For these pairs, as if no answer about them were stored yet.

    Args:
        prices: default the shipped table.
        batch: at the price of a batch file.
        swapped: every pair is asked about twice.
    """
    from core.conflicts.annotate.prompt import prompt, terms
    from core.conflicts.annotate.reply import Labelled

    told = prompt()
    schema = json.dumps(Labelled.model_json_schema())
    whole = replace(told, user="\n".join((told.user, *terms().values(), schema)))
    lengths = [len(task.a.text) + len(task.b.text) + AROUND for task in tasks]
    asked = lengths * 2 if swapped else lengths
    total = estimate(prices or load_prices(), endpoint.model_for(ANNOTATE), whole, asked, SAID, batch=batch)
    return RunEstimate(len(lengths), total, "pairs")
