"""touchstone export"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from core.cli.output import JsonFlag, print_json, say
from core.store import open_workspace


class What(StrEnum):
    PROPOSALS = "proposals"
    GOLD = "gold"
    DECISIONS = "decisions"


def register(cli: typer.Typer) -> None:
    cli.command()(export)


def export(
    context: typer.Context,
    what: What,
    out: Annotated[Path, typer.Option(help="File to write; a manifest is written beside it.")],
    run: Annotated[str | None, typer.Option(help="Run whose proposals to write.")] = None,
    gold: Annotated[
        str | None,
        typer.Option(help="imported:NAME@VERSION or reviewed@NUMBER:POLICY (NUMBER may be 'now')."),
    ] = None,
    corpus: Annotated[str | None, typer.Option(help="Corpus, where the workspace holds several.")] = None,
    format_: Annotated[
        str | None, typer.Option("--format", help="json, jsonl, csv or paper003; default by extension.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Write proposals, gold or the decision log, with a manifest of versions, counts and sha256."""
    from core.exchange import export

    with open_workspace(context.obj, create=False) as workspace:
        manifest = export(workspace, what.value, out, run=run, gold=gold, corpus=corpus, format=format_)
    if as_json:
        return print_json(manifest)
    say(f"Wrote {out} and its manifest.")
