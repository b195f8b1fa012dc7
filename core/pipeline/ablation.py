"""One corpus through every subset of the stages that HI-ALD, table 2 compares: one run for each row.

    settings = ConceptsSettings(corpus="demo", ontology="hpo-demo", profile="hpa", offline=True)
    made = ablate(workspace, settings)
    core.evaluate.score_ablation(workspace, made.rows, "imported:demo@1", worked=made.worked)

The rows differ in their stages alone. They share what was prepared and, through the ledger, every answer: a
question that an earlier row has paid for is not asked again. The same call goes on where it stopped; of a row
that is done, only passages without a usable answer are tried anew.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from core.concepts.ablation import Row, rows
from core.concepts.profile import Profile, load_profile
from core.concepts.tools import Matcher
from core.pipeline.concepts import run_concepts
from core.pipeline.plan import Plan, plan
from core.pipeline.prepare import prepare
from core.pipeline.report import RunReport
from core.pipeline.settings import ConceptsSettings, guideline_in_force
from core.store import calls, ontologies, runs
from core.store.workspace import Workspace

if TYPE_CHECKING:
    from core.llm import Endpoint, Prices, Spending


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
    settings: ConceptsSettings,
    *,
    matcher: Matcher | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    announce: Callable[[str], None] | None = None,
) -> AblationRuns:
    """Run every row for the profile, or go on with those that are not done.

    Args:
        settings: what all rows share. `run` is what their ids begin with, by default made from profile,
            corpus, ontology and what makes the labels; a ceiling is of all rows together.
        progress: called with (row, passages with an end, passages in all).
        announce: told what all rows will cost, about, before anything is asked.

    Raises:
        NotFoundError, InputError, EndpointError: as `run_concepts`.
    """
    spending, endpoint = settings.spending(), settings.endpoint
    ontology = ontologies.find_ontology(workspace, settings.ontology)
    settings = replace(settings, ontology=ontology.reference, retry_failed=True)
    planned = _plans(workspace, settings)
    done = {run.id for run in runs.list_runs(workspace) if run.status == "done"}
    waiting = [each for each in planned.values() if each.run not in done]
    prepared = None
    if waiting:
        if endpoint is not None and announce is not None:
            announce(_estimate(workspace, waiting, endpoint, spending.table()))
        prepared = prepare(
            workspace,
            settings.ontology,
            root=waiting[0].root,
            encoder=settings.encoder,
            threads=settings.threads,
            matcher=matcher,
        )
    finished: list[tuple[Row, str]] = []
    worked: dict[str, tuple[int, Mapping[str, float]]] = {}
    for row, each in planned.items():
        left = _left(workspace, spending, [p.run for p in planned.values() if p.run != each.run])
        report = run_concepts(
            workspace,
            replace(settings, run=each.run, stages=row.stages, direct=row.direct, **left),
            prepared=prepared,
            matcher=matcher,
            progress=_told(progress, row),
        )
        if report.status != "done":
            return AblationRuns(tuple(finished), worked, report)
        finished.append((row, each.run))
        if report.seconds and report.passages > report.resumed:
            worked[each.run] = (report.passages - report.resumed, report.seconds)
    return AblationRuns(tuple(finished), worked, None)


def _plans(workspace: Workspace, settings: ConceptsSettings) -> dict[Row, Plan]:
    """The run of every row."""
    profile = settings.profile
    chosen = profile if isinstance(profile, Profile) else load_profile(profile)
    prefix = settings.run or f"ablation-{plan(workspace, settings).run}"
    return {
        row: plan(
            workspace,
            replace(settings, run=f"{prefix}-{row.key}", stages=row.stages, direct=row.direct),
        )
        for row in rows(guideline=bool(guideline_in_force(workspace, chosen).text.strip()))
    }


def _estimate(workspace: Workspace, waiting: Sequence[Plan], endpoint: Endpoint, table: Prices) -> str:
    """What the rows will cost together, about. A row asks what is new in it: its last stage."""
    from core.pipeline.estimate import estimate_run

    made = []
    for each in waiting:
        done, _ = runs.passages_ended(workspace, each.run)
        made.append(estimate_run(workspace, replace(each, stages=each.stages[-1:]), endpoint, done, table))
    whole = replace(made[0], passages=max(one.passages for one in made))
    for one in made[1:]:
        whole = replace(whole, total=whole.total + one.total)
    return f"All {len(waiting)} rows together, on {whole}"


def _left(workspace: Workspace, spending: Spending, others: Sequence[str]) -> dict[str, Any]:
    """What one row may spend in all, as the others have spent what they have. A row that is done costs
    nothing more; any other stops where nothing is left, and says so."""
    from core.llm.counting import count

    found: dict[str, Any] = {}
    if spending.ceiling is not None:
        found["ceiling"] = max(0.0, spending.ceiling - sum(calls.spent(workspace, run) for run in others))
    if spending.ceiling_tokens is not None:
        used = sum(calls.tokens_used(workspace, run, count) for run in others)
        found["ceiling_tokens"] = max(0, spending.ceiling_tokens - used)
    return found


def _told(progress: Callable[[str, int, int], None] | None, row: Row) -> Callable[[int, int], None] | None:
    if progress is None:
        return None
    return lambda done, total: progress(row.name, done, total)
