"""Options of an evaluation of mentions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from core.evaluate.resampling import check_resampling


@dataclass(frozen=True, slots=True)
class EnrichmentSettings:
    """How to count.

    Raises:
        InputError: a number out of its range.
    """

    bootstrap: int = 1000
    """Resamples for the intervals, at least 100; 0 for none."""
    seed: int = 13
    level: float = 0.95
    """Of every interval."""

    def __post_init__(self) -> None:
        check_resampling(self.bootstrap, self.seed, self.level)

    def to_json(self) -> dict[str, Any]:
        return {"bootstrap": self.bootstrap, "seed": self.seed, "level": self.level}
