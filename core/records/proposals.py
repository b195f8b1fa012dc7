"""What machines say."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from core.records.texts import Evidence
from core.records.vocabulary import Assertion, ConceptClass, Curie


@dataclass(frozen=True, slots=True)
class Draft:
    """A concept proposal before it is stored: what an annotator yields for one passage, one per concept."""

    concept: Curie
    label: str
    assertion: Assertion
    concept_class: ConceptClass
    confidence: float | None
    """None only for imported labels whose source states none."""
    reason: str
    evidence: tuple[Evidence, ...] = ()
    stage: str = "lexicon"
    repaired: bool = False


@dataclass(frozen=True, slots=True)
class Proposal:
    """A stored concept proposal."""

    id: int
    run: str
    item_id: int
    concept: Curie
    label: str
    assertion: Assertion
    concept_class: ConceptClass
    confidence: float | None
    reason: str | None
    stage: str
    repaired: bool
    evidence: tuple[Evidence, ...] = ()


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
