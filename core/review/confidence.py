"""Confidence in words. The number stands behind the word and never changes with a click."""

from __future__ import annotations

from enum import StrEnum

MEDIUM, HIGH = 0.5, 0.8


class Band(StrEnum):
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
    UNSTATED = "unstated"


BOUNDS = {
    Band.HIGH: (HIGH, 2.0),
    Band.MEDIUM: (MEDIUM, HIGH),
    Band.LOW: (0.0, MEDIUM),
    Band.UNSTATED: (-2.0, 0.0),
}
"""Band -> [from, to); a confidence nobody stated is kept as -1."""


def band(confidence: float | None) -> Band:
    """The word for a confidence in [0, 1]; None means that its source states none."""
    if confidence is None:
        return Band.UNSTATED
    return Band.HIGH if confidence >= HIGH else Band.MEDIUM if confidence >= MEDIUM else Band.LOW
