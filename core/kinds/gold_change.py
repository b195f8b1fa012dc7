"""A concept that imported gold lacks although the passage supports it, as somebody found in an audit.

Accepted by another curator, it becomes a part of corrected gold. Its subject names that gold and the concept.
"""

from __future__ import annotations

from core.kinds.error import spoken_of, subject_of
from core.kinds.kind import Kind
from core.records import Action, Answer, Curie, ItemKind

PREFIX = "gold-"


def change_of(gold: str, concept: Curie) -> str:
    """The subject of the change that adds a concept to a gold set."""
    return subject_of(gold, concept, PREFIX)


def _refusals(answer: Answer, subject: str, action: Action) -> list[str]:
    _, concept = spoken_of(subject)
    if answer.concept != concept:
        return [f"The change is about {concept}, the answer speaks of {answer.concept}. Reload the page."]
    return []


KIND = Kind(
    ItemKind.GOLD_CHANGE,
    actions=frozenset({Action.ACCEPT, Action.REJECT, Action.UNSURE}),
    form=Answer,
    frames={"spans": "the passage"},
    refusals=_refusals,
    said=lambda answer: (answer.concept, answer.assertion),
    prefix=PREFIX,
    free=True,
)
