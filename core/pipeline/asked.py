"""The form that asks a model: many passages in flight, each through all its stages, none waiting for others.

What is finished is stored every second. Where the run has to stop (the endpoint, the budget, a wish to
pause), no new passage is begun; those in flight get a while to end, for their answers are paid.
"""

from __future__ import annotations

import asyncio
import importlib
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from core.concepts.tools import Tools
from core.llm import (
    Asker,
    Budget,
    Collector,
    Deferred,
    Endpoint,
    OverBudget,
    Paused,
    ReplyFailure,
    load_prices,
)
from core.pipeline import batch
from core.pipeline.estimate import estimate_run
from core.pipeline.ledger import WorkspaceLedger
from core.pipeline.outcome import Outcome, store
from core.pipeline.plan import Plan
from core.pipeline.pulse import SECONDS, Pulse
from core.pipeline.writer import Writer
from core.records import Labelling, Passage, Verdict
from core.store.workspace import Workspace
from core.text.addressing import addresses_reader

GRACE = 30.0
"""Seconds that passages in flight have to end where a run stops."""


class Ended(NamedTuple):
    """How a start of a run ended."""

    waiting: int
    """Passages that wait for answers to a batch."""
    message: str | None
    """Why it stopped; None where no passage is left, or somebody asked for a pause."""
    paused: bool
    """The endpoint asked for a break."""


def run(
    workspace: Workspace,
    passages: Iterator[Passage],
    planned: Plan,
    endpoint: Endpoint,
    tools: Tools,
    pulse: Pulse,
    over: Collection[int],
    *,
    ceiling: float | None,
    prices: Path | None,
    batch_out: Path | None,
    announce: Callable[[str], None] | None,
) -> Ended:
    """Label `passages` until none is left or the run has to stop; `over` are those with an end, by id.

    Raises:
        EndpointError: the endpoint cannot be used as it is set. What was finished is stored.
        InputError: the batch file is there already, or cannot be written.
    """
    if batch_out is not None:
        batch.refuse_existing(batch_out)
    table = load_prices(prices) if prices else load_prices()
    if announce:
        announce(str(estimate_run(workspace, planned, endpoint, over, table, batch=batch_out is not None)))
    collector = Collector() if batch_out is not None else None
    with Writer(workspace.path) as writer:
        ledger = WorkspaceLedger(workspace, writer, planned.run)

        async def go() -> int:
            budget = Budget(ceiling, pulse.spent)

            def told(message: str) -> None:
                pulse.message = message or None

            async with Asker(
                endpoint, ledger, prices=table, budget=budget, status=told, collector=collector
            ) as asker:
                labelling = _Labelling(
                    passages, planned.stages, replace(tools, asker=asker), writer, pulse, budget
                )
                await labelling.go(endpoint.concurrency)
                return labelling.deferred

        try:
            deferred = asyncio.run(go())
        except (Paused, OverBudget) as error:
            return Ended(0, str(error), isinstance(error, Paused))
    if collector is not None and batch_out is not None and deferred:
        return Ended(deferred, batch.write(workspace, planned.run, batch_out, collector, deferred), False)
    return Ended(0, None, False)


class _Labelling:
    """The passages of one start, in one event loop."""

    def __init__(
        self,
        passages: Iterator[Passage],
        stages: Sequence[str],
        tools: Tools,
        writer: Writer,
        pulse: Pulse,
        budget: Budget,
    ) -> None:
        self._passages, self._tools, self._writer, self._pulse = passages, tools, writer, pulse
        self._budget = budget
        self._steps = [(stage, importlib.import_module(f"core.concepts.{stage}").ask) for stage in stages]
        self._ended: list[Outcome] = []
        self._stopping = False
        self.deferred = 0
        """Passages that wait for answers to a batch."""

    async def go(self, in_flight: int) -> None:
        """Raises whatever the run has to stop for; what was finished is stored."""
        workers = [asyncio.create_task(self._work()) for _ in range(in_flight)]
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

    async def _work(self) -> None:
        for passage in self._passages:
            if self._stopping or self._pulse.pause:
                return
            outcome = await self._label(passage)
            if outcome is not None:
                self._ended.append(outcome)

    async def _label(self, passage: Passage) -> Outcome | None:
        """None where the passage has no end yet, as it waits for a batch."""
        labelling, stage = Labelling(passage), ""
        if words := addresses_reader(passage.text):
            labelling = labelling.record(
                self._steps[0][0], Verdict.FLAGGED, reason="The text speaks to its reader.", words=words
            )
        try:
            for name, ask in self._steps:
                stage = name
                labelling = await ask(labelling, self._tools)
        except ReplyFailure as failure:
            return Outcome(labelling, stage, failure)
        except Deferred:
            self.deferred += 1
            return None
        return Outcome(labelling, stage)

    async def _store(self) -> None:
        """Keep what is finished, and say how far the run is."""
        ended, self._ended = self._ended, []
        pulse = self._pulse
        if ended:
            kept = self._writer.submit(lambda db: store(db, pulse.run, ended), bump=True)
            await asyncio.wrap_future(kept)
        pulse.count(len(ended), sum(outcome.failure is not None for outcome in ended))
        pulse.spent = self._budget.spent
        await asyncio.wrap_future(self._writer.submit(pulse.beat))
        pulse.tell()
