"""touchstone decisions add"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from core.cli.corpus import SkipBad
from core.cli.output import JsonFlag, bar, tell
from core.formats import listed
from core.formats.decisions import DECISION_FORMATS
from core.store import open_workspace

verbs = typer.Typer(help="Bring in what people decided elsewhere.", no_args_is_help=True)


def register(cli: typer.Typer) -> None:
    cli.add_typer(verbs, name="decisions")


@verbs.callback()
def group() -> None:
    """Bring in what people decided elsewhere."""


@verbs.command()
def add(
    context: typer.Context,
    file: Path,
    format_: Annotated[
        str | None, typer.Option("--format", help=f"{listed(DECISION_FORMATS)}; default by extension.")
    ] = None,
    skip_bad: SkipBad = False,
    as_json: JsonFlag = False,
) -> None:
    """Add a log of decisions that `export decisions` wrote; the same log again adds what is new.

    A log is taken on trust: that the people named in it decided so, and when, is not proven by anything here.
    """
    from core.exchange import add_decisions

    with open_workspace(context.obj, create=False) as workspace, bar("Reading decisions") as progress:
        report = add_decisions(workspace, file, format=format_, skip_bad=skip_bad, progress=progress)
    tell(report, str(report), as_json, failures=report.faults)
