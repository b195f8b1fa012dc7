"""Labels by a model: one call for a pair, two more at most where its answer has no usable form.

What is off the schema is repaired and told (`repair`); such a label is flagged. Quotes are looked up in the
texts (`evidence`). A pair without a usable answer has no label here: whoever asked falls back to the
heuristic.
"""

from __future__ import annotations

from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

from core.conflicts.annotate import prompt
from core.conflicts.annotate.check import addressed
from core.conflicts.annotate.evidence import span
from core.conflicts.annotate.repair import Repaired, repair
from core.conflicts.annotate.reply import Labelled, check
from core.llm import Asker, ReplyFailure, together
from core.records import Origin, PairLabel, PairTask

STAGE = "annotate"
_Answered = tuple[Repaired, int]
"""An answer, and the stored call that it comes from."""


async def ask(task: PairTask, asker: Asker, *, swapped: bool = False) -> tuple[PairLabel, int]:
    """The label of a pair and the stored call that it comes from.

    Args:
        swapped: ask a second time with the sides swapped. Where the answers name different types, or the
            second has no usable form, the first stands, flagged as a repaired one is, so that it comes first
            in review.

    Raises:
        ReplyFailure: no usable answer; its `call` says why.
        EndpointError, Paused, OverBudget: the run stops.
        Deferred: the request has gone into the batch.
    """
    pair = task.pair
    asked: list[Coroutine[Any, Any, _Answered | None]] = [_answered(task, asker, prompt.data(task))]
    if swapped:
        asked.append(_turned(task, asker))
    answers = await together(asked)
    made, call = next(filter(None, answers))  # the first one: without it nothing gets here
    repairs = made.repairs
    for other in answers[1:]:
        if other is None:
            repairs += ("with the sides swapped there was no usable answer",)
        elif other[0].conflict_type is not made.conflict_type:
            repairs += (f"with the sides swapped the answer was {other[0].conflict_type.value}",)
    evidence = (
        *(span("a", quote.words, quote.role, pair.a, task.a) for quote in made.quotes_a),
        *(span("b", quote.words, quote.role, pair.b, task.b) for quote in made.quotes_b),
    )
    label = PairLabel(
        made.comparable,
        made.conflict_type,
        made.axes,
        made.confounder,
        made.reconciliation,
        tuple(dict.fromkeys(evidence)),
        made.confidence,
        " ".join(part for part in (made.notes, addressed(task)) if part),
        Origin.MODEL,
        asker.endpoint.model_for(STAGE),
        bool(repairs),
        repairs,
    )
    return label, call


async def _turned(task: PairTask, asker: Asker) -> _Answered | None:
    """What is answered with the sides swapped; None: nothing usable."""
    with suppress(ReplyFailure):
        return await _answered(task, asker, prompt.data(task, swapped=True))
    return None


async def _answered(task: PairTask, asker: Asker, data: dict[str, Any]) -> _Answered:
    answer = await asker.ask(
        prompt.prompt(),
        Labelled,
        terms=prompt.terms(),
        data=data,
        stage=STAGE,
        passage_id=task.pair.a.passage_id or None,
        check=lambda reply: check(reply, repair(reply).repairs),
    )
    return repair(answer.value), answer.call
