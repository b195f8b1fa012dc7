"""touchstone batch import"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from core.cli.asking import PriceOf, Prices
from core.cli.output import JsonFlag, finish_with, print_json, say
from core.store import open_workspace

verbs = typer.Typer(help="Answers of a batch service.", no_args_is_help=True)


def register(cli: typer.Typer) -> None:
    cli.add_typer(verbs, name="batch")


@verbs.callback()
def group() -> None:
    """Answers of a batch service."""


@verbs.command("import")
def import_(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="Output or error file of the batch service.")],
    batch: Annotated[
        Path | None, typer.Option(help="Batch file that was sent; default found beside FILE.")
    ] = None,
    run: Annotated[
        str | None, typer.Option(help="Run that pays; default the one it was written for.")
    ] = None,
    prices: Prices = None,
    price: PriceOf = None,
    as_json: JsonFlag = False,
) -> None:
    """Store the answers of a batch file that a run wrote (--batch-out); the run then goes on."""
    from core.pipeline.batch import import_batch

    with open_workspace(context.obj, create=False) as workspace:
        report = import_batch(workspace, file, batch=batch, run=run, prices=prices, price=price)
    if as_json:
        print_json(report)
    else:
        known = f", {report.known} of them known already" if report.known else ""
        failed = f", {report.failures} failed" if report.failures else ""
        say(f"{report.answers} answers stored{known}{failed}. Run the same command again to go on.")
    finish_with(report.failures)
