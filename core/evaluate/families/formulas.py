"""Families whose values are formulas over what each document adds: their row in the registry is enough.

Over complete documents, whose right, spurious and missed concepts are all that such a family knows.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from core.charts import Cell, Table
from core.evaluate.families.inputs import Inputs
from core.evaluate.families.result import FamilyResult
from core.metrics import FAMILIES
from core.metrics.documents import Outcome, items_behind
from core.metrics.sums import formulas

NO_DOCUMENTS = "The gold holds no complete document."


def evaluate(name: str, inputs: Inputs) -> FamilyResult:
    """One table of all values; each opens the items that its row names."""
    family, documents = FAMILIES[name], inputs.complete
    quantities = family.adds(Outcome("", (), (), ()))
    added = [family.adds(outcome) for outcome in documents]
    found = formulas(
        family,
        {q: np.array([row[q] for row in added], dtype=np.float64) for q in quantities},
        n=lambda _: len(documents),
        reason=lambda value: family.metrics[value].reason if documents else NO_DOCUMENTS,
        **inputs.settings.resampling(len(documents)),
    )
    rows = [
        (row.title, Cell(found.estimates[value], value, partial(items_behind, documents, row.opens)))
        for value, row in family.computed.items()
    ]
    table = Table.of(family.title, ("value", "estimate"), rows, "values")
    return FamilyResult(name, found.estimates, (table,), resampled=found.resampled)
