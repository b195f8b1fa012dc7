"""touchstone audit draw | show"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from core.cli.output import JsonFlag, print_json, print_scores, print_table, say
from core.store import open_workspace

if TYPE_CHECKING:
    from core.review.audit import Audited

verbs = typer.Typer(help="What the false positives of a run really are.", no_args_is_help=True)


def register(cli: typer.Typer) -> None:
    cli.add_typer(verbs, name="audit")


@verbs.callback()
def group() -> None:
    """What the false positives of a run really are."""


@verbs.command()
def draw(
    context: typer.Context,
    run: Annotated[str, typer.Option(help="The run whose false positives are drawn.")],
    gold: Annotated[str, typer.Option(help="Gold that lacks them; `now` is kept as the last decision.")],
    size: Annotated[int, typer.Option(help="How many are audited.")],
    name: Annotated[str, typer.Option(help="What the audit set will be called.")],
    seed: Annotated[str, typer.Option(help="The same seed draws the same.")] = "13",
    by: Annotated[
        str | None,
        typer.Option(help="class, branch or stage: every beginning of the set holds each in proportion."),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Draw what a run proposes and gold lacks, in a random order: a larger set extends a smaller one."""
    from core.review.audit import Audit, draw_audit

    with open_workspace(context.obj, create=False) as workspace:
        frame = draw_audit(workspace, Audit(run, gold, size, seed, by, name))
    if as_json:
        named = {key: frame.scope[key] for key in ("gold", "size", "by")}
        return print_json(
            {"name": name, "run": run, **named, "of": frame.size, "seed": seed, "sha256": frame.sha256}
        )
    say(
        f"Audit set {name} holds {size:,} of {frame.size:,} apparent false positives of run {run} against"
        f" {frame.scope['gold']}. What they are: touchstone audit show {name}"
    )


@verbs.command()
def show(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="SET", help="Name of the audit set.")],
    at: Annotated[int | None, typer.Option(help="Decision number; default: now.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Show an audit set: what each false positive is, and how often each kind of error occurs."""
    from core.evaluate.error_taxonomy import AuditSet, error_taxonomy
    from core.review.audit import audited
    from core.store.decisions import pinned
    from core.store.frames import find_audit

    with open_workspace(context.obj, create=False) as workspace:
        frame, number = find_audit(workspace, name), pinned(workspace, "", at)
        rows = audited(workspace, name, number)
    found = error_taxonomy(AuditSet(name, frame.run, frame.scope["gold"], frame.size, rows))
    if as_json:
        scope = {key: frame.scope[key] for key in ("gold", "size", "by")}
        head = {"name": name, "run": frame.run, **scope, "of": frame.size, "seed": frame.seed, "at": number}
        return print_json(head | {"items": [_row(one) for one in rows]} | found.shares.to_json())
    columns = ("position", "doc_id", "concept", "label", "stratum", "proposed", "error", "curator")
    print_table(
        f"Audit set {name}: {frame.run} against {frame.scope['gold']}",
        columns,
        [[_row(one)[c] for c in columns] for one in rows],
    )
    print_scores(list(found.tables))


def _row(one: Audited) -> dict[str, Any]:
    return {
        "doc_id": one.doc_id,
        "concept": one.concept,
        "label": one.label,
        "stratum": one.stratum,
        "proposed": one.proposed,
        "path": one.path,
        "error": one.error,
        "unsure": one.unsure,
        "curator": one.curator,
        "position": one.position,
    }
