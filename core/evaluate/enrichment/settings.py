"""Options of an evaluation of mentions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from core.errors import InputError


@dataclass(frozen=True, slots=True)
class EnrichmentSettings:
    """How to count.

    Raises:
        InputError: a number out of its range.
    """

    bootstrap: int = 1000
    """Resamples for the intervals; 0 for none."""
    seed: int = 13
    level: float = 0.95
    """Of every interval."""

    def __post_init__(self) -> None:
        if self.bootstrap < 0 or self.seed < 0:
            raise InputError("Resamples and seed are whole numbers from 0. Give 0 resamples for no interval.")
        if not 0 < self.level < 1:
            raise InputError(f"An interval's level lies between 0 and 1, not at {self.level}.")

    def to_json(self) -> dict[str, Any]:
        return {"bootstrap": self.bootstrap, "seed": self.seed, "level": self.level}
