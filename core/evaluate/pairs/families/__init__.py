"""One file per conflict task: pairs -> estimates, tables and the pairs behind every cell.

The formulas are in the file of the same name in `core.metrics`.
"""

from __future__ import annotations

from collections.abc import Callable

from core.evaluate.pairs.families import (
    conflict_spans,
    conflict_types,
    confounders,
    divergence_axes,
    reconciliation,
)
from core.evaluate.pairs.families.inputs import Evaluated, PairInputs

EVALUATORS: dict[str, Callable[[PairInputs], Evaluated]] = {
    "conflict_types": conflict_types.evaluate,
    "divergence_axes": divergence_axes.evaluate,
    "confounders": confounders.evaluate,
    "reconciliation": reconciliation.evaluate,
    "conflict_spans": conflict_spans.evaluate,
}
"""Family -> evaluator, in the order of the tasks."""

__all__ = ["EVALUATORS", "Evaluated", "PairInputs"]
