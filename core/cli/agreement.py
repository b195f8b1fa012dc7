"""touchstone agreement"""

from __future__ import annotations

from typing import Annotated

import typer

from core.cli.output import JsonFlag, print_json, print_scores, print_table
from core.store import open_workspace


def register(cli: typer.Typer) -> None:
    cli.command()(agreement)


def agreement(
    context: typer.Context,
    corpus: Annotated[str, typer.Option(help="Corpus that two or more curators have decided on.")],
    run: Annotated[str | None, typer.Option(help="Count only what this run proposed.")] = None,
    kind: Annotated[
        str | None, typer.Option(help="concepts or pairs. Default: what the run proposes, else concepts.")
    ] = None,
    field: Annotated[
        str | None,
        typer.Option(
            help="Of concepts: status, presence, class, concept. Of pairs: conflict_type, comparable, "
            "confounder, axes. Default: the first."
        ),
    ] = None,
    universe: Annotated[
        str, typer.Option(help="Concepts: named by one of them; or judged, which adds what all reject.")
    ] = "named",
    ontology: Annotated[
        str | None,
        typer.Option(help="NAME[@VERSION]: for alternative ids, names, and how alike concepts are."),
    ] = None,
    bootstrap: Annotated[
        int, typer.Option(min=0, max=100_000, help="Resamples, at least 100; 0 leaves intervals out.")
    ] = 1000,
    seed: Annotated[int, typer.Option(help="Random seed of the resamples.")] = 13,
    as_json: JsonFlag = False,
) -> None:
    """Tell how far curators agree, each two, all together and each with themselves, and where they differ."""
    from core.evaluate import Settings, agreement_of

    settings = Settings.parse(bootstrap=bootstrap, seed=seed)
    with open_workspace(context.obj, create=False) as workspace:
        found = agreement_of(workspace, corpus, kind, field, universe, ontology, settings, run)
    if as_json:
        return print_json(found.to_json())
    print_scores(found.result.tables)
    people = [found.ratings.people[curator] for curator in found.ratings.curators]
    print_table(
        "They differ on", ["document", "id", *people], [(d, i, *said) for d, i, said in found.differing]
    )
    notes = [found.result.absent] if found.result.absent else found.result.caveats
    print_table("Read with these numbers", ["note"], [(note,) for note in notes])
