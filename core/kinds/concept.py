"""A concept that a passage expresses. Its subject is the concept's CURIE."""

from __future__ import annotations

from core.kinds.kind import Kind
from core.records import (
    JUDGEMENTS,
    POSITIVE,
    Action,
    Answer,
    Assertion,
    ConceptClass,
    ItemKind,
    Proposal,
    Span,
)


def answer_of(proposal: Proposal) -> Answer:
    """What accepting a proposal says: its fields, and its evidence as far as it stands in the text."""
    spans = {
        (e.start, e.end): Span(e.start, e.end, e.quote)
        for e in proposal.evidence
        if e.grounded and e.start is not None and e.end is not None
    }
    return Answer(
        proposal.concept,
        proposal.label,
        proposal.assertion,
        proposal.concept_class,
        tuple(spans[key] for key in sorted(spans)),
    )


def status(answer: Answer) -> Assertion | None:
    """None, that is absent, where the answer's class says that the passage does not express the concept."""
    return None if answer.concept_class is ConceptClass.NOT_RELEVANT else answer.assertion


def _refusals(answer: Answer, subject: str, action: Action) -> list[str]:
    if action in POSITIVE and action is not Action.FIX and answer.concept != subject:
        return [f"The item is {subject}, the answer speaks of {answer.concept}: use fix."]
    return []


KIND = Kind(
    ItemKind.CONCEPT,
    actions=frozenset({*JUDGEMENTS, Action.ADJUDICATE}),
    form=Answer,
    frames={"spans": "the passage"},
    refusals=_refusals,
)
