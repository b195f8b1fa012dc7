"""What passes from stage to stage when concepts are labelled: a passage and all that was said about it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from core.records.proposals import Candidate, StageRecord
from core.records.texts import Passage
from core.records.vocabulary import Curie


class Quality(StrEnum):
    """How well a passage and its labels fit, worst first (HI-ALD, section 3.2, stage 5)."""

    VERY_POOR = "very_poor"
    POOR = "poor"
    AVERAGE = "average"
    GOOD = "good"
    EXCELLENT = "excellent"


class Verdict(StrEnum):
    """What a stage record says. With a concept: of one candidate; without: of the passage."""

    FLAGGED = "flagged"
    """The text speaks to its reader and may mislead a model; concept None; payload: words."""
    CLAIM = "claim"
    """A generated claim; payload: text, confidence."""
    CANDIDATE = "candidate"
    """Entered the list; payload: name, score, claim, how."""
    UNMATCHED = "unmatched"
    """A name that no concept is close enough to; concept None; payload: name, score, nearest."""
    KEPT = "kept"
    DROPPED = "dropped"
    ADDED = "added"
    """Entered the list after the first stage; payload as for `CANDIDATE`."""
    RATED = "rated"
    """Quality of the passage; concept None; payload: quality, retained."""
    FAILED = "failed"
    """The stage got no usable answer; concept None; payload: kind. The passage leaves the run unlabelled."""
    DONE = "done"
    """The passage has left the last stage and its proposals are stored; concept None."""


@dataclass(frozen=True, slots=True)
class GeneratedClaim:
    """A small independent statement made from a passage; not a claim of the text, which is a span."""

    text: str
    confidence: float | None
    """In [0, 1]; None where the model gave none."""
    start: int | None = None
    end: int | None = None
    """Where it stands in the passage, if it is a part of it (offline) or could be located."""


@dataclass(frozen=True, slots=True)
class Labelling:
    """One passage between two stages. Stages return a new one; `records` only grows."""

    passage: Passage
    claims: tuple[GeneratedClaim, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    quality: Quality | None = None
    retained: bool = True
    """False once the last stage has discarded the passage; nothing of it is proposed then."""
    records: tuple[StageRecord, ...] = ()

    def record(
        self,
        stage: str,
        verdict: Verdict,
        concept: Curie | None = None,
        reason: str | None = None,
        call: int | None = None,
        **payload: object,
    ) -> Labelling:
        """The same labelling with one more record."""
        new = StageRecord(stage, self.passage.id, concept, verdict.value, reason, call, payload)
        return replace(self, records=(*self.records, new))
