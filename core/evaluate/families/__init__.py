"""One file per metric family: inputs -> estimates, tables and the items behind them.

The formulas are in the file of the same name in `core.metrics`; here stands what a family reads, how its
numbers are laid out and what each of them opens. A family that is formulas over what each document adds is
one file there and one row, and needs none here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from core.evaluate.families import (
    assertions,
    attribution,
    auprc,
    bounds,
    conflict_spans,
    conflict_types,
    confounders,
    corpus,
    divergence_axes,
    formulas,
    gold_quality,
    mem_syn_con,
    names,
    reconciliation,
    relaxed,
    slices,
    spans,
    thresholds,
    unseen,
)
from core.evaluate.families.inputs import Inputs
from core.evaluate.families.pair_inputs import PairInputs
from core.evaluate.families.result import FamilyResult
from core.metrics import FAMILIES, PAIR_FAMILIES

EVALUATORS: dict[str, Callable[[Any], FamilyResult]] = {
    "corpus": corpus.evaluate,
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
    "conflict_types": conflict_types.evaluate,
    "divergence_axes": divergence_axes.evaluate,
    "confounders": confounders.evaluate,
    "reconciliation": reconciliation.evaluate,
    "conflict_spans": conflict_spans.evaluate,
}
"""Family -> evaluator. Families of concept documents are given
`families.inputs.Inputs`, those of claim pairs `families.pair_inputs.PairInputs`."""


def scored(inputs: Inputs | PairInputs, families: Sequence[str]) -> dict[str, FamilyResult]:
    """These families, in the order of the registry of metrics. One that has no evaluator is its formulas."""
    return {
        name: EVALUATORS.get(name, partial(formulas.evaluate, name))(inputs)
        for name in (*FAMILIES, *PAIR_FAMILIES)
        if name in families
    }
