"""Options of an evaluation of claim pairs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from core.errors import InputError
from core.evaluate.resampling import check_resampling
from core.metrics import PAIR_FAMILIES

EVERYTHING = "all"


@dataclass(frozen=True, slots=True)
class PairSettings:
    """How to count.

    Raises:
        InputError: an unknown family, none at all, or a number out of its range.
    """

    families: tuple[str, ...] = tuple(PAIR_FAMILIES)
    bootstrap: int = 1000
    """Resamples of pairs for the intervals, at least 100; 0 for none."""
    seed: int = 13
    level: float = 0.95
    """Of every interval."""
    domain: str | None = None
    """Score only gold pairs of this domain; None: all."""
    encoder: str | None = None
    """Sentence encoder for the semantic similarity of reconciliations; None: it is left out."""

    def __post_init__(self) -> None:
        known = ", ".join(PAIR_FAMILIES)
        for name in self.families:
            if name not in PAIR_FAMILIES:
                raise InputError(f"{str(name)!r} is no metric family of claim pairs. Choose from {known}.")
        if not self.families:
            raise InputError(f"No metric family was chosen. Give at least one of {known}.")
        check_resampling(self.bootstrap, self.seed, self.level)

    @classmethod
    def parse(cls, *, families: str = EVERYTHING, **options: Any) -> PairSettings:
        """From a command line: families are comma-separated, in any order; `all`, or nothing: every one."""
        wanted = [part for part in (p.strip() for p in families.split(",")) if part]
        if not wanted or EVERYTHING in wanted:
            return cls(**options)
        return cls(families=tuple(wanted), **options)

    def to_json(self) -> dict[str, Any]:
        return {
            "families": list(self.families),
            "bootstrap": self.bootstrap,
            "seed": self.seed,
            "level": self.level,
            "domain": self.domain,
            "encoder": self.encoder,
        }
