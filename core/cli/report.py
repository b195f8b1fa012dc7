"""touchstone report"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from core.cli.evaluate import IN_REPORTS, Families, InSample
from core.cli.output import say
from core.errors import InputError
from core.records import ItemKind
from core.store import Workspace, open_workspace, runs


def register(cli: typer.Typer) -> None:
    cli.command()(report)


def report(
    context: typer.Context,
    out: Annotated[Path, typer.Option(help="File to write, .html.")],
    run: Annotated[str | None, typer.Option(help="Run to tell of. Default: the newest with gold.")] = None,
    gold: Annotated[str | None, typer.Option(help="Gold reference. Default: the first of the run.")] = None,
    families: Families = None,
    in_sample: InSample = False,
    item: Annotated[
        list[int] | None,
        typer.Option(help="Id of a label to show with its evidence and decisions; may be given again."),
    ] = None,
) -> None:
    """Write one HTML file that opens without a server: charts, numbers, their meaning, and chosen labels."""
    from core import evaluate as scoring
    from core.evaluate.report.items import items_table
    from core.evaluate.report.page import page_html
    from core.exchange.atomic import replacing

    if out.suffix.lower() != ".html":
        raise InputError(f"A report is .html, not {out.suffix!r}: rename {out}.")
    with open_workspace(context.obj, create=False) as workspace:
        scored = _run_and_gold(workspace, run, gold)
        if scored is None and not item:
            raise InputError("There is nothing to report: no run has gold. Name labels with --item.")
        chosen = [items_table(workspace, item)] if item else []
        if scored is None:
            text = page_html("Touchstone", {"workspace": workspace.path.stem}, [], chosen)
        else:
            counting = {"in_sample": in_sample}
            options = scoring.Options(families=families or "", usual=IN_REPORTS, counting=counting)
            text = scoring.report_html(scoring.score_given(workspace, *scored, options), further=chosen)
    with replacing(out) as file:
        file.write(text.encode())
    say(f"Wrote {out}.")


def _run_and_gold(workspace: Workspace, run: str | None, gold: str | None) -> tuple[str, str] | None:
    """Both, as far as they are named; None where no run has gold."""
    from core.evaluate import gold_references, pair_gold_references

    if gold is not None and run is None:
        raise InputError("--gold says what a run is scored against: name the run with --run.")
    named = [runs.find_run(workspace, run)] if run else reversed(runs.list_runs(workspace))
    for one in named:
        known = pair_gold_references if one.proposes == ItemKind.PAIR else gold_references
        found = [gold] if gold else known(workspace, one.id)
        if found and one.status == "done":
            return one.id, found[0]
    if run:
        raise InputError(f"Run {run} is not finished, or nothing to score it against is in the workspace.")
    return None
