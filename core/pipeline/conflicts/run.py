"""The stages from articles to labelled pairs over a corpus, as one run: offline, or by asking a model.

The same run id goes on where it stopped, whatever stopped it. What belongs together is stored in one write:
an article's outcome with its claims, a domain's pairs with what was counted, a pair's label with its record.
Every answer of a model is stored before it is used, so that none is paid for twice.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from core.errors import InputError
from core.pipeline import start
from core.pipeline.conflicts import labelling, pairing, reading
from core.pipeline.conflicts.plan import ConflictsPlan, ConflictsSettings, plan_conflicts
from core.pipeline.conflicts.report import ConflictsReport
from core.pipeline.leaving import PAUSED, Ended, end, telling
from core.pipeline.pulse import Pulse
from core.pipeline.report import Status
from core.records import Origin, Tier
from core.store import calls, pair_tally, pairs, runs
from core.store.workspace import Workspace

if TYPE_CHECKING:
    from core.llm import Endpoint


def run_conflicts(
    workspace: Workspace,
    settings: ConflictsSettings,
    *,
    embed: pairing.Embed | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    announce: Callable[[str], None] | None = None,
) -> ConflictsReport:
    """Find, pair and label the claims of a corpus, or go on with a run that was begun.

    Args:
        embed: in place of the encoder: texts to unit rows.
        progress: called with (what is counted, how many are done, how many in all).
        announce: told what asking will cost, about, before anything is asked.

    Raises:
        NotFoundError: no such corpus.
        InputError: a setting cannot be used; the run exists with other inputs, is done, or somebody else is
            running it now; the corpus is confidential and the endpoint is not of this machine.
        EndpointError: the endpoint cannot be used as it is set. What was finished is stored.
    """
    planned = plan_conflicts(workspace, settings)
    if (tier := settings.tier) is not None and settings.endpoint is None:
        raise InputError("Queues are for asking a model: leave --tier out, or name one (--model).")
    options = {"encoder": settings.encoder, **settings.options(tier=tier.value if tier else None)}
    with start.only_runner(workspace, planned.run):
        known = start.begin(
            workspace,
            planned.run,
            kind="conflicts",
            source=planned.source,
            corpus_id=planned.corpus.id,
            inputs=planned.inputs,
            options=options,
            reopen=settings.retry_failed,
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
            return _report(workspace, planned, pulse, "done", Ended())  # asked to retry: nothing had failed
        start.take_up(workspace, known, pulse)
        with telling(workspace, pulse):
            over = {} if settings.retry_failed else failed
            ended = _go_through(workspace, planned, settings, over, pulse, embed, announce)
        queued = _queued(workspace, planned)
        whole = ended.message is None
        if whole and queued:
            ended = ended._replace(message=_next_queue(tier, queued), paused=True)
        status = end(workspace, pulse, ended)
        if whole:
            status = "done"  # this start is, if not the run
    return _report(workspace, planned, pulse, status, ended, queued=queued)


def _go_through(
    workspace: Workspace,
    planned: ConflictsPlan,
    settings: ConflictsSettings,
    over: dict[int, pair_tally.FailedPair],
    pulse: Pulse,
    embed: pairing.Embed | None,
    announce: Callable[[str], None] | None,
) -> Ended:
    """The stages of the run, one after the other, until the last is through or it has to stop."""
    seconds: dict[str, float] = {}
    ended = Ended(seconds=seconds)
    through = reading.read(workspace, planned, pulse, seconds)
    if through and pairing.STAGE in planned.stages:
        through = pairing.mine(workspace, planned, pulse, seconds, threads=settings.threads, embed=embed)
    if through and labelling.STAGE in planned.stages:
        through = labelling.label_offline(workspace, planned, pulse, seconds)
        if through and planned.endpoint is not None:
            ended = _ask(workspace, planned, planned.endpoint, settings, over, pulse, announce)
            ended = ended._replace(seconds=seconds)
            through = pulse.done == pulse.total
    return ended if through or ended.message else ended._replace(message=PAUSED, paused=True)


def _ask(
    workspace: Workspace,
    planned: ConflictsPlan,
    endpoint: Endpoint,
    settings: ConflictsSettings,
    over: dict[int, pair_tally.FailedPair],
    pulse: Pulse,
    announce: Callable[[str], None] | None,
) -> Ended:
    """Ask about the pairs of a queue, or of all in their order, but not about those in `over`, which failed
    and are not tried again."""
    from core.pipeline import asked
    from core.pipeline.conflicts.estimate import estimate_pairs

    tiers = (settings.tier,) if settings.tier else tuple(Tier)
    in_queues = sum(
        count for (_, of), count in pairs.pair_counts(workspace, planned.run).items() if of in tiers
    )
    left = pair_tally.unasked(workspace, planned.run, tiers, over)
    failures = sum(one.tier in tiers for one in over.values())
    pulse.turn_to(workspace, "Asking", total=in_queues, resumed=in_queues - left, failures=failures)
    pulse.message = None
    to_file = settings.batch_out is not None
    return asked.run(
        workspace,
        labelling.to_ask(workspace, planned.run, tiers, over),
        labelling.Asking(planned.run, swapped=planned.swapped),
        endpoint,
        pulse,
        estimate=lambda table: estimate_pairs(
            labelling.to_ask(workspace, planned.run, tiers, over),
            endpoint,
            table,
            batch=to_file,
            swapped=planned.swapped,
        ),
        spending=settings.spending(),
        batch_out=settings.batch_out,
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
    ended: Ended,
    queued: int = 0,
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
        waiting=ended.waiting,
        spent=pulse.spent,
        counted=calls.counted(workspace, planned.run),
        message=ended.message,
        seconds=dict(ended.seconds),
    )
