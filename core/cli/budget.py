"""touchstone budget open | next | show"""

from __future__ import annotations

from typing import Annotated

import typer

from core.cli.output import JsonFlag, print_json, print_scores, print_table, tell
from core.store import open_workspace

verbs = typer.Typer(help="What a whole run is worth, from few decisions.", no_args_is_help=True)


def register(cli: typer.Typer) -> None:
    cli.add_typer(verbs, name="budget")


@verbs.callback()
def group() -> None:
    """What a whole run is worth, from few decisions."""


Name = Annotated[str, typer.Argument(metavar="FRAME", help="Name of the frame.")]


@verbs.command("open")
def open_(
    context: typer.Context,
    run: Annotated[str, typer.Option(help="The run that is drawn from.")],
    name: Annotated[str, typer.Option(help="What the frame will be called.")],
    unit: Annotated[
        str,
        typer.Option(help="item: a proposal or claim pair; passage: all its proposals, and closed."),
    ] = "item",
    policy: Annotated[
        str,
        typer.Option(
            help="random; of items also active, unsure ones oftener, and strata, see --by; of passages size."
        ),
    ] = "random",
    by: Annotated[
        str | None,
        typer.Option(help="Strata: class, branch, assertion or stage; of claim pairs type."),
    ] = None,
    pilot: Annotated[
        str | None,
        typer.Option(help="Strata: an earlier frame of the run, which says how many are right in each."),
    ] = None,
    seed: Annotated[str, typer.Option(help="The same seed draws the same.")] = "13",
    blind: Annotated[
        float | None,
        typer.Option(help="Share answered before any machine answer is seen. Default: 0.1."),
    ] = None,
    decoys: Annotated[
        bool, typer.Option(help="Ask about as many concepts that nobody proposed among the blind ones.")
    ] = True,
    counts: Annotated[str, typer.Option(help="Of several answers: first or adjudicated.")] = "first",
    assertions: Annotated[
        str, typer.Option(help="Statuses that are drawn from, comma-separated.")
    ] = "affirmed,uncertain",
    root: Annotated[
        str | None,
        typer.Option(help="Draw only this concept and those below it, by the ontology of the run."),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Draw all that a run proposed into a frame: decide from its front, stop anywhere."""
    from core.evaluate.settings import Settings
    from core.review.frames import Wanted, open_frame

    statuses = Settings.parse(assertions=assertions).assertions
    wanted = Wanted(run, name, unit, policy, seed, blind, counts, statuses, root, by, pilot, decoys)
    with open_workspace(context.obj, create=False) as workspace:
        frame = open_frame(workspace, wanted)
    tell(
        frame,
        f"Frame {frame.name} holds {frame.size:,} {frame.noun}s of run {frame.run}. What to decide first:"
        f" touchstone budget next {frame.name}",
        as_json,
    )


@verbs.command("next")
def next_(
    context: typer.Context,
    name: Name,
    limit: Annotated[int, typer.Option(min=1, max=100_000, help="How many.")] = 20,
    as_json: JsonFlag = False,
) -> None:
    """Name what of a frame to decide next, in the order of its draw."""
    from core.review.frames import next_units

    with open_workspace(context.obj, create=False) as workspace:
        units = next_units(workspace, name, limit)
    if as_json:
        return print_json({"frame": name, "units": units})
    columns = ("id", "position", "u", "q", "blind")
    print_table(f"Next in {name}", columns, [[getattr(unit, c) for c in columns] for unit in units])


@verbs.command()
def show(
    context: typer.Context,
    name: Name,
    at: Annotated[int | None, typer.Option(help="Decision number; default: now.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Estimate the whole run from what is decided of a frame."""
    from core.evaluate.estimated import estimated

    with open_workspace(context.obj, create=False) as workspace:
        found = estimated(workspace, name, at)
    if as_json:
        return print_json(found.to_json())
    print_scores(found.tables())
