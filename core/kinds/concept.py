"""A concept that a passage expresses. Its subject is the concept's CURIE."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.kinds.kind import Kind, most_like
from core.records import (
    ON_PROPOSALS,
    POSITIVE,
    Action,
    Answer,
    Assertion,
    ConceptClass,
    Draft,
    Evidence,
    ItemKind,
    Kept,
    Proposal,
    Quoted,
    Span,
    Stated,
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


def fields(answer: Answer) -> dict[str, str]:
    return {
        "concept": answer.concept,
        "assertion": answer.assertion.value,
        "class": answer.concept_class.value,
    }


def composed(answers: Sequence[Answer], chosen: Mapping[str, str]) -> Answer:
    best = most_like(answers, chosen, fields)
    of_it = [answer for answer in answers if answer.concept == chosen["concept"]]
    return Answer(
        chosen["concept"],
        of_it[0].label,
        Assertion(chosen["assertion"]),
        ConceptClass(chosen["class"]),
        (best if best in of_it else of_it[0]).spans,
    )


def _refusals(answer: Answer, subject: str, action: Action) -> list[str]:
    if action in POSITIVE and action is not Action.FIX and answer.concept != subject:
        return [f"The item is {subject}, the answer speaks of {answer.concept}: use fix."]
    return []


def _stated(draft: Draft) -> Stated:
    return Stated(
        draft.origin,
        {"label": draft.label, "assertion": draft.assertion, "class": draft.concept_class},
        tuple([Quoted(e.quote, e.start, e.end, e.grounded, e.assertion) for e in draft.evidence]),
        draft.confidence,
        draft.reason,
        draft.stage,
        repaired=draft.repaired,
    )


def _proposal(kept: Kept) -> Proposal:
    said = kept.said
    return Proposal(
        id=kept.id,
        run=kept.run,
        item_id=kept.item_id,
        passage_id=kept.passage_id,
        concept=kept.subject,
        label=said.answer["label"],
        assertion=Assertion(said.answer["assertion"]),
        concept_class=ConceptClass(said.answer["class"]),
        confidence=said.confidence,
        reason=said.reason,
        stage=said.stage,
        repaired=said.repaired,
        evidence=tuple(
            [
                Evidence(q.quote, q.start, q.end, q.grounded, Assertion(q.assertion) if q.assertion else None)
                for q in said.evidence
            ]
        ),
        origin=said.origin,
    )


KIND = Kind(
    ItemKind.CONCEPT,
    free=True,
    actions=frozenset({*ON_PROPOSALS, Action.ADJUDICATE}),
    form=Answer,
    frames={"spans": "the passage"},
    refusals=_refusals,
    said=lambda answer: (answer.concept, status(answer)),
    fields=fields,
    composed=composed,
    stated=_stated,
    proposal=_proposal,
    runs=("concepts", "imported"),
    plural="concepts",
    denied_by_closing=True,
)
