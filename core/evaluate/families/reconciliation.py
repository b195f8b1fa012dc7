"""Task 4: the written explanations, overall and as distributions over pairs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.charts import Items, text
from core.evaluate.families.pair_inputs import GoldPair, PairInputs, ScoredPair
from core.evaluate.families.pair_tables import distribution, overall
from core.evaluate.families.result import FamilyResult, behind
from core.metrics.documents import Item
from core.metrics.reconciliation import SIGNATURE, Reconciled, score, versions

FAMILY = "reconciliation"
_OF_PAIR = {
    "rouge_l": "rouge_l",
    "slot_overlap": "slot_overlap",
    "bleu_sentence_mean": "bleu_sentence",
}
"""Metric -> its value of one pair."""


def evaluate(inputs: PairInputs) -> FamilyResult:
    found = score(
        [pair.predicted.reconciliation for pair in inputs.pairs],
        [pair.gold.said.reconciliation for pair in inputs.pairs],
        [slots(pair.gold) for pair in inputs.pairs],
        inputs.encoder,
        **inputs.resampling,
    )
    estimates = found.scores.estimates
    columns: dict[str, Sequence[float | None]] = {
        metric: [getattr(one, field) if one else None for one in found.pairs]
        for metric, field in _OF_PAIR.items()
    }

    def items(wanted: Callable[[int], bool]) -> Items:
        return behind(
            range(len(found.pairs)),
            lambda at: _item(inputs.pairs[at], found.pairs[at]) if wanted(at) else None,
        )

    tables = (
        overall(FAMILY, {"estimate": estimates}, tuple(estimates), lambda key: items(lambda at: True)),
        distribution(FAMILY, columns, items),
    )
    packages = ", ".join(f"{name} {number}" for name, number in versions().items())
    notes = [
        f"BLEU and ROUGE-L by {packages}; BLEU {SIGNATURE}.",
        "A template filled from gold fields scores near 1 on slot overlap by construction: never rank it"
        " with real systems.",
    ]
    empty = sum(
        one is not None and not pair.predicted.reconciliation.strip()
        for one, pair in zip(found.pairs, inputs.pairs, strict=True)
    )
    if found.skipped:
        notes.append(f"Pairs without a reference reconciliation, skipped: {found.skipped}.")
    if empty:
        notes.append(f"Pairs with an empty prediction, scored 0: {empty}.")
    return FamilyResult(FAMILY, estimates, tables, notes=tuple(notes), resampled=found.scores.resampled)


def slots(gold: GoldPair) -> frozenset[str]:
    """What a reconciliation should name: conflict type, gold axes, dominant confounder."""
    label = gold.said.label
    named = {label.conflict_type.value, *(axis.value for axis in label.axes)}
    return frozenset(named | ({label.confounder.value} if label.confounder else set()))


def _item(pair: ScoredPair, one: Reconciled | None) -> Item | None:
    if one is None:
        return None
    detail = f"ROUGE-L {text(one.rouge_l)}, slot overlap {text(one.slot_overlap)}"
    if one.semsim is not None:
        detail += f", similarity {text(one.semsim)}"
    return pair.item("scored" if pair.predicted.reconciliation.strip() else "empty", detail)
