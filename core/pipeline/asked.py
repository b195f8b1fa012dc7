"""The form that asks a model: many items in flight, each through all it needs, none waiting for others.

What is finished is stored every second. Where the run has to stop (the endpoint, the budget, a wish to
pause), no new item is begun; those in flight get a while to end, for their answers are paid.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from core.llm import (
    Asker,
    Budget,
    Collector,
    Deferred,
    Endpoint,
    OverBudget,
    Paused,
    Prices,
    ReplyFailure,
    Spending,
)
from core.llm.counting import count
from core.pipeline import batch
from core.pipeline.estimate import RunEstimate
from core.pipeline.leaving import Ended
from core.pipeline.ledger import WorkspaceLedger
from core.pipeline.pulse import SECONDS, Pulse
from core.pipeline.writer import Writer
from core.store import calls
from core.store.workspace import Workspace

if TYPE_CHECKING:
    from core.store.connect import sqlite3

GRACE = 30.0
"""Seconds that items in flight have to end where a run stops."""


class Outcome(Protocol):
    """The end of an item."""

    @property
    def failure(self) -> ReplyFailure | None:
        """Why it got no usable answer."""
        ...


Item = TypeVar("Item")
Given = TypeVar("Given", contravariant=True)
End = TypeVar("End", bound=Outcome)


class Work(Protocol[Given, End]):
    """What a run does with its items: passages, or pairs of claims."""

    async def label(self, item: Given, asker: Asker) -> End:
        """Lets through whatever stops the run, and `Deferred`."""
        ...

    def store(self, db: sqlite3.Connection, ended: Sequence[End]) -> None: ...


def run(
    workspace: Workspace,
    items: Iterator[Item],
    work: Work[Item, End],
    endpoint: Endpoint,
    pulse: Pulse,
    *,
    estimate: Callable[[Prices], RunEstimate],
    spending: Spending,
    batch_out: Path | None = None,
    announce: Callable[[str], None] | None = None,
    unit: str = "passages",
) -> Ended:
    """Label `items` until none is left or the run has to stop.

    Args:
        estimate: what it will cost, for `announce`.
        unit: what the items are.

    Raises:
        EndpointError: the endpoint cannot be used as it is set. What was finished is stored.
        InputError: the batch file is there already, or cannot be written.
    """
    if batch_out is not None:
        batch.refuse_existing(batch_out)
    table = spending.table()
    if announce:
        announce(str(estimate(table)))
    collector = Collector() if batch_out is not None else None
    with Writer(workspace.path) as writer:
        ledger = WorkspaceLedger(workspace, writer, pulse.run)

        async def go() -> int:
            most = spending.ceiling_tokens
            used = calls.tokens_used(workspace, pulse.run, count) if most is not None else 0
            budget = Budget(spending.ceiling, pulse.spent, ceiling_tokens=most, used=used)

            def told(message: str) -> None:
                pulse.message = message or None

            async with Asker(
                endpoint, ledger, prices=table, budget=budget, status=told, collector=collector
            ) as asker:
                labelling = _Labelling(items, work, asker, writer, pulse, budget)
                await labelling.go(endpoint.concurrency)
                return labelling.deferred

        try:
            deferred = asyncio.run(go())
        except (Paused, OverBudget) as error:
            return Ended(message=str(error), paused=isinstance(error, Paused))
    if collector is not None and batch_out is not None and deferred:
        written = batch.write(workspace, pulse.run, batch_out, collector, deferred, unit)
        return Ended(deferred, written)
    return Ended()


class _Labelling(Generic[Item, End]):
    """The items of one start, in one event loop."""

    def __init__(
        self,
        items: Iterator[Item],
        work: Work[Item, End],
        asker: Asker,
        writer: Writer,
        pulse: Pulse,
        budget: Budget,
    ) -> None:
        self._items, self._work, self._asker = items, work, asker
        self._writer, self._pulse, self._budget = writer, pulse, budget
        self._ended: list[End] = []
        self._stopping = False
        self.deferred = 0
        """Items that wait for answers to a batch."""

    async def go(self, in_flight: int) -> None:
        """Raises whatever the run has to stop for; what was finished is stored."""
        workers = [asyncio.create_task(self._label()) for _ in range(in_flight)]
        try:
            await self._watch(set(workers))
        finally:
            for worker in workers:
                worker.cancel()
            ended = await asyncio.gather(*workers, return_exceptions=True)
            await self._store()
        errors = [error for error in ended if isinstance(error, Exception)]
        if errors:
            raise errors[0]

    async def _watch(self, running: set[asyncio.Task[None]]) -> None:
        """Until all have ended; after the first error the others have `GRACE`."""
        until: float | None = None
        while running and (until is None or time.monotonic() < until):
            ended, running = await asyncio.wait(running, timeout=SECONDS, return_when=asyncio.FIRST_EXCEPTION)
            if any(task.exception() for task in ended):
                self._stopping = True
                until = until or time.monotonic() + GRACE
            await self._store()

    async def _label(self) -> None:
        for item in self._items:
            if self._stopping or self._pulse.pause:
                return
            try:
                outcome = await self._work.label(item, self._asker)
            except Deferred:  # it has no end yet
                self.deferred += 1
            else:
                self._ended.append(outcome)  # to the list as it is now: what was in it has been stored

    async def _store(self) -> None:
        """Keep what is finished, and say how far the run is."""
        ended, self._ended = self._ended, []
        pulse = self._pulse
        if ended:
            kept = self._writer.submit(lambda db: self._work.store(db, ended), bump=True)
            await asyncio.wrap_future(kept)
        pulse.count(len(ended), sum(outcome.failure is not None for outcome in ended))
        pulse.spent = self._budget.spent
        await asyncio.wrap_future(self._writer.submit(pulse.beat))
        pulse.tell()
