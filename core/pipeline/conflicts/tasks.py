"""Pairs that stand in no corpus, labelled: by rule, and by a model where one is named."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from core.conflicts.annotate import offline
from core.records import PairLabel, PairTask

if TYPE_CHECKING:
    from core.llm import Endpoint, Spending
    from core.store.workspace import Workspace


def label_tasks(
    tasks: Sequence[PairTask],
    *,
    workspace: Workspace | None = None,
    endpoint: Endpoint | None = None,
    spending: Spending | None = None,
    swapped: bool = False,
    announce: Callable[[str], None] | None = None,
) -> tuple[list[tuple[PairLabel, ...]], int]:
    """The labels of each pair, the model's before the rules', and for how many a model had no usable answer.

    Args:
        workspace: keeps answers, so that none is paid for twice; needed with an endpoint.
        endpoint: the model to ask; None: by rule alone.
        swapped: ask a second time with the sides swapped.

    Raises:
        EndpointError, Paused, OverBudget: asking had to stop. Answers that came are kept in the workspace.
    """
    ruled = list(offline.run(tasks))
    if endpoint is None or workspace is None:
        return [(label,) for label in ruled], 0
    from core.conflicts.annotate import ask
    from core.llm import Asker, Budget, ReplyFailure, Spending
    from core.pipeline.conflicts.estimate import estimate_pairs
    from core.pipeline.ledger import WorkspaceLedger
    from core.pipeline.writer import Writer

    allowed = spending or Spending()
    table = allowed.table()
    if announce:
        announce(str(estimate_pairs(tasks, endpoint, table, swapped=swapped)))

    async def one(task: PairTask, asker: Asker) -> PairLabel | None:
        try:
            return (await ask(task, asker, swapped=swapped))[0]
        except ReplyFailure:
            return None

    async def every(writer: Writer) -> list[PairLabel | None]:
        budget = Budget(allowed.ceiling, ceiling_tokens=allowed.ceiling_tokens)
        ledger = WorkspaceLedger(workspace, writer, None)
        async with Asker(endpoint, ledger, prices=table, budget=budget) as asker:
            return await asyncio.gather(*(one(task, asker) for task in tasks))

    with Writer(workspace.path) as writer:
        said = asyncio.run(every(writer))
    both = zip(said, ruled, strict=True)
    return [(own, rule) if own else (rule,) for own, rule in both], said.count(None)
