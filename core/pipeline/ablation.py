"""One corpus through every subset of the stages that HI-ALD, table 2 compares: one run for each row.

    made = ablate(workspace, corpus="demo", ontology="hpo-demo", profile="hpa", offline=True)
    core.evaluate.score_ablation(workspace, made.rows, "imported:demo@1", worked=made.worked)

The rows differ in their stages alone. They share what was prepared and, through the ledger, every answer: a
question that an earlier row has paid for is not asked again. The same call goes on where it stopped; of a row
that is done, only passages without a usable answer are tried anew.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from core.concepts.ablation import Row, rows
from core.concepts.profile import Profile, load_profile
from core.concepts.tools import Matcher
from core.pipeline.concepts import run_concepts
from core.pipeline.prepare import ENCODER, prepare, root_of
from core.pipeline.report import RunReport
from core.records import Curie
from core.store import calls, corpora, ontologies, runs
from core.store.workspace import Workspace

if TYPE_CHECKING:
    from core.llm import Endpoint


class AblationRuns(NamedTuple):
    """What was run, ready to be scored."""

    rows: tuple[tuple[Row, str], ...]
    """(row, run id) of every run that is done, in the order of the table."""
    worked: dict[str, tuple[int, Mapping[str, float]]]
    """Run id -> (passages labelled in this start, stage -> seconds of work on them); offline runs only."""
    unfinished: RunReport | None
    """The run that stopped or waits; None where all rows are done."""


def ablate(
    workspace: Workspace,
    *,
    corpus: str,
    ontology: str,
    profile: str | Path | Profile,
    offline: bool = False,
    endpoint: Endpoint | None = None,
    root: Curie | None = None,
    prefix: str | None = None,
    encoder: str = ENCODER,
    threads: int | None = None,
    threshold: float | None = None,
    classes: int = 4,
    ceiling: float | None = None,
    matcher: Matcher | None = None,
    progress: Callable[[str, int, int], None] | None = None,
) -> AblationRuns:
    """Run every row for the profile, or go on with those that are not done.

    Args:
        prefix: what the run ids begin with; default from profile, corpus, ontology and what makes the labels.
        ceiling: US dollars that all rows together may cost, earlier starts included.
        progress: called with (row, passages with an end, passages in all).

    The others are those of `run_concepts`.

    Raises:
        NotFoundError, InputError, EndpointError: as `run_concepts`.
    """
    chosen = profile if isinstance(profile, Profile) else load_profile(profile)
    corpora.corpus(workspace, corpus)
    row_of_ontology = ontologies.find_ontology(workspace, ontology)
    root = root_of(workspace, row_of_ontology, root, chosen.root)
    prefix = prefix or _prefix(chosen, corpus, row_of_ontology.name, endpoint)
    names = {row: f"{prefix}-{row.key}" for row in rows(chosen)}
    done = {run.id for run in runs.list_runs(workspace) if run.status == "done"}
    prepared = None
    if not done.issuperset(names.values()):
        prepared = prepare(
            workspace, row_of_ontology.reference, root=root, encoder=encoder, threads=threads, matcher=matcher
        )
    finished: list[tuple[Row, str]] = []
    worked: dict[str, tuple[int, Mapping[str, float]]] = {}
    for row, run in names.items():
        left = None
        if ceiling is not None:
            left = ceiling - sum(calls.spent(workspace, other) for other in names.values() if other != run)
            left = max(left, 0.0)  # a row that is done costs nothing more; any other stops and says so
        report = run_concepts(
            workspace,
            corpus=corpus,
            ontology=row_of_ontology.reference,
            profile=chosen,
            stages=row.stages,
            offline=offline,
            endpoint=endpoint,
            root=root,
            run=run,
            encoder=encoder,
            threads=threads,
            threshold=threshold,
            classes=classes,
            direct=row.direct,
            ceiling=left,
            retry_failed=True,
            prepared=prepared,
            matcher=matcher,
            progress=_told(progress, row),
        )
        if report.status != "done":
            return AblationRuns(tuple(finished), worked, report)
        finished.append((row, run))
        if report.seconds and report.passages > report.resumed:
            worked[run] = (report.passages - report.resumed, report.seconds)
    return AblationRuns(tuple(finished), worked, None)


def _prefix(profile: Profile, corpus: str, ontology: str, endpoint: Endpoint | None) -> str:
    maker = re.sub(r"[^A-Za-z0-9.]+", "-", endpoint.model).strip("-") if endpoint else "offline"
    return f"ablation-{profile.name}-{corpus}-{ontology}-{maker}"


def _told(progress: Callable[[str, int, int], None] | None, row: Row) -> Callable[[int, int], None] | None:
    if progress is None:
        return None
    return lambda done, total: progress(row.name, done, total)
