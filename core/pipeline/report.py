"""What a run did, for the command line and the pages."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Status = Literal["done", "paused", "stopped", "waiting"]
"""waiting: for answers to a batch."""


@dataclass(frozen=True, slots=True)
class RunReport:
    """What a run did. `resumed` passages were there from an earlier start of the same run."""

    run: str
    corpus: str
    ontology: str
    passages: int
    resumed: int
    proposals: int
    digest: str | None
    """None where the run is not at its end."""
    status: Status = "done"
    failures: int = 0
    """Passages without a usable answer."""
    waiting: int = 0
    """Passages that wait for answers to a batch."""
    spent: float = 0.0
    """US dollars in this run so far, earlier starts included, of the calls whose price is known."""
    counted: int = 0
    """Answers whose tokens the endpoint did not report: they were counted here, which is an estimate."""
    message: str | None = None
    """Why it stopped, and the next step; None at its end."""
    oracle: str | None = None
    """What was taken from gold, such as `gold sentences of imported:alpha@1`: then it is no labelling."""
    seconds: dict[str, float] = field(default_factory=dict)
    """Stage -> seconds of work in this start, offline stages only."""
