"""Family `corpus`: exact matching of the concepts that count, in every scored document."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from core.charts import Key
from core.evaluate.families.inputs import Inputs
from core.evaluate.families.result import FamilyResult
from core.metrics import corpus
from core.metrics.documents import BEHIND, Item, Outcome, count, items_behind


def evaluate(inputs: Inputs) -> FamilyResult:
    """Values and totals; its tables are those of the evaluation as a whole."""
    chosen, outcomes = inputs.settings, inputs.outcomes
    found = corpus.score(outcomes, vacuous=chosen.vacuous, **chosen.resampling(len(outcomes)))
    return FamilyResult(
        "corpus",
        found.estimates,
        behind={key: partial(opened, outcomes, key) for key in (*corpus.VALUES, *BEHIND)},
        resampled=found.resampled,
        totals=count(outcomes),
    )


def opened(outcomes: Sequence[Outcome], key: Key) -> list[Item]:
    """The items behind a value of the registry, a measure, or a count such as `fp`, of these documents."""
    row = corpus.FAMILY.computed.get(key)
    if row is not None:
        return items_behind(outcomes, row.opens, complete_only=row.over == "complete")
    return items_behind(outcomes, key, complete_only=key in ("recall", "f1"))
