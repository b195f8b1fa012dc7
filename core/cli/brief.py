"""touchstone brief"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from core.cli.output import say
from core.errors import InputError
from core.store import open_workspace


def register(cli: typer.Typer) -> None:
    cli.command()(brief)


def brief(
    context: typer.Context,
    corpus: Annotated[str, typer.Option(help="Corpus whose claims were found by `run conflicts`.")],
    about: Annotated[str, typer.Option(help="A question in plain words, or the id of a concept.")],
    out: Annotated[Path, typer.Option(help="File to write, .html.")],
    run: Annotated[str | None, typer.Option(help="Run of claim pairs; default the newest.")] = None,
) -> None:
    """Write one HTML page on a question: findings for and against it, and what splits them."""
    from core.evaluate.brief import brief, brief_html
    from core.exchange.atomic import replacing

    if out.suffix.lower() != ".html":
        raise InputError(f"A brief is .html, not {out.suffix!r}: rename {out}.")
    with open_workspace(context.obj, create=False) as workspace:
        found = brief(workspace, corpus, about, run=run)
    with replacing(out) as file:
        file.write(brief_html(found).encode())
    sides = ", ".join(f"{count:,} {side.value}" for side, count in found.counts.items())
    say(f"Wrote {out}: {sides}; {len(found.items):,} pairs.")
