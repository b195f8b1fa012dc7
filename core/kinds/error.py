"""An apparent false positive: what a run proposes for a passage and gold does not hold.

Its subject names that gold and the concept, since another gold may hold it. Runs are no part of it, so one
answer serves all of them.

Source: paper 000, section 6.2 and A.7; metric-definitions R43, R46.
"""

from __future__ import annotations

from core.kinds.kind import Kind
from core.records import Action, Curie, ErrorAnswer, ItemKind

PREFIX = "error-"


def subject_of(gold: str, concept: Curie, prefix: str = PREFIX) -> str:
    """
    Args:
        gold: a reference that never says anything else, such as `imported:gsc@1`.
    """
    return f"{prefix}{gold} {concept}"


def spoken_of(subject: str) -> tuple[str, Curie]:
    """(gold, concept) that a subject names. No CURIE holds a blank."""
    gold, _, concept = subject.partition("-")[2].rpartition(" ")
    return gold, concept


KIND = Kind(
    ItemKind.ERROR,
    actions=frozenset({Action.CLASSIFY_ERROR, Action.UNSURE}),
    form=ErrorAnswer,
    prefix=PREFIX,
    free=True,
)
