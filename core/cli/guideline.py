"""touchstone guideline add | show | history | edit"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from core.cli.asking import BaseUrl, CeilingTokens, Model, PriceOf, endpoint_of
from core.cli.output import JsonFlag, print_json, print_table, tell
from core.store import guidelines, open_workspace

verbs = typer.Typer(help="Summaries that the guideline stage goes by.", no_args_is_help=True)

Of = Annotated[str, typer.Option("--profile", help="Task profile it is for.")]


def register(cli: typer.Typer) -> None:
    cli.add_typer(verbs, name="guideline")


@verbs.command()
def add(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="Annotation guideline, .txt or .md.")],
    profile: Of,
    model: Model = None,
    base_url: BaseUrl = None,
    ceiling: Annotated[float | None, typer.Option(min=0, help="US dollars it may cost.")] = None,
    ceiling_tokens: CeilingTokens = None,
    price: PriceOf = None,
    as_json: JsonFlag = False,
) -> None:
    """Have a model split and sum up a guideline file; the summary becomes the version in force."""
    from core.llm import Spending
    from core.pipeline.guideline import add_guideline_file

    endpoint = endpoint_of(model, base_url)
    spending = Spending(ceiling, ceiling_tokens, price=price)
    with open_workspace(context.obj) as workspace:
        made = add_guideline_file(workspace, file, profile=profile, endpoint=endpoint, spending=spending)
    tell(
        made,
        f"Stored as {made.reference}, from {len(made.call_ids)} calls. Read it over (guideline show).",
        as_json,
    )


@verbs.command()
def show(context: typer.Context, profile: Of, as_json: JsonFlag = False) -> None:
    """Print the guideline in force for a profile, stored or the profile's own."""
    from core.concepts.profile import load_profile
    from core.pipeline.settings import guideline_in_force

    with open_workspace(context.obj, create=False) as workspace:
        text, reference = guideline_in_force(workspace, load_profile(profile))
    if as_json:
        return print_json({"profile": profile, "reference": reference, "text": text})
    print_table(reference, ["guideline"], [[line] for line in text.splitlines()])


@verbs.command()
def history(context: typer.Context, profile: Of, as_json: JsonFlag = False) -> None:
    """List the stored versions of a profile's guideline, oldest first."""
    with open_workspace(context.obj, create=False) as workspace:
        rows = guidelines.history(workspace, profile)
    if as_json:
        return print_json({"versions": rows})
    print_table(
        profile,
        ["version", "origin", "curator", "calls", "letters", "created"],
        [(g.version, g.origin, g.curator_id, len(g.call_ids), len(g.summary), g.created_at) for g in rows],
    )


@verbs.command()
def edit(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="The summary as it shall be, .txt or .md.")],
    profile: Of,
    curator: Annotated[str | None, typer.Option(help="Who wrote it.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Store an edited summary as a new version; earlier ones stay."""
    from core.pipeline.guideline import edit_guideline

    with open_workspace(context.obj) as workspace:
        made = edit_guideline(workspace, file, profile=profile, curator=curator)
    tell(made, f"Stored as {made.reference}.", as_json)
