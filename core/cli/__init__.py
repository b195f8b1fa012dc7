"""The command line: verbs of about ten lines over the functions that the pages call, one file per noun.

Exit status 0 done, 1 done but with reported failures, 2 bad usage or bad input (nothing was written).
Results go to standard output, messages and progress to standard error. Heavy libraries are imported by the
verbs that need them, so that every verb starts at once.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from core.cli import (
    agreement,
    audit,
    baseline,
    batch,
    brief,
    budget,
    calibrate,
    collect,
    conflicts,
    corpus,
    dataset,
    decisions,
    evaluate,
    guideline,
    index,
    learn,
    metrics,
    ontology,
    release,
    report,
    run,
    runs,
    workspace,
)
from core.cli import app as app_verbs
from core.cli.output import complain
from core.errors import TouchstoneError
from core.store import default_path

TRACEBACK = "TOUCHSTONE_TRACEBACK"
"""Environment variable: set, faults of the program print where they arose."""
INTERRUPTED = 130
"""Exit status that Typer makes of Ctrl-C."""

cli = typer.Typer(
    name="touchstone",
    help="Find out, and prove, which machine-made biomedical labels are gold.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@cli.callback()
def options(
    context: typer.Context,
    workspace: Annotated[
        Path | None,
        typer.Option(
            help="Workspace file.", envvar="TOUCHSTONE_WORKSPACE", show_default="data/touchstone.db"
        ),
    ] = None,
    accept_loss: Annotated[
        bool,
        typer.Option(
            "--accept-loss",
            help="Open a workspace that was copied without its -wal file, although what was saved last may "
            "be missing from it.",
        ),
    ] = False,
) -> None:
    """Find out, and prove, which machine-made biomedical labels are gold."""
    context.obj = workspace
    if accept_loss:
        _accept_loss(workspace or default_path())


def _accept_loss(path: Path) -> None:
    from core.store.mark import accept_loss

    if accept_loss(path):
        complain(f"{path} opens from now on as it is, without what may be missing from it.")


for verbs in (
    app_verbs,
    ontology,
    index,
    corpus,
    collect,
    run,
    conflicts,
    guideline,
    learn,
    batch,
    runs,
    budget,
    audit,
    release,
    dataset,
    baseline,
    decisions,
    evaluate,
    agreement,
    calibrate,
    metrics,
    brief,
    report,
    workspace,
):
    verbs.register(cli)


def main(arguments: list[str] | None = None) -> None:
    """Entry point, `arguments` default to the process's own. Users see a sentence, never a traceback."""
    try:
        cli(arguments)
    except TouchstoneError as error:
        complain(str(error))
        sys.exit(2)
    except SystemExit as ended:
        if ended.code == INTERRUPTED:
            complain("Stopped. What was finished is stored; run the same command again to go on.")
        raise
    except BrokenPipeError:
        sys.exit(0)
    except Exception as error:
        if os.environ.get(TRACEBACK):
            raise
        complain(
            f"A fault in Touchstone: {type(error).__name__}: {error}. Nothing half-done was stored. "
            f"Please report it with what {TRACEBACK}=1 prints for the same command."
        )
        sys.exit(70)
