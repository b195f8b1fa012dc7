"""Labels by a model: one call for a pair, two more at most where its answer has no usable form.

What is off the schema is repaired and told (`repair`); such a label is flagged. Quotes are looked up in the
texts (`evidence`). A pair without a usable answer has no label here: whoever asked falls back to the
heuristic.
"""

from __future__ import annotations

from core.conflicts.annotate import prompt
from core.conflicts.annotate.check import addressed
from core.conflicts.annotate.evidence import span
from core.conflicts.annotate.repair import repair
from core.conflicts.annotate.reply import Labelled, check
from core.llm import Asker
from core.records import Origin, PairLabel, PairTask

STAGE = "annotate"


async def ask(task: PairTask, asker: Asker) -> tuple[PairLabel, int]:
    """The label of a pair and the stored call that it comes from.

    Raises:
        ReplyFailure: no usable answer; its `call` says why.
        EndpointError, Paused, OverBudget: the run stops.
        Deferred: the request has gone into the batch.
    """
    pair = task.pair
    answer = await asker.ask(
        prompt.prompt(),
        Labelled,
        terms=prompt.terms(),
        data=prompt.data(task),
        stage=STAGE,
        passage_id=pair.a.passage_id or None,
        check=lambda reply: check(reply, repair(reply).repairs),
    )
    made = repair(answer.value)
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
        bool(made.repairs),
        made.repairs,
    )
    return label, answer.call
