"""Family `corpus`: exact matching of the concepts that count, in every scored document."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from core.charts import Key
from core.evaluate.families.inputs import Inputs
from core.evaluate.families.result import FamilyResult
from core.metrics import corpus
from core.metrics.bootstrap import Summed, summed
from core.metrics.documents import BEHIND, Item, Outcome, items_behind, sizes, total


def evaluate(inputs: Inputs, near: Summed | None = None) -> FamilyResult:
    """Values and totals; its tables are those of the evaluation as a whole.

    Args:
        near: what was summed of other predictions: documents that are alike in both are not summed anew.
    """
    chosen, outcomes = inputs.settings, inputs.outcomes
    how, known = chosen.resampling(len(outcomes)), sizes(outcomes)
    table = corpus.per_document(known, chosen.vacuous)
    made = summed(table, how["index_lists"], near)
    found = corpus.score(outcomes, vacuous=chosen.vacuous, table=table, sums=made.sums, **how)
    return FamilyResult(
        "corpus",
        found.estimates,
        behind={key: partial(opened, outcomes, key) for key in (*corpus.VALUES, *BEHIND)},
        resampled=found.resampled,
        totals=total(known),
        summed=made,
    )


def opened(outcomes: Sequence[Outcome], key: Key) -> list[Item]:
    """The items behind a value of the registry, a measure, or a count such as `fp`, of these documents."""
    row = corpus.FAMILY.computed.get(key)
    if row is not None:
        return items_behind(outcomes, row.opens, complete_only=row.over == "complete")
    return items_behind(outcomes, key, complete_only=key in ("recall", "f1"))
