"""What machines say."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from core.records.texts import Evidence
from core.records.vocabulary import Assertion, ConceptClass, Curie, Origin


class Quoted(NamedTuple):
    """A piece of evidence of any kind of proposal, as it is stored."""

    quote: str
    start: int | None
    end: int | None
    grounded: bool
    assertion: str | None = None
    side: str | None = None
    """Of a pair; None: the item has one text."""
    level: str | None = None
    role: str | None = None


class Stated(NamedTuple):
    """What a proposal of any kind says, as it is stored."""

    origin: Origin
    answer: dict[str, Any]
    """Its fields as the kind names them."""
    evidence: tuple[Quoted, ...] = ()
    confidence: float | None = None
    reason: str | None = None
    stage: str = ""
    annotator: str | None = None
    """Who or what of its run said it; None: the source of the run."""
    repaired: bool = False
    repairs: tuple[str, ...] = ()
    call_id: int | None = None


class Kept(NamedTuple):
    """A proposal of any kind as it is read back."""

    id: int
    run: str
    item_id: int
    passage_id: int
    subject: str
    said: Stated


@dataclass(frozen=True, slots=True)
class Draft:
    """A concept proposal before it is stored: what an annotator yields for one passage, one per concept."""

    concept: Curie
    label: str
    assertion: Assertion = Assertion.AFFIRMED
    concept_class: ConceptClass = ConceptClass.EXPLICIT
    confidence: float | None = None
    """None where the source of imported labels states none."""
    reason: str | None = ""
    evidence: tuple[Evidence, ...] = ()
    stage: str = "lexicon"
    """The stage that brought it in."""
    repaired: bool = False
    origin: Origin = Origin.HEURISTIC


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate(Draft):
    """A concept on its way through the stages of a run; what is left after the last one is stored."""

    name: str
    """The words that led here: a generated name, or words of the text."""
    score: float | None = None
    """Similarity s of `name` to the nearest name of the concept, in [0, 1]; None where words were matched."""
    claim: int | None = None
    """Position in `Labelling.claims`; None where no claim led here."""
    stage: str = "generate"


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal(Draft):
    """A concept proposal as it is stored."""

    id: int
    run: str
    item_id: int
    passage_id: int


@dataclass(frozen=True, slots=True)
class StageRecord:
    """What one stage of a run did with one candidate; append-only."""

    stage: str
    passage_id: int
    concept: Curie | None
    verdict: str
    reason: str | None = None
    call_id: int | None = None
    payload: dict[str, Any] = field(default_factory=dict)
