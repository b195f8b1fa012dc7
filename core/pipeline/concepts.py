"""The five stages over a corpus, as one run: offline, or by asking a model.

The same run id goes on where it stopped, whatever stopped it. Of a passage either everything is stored or
nothing; every answer of a model is stored before it is used, so that a passage that is begun anew finds the
answers it had got. An answer that had not reached the store when the process died is asked for again: at most
as many as were under way.
"""

from __future__ import annotations

from collections.abc import Callable

from core.concepts.oracle import Oracle
from core.concepts.profile import Profile
from core.concepts.tools import Matcher, Tools
from core.pipeline import offline as offline_form
from core.pipeline import oracle as oracles
from core.pipeline import start
from core.pipeline.leaving import PAUSED, Ended, end, telling
from core.pipeline.plan import Plan, plan
from core.pipeline.prepare import Prepared, prepare
from core.pipeline.pulse import Pulse
from core.pipeline.report import RunReport, Status
from core.pipeline.settings import ConceptsSettings
from core.store import calls, corpora, runs
from core.store.workspace import Workspace


def run_concepts(
    workspace: Workspace,
    settings: ConceptsSettings,
    *,
    prepared: Prepared | None = None,
    matcher: Matcher | None = None,
    progress: Callable[[int, int], None] | None = None,
    announce: Callable[[str], None] | None = None,
) -> RunReport:
    """Label every passage of a corpus through the stages, or go on with a run that was begun.

    Args:
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
    planned = plan(workspace, settings)
    profile = planned.profile.name if isinstance(settings.profile, Profile) else str(settings.profile)
    options = {"profile": profile, **settings.options(hypernyms=settings.hypernyms)}
    helped = planned.oracle and oracles.read(workspace, settings.corpus, planned.ontology.id, planned.oracle)
    with start.only_runner(workspace, planned.run):
        known = start.begin(
            workspace,
            planned.run,
            source=planned.source,
            corpus_id=planned.corpus.id,
            ontology_id=planned.ontology.id,
            inputs=planned.inputs,
            options=options,
            reopen=settings.retry_failed,
        )
        done, failed = runs.passages_ended(workspace, planned.run)
        over = done if settings.retry_failed else done | failed
        pulse = Pulse(
            planned.run,
            total=planned.corpus.passages,
            resumed=len(over),
            failures=len(over) - len(done),
            spent=calls.spent(workspace, planned.run),
            progress=progress,
        )
        if known.status == "done" and len(over) == pulse.total:
            return _report(workspace, planned, pulse, "done", Ended())  # asked to retry: nothing had failed
        start.take_up(workspace, known, pulse)
        with telling(workspace, pulse):
            prepared = prepared or _prepare(workspace, planned, settings, matcher, pulse)
            tools = planned.tools(prepared)
            pulse.message = None
            ended = _label(workspace, planned, settings, tools, helped, over, pulse, announce)
        if ended.message is None and pulse.done < pulse.total:
            ended = ended._replace(message=PAUSED, paused=True)
        status = end(workspace, pulse, ended)
    return _report(workspace, planned, pulse, status, ended)


def _prepare(
    workspace: Workspace, planned: Plan, settings: ConceptsSettings, matcher: Matcher | None, pulse: Pulse
) -> Prepared:
    return prepare(
        workspace,
        planned.ontology.reference,
        root=planned.root,
        encoder=planned.encoder,
        threads=settings.threads,
        matcher=matcher,
        progress=pulse.preparing(workspace, "Reading the names of the ontology"),
    )


def _label(
    workspace: Workspace,
    planned: Plan,
    settings: ConceptsSettings,
    tools: Tools,
    helped: Oracle | None,
    over: set[int],
    pulse: Pulse,
    announce: Callable[[str], None] | None,
) -> Ended:
    """Label the passages that are not in `over`, offline or by asking, until none is left or it must stop."""
    waiting = (p for p in corpora.passages(workspace, settings.corpus) if p.id not in over)
    endpoint = planned.endpoint
    if endpoint is None:
        return Ended(seconds=offline_form.run(workspace, waiting, planned.stages, tools, pulse, helped))
    from core.pipeline import asked
    from core.pipeline.estimate import estimate_run
    from core.pipeline.labelling import Stages

    to_file = settings.batch_out is not None
    return asked.run(
        workspace,
        waiting,
        Stages(planned.run, planned.stages, tools, helped),
        endpoint,
        pulse,
        estimate=lambda table: estimate_run(workspace, planned, endpoint, over, table, batch=to_file),
        spending=settings.spending(),
        batch_out=settings.batch_out,
        announce=announce,
    )


def _report(workspace: Workspace, planned: Plan, pulse: Pulse, status: Status, ended: Ended) -> RunReport:
    found = runs.find_run(workspace, planned.run)
    return RunReport(
        run=planned.run,
        corpus=planned.corpus.name,
        ontology=planned.ontology.reference,
        passages=planned.corpus.passages,
        resumed=pulse.resumed,
        proposals=runs.proposals(workspace, found),
        digest=found.digest,
        status=status,
        failures=pulse.failures,
        waiting=ended.waiting,
        spent=pulse.spent,
        counted=calls.counted(workspace, planned.run),
        message=ended.message,
        oracle=str(planned.oracle) if planned.oracle else None,
        seconds=dict(ended.seconds),
    )
