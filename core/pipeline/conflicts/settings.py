"""What the pairs of a run and their labels depend on: it goes on only as long as none of that changes."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from core import __version__
from core.conflicts import STAGES
from core.errors import InputError
from core.pipeline.settings import answering

if TYPE_CHECKING:
    from core.pipeline.conflicts.plan import ConflictsPlan

MINE, ANNOTATE = "mine", "annotate"


def checked_stages(stages: Sequence[str] | None) -> tuple[str, ...]:
    """The stages of a run, default all.

    Raises:
        InputError: not the first ones in their order: each stage works on what the one before it found.
    """
    chosen = tuple(stages or STAGES)
    if chosen != STAGES[: len(chosen)]:
        raise InputError(
            f"Stages {', '.join(chosen)!r} cannot be run: each works on what the one before it found. "
            f"Name the first few of {', '.join(STAGES)}, in this order."
        )
    return chosen


def inputs(plan: ConflictsPlan) -> dict[str, Any]:
    """By name, as JSON can hold it."""
    found: dict[str, Any] = {
        "annotator": f"conflicts {__version__}",
        "form": "asked" if plan.endpoint else "offline",
        "corpus": plan.corpus.name,
        "corpus_passages": plan.corpus.passages,
        "corpus_content": plan.content,
        "domain": plan.corpus.domain,
        "stages": list(plan.stages),
    }
    if MINE in plan.stages:
        found["encoder"] = plan.encoder_identity
        found["mining"] = json.loads(json.dumps(dataclasses.asdict(plan.mining)))
    if plan.endpoint and ANNOTATE in plan.stages:
        from core.conflicts.annotate.prompt import prompt

        found["endpoint"] = answering(plan.endpoint)
        found["models"] = {ANNOTATE: plan.endpoint.model_for(ANNOTATE)}
        found["prompts"] = {ANNOTATE: [prompt().title]}
    return found
