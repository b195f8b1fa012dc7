"""What a run of claim pairs did, for the command line and the pages."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.pipeline.report import Status


@dataclass(frozen=True, slots=True)
class ConflictsReport:
    run: str
    corpus: str
    articles: int
    """Of the corpus."""
    kept: int
    """Of these, what the first stage kept."""
    left: dict[str, int]
    """Reason -> articles that it left out."""
    claims: int
    pairs: int
    labels: dict[str, int]
    """Origin -> labels, of earlier starts, too."""
    repaired: int
    """Labels that came off the schema and were made to fit."""
    digest: str | None
    """None where the run is not at its end."""
    status: Status = "done"
    failures: int = 0
    """Pairs without a usable answer of the model: the heuristic's label stands for it."""
    queued: int = 0
    """Pairs in the queues that this start was not to ask about."""
    waiting: int = 0
    """Pairs that wait for answers to a batch."""
    spent: float = 0.0
    """US dollars in this run so far, earlier starts included, of the calls whose price is known."""
    counted: int = 0
    """Answers whose tokens the endpoint did not report: they were counted here, which is an estimate."""
    message: str | None = None
    """Why it stopped, and the next step; None at its end."""
    seconds: dict[str, float] = field(default_factory=dict)
    """Stage -> seconds of work in this start; asking is not in it."""
