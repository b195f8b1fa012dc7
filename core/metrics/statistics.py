"""Size and breadth of a set of labels: the columns of HI-ALD, table 1.

statistics({"d1": {"HP:1", "HP:2"}, "d2": set()}, concepts={"HP:1", ...})
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import asdict, dataclass
from typing import Any

from core.metrics.definition import Family, Metric
from core.metrics.documents import Sets

_TABLE = "HI-ALD, table 1"

FAMILY = Family(
    title="Data set statistics",
    item="a concept of a passage (sets: a concept counts once per passage)",
    range="[0, ∞)",
    direction="none",
    source=_TABLE,
    undefined="Never.",
    metrics={
        "passages": Metric(
            "Passages",
            "How much text is there?",
            "number of passages",
        ),
        "labelled": Metric(
            "Passages with a label",
            "How many passages say anything?",
            "number of passages with at least one concept",
            source=_TABLE + ", which counts passages only",
        ),
        "labels": Metric(
            "Concept labels",
            "How many facts are stated?",
            "number of (passage, concept) pairs",
        ),
        "unique": Metric(
            "Unique concepts",
            "How many different concepts occur?",
            "number of different concepts over all passages",
        ),
        "coverage": Metric(
            "Coverage",
            "Which share of the ontology occurs at all?",
            "unique concepts that are among the ontology's / live concepts below its root",
            range="[0, 1]",
            direction="higher",
            source=_TABLE + " (431 / 18,354 = 0.0235)",
            undefined="No ontology, or one with no concept below the root.",
        ),
        "labels_per_passage": Metric(
            "Labels per passage",
            "How densely is a passage labelled?",
            "(passage, concept) pairs / passages, empty ones included",
            source="from the columns of " + _TABLE,
            undefined="No passages.",
        ),
    },
)

_NO_ONTOLOGY = "No ontology is known, or it holds no concept below the root."


@dataclass(frozen=True, slots=True)
class Statistics:
    passages: int
    labelled: int
    labels: int
    unique: int
    concepts: int | None
    """Live concepts of the ontology below the root; None where no ontology is known."""
    outside: int | None
    """Of `unique`, concepts that are not among these: they count for no coverage."""
    coverage: float | None
    """In [0, 1]; None: undefined, and `reason` says why."""
    labels_per_passage: float | None
    """None where there is no passage."""
    reason: str | None = None

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def statistics(labels: Sets, concepts: AbstractSet[Any] | None = None) -> Statistics:
    """Count a set of labels.

    Args:
        labels: doc_id -> concepts; every passage is a key, the silent ones included.
        concepts: the ontology's live concepts below the root; None: not known.
    """
    found: set[Any] = set().union(*labels.values())
    pairs = sum(len(held) for held in labels.values())
    return Statistics(
        passages=len(labels),
        labelled=sum(bool(held) for held in labels.values()),
        labels=pairs,
        unique=len(found),
        concepts=None if concepts is None else len(concepts),
        outside=None if concepts is None else len(found - concepts),
        coverage=len(found & concepts) / len(concepts) if concepts else None,
        labels_per_passage=pairs / len(labels) if labels else None,
        reason=None if concepts else _NO_ONTOLOGY,
    )
