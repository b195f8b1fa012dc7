"""How a passage leaves a run, and how that is stored: proposals, stage records and the end in one write."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from core.records import Curie, Draft, Labelling, Origin, StageRecord, Verdict
from core.store import proposals, runs

if TYPE_CHECKING:
    from core.llm import ReplyFailure
    from core.store.connect import sqlite3


@dataclass(frozen=True, slots=True)
class Outcome:
    """A passage that has an end: all stages behind it, or a failure in one of them."""

    labelling: Labelling
    stage: str
    """The last stage it was in."""
    failure: ReplyFailure | None = None


def store(db: sqlite3.Connection, run: str, outcomes: Sequence[Outcome], origin: Origin) -> None:
    """Keep what became of some passages. Of a passage that failed only this is kept: it may be tried again,
    and what its stages said would then be there twice."""
    done = [o for o in outcomes if o.failure is None]
    drafts = [(o.labelling.passage.id, _drafts(o.labelling, origin)) for o in done]
    proposals.add(db, run, drafts)
    for outcome, (_, made) in zip(done, drafts, strict=True):
        ended = outcome.labelling.record(outcome.stage, Verdict.DONE, proposals=len(made))
        runs.add_stage_records(db, run, ended.records)
    runs.add_stage_records(db, run, (_failed(o, o.failure) for o in outcomes if o.failure is not None))


def _drafts(labelling: Labelling, origin: Origin) -> list[Draft]:
    """One per concept; none where the last stage discarded the passage."""
    if not labelling.retained:
        return []
    drafts: dict[Curie, Draft] = {}
    for candidate in labelling.candidates:
        drafts.setdefault(candidate.concept, replace(candidate, origin=origin))
    return list(drafts.values())


def _failed(outcome: Outcome, failure: ReplyFailure) -> StageRecord:
    return StageRecord(
        outcome.stage,
        outcome.labelling.passage.id,
        None,
        Verdict.FAILED.value,
        failure.message,
        failure.call,
        {"kind": str(failure.kind)},
    )
