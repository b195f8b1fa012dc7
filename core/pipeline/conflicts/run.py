"""The stages from articles to labelled pairs over a corpus, as one run: offline, or by asking a model.

The same run id goes on where it stopped, whatever stopped it. What belongs together is stored in one write:
an article's outcome with its claims, a domain's pairs with what was counted, a pair's label with its record.
Every answer of a model is stored before it is used, so that none is paid for twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import InputError
from core.pipeline import start
from core.pipeline.conflicts import labelling, pairing, reading
from core.pipeline.conflicts.plan import ConflictsPlan, plan_conflicts
from core.pipeline.conflicts.report import ConflictsReport
from core.pipeline.leaving import PAUSED, end, telling
from core.pipeline.prepare import ENCODER
from core.pipeline.pulse import Pulse
from core.pipeline.report import Status
from core.records import Origin, Tier
from core.store import calls, pair_tally, pairs, runs
from core.store.workspace import Workspace

if TYPE_CHECKING:
    from core.conflicts.mine import Mining
    from core.llm import Endpoint, Spending
    from core.pipeline.asked import Ended


def run_conflicts(
    workspace: Workspace,
    *,
    corpus: str,
    stages: Sequence[str] | None = None,
    offline: bool = False,
    endpoint: Endpoint | None = None,
    run: str | None = None,
    encoder: str = ENCODER,
    threads: int | None = None,
    mining: Mining | None = None,
    ceiling: float | None = None,
    ceiling_tokens: int | None = None,
    prices: Path | None = None,
    price: str | None = None,
    batch_out: Path | None = None,
    tier: Tier | None = None,
    retry_failed: bool = False,
    embed: pairing.Embed | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    announce: Callable[[str], None] | None = None,
) -> ConflictsReport:
    """Find, pair and label the claims of a corpus, or go on with a run that was begun.

    Args:
        stages: the first few of `core.conflicts.STAGES`; default all.
        offline: labels by rule alone; else `endpoint` is asked besides.
        run: run id; default from corpus and what makes the labels.
        threads: of the encoder.
        mining: which claims are paired; default as paper 004.
        ceiling: US dollars that the run may cost in all, its earlier starts included.
        ceiling_tokens: tokens that it may read and write in all, counted here where they are not reported.
        prices: a file like data/prices.yaml, for models that the shipped one does not know.
        price: `IN,OUT` of the models asked, US dollars per million tokens.
        batch_out: write the requests to this OpenAI Batch file instead of sending them.
        tier: ask about this queue only; the run then waits to be taken up with the others.
        retry_failed: pairs without a usable answer are tried anew; a run that is done is taken up again.
            Answers that came, in a usable form or not, are not paid for again.
        embed: in place of the encoder: texts to unit rows.
        progress: called with (what is counted, how many are done, how many in all).
        announce: told what asking will cost, about, before anything is asked.

    Raises:
        NotFoundError: no such corpus.
        InputError: a setting cannot be used; the run exists with other inputs, is done, or somebody else is
            running it now; the corpus is confidential and the endpoint is not of this machine.
        EndpointError: the endpoint cannot be used as it is set. What was finished is stored.
    """
    planned = plan_conflicts(
        workspace,
        corpus=corpus,
        stages=stages,
        offline=offline,
        endpoint=endpoint,
        run=run,
        encoder=encoder,
        mining=mining,
        to_file=batch_out is not None,
    )
    if tier is not None and endpoint is None:
        raise InputError("Queues are for asking a model: leave --tier out, or name one (--model).")
    from core.llm import Spending

    spending = Spending(ceiling, ceiling_tokens, prices, price)
    if endpoint is not None:
        spending.check(endpoint.names())
    options = {
        "encoder": encoder,
        "threads": threads,
        **spending.options(),
        "tier": tier.value if tier else None,
        "endpoint": endpoint.settings() if endpoint else None,
    }
    with start.only_runner(workspace, planned.run):
        known = start.begin(
            workspace,
            planned.run,
            kind="conflicts",
            source=planned.source,
            corpus_id=planned.corpus.id,
            inputs=planned.inputs,
            options=options,
            reopen=retry_failed,
        )
        failed = pair_tally.failed_pairs(workspace, planned.run)
        pulse = Pulse(
            planned.run,
            total=planned.corpus.passages,
            resumed=0,
            failures=len(failed),
            spent=calls.spent(workspace, planned.run),
        )
        if progress is not None:
            pulse.told_by(lambda done, total: progress(pulse.part, done, total))
        if known.status == "done" and not failed:
            return _report(workspace, planned, pulse, "done")  # asked to retry, but nothing had failed
        start.take_up(workspace, known, pulse)
        seconds: dict[str, float] = {}
        ended = None
        with telling(workspace, pulse):
            through = reading.read(workspace, planned, pulse, seconds)
            if through and pairing.STAGE in planned.stages:
                through = pairing.mine(workspace, planned, pulse, seconds, threads=threads, embed=embed)
            if through and labelling.STAGE in planned.stages:
                through = labelling.label_offline(workspace, planned, pulse, seconds)
                if through and endpoint is not None:
                    over = {} if retry_failed else failed
                    ended = _ask(
                        workspace, planned, endpoint, pulse, tier, over, spending, batch_out, announce
                    )
                    through = pulse.done == pulse.total
        queued = _queued(workspace, planned)
        message, paused = (ended.message, ended.paused) if ended else (None, False)
        if message is None and not through:
            message, paused = PAUSED, True
        whole = message is None
        if whole and queued:
            message, paused = _next_queue(tier, queued), True
        left = ended.waiting if ended else 0
        status = end(workspace, pulse, message, paused=paused, waiting=left)
        if whole:
            status = "done"  # this start is, if not the run
    return _report(
        workspace, planned, pulse, status, message=message, waiting=left, queued=queued, seconds=seconds
    )


def _ask(
    workspace: Workspace,
    planned: ConflictsPlan,
    endpoint: Endpoint,
    pulse: Pulse,
    tier: Tier | None,
    over: dict[int, pair_tally.FailedPair],
    spending: Spending,
    batch_out: Path | None,
    announce: Callable[[str], None] | None,
) -> Ended:
    """Ask about the pairs of a queue, or of all in their order, but not about those in `over`, which failed
    and are not tried again."""
    from core.pipeline import asked
    from core.pipeline.conflicts.estimate import estimate_pairs

    tiers = (tier,) if tier else tuple(Tier)
    in_queues = sum(
        count for (_, of), count in pairs.pair_counts(workspace, planned.run).items() if of in tiers
    )
    left = pair_tally.unasked(workspace, planned.run, tiers, over)
    failures = sum(one.tier in tiers for one in over.values())
    pulse.turn_to(workspace, "Asking", total=in_queues, resumed=in_queues - left, failures=failures)
    pulse.message = None
    return asked.run(
        workspace,
        labelling.to_ask(workspace, planned.run, tiers, over),
        labelling.Asking(planned.run),
        endpoint,
        pulse,
        estimate=lambda table: estimate_pairs(
            labelling.to_ask(workspace, planned.run, tiers, over),
            endpoint,
            table,
            batch=batch_out is not None,
        ),
        spending=spending,
        batch_out=batch_out,
        announce=announce,
        unit="pairs",
    )


def _queued(workspace: Workspace, planned: ConflictsPlan) -> int:
    """Pairs that a model is still to be asked about."""
    if planned.endpoint is None or labelling.STAGE not in planned.stages:
        return 0
    over = pair_tally.failed_pairs(workspace, planned.run)
    return pair_tally.unasked(workspace, planned.run, tuple(Tier), over)


def _next_queue(tier: Tier | None, queued: int) -> str:
    return (
        f"The queue {tier.value if tier else 'full'} is labelled. Name another one with --tier, or none, to "
        f"go on with {queued:,} pairs."
    )


def _report(
    workspace: Workspace,
    planned: ConflictsPlan,
    pulse: Pulse,
    status: Status,
    *,
    message: str | None = None,
    waiting: int = 0,
    queued: int = 0,
    seconds: dict[str, float] | None = None,
) -> ConflictsReport:
    counts = pair_tally.pair_tally(workspace, planned.run)
    return ConflictsReport(
        run=planned.run,
        corpus=planned.corpus.name,
        articles=planned.corpus.passages,
        kept=counts.kept,
        left=counts.left,
        claims=sum(counts.claims.values()),
        pairs=sum(counts.pairs.values()),
        labels={o.value: sum(counts.labels(o).values()) for o in (Origin.MODEL, Origin.HEURISTIC)},
        repaired=counts.repaired,
        digest=runs.find_run(workspace, planned.run).digest,
        status=status,
        failures=counts.failed,
        queued=queued,
        waiting=waiting,
        spent=pulse.spent,
        counted=calls.counted(workspace, planned.run),
        message=message,
        seconds=seconds or {},
    )
