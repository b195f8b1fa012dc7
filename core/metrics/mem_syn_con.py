"""MEM / SYN / CON: how far a recogniser generalises beyond its training set (metric-definitions 2)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Training:
    """What a model was trained on: the training part only, not train and dev."""

    mentions: frozenset[str]
    """Normalised mention texts, without the empty string."""
    concepts: frozenset[str]
    """Single concept ids, without `-1`."""
    name: str = ""
    """What the training set is called in results."""
