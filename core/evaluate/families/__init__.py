"""One file per metric family: inputs -> estimates, tables and the items behind them.

The formulas are in the file of the same name in `core.metrics`; here stands what a family reads, how its
numbers are laid out and what each of them opens. Adding a family is one file there, one here, and one row.
"""

from __future__ import annotations

from collections.abc import Callable

from core.evaluate.families import (
    assertions,
    attribution,
    auprc,
    bounds,
    gold_quality,
    mem_syn_con,
    names,
    relaxed,
    slices,
    spans,
    thresholds,
    unseen,
)
from core.evaluate.family import FamilyResult
from core.evaluate.inputs import Inputs

Evaluator = Callable[[Inputs], FamilyResult]

EVALUATORS: dict[str, Evaluator] = {
    "assertions": assertions.evaluate,
    "spans": spans.evaluate,
    "relaxed": relaxed.evaluate,
    "bounds": bounds.evaluate,
    "thresholds": thresholds.evaluate,
    "auprc": auprc.evaluate,
    "mem_syn_con": mem_syn_con.evaluate,
    "names": names.evaluate,
    "unseen": unseen.evaluate,
    "attribution": attribution.evaluate,
    "slices": slices.evaluate,
    "gold_quality": gold_quality.evaluate,
}
"""Family -> evaluator, in the order in which reports show them; `corpus` itself is scored before them."""
