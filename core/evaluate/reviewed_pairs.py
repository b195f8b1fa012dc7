"""A run of claim pairs against gold: raw, and corrected by what people decided."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from core.errors import InputError
from core.evaluate.evaluation import ReviewedEvaluation, reviewed
from core.evaluate.families.encoder import sentence_encoder
from core.evaluate.families.pair_inputs import PairGold
from core.evaluate.inputs.claim_pairs import read_gold
from core.evaluate.inputs.pair_runs import (
    IMPORTED,
    REVIEWED,
    RunPairs,
    imported_gold,
    pairs_of_run,
    predictions,
    reviewed_gold,
)
from core.evaluate.score_pairs import WHOLE, score_pairs
from core.evaluate.settings import Settings
from core.records import ItemKind
from core.store.settled import ANY, by_reference
from core.store.vectors import StoredVectors
from core.store.workspace import Workspace


def evaluate_pair_run(
    workspace: Workspace,
    run_id: str,
    gold: str | Path,
    settings: Settings = WHOLE,
) -> ReviewedEvaluation:
    """Score a run before and after review: the same labels, raw and corrected by decisions, same gold.

    Decisions are those of the gold where that is reviewed; else `reviewed@now:any`, where somebody has
    answered. The vectors of the encoder that the settings name are kept in the workspace.

    Scored are the gold pairs that the run has paired; others are counted beside. A pair that the run paired
    and could not label is scored as one with a missing conflict type.

    Args:
        gold: `imported:RUN` or `imported:RUN@VERSION`, an imported run of claim pairs;
            `reviewed@NUMBER:POLICY`, NUMBER also `now` and POLICY also `any`; or a file of pairs.

    Raises:
        InputError: no such form of reference, a run that is not about pairs, gold outside the schema, or gold
            that shares no pair with the run.
        NotFoundError: no such run, gold, curator or decision.
    """
    encoder = None
    if settings.encoder is not None:  # the texts of both sides are mostly the same ones
        encoder = sentence_encoder(settings.encoder, StoredVectors(workspace))
    found = pairs_of_run(workspace, run_id)
    chosen = _gold(workspace, gold, found)
    before = score_pairs(chosen, predictions(found), settings, encoder)
    review = chosen.reference if chosen.reference.startswith(REVIEWED) else f"{REVIEWED}now:{ANY}"
    verdicts = by_reference(workspace, found.run.corpus, ItemKind.PAIR, review)
    if verdicts.answers.keys().isdisjoint(found.pairs):
        return ReviewedEvaluation(before)
    after = score_pairs(chosen, predictions(found, verdicts), settings, encoder)
    return reviewed(before, after, verdicts.reference)


def _gold(workspace: Workspace, gold: str | Path, found: RunPairs) -> PairGold:
    name = str(gold)
    if name.startswith(IMPORTED):
        chosen = imported_gold(workspace, name, found)
    elif isinstance(gold, Path) or Path(name).is_file():
        chosen = _of_file(Path(gold), found)
    else:
        chosen = reviewed_gold(found, by_reference(workspace, found.run.corpus, ItemKind.PAIR, name))
        return chosen  # a review that has settled nothing yet is no mistake: nothing is scored
    if not chosen.pairs:
        raise InputError(
            f"{chosen.reference} and run {found.run.id} share no pair. Pairs are the same if their claims"
            " are: add the file to the run's corpus with `touchstone proposals add`."
        )
    return chosen


def _of_file(path: Path, found: RunPairs) -> PairGold:
    """A gold file, by pair ids; items are those of the run."""
    gold, _ = read_gold(path)
    own = {pair_id: pair for pair_id, pair in gold.pairs.items() if pair_id in found.pairs}
    return replace(
        gold,
        pairs={pair_id: pair._replace(item=found.pairs[pair_id].item_id) for pair_id, pair in own.items()},
        unpaired=len(gold.pairs) - len(own),
    )
