"""The five stages over a corpus, as one run: offline, or by asking a model.

The same run id goes on where it stopped, whatever stopped it. Of a passage either everything is stored or
nothing; every answer of a model is stored before it is used, so that a passage that is begun anew finds the
answers it had got. An answer that had not reached the store when the process died is asked for again: at most
as many as were under way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from core.concepts.profile import Profile
from core.concepts.tools import Matcher
from core.pipeline import offline as offline_form
from core.pipeline import oracle as oracles
from core.pipeline import start
from core.pipeline.leaving import PAUSED, end, telling
from core.pipeline.plan import Plan, plan
from core.pipeline.prepare import ENCODER, Prepared, prepare
from core.pipeline.pulse import Pulse
from core.pipeline.report import RunReport, Status
from core.records import Curie
from core.store import calls, corpora, runs
from core.store.workspace import Workspace

if TYPE_CHECKING:
    from core.llm import Endpoint


def run_concepts(
    workspace: Workspace,
    *,
    corpus: str,
    ontology: str,
    profile: str | Path | Profile,
    stages: Sequence[str] | None = None,
    offline: bool = False,
    endpoint: Endpoint | None = None,
    root: Curie | None = None,
    run: str | None = None,
    encoder: str = ENCODER,
    threads: int | None = None,
    threshold: float | None = None,
    classes: int = 4,
    direct: bool = False,
    oracle: str | None = None,
    gold: str | None = None,
    ceiling: float | None = None,
    ceiling_tokens: int | None = None,
    prices: Path | None = None,
    price: str | None = None,
    batch_out: Path | None = None,
    retry_failed: bool = False,
    prepared: Prepared | None = None,
    matcher: Matcher | None = None,
    progress: Callable[[int, int], None] | None = None,
    announce: Callable[[str], None] | None = None,
) -> RunReport:
    """Label every passage of a corpus through the stages, or go on with a run that was begun.

    Args:
        ontology: `NAME` or `NAME@VERSION`.
        profile: a shipped one by name, a YAML file, or the profile itself.
        stages: some of `core.concepts.STAGES` in their order, the first one first; default the profile's.
        offline: the offline twins; else `endpoint` is asked.
        root: only concepts below this one; default the profile's, else the ontology's own.
        run: run id; default from profile, corpus, ontology and what makes the labels.
        threads: of the encoder.
        threshold: least similarity, in [0, 1]; default the profile's if it states one, else the encoder's.
        classes: 2, 3 or 4: how finely the classify stage asks.
        direct: concept names from the passage itself, without claims.
        oracle: `sentences`, `candidates` or `assertions`, to be taken from `gold`: an ablation that has seen
            the answers, and no labelling.
        gold: `imported:NAME@VERSION` or `reviewed@NUMBER:POLICY`; only with an oracle.
        ceiling: US dollars that the run may cost in all, its earlier starts included.
        ceiling_tokens: tokens that it may read and write in all, counted here where they are not reported.
        prices: a file like data/prices.yaml, for models that the shipped one does not know.
        price: `IN,OUT` of the models asked, US dollars per million tokens.
        batch_out: write the requests to this OpenAI Batch file instead of sending them.
        retry_failed: passages without a usable answer are tried anew; a run that is done is taken up again.
            Answers that came, in a usable form or not, are not paid for again.
        prepared: made earlier by `prepare`, for the same ontology and root.
        matcher: in place of the encoder's index.
        progress: called with (passages with an end, passages in all).
        announce: told what the run will cost, about, before it asks anything.

    Raises:
        NotFoundError: no such corpus, ontology, root or gold.
        InputError: a setting cannot be used; the run exists with other inputs, is done, or somebody else is
            running it now; the corpus is confidential and the endpoint is not of this machine.
        EndpointError: the endpoint cannot be used as it is set. What was finished is stored.
    """
    planned = plan(
        workspace,
        corpus=corpus,
        ontology=ontology,
        profile=profile,
        stages=stages,
        offline=offline,
        endpoint=endpoint,
        root=root,
        run=run,
        encoder=encoder,
        threshold=threshold,
        classes=classes,
        direct=direct,
        oracle=oracle,
        gold=gold,
        to_file=batch_out is not None,
    )
    from core.llm import Spending

    spending = Spending(ceiling, ceiling_tokens, prices, price)
    if endpoint is not None:
        spending.check(endpoint.names())
    options = {
        "profile": planned.profile.name if isinstance(profile, Profile) else str(profile),
        "threads": threads,
        **spending.options(),
        "endpoint": endpoint.settings() if endpoint else None,
    }
    helped = planned.oracle and oracles.read(workspace, corpus, planned.ontology.id, planned.oracle)
    with start.only_runner(workspace, planned.run):
        known = start.begin(
            workspace,
            planned.run,
            source=planned.source,
            corpus_id=planned.corpus.id,
            ontology_id=planned.ontology.id,
            inputs=planned.inputs,
            options=options,
            reopen=retry_failed,
        )
        done, failed = runs.passages_ended(workspace, planned.run)
        over = done if retry_failed else done | failed
        pulse = Pulse(
            planned.run,
            total=planned.corpus.passages,
            resumed=len(over),
            failures=len(over) - len(done),
            spent=calls.spent(workspace, planned.run),
            progress=progress,
        )
        if known.status == "done" and len(over) == pulse.total:
            return _report(workspace, planned, pulse, "done")  # asked to retry, but nothing had failed
        start.take_up(workspace, known, pulse)
        waiting = (p for p in corpora.passages(workspace, corpus) if p.id not in over)
        seconds: dict[str, float] = {}
        paused = False
        left = 0
        with telling(workspace, pulse):
            tools = planned.tools(
                prepared
                or prepare(
                    workspace,
                    planned.ontology.reference,
                    root=planned.root,
                    encoder=encoder,
                    threads=threads,
                    matcher=matcher,
                    progress=pulse.preparing(workspace, "Reading the names of the ontology"),
                )
            )
            pulse.message = None
            if endpoint is None:
                seconds = offline_form.run(workspace, waiting, planned.stages, tools, pulse, helped)
                message = None
            else:
                from core.pipeline import asked
                from core.pipeline.estimate import estimate_run
                from core.pipeline.labelling import Stages

                left, message, paused = asked.run(
                    workspace,
                    waiting,
                    Stages(planned.run, planned.stages, tools, helped),
                    endpoint,
                    pulse,
                    estimate=lambda table: estimate_run(
                        workspace, planned, endpoint, over, table, batch=batch_out is not None
                    ),
                    spending=spending,
                    batch_out=batch_out,
                    announce=announce,
                )
        if message is None and pulse.done < pulse.total:
            message, paused = PAUSED, True
        status = end(workspace, pulse, message, paused=paused, waiting=left)
    return _report(workspace, planned, pulse, status, message=message, waiting=left, seconds=seconds)


def _report(
    workspace: Workspace,
    planned: Plan,
    pulse: Pulse,
    status: Status,
    *,
    message: str | None = None,
    waiting: int = 0,
    seconds: dict[str, float] | None = None,
) -> RunReport:
    found = runs.find_run(workspace, planned.run)
    return RunReport(
        run=planned.run,
        corpus=planned.corpus.name,
        ontology=planned.ontology.reference,
        passages=planned.corpus.passages,
        resumed=pulse.resumed,
        proposals=found.proposals,
        digest=found.digest,
        status=status,
        failures=pulse.failures,
        waiting=waiting,
        spent=pulse.spent,
        counted=calls.counted(workspace, planned.run),
        message=message,
        oracle=str(planned.oracle) if planned.oracle else None,
        seconds=seconds or {},
    )
