"""touchstone dataset mention-edges"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from core.cli.output import JsonFlag, print_json, print_table, say
from core.store import open_workspace

verbs = typer.Typer(help="Make data sets from gold.", no_args_is_help=True)


class Level(StrEnum):
    MENTION = "mention"
    PAIR = "pair"


class Null(StrEnum):
    EVERY = "every"
    LEAF_LIKE = "leaf-like"


Complex = Annotated[
    Path | None,
    typer.Option("--complex", help="Ontology file with logical definitions, for complex parents."),
]
WithoutChild = Annotated[
    Null, typer.Option(help="Which parents have an edge without a child: every one, or as in the source.")
]


def register(cli: typer.Typer) -> None:
    cli.add_typer(verbs, name="dataset")


@verbs.callback()
def group() -> None:
    """Keeps the name of its only verb."""


@verbs.command("mention-edges")
def mention_edges(
    context: typer.Context,
    gold: Annotated[
        list[str], typer.Option(help="Gold reference with places in the text; may be given again.")
    ],
    old: Annotated[str, typer.Option(help="NAME@VERSION that new concepts are to be placed in.")],
    new: Annotated[str, typer.Option(help="NAME@VERSION that holds them.")],
    out: Annotated[Path, typer.Option(help="New folder.")],
    level: Annotated[Level, typer.Option(help="A row for each mention, or for each mention and edge.")] = (
        Level.MENTION
    ),
    root: Annotated[str | None, typer.Option(help="Branch; default: the older version's root.")] = None,
    complex_: Complex = None,
    null: WithoutChild = Null.EVERY,
    strict: Annotated[
        bool, typer.Option("--strict", help="Leave documents with new concepts out of train and valid.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Mentions of gold with the edges of their concepts, to find and place what an older version lacks."""
    from core.exchange.mention_edges import write_mention_edges

    with open_workspace(context.obj, create=False) as workspace:
        found = write_mention_edges(
            workspace,
            gold,
            old,
            new,
            out,
            level=level.value,
            root=root,
            complex_file=complex_,
            null=null.value,
            strict=strict,
        )
    if as_json:
        return print_json(found)
    parts = {name: counts for name, counts in found["mentions"].items() if "pairs" in counts}
    columns = ["part", *next(iter(parts.values()))]
    print_table(f"{found['old']} → {found['new']}", columns, [(n, *c.values()) for n, c in parts.items()])
    for reason, count in found["left_out"].items():
        say(f"Left out: {count} {reason}.")
    say(f"Wrote {out}.")
