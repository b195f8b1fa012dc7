"""One corpus through every subset of the stages that HI-ALD, table 2 compares: one run for each row.

    made = ablate(workspace, corpus="demo", ontology="hpo-demo", profile="hpa", offline=True)
    core.evaluate.score_ablation(workspace, made.rows, "imported:demo@1", worked=made.worked)

The rows differ in their stages alone. They share what was prepared and, through the ledger, every answer: a
question that an earlier row has paid for is not asked again. The same call goes on where it stopped; of a row
that is done, only passages without a usable answer are tried anew.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from core.concepts.ablation import Row, rows
from core.concepts.profile import Profile, load_profile
from core.concepts.tools import Matcher
from core.pipeline.concepts import run_concepts
from core.pipeline.plan import Plan, plan
from core.pipeline.prepare import ENCODER, prepare
from core.pipeline.report import RunReport
from core.pipeline.settings import guideline_in_force
from core.records import Curie
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
    ceiling_tokens: int | None = None,
    prices: Path | None = None,
    price: str | None = None,
    matcher: Matcher | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    announce: Callable[[str], None] | None = None,
) -> AblationRuns:
    """Run every row for the profile, or go on with those that are not done.

    Args:
        prefix: what the run ids begin with; default from profile, corpus, ontology and what makes the labels.
        ceiling: US dollars that all rows together may cost, earlier starts included.
        ceiling_tokens: tokens that all rows together may read and write, earlier starts included.
        progress: called with (row, passages with an end, passages in all).
        announce: told what all rows will cost, about, before anything is asked.

    The others are those of `run_concepts`.

    Raises:
        NotFoundError, InputError, EndpointError: as `run_concepts`.
    """
    from core.llm import Spending

    chosen = profile if isinstance(profile, Profile) else load_profile(profile)
    spending = Spending(ceiling, ceiling_tokens, prices, price)
    if endpoint is not None:
        spending.check(endpoint.names())
    common: dict[str, Any] = {
        "corpus": corpus,
        "ontology": ontologies.find_ontology(workspace, ontology).reference,
        "profile": profile,  # as given: a run keeps where its profile came from, to be resumed
        "offline": offline,
        "endpoint": endpoint,
        "root": root,
        "encoder": encoder,
        "threshold": threshold,
        "classes": classes,
    }
    prefix = prefix or f"ablation-{plan(workspace, **common).run}"
    planned = {
        row: plan(workspace, run=f"{prefix}-{row.key}", stages=row.stages, direct=row.direct, **common)
        for row in rows(guideline=bool(guideline_in_force(workspace, chosen).text.strip()))
    }
    done = {run.id for run in runs.list_runs(workspace) if run.status == "done"}
    waiting = [each for each in planned.values() if each.run not in done]
    prepared = None
    if waiting:
        if endpoint is not None and announce is not None:
            announce(_estimate(workspace, waiting, endpoint, spending.table()))
        prepared = prepare(
            workspace,
            common["ontology"],
            root=waiting[0].root,
            encoder=encoder,
            threads=threads,
            matcher=matcher,
        )
    finished: list[tuple[Row, str]] = []
    worked: dict[str, tuple[int, Mapping[str, float]]] = {}
    for row, each in planned.items():
        report = run_concepts(
            workspace,
            run=each.run,
            stages=row.stages,
            direct=row.direct,
            threads=threads,
            **_left(workspace, spending, [p.run for p in planned.values() if p.run != each.run]),
            prices=prices,
            price=price,
            retry_failed=True,
            prepared=prepared,
            matcher=matcher,
            progress=_told(progress, row),
            **common,
        )
        if report.status != "done":
            return AblationRuns(tuple(finished), worked, report)
        finished.append((row, each.run))
        if report.seconds and report.passages > report.resumed:
            worked[each.run] = (report.passages - report.resumed, report.seconds)
    return AblationRuns(tuple(finished), worked, None)


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
