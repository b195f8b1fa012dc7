"""touchstone verify | backup | restore | doctor"""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Annotated

import typer

from core.cli.output import JsonFlag, complain, finish_with, print_json, print_table, say, tell
from core.store import default_path, open_workspace
from core.store.unproven import NOT_PROVEN

Force = Annotated[bool, typer.Option("--force", help="Replace what is there.")]


def register(cli: typer.Typer) -> None:
    left_open = "It proves nothing about: " + "; ".join(NOT_PROVEN) + "."
    cli.command(help=f"{inspect.getdoc(verify)}\n\n{left_open}")(verify)
    for verb in (backup, restore, doctor):
        cli.command()(verb)


def verify(
    context: typer.Context,
    head: Annotated[
        str | None, typer.Option(help="A chain head from an export or a backup: must occur.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Recompute the hash chain, run digests, text frames and quotes, and SQLite's own integrity.

    That proves of every decision what was decided, on what, under which id, when and in which order; of
    finished runs all that they proposed and why; of imported gold its annotations; of every text its words.
    """
    from core.store.chain import verify

    with open_workspace(context.obj, create=False) as workspace:
        report = verify(workspace, head=head)
    if as_json:
        print_json(report)
    else:
        for problem in report.problems:
            complain(problem)
        if not report.problems:
            counted = f"{report.decisions} decisions and {report.runs} runs"
            say(f"Verified {counted}: they are as they were stored. Head {report.head}")
        say("This proves nothing about: " + "; ".join(report.not_proven) + ".")
    finish_with(len(report.problems))


def backup(context: typer.Context, file: Path, force: Force = False, as_json: JsonFlag = False) -> None:
    """Write a consistent copy of the workspace, also while people work in it."""
    from core.store.backup import backup

    with open_workspace(context.obj, create=False) as workspace:
        report = backup(workspace, file, force=force)
    tell(
        report,
        f"Wrote {file}: {report.decisions} decisions up to number {report.number}, head {report.head}",
        as_json,
    )


def restore(context: typer.Context, file: Path, force: Force = False, as_json: JsonFlag = False) -> None:
    """Put a backup in the workspace's place; the replaced file is kept beside it."""
    from core.store.backup import restore

    report = restore(file, context.obj or default_path(), force=force)
    if as_json:
        return print_json(report)
    kept = f" The replaced workspace is kept as {report.replaced}." if report.replaced else ""
    say(f"Restored {report.decisions} decisions up to number {report.number}.{kept}")


def doctor(context: typer.Context, as_json: JsonFlag = False) -> None:
    """Report on Python, SQLite, the libraries, where the app listens, the workspace file and its disk."""
    from core.doctor import examine

    report = examine(context.obj or default_path())
    if as_json:
        return print_json(report)
    print_table(
        "Environment",
        ["check", "value", "state", "advice"],
        [(r.name, r.value, r.state, r.advice) for r in report.rows],
    )
