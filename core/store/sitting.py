"""What a curator has done in one go: decisions with no long rest between them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from core.records import JUDGEMENTS
from core.store.workspace import Workspace

REST = timedelta(minutes=30)
"""Without a decision for so long, a sitting is over."""


class Sitting(NamedTuple):
    answers: int
    """Judgements given, those taken back among them."""
    minutes: float
    """From when the first decision was begun to the last one."""


def sitting(workspace: Workspace, curator: str, now: datetime | None = None) -> Sitting | None:
    """A curator's present sitting; None where the last one is over. Nothing is told where a clock was changed
    by more than a rest."""
    before, last = now or datetime.now(UTC), None
    answers, first = 0, before
    for at, milliseconds, action in workspace.db.execute(
        "SELECT decided_at, milliseconds, action FROM decisions WHERE curator_id = ? ORDER BY number DESC",
        (curator,),
    ):
        decided = _read(at)
        if decided is None or abs(before - decided) > REST:
            break
        last = last or decided
        answers += action in JUDGEMENTS
        before, first = decided, decided - timedelta(milliseconds=milliseconds or 0)
    return Sitting(answers, (last - first).total_seconds() / 60) if last else None


def _read(at: str) -> datetime | None:
    """A moment as the store holds it; None where it came from elsewhere in another form."""
    try:
        read = datetime.fromisoformat(at)
    except ValueError:
        return None
    return read if read.tzinfo else read.replace(tzinfo=UTC)
