"""Task 4: the written explanations, overall and as distributions over pairs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.charts import BINS, Key, Table, bin_of, text
from core.evaluate.families.pair_inputs import GoldPair, PairInputs, ScoredPair
from core.evaluate.families.pair_tables import distribution, overall, sorted_items
from core.evaluate.families.result import FamilyResult
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
        index_lists=inputs.draws(),
        level=inputs.settings.level,
    )
    estimates = found.scores.estimates
    columns: dict[str, Sequence[float | None]] = {
        metric: [getattr(one, field) if one else None for one in found.pairs]
        for metric, field in _OF_PAIR.items()
    }
    tables: tuple[Table, ...] = (
        overall(FAMILY, {"estimate": estimates}, tuple(estimates)),
        distribution(FAMILY, "Pairs by value", columns),
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

    def open_cell(key: Key) -> list[Item]:
        return sorted_items(list(_items(inputs.pairs, found.pairs, key, tuple(estimates))))

    return FamilyResult(
        FAMILY,
        estimates,
        tables,
        open_cell,
        tuple(notes),
        found.scores.resampled,
        differs=tuple(found.scores.estimates),
    )


def slots(gold: GoldPair) -> frozenset[str]:
    """What a reconciliation should name: conflict type, gold axes, dominant confounder."""
    label = gold.said.label
    named = {label.conflict_type.value, *(axis.value for axis in label.axes)}
    return frozenset(named | ({label.confounder.value} if label.confounder else set()))


def _items(
    pairs: Iterable[ScoredPair], found: Iterable[Reconciled | None], key: Key, names: Sequence[str]
) -> Iterable[Item]:
    """Pairs behind an estimate, or behind a bar as `bin:METRIC:NUMBER`."""
    within = None
    if key.startswith("bin:"):
        _, metric, number = (*key.split(":"), "", "")[:3]
        if metric not in _OF_PAIR or number not in map(str, range(BINS)):
            raise KeyError(key)
        within = (_OF_PAIR[metric], int(number))
    elif key not in names:
        raise KeyError(key)
    for pair, one in zip(pairs, found, strict=True):
        if one is None or (within and bin_of(getattr(one, within[0])) != within[1]):
            continue
        detail = f"ROUGE-L {text(one.rouge_l)}, slot overlap {text(one.slot_overlap)}"
        if one.semsim is not None:
            detail += f", similarity {text(one.semsim)}"
        yield pair.item("scored" if pair.predicted.reconciliation.strip() else "empty", detail)
