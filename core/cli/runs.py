"""touchstone annotate, touchstone runs list | show | compare"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from core.cli import conflicts
from core.cli.asking import Asked, asking
from core.cli.learn import Learned
from core.cli.output import JsonFlag, bar, finish_with, print_json, print_scores, print_table, say
from core.cli.run import HypernymsOption
from core.errors import InputError
from core.records import ItemKind
from core.store import calls, open_workspace, runs, tally
from core.store.sessions import Session
from core.text.units import with_unit

if TYPE_CHECKING:
    from core.evaluate import PairRunComparison, SeveralRuns

verbs = typer.Typer(help="List, show and compare runs.", no_args_is_help=True)


annotating = typer.Typer()


def register(cli: typer.Typer) -> None:
    annotating.callback(invoke_without_command=True)(annotate)
    annotating.command()(asking(pairs))
    cli.add_typer(annotating, name="annotate")
    cli.add_typer(verbs, name="runs")


def annotate(
    context: typer.Context,
    corpus: Annotated[str | None, typer.Option(help="Corpus to annotate.")] = None,
    ontology: Annotated[str | None, typer.Option(help="Ontology, NAME or NAME@VERSION.")] = None,
    root: Annotated[
        str | None, typer.Option(help="Only concepts below this one; default the ontology's root.")
    ] = None,
    run: Annotated[str | None, typer.Option(help="Run id; default from corpus and ontology.")] = None,
    learned: Learned = None,
    profile: Annotated[
        str | None, typer.Option(help="Task profile, for its root and hypernyms: a name or a YAML file.")
    ] = None,
    hypernyms: HypernymsOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Propose concepts with the offline annotator; a stopped run goes on where it was. Or, with `pairs FILE`,
    label claim pairs of a file."""
    if context.invoked_subcommand:
        return
    if corpus is None or ontology is None:
        raise InputError("Name the corpus with --corpus and the ontology with --ontology.")
    from core.concepts.profile import POLICIES
    from core.pipeline import annotate

    with open_workspace(context.obj, create=False) as workspace, bar("Annotating") as progress:
        report = annotate(
            workspace,
            corpus=corpus,
            ontology=ontology,
            root=root,
            run=run,
            learned=learned,
            profile=profile,
            hypernyms=POLICIES[hypernyms] if hypernyms else None,
            progress=progress,
        )
    if as_json:
        return print_json(report)
    resumed = f" ({report.resumed} of them from an earlier start)" if report.resumed else ""
    say(f"Run {report.run}: {report.proposals} proposals on {report.passages} passages{resumed}.")


def pairs(
    context: typer.Context,
    asked: Asked,
    file: Annotated[Path, typer.Argument(help="Claim pairs, JSONL or JSON; claims, and what else is known.")],
    out: Annotated[Path, typer.Option(help="File to write, .jsonl or .json.")],
    offline: Annotated[bool, typer.Option("--offline", help="By rule, without a model.")] = False,
    swapped: conflicts.Swapped = False,
    as_json: JsonFlag = False,
) -> None:
    """Label claim pairs of a file, offline or by asking a model; `proposals add` takes the result."""
    from core.exchange.atomic import replacing
    from core.exchange.pair_tasks import labelled_rows, origins, read_tasks
    from core.formats import format_of
    from core.formats.pairs import write_pairs
    from core.llm import Spending
    from core.pipeline.conflicts.tasks import label_tasks

    rows, tasks = zip(*read_tasks(file), strict=True)
    if offline:
        labels, failed = label_tasks(tasks)
    else:
        endpoint, of_run = asked.endpoint(), dict(asked.of_run)
        if of_run.pop("batch_out"):
            raise InputError("Pairs of a file are asked about at once: leave --batch-out out.")
        with open_workspace(context.obj) as workspace:  # keeps the answers
            labels, failed = label_tasks(
                tasks,
                workspace=workspace,
                endpoint=endpoint,
                spending=Spending(**of_run),
                swapped=swapped,
                announce=say,
            )
    with replacing(out) as opened:
        write_pairs(format_of(out), labelled_rows(rows, tasks, labels), opened)
    by = origins(labels)
    if as_json:
        print_json({"pairs": len(rows), "labels": by, "failed": failed, "out": str(out)})
    else:
        told = ", ".join(f"{n:,} by {origin}" for origin, n in by.items())
        say(f"Wrote {out}: {len(rows):,} pairs, labels {told}.")
    finish_with(failed)


@verbs.command("list")
def list_(context: typer.Context, as_json: JsonFlag = False) -> None:
    """List the runs of the workspace."""
    from core.pipeline.status import statuses

    with open_workspace(context.obj, create=False) as workspace:
        rows = [(each.run, runs.proposals(workspace, each.run), each.state) for each in statuses(workspace)]
    if as_json:
        told = [{**r._asdict(), "proposals": made, "state": state} for r, made, state in rows]
        return print_json({"runs": told})
    print_table(
        "Runs",
        ["run", "kind", "source", "corpus", "state", "proposals", "started"],
        [(r.id, r.kind, r.source, r.corpus, state, made, r.started_at) for r, made, state in rows],
    )


@verbs.command()
def show(context: typer.Context, run: str, as_json: JsonFlag = False) -> None:
    """Show a run: how far it is, inputs, funnel by stage, cost, counts by class, assertion and grounding."""
    from core.pipeline.status import status

    with open_workspace(context.obj, create=False) as workspace:
        now = status(workspace, run)
        session = now.session
        found = {**now.run._asdict(), "proposals": runs.proposals(workspace, now.run)}
        counts = runs.counts(workspace, run)
        funnel = tally.funnel(tally.tally(workspace, run), now.run.settings.get("stages", ()))
        costs = calls.costs(workspace, run)
        pairs = conflicts.funnel(workspace, run) if now.run.proposes == ItemKind.PAIR else None
    if not as_json:
        _print_run(found, now.state, session)
    if pairs is not None:
        return conflicts.show(found, now.state, session, pairs, as_json=as_json)
    if as_json:
        progress = session and {**session._asdict(), "rate": session.rate, "seconds_left": now.seconds_left}
        shown = {"state": now.state, "session": progress, "funnel": funnel, "costs": costs}
        return print_json({**found, "counts": counts, **shown})
    if funnel:
        print_table("Candidates by stage", funnel[0]._fields, funnel)
    if costs:
        print_table("Calls paid for", costs[0]._fields, costs)
    print_table(
        "Proposals", ["field", "value", "n"], [(f, v, n) for f, by in counts.items() for v, n in by.items()]
    )


def _print_run(run: Mapping[str, Any], state: str, session: Session | None) -> None:
    facts = {name: value for name, value in run.items() if name != "settings"}
    print_table(run["id"], ["field", "value"], [*facts.items(), ("state", state)])
    print_table("Settings", ["setting", "value"], _flat(run["settings"]))
    if session:
        told = session._asdict() | {n: _moment(getattr(session, n)) for n in ("started_at", "beat_at")}
        rows = [(with_unit(name), value) for name, value in told.items()]
        print_table("Last session", ["field", "value"], rows)


def _flat(settings: Mapping[str, Any], under: str = "") -> Iterator[tuple[str, Any]]:
    """A row per setting, however deep: `mining.neighbours`."""
    for name, value in settings.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{under}{name}.")
        else:
            yield f"{under}{name}", ", ".join(map(str, value)) if isinstance(value, list) else value


def _moment(seconds: float) -> str:
    """Unix seconds as they are written elsewhere."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")


@verbs.command()
def compare(
    context: typer.Context,
    names: Annotated[list[str], typer.Argument(metavar="RUN RUN...", help="Two runs, or more with --gold.")],
    gold: Annotated[
        str | None,
        typer.Option(
            help="Also compare their scores on this gold: imported:NAME@V, corrected@... or reviewed@..."
        ),
    ] = None,
    families: Annotated[
        str, typer.Option(help="With --gold: metric families, comma-separated, or all.")
    ] = "corpus",
    assertions: Annotated[
        str, typer.Option(help="With --gold: statuses that count, comma-separated.")
    ] = "affirmed,uncertain",
    bootstrap: Annotated[
        int, typer.Option(help="With --gold: resamples for intervals and tests, at least 100; 0 for none.")
    ] = 1000,
    seed: Annotated[int, typer.Option(help="With --gold: of the resamples.")] = 13,
    in_sample: Annotated[
        bool, typer.Option("--in-sample", help="With --gold: on documents that a run was learned from, too.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Compare two runs on one corpus: what both propose, what only one does, and their agreement; on a gold,
    by how much one is better and whether that may be chance. More than two runs, such as those of several
    seeds: mean and standard deviation of their scores on a gold."""
    from core.evaluate import (
        Settings,
        compare_on_gold,
        compare_pair_runs,
        compare_runs,
        score_several,
    )

    if len(names) < 2 or (len(names) > 2 and gold is None):
        raise InputError("Name two runs to compare; more than two are compared by their scores: add --gold.")
    settings = Settings.parse(
        families=families, assertions=assertions, bootstrap=bootstrap, seed=seed, in_sample=in_sample
    )
    with open_workspace(context.obj, create=False) as workspace:
        if len(names) > 2 and gold is not None:
            several = score_several(workspace, names, gold, settings)
            return print_json(several.to_json()) if as_json else print_scores(several.tables())
        a, b = names
        if all(runs.find_run(workspace, run).proposes == ItemKind.PAIR for run in (a, b)):
            on_gold = score_several(workspace, names, gold, settings) if gold is not None else None
            return _print_pairs(compare_pair_runs(workspace, a, b), on_gold, as_json=as_json)
        report = compare_runs(workspace, a, b)
        scores = compare_on_gold(workspace, a, b, gold, settings) if gold is not None else None
    if as_json:
        return print_json(dataclasses.asdict(report) | ({"on_gold": scores.to_json()} if scores else {}))
    print_table(f"{a} and {b}", ["field", "value"], list(report.to_json().items()))
    if scores:
        print_scores(scores.result.tables)
        print_table("Read with these numbers", ["note"], [(note,) for note in scores.result.notes])


def _print_pairs(report: PairRunComparison, on_gold: SeveralRuns | None, *, as_json: bool) -> None:
    """Two runs of claim pairs, or the two annotators of one."""
    if as_json:
        return print_json(report.to_json() | ({"on_gold": on_gold.to_json()} if on_gold else {}))
    for table in (*report.tables(), *(on_gold.tables() if on_gold else ())):
        print_table(table.title, table.columns, table.rows)
