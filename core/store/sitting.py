"""What a curator has done in one go: decisions with no long rest between them."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from core.records import JUDGEMENTS
from core.store.judged import stands
from core.store.workspace import Workspace

REST = timedelta(minutes=30)
"""Without a decision for so long, a sitting is over."""


class Sitting(NamedTuple):
    answers: int
    """Judgements given, those taken back among them."""
    minutes: float
    """From when the first decision was begun to the last one."""
    held: dict[int, str]
    """Item -> the judgement that holds on it, where that was given in this sitting."""

    @property
    def stand(self) -> dict[str, int]:
        """Judgement -> items on which it holds."""
        return dict(Counter(self.held.values()))


def sitting(workspace: Workspace, curator: str, now: datetime | None = None) -> Sitting | None:
    """A curator's present sitting; None where the last one is over. Nothing is told where a clock was changed
    by more than a rest."""
    before, last = now or datetime.now(UTC), None
    answers, first = 0, before
    held: dict[int, str] = {}
    for at, milliseconds, action, item, holds in workspace.db.execute(
        f"SELECT d.decided_at, d.milliseconds, d.action, d.item_id, {stands()} FROM decisions d"
        " WHERE d.curator_id = ? ORDER BY d.number DESC",
        (curator,),
    ):
        decided = _read(at)
        if decided is None or abs(before - decided) > REST:
            break
        last = last or decided
        answers += action in JUDGEMENTS
        if action in JUDGEMENTS and holds:
            held.setdefault(item, action)  # the last one holds
        before, first = decided, decided - timedelta(milliseconds=milliseconds or 0)
    if last is None:
        return None
    return Sitting(answers, (last - first).total_seconds() / 60, held)


class Activity(NamedTuple):
    answers: int
    """Judgements that hold."""
    curators: int
    """Who gave them."""


def activity(workspace: Workspace, since: datetime) -> Activity:
    """What everybody has judged since a moment. Read from the newest decision back to the first one of before
    that moment."""
    answers, curators = 0, set()
    for at, curator, action, holds in workspace.db.execute(
        f"SELECT d.decided_at, d.curator_id, d.action, {stands()} FROM decisions d ORDER BY d.number DESC"
    ):
        decided = _read(at)
        if decided is None or decided < since:
            break
        if action in JUDGEMENTS and holds:
            answers += 1
            curators.add(curator)
    return Activity(answers, len(curators))


def _read(at: str) -> datetime | None:
    """A moment as the store holds it; None where it came from elsewhere in another form."""
    try:
        read = datetime.fromisoformat(at)
    except ValueError:
        return None
    return read if read.tzinfo else read.replace(tzinfo=UTC)
