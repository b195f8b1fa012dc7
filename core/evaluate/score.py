"""Predictions against gold, whatever both are about."""

from __future__ import annotations

from typing import Any, overload

from core.evaluate.evaluation import Evaluation
from core.evaluate.families.inputs import Statuses
from core.evaluate.families.pair_inputs import PairGold, PairPredictions
from core.evaluate.score_documents import score_documents
from core.evaluate.score_pairs import WHOLE, score_pairs
from core.evaluate.settings import Settings
from core.records import GoldSet


@overload
def evaluate(
    gold: GoldSet, predictions: Statuses, settings: Settings | None = None, *args: Any, **known: Any
) -> Evaluation: ...
@overload
def evaluate(
    gold: PairGold, predictions: PairPredictions, settings: Settings | None = None, *args: Any, **known: Any
) -> Evaluation: ...
def evaluate(
    gold: Any, predictions: Any, settings: Settings | None = None, *args: Any, **known: Any
) -> Evaluation:
    """Score predictions by the families of the settings.

    Args:
        gold: concepts of documents, or claim pairs; the predictions are of the same.
        known: what else is known, as of `score_documents` and `score_pairs`.

    Raises:
        InputError: no gold pair is of the domain that the settings choose.
    """
    if isinstance(gold, PairGold):
        return score_pairs(gold, predictions, settings or WHOLE, *args, **known)
    return score_documents(gold, predictions, settings, *args, **known)
