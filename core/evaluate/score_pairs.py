"""Gold pairs and predictions -> an evaluation by the families that were asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from core.errors import InputError
from core.evaluate.evaluation import Evaluation
from core.evaluate.families import scored
from core.evaluate.families.encoder import sentence_encoder
from core.evaluate.families.pair_inputs import SILENT, PairGold, PairInputs, PairPredictions, ScoredPair
from core.evaluate.settings import Settings
from core.formats.rows import shown
from core.metrics.reconciliation import Encoder, versions

FEW_PAIRS = 100
WHOLE = Settings(about="pairs")
"""All families, without the encoder."""


def score_pairs(
    gold: PairGold,
    predictions: PairPredictions,
    settings: Settings = WHOLE,
    encoder: Encoder | None = None,
) -> Evaluation:
    """Score predictions on every gold pair.

    A gold pair without a prediction is scored as one with a missing conflict type: no_conflict, no axes, no
    confounder, no words. A predicted pair without gold is not scored. Both are counted.

    Args:
        encoder: for the semantic similarity of reconciliations; None: the one that the settings name, if any.

    Raises:
        InputError: no gold pair is of the domain that the settings choose.
    """
    domains = dict(sorted(Counter(pair.domain for pair in gold.pairs.values()).items()))
    if settings.domain is not None and domains and settings.domain not in domains:
        there = ", ".join(map(shown, domains))
        raise InputError(f"No gold pair is of the domain {shown(settings.domain)}. Known: {there}.")
    if encoder is None and settings.encoder is not None:
        encoder = sentence_encoder(settings.encoder)
    pairs = tuple(
        ScoredPair(found, predictions.said.get(pair_id, SILENT), pair_id in predictions.said)
        for pair_id, found in sorted(gold.pairs.items())
        if settings.domain in (None, found.domain)
    )
    beside = _beside(gold, predictions, pairs)
    return Evaluation(
        predictions=predictions.name,
        gold=gold.reference,
        settings=settings,
        families=scored(PairInputs(pairs, settings, encoder), settings.families),
        beside=beside,
        notes=tuple(_notes(len(pairs), beside)),
        judged="pairs",
        pairs=len(pairs),
        domains=domains,
        versions=versions() | ({"encoder": encoder.name} if encoder else {}),
        places={pair.gold.pair_id: pair.gold.item for pair in pairs if pair.gold.item is not None},
    )


def _beside(gold: PairGold, predictions: PairPredictions, pairs: tuple[ScoredPair, ...]) -> dict[str, int]:
    repairs = predictions.repairs
    return {
        "unpredicted": sum(not pair.answered for pair in pairs),
        "unscored": len(predictions.said.keys() - gold.pairs.keys()),
        "excluded": gold.excluded,
        "rejected": gold.rejected,
        "unpaired": gold.unpaired,
        "surplus_gold": gold.surplus,
        "surplus_predicted": predictions.surplus,
        "duplicated_gold": gold.duplicated,
        "duplicated_predicted": predictions.duplicated,
        "conflicting_gold": gold.conflicting,
        "conflicting_predicted": predictions.conflicting,
        "ungrounded_gold": gold.ungrounded,
        "repaired": predictions.repaired,
        "missing_type": repairs.missing_type,
        "unknown_type": repairs.unknown_type,
        "off_schema_axes": repairs.axes,
        "off_schema_confounder": repairs.confounder,
        "odd_spans": predictions.odd_spans,
    }


_SAID = {
    "unpredicted": "Gold pairs without a prediction, scored as no_conflict without axes, confounder or words",
    "unscored": "Predicted pairs without gold, not scored",
    "excluded": "Pairs the gold leaves out, because people are unsure of them or differ",
    "rejected": "Pairs the gold leaves out, because people found them unusable",
    "unpaired": "Gold pairs that the run did not pair, not scored",
    "surplus_gold": "Gold rows of a pair that the file holds already, merged",
    "surplus_predicted": "Predicted rows of a pair that the file holds already, merged",
    "conflicting_gold": "Gold pairs whose rows differ in their conflict type",
    "conflicting_predicted": "Predicted pairs whose rows differ in their conflict type",
    "ungrounded_gold": "Gold quotes that do not stand in their text, marking nothing",
    "repaired": "Predictions with a label outside the schema, made to fit before scoring",
    "missing_type": "Missing conflict types read as no_conflict",
    "unknown_type": "Unknown conflict types read as no_conflict",
    "off_schema_axes": "Unknown axes dropped",
    "off_schema_confounder": "Unknown confounders read as none",
    "odd_spans": "Predicted spans with neither words nor a place, left out",
}


def _notes(n: int, beside: Mapping[str, int]) -> Iterator[str]:
    """What must be read together with the numbers, most important first."""
    if 0 < n < FEW_PAIRS:
        yield (
            f"Small test set: {n} pairs. Below {FEW_PAIRS}, small differences are noise; read the interval,"
            " not the value."
        )
    yield from (f"{said}: {beside[name]}." for name, said in _SAID.items() if beside[name])
