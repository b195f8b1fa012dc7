"""The five stages over a corpus, as one run: offline, or by asking a model.

The same run id goes on where it stopped, whatever stopped it. Of a passage either everything is stored or
nothing; every answer of a model is stored before it is used, so that a passage that is begun anew finds the
answers it had got. An answer that had not reached the store when the process died is asked for again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.concepts.profile import Profile, load_profile
from core.concepts.tools import Matcher, Tools
from core.errors import InputError
from core.pipeline import offline as offline_form
from core.pipeline import settings, start
from core.pipeline.prepare import ENCODER, Prepared, prepare, root_of
from core.pipeline.pulse import Pulse
from core.pipeline.report import RunReport
from core.records import Curie
from core.store import calls, corpora, ontologies, runs, sessions
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
    ceiling: float | None = None,
    batch_out: Path | None = None,
    retry_failed: bool = False,
    prepared: Prepared | None = None,
    matcher: Matcher | None = None,
    progress: Callable[[int, int], None] | None = None,
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
        ceiling: US dollars that the run may cost in all, its earlier starts included.
        batch_out: write the requests to this OpenAI Batch file instead of sending them.
        retry_failed: passages without a usable answer are tried anew; a run that is done is taken up again.
        prepared: made earlier by `prepare`, for the same ontology and root.
        matcher: in place of the encoder's index.
        progress: called with (passages with an end, passages in all).

    Raises:
        NotFoundError: no such corpus, ontology or root.
        InputError: a setting cannot be used; the run exists with other inputs, is done, or somebody else is
            running it now; the corpus is confidential and the endpoint is not of this machine.
        EndpointError: the endpoint cannot be used as it is set. What was finished is stored.
    """
    if offline == (endpoint is not None):
        raise InputError("Name either an endpoint to ask (--model) or --offline.")
    if classes not in settings.CLASSES:
        raise InputError(f"The classify stage asks for 2, 3 or 4 classes, not {classes}.")
    if threshold is not None and not 0 <= threshold <= 1:
        raise InputError(f"A threshold is a number from 0 to 1, not {threshold}.")
    chosen = profile if isinstance(profile, Profile) else load_profile(profile)
    wanted = settings.checked_stages(stages, chosen)
    target = corpora.corpus(workspace, corpus)
    row = ontologies.find_ontology(workspace, ontology)
    if endpoint is not None:
        _may_be_asked(target, endpoint, batch_out)
    root = root_of(workspace, row, root, chosen.root)
    least = _threshold(threshold, chosen, encoder)
    guideline = settings.guideline_in_force(workspace, chosen)
    run = run or _run_id(chosen, corpus, row.name, endpoint)
    inputs = settings.inputs(
        corpus=target,
        ontology=row,
        root=root,
        profile=chosen,
        stages=wanted,
        endpoint=endpoint,
        encoder=encoder,
        threshold=least,
        classes=classes,
        direct=direct,
        guideline=guideline,
    )
    options = {
        "profile": str(profile) if not isinstance(profile, Profile) else chosen.name,
        "threads": threads,
    }
    if endpoint is not None:
        options |= {"ceiling": ceiling, "endpoint": endpoint.settings()}
    with start.only_runner(workspace, run):
        start.begin(
            workspace,
            run,
            source=settings.source(wanted, endpoint),
            corpus_id=target.id,
            ontology_id=row.id,
            inputs=inputs,
            options=options,
            reopen=retry_failed,
        )
        done, failed = runs.passages_ended(workspace, run)
        over = done if retry_failed else done | failed
        pulse = Pulse(
            run,
            total=target.passages,
            resumed=len(over),
            failures=len(over) - len(done),
            spent=calls.spent(workspace, run),
            progress=progress,
        )
        with workspace.write(bump=False) as db:
            pulse.begin(db)
        prepared = prepared or prepare(
            workspace,
            row.reference,
            root=root,
            encoder=encoder,
            threads=threads,
            matcher=matcher,
            progress=pulse.preparing(workspace, "Reading the names of the ontology"),
        )
        tools = Tools(
            profile=chosen,
            concepts=prepared.concepts,
            lineage=prepared.lineage,
            matcher=prepared.matcher,
            lexicon=prepared.lexicon,
            threshold=least,
            guideline=guideline.text,
            classes=classes,
            direct=direct,
        )
        waiting = (p for p in corpora.passages(workspace, corpus) if p.id not in over)
        seconds = offline_form.run(workspace, waiting, wanted, tools, pulse)
        status: Any = "done" if pulse.done >= pulse.total else "paused"
        message = None if status == "done" else "Paused. Run the same command again to go on."
        digest = None
        with workspace.write() as db:
            pulse.message = message
            pulse.beat(db)
            sessions.end_session(db, run, message)
            if status == "done":
                digest = runs.finish_run(db, run)
    found = runs.find_run(workspace, run)
    return RunReport(
        run=run,
        corpus=corpus,
        ontology=row.reference,
        passages=target.passages,
        resumed=len(over),
        proposals=found.proposals,
        digest=digest,
        status=status,
        failures=pulse.failures,
        spent=pulse.spent,
        message=message,
        seconds=seconds,
    )


def _may_be_asked(corpus: corpora.Corpus, endpoint: Endpoint, batch_out: Path | None) -> None:
    from core.llm import is_loopback

    if corpus.confidential and not is_loopback(endpoint.base_url):
        raise InputError(
            f"Corpus {corpus.name!r} is confidential: its texts may never leave this machine, and "
            f"{endpoint.base_url} is not of this machine. Name an endpoint on 127.0.0.1 or localhost, or run "
            "it --offline."
        )
    if corpus.confidential and batch_out is not None:
        raise InputError(
            f"Corpus {corpus.name!r} is confidential: its texts may never leave this machine, so they are not "
            "written to a batch file. Ask an endpoint of this machine, or run it --offline."
        )


def _threshold(given: float | None, profile: Profile, encoder: str) -> float:
    from core.encode import threshold

    if given is not None:
        return given
    return profile.threshold if "threshold" in profile.model_fields_set else threshold(encoder)


def _run_id(profile: Profile, corpus: str, ontology: str, endpoint: Endpoint | None) -> str:
    maker = re.sub(r"[^A-Za-z0-9.]+", "-", endpoint.model).strip("-") if endpoint else "offline"
    return f"{profile.name}-{corpus}-{ontology}-{maker}"
