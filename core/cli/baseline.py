"""touchstone baseline dict-train | dict-syn, touchstone split unseen"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from core.cli.output import JsonFlag, print_json, print_table, say, tell
from core.store import Workspace, open_workspace

verbs = typer.Typer(help="Baselines that a recogniser must beat.", no_args_is_help=True)
split_verbs = typer.Typer(help="Split passages for training and test.", no_args_is_help=True)

Train = Annotated[
    list[str], typer.Option(help="Training set: a file of documents or tags, or gold; may be given again.")
]
On = Annotated[str, typer.Option(help="Texts: a file of documents or tags, or a corpus.")]
Out = Annotated[Path, typer.Option(help="File to write: tags for tags, else documents.")]
Exact = Annotated[bool, typer.Option("--exact", help="Case counts; else it does not.")]
Below = Annotated[str | None, typer.Option(help="Only concepts below this one.")]


def register(cli: typer.Typer) -> None:
    cli.add_typer(verbs, name="baseline")
    cli.add_typer(split_verbs, name="split")


@verbs.command("dict-train")
def dict_train(
    context: typer.Context, train: Train, on: On, out: Out, exact: Exact = False, as_json: JsonFlag = False
) -> None:
    """Find the mentions of a training set in texts: the longest match, and nothing that training lacks."""
    _baseline(context, train, on, out, exact, as_json)


@verbs.command("dict-syn")
def dict_syn(
    context: typer.Context,
    train: Train,
    ontology: Annotated[str, typer.Option(help="Whose synonyms are looked for: NAME[@VERSION], or a file.")],
    on: On,
    out: Out,
    root: Below = None,
    every: Annotated[
        bool, typer.Option("--every", help="Also synonyms of concepts that training lacks.")
    ] = False,
    exact: Exact = False,
    as_json: JsonFlag = False,
) -> None:
    """The same with the synonyms that an ontology has for the concepts of the training set."""
    _baseline(context, train, on, out, exact, as_json, ontology, root, every)


def _baseline(
    context: typer.Context,
    train: list[str],
    on: str,
    out: Path,
    exact: bool,
    as_json: bool,
    ontology: str | None = None,
    root: str | None = None,
    every: bool = False,
) -> None:
    from core.exchange.baselines import write_baseline

    with _where(context, (*train, on, *([ontology] if ontology else []))) as workspace:
        found = write_baseline(
            workspace, train, on, out, ontology=ontology, root=root, every=every, exact=exact
        )
    tell(
        found,
        f"Wrote {found['mentions']} mentions in {found['documents']} documents: {found['names']} names.",
        as_json,
    )


@split_verbs.command()
def unseen(
    context: typer.Context,
    gold: Annotated[str, typer.Option(help="For dev and test: a file, a gold reference or a run.")],
    pool: Annotated[str, typer.Option(help="For training: a file, a gold reference or a run.")],
    out: Annotated[Path, typer.Option(help="JSON file: which passage is where.")],
    ontology: Annotated[
        str | None, typer.Option(help="Whose concepts the coverage counts: NAME[@VERSION], or a file.")
    ] = None,
    root: Below = None,
    index: Annotated[Path | None, typer.Option(help="Label tree whose concepts the coverage counts.")] = None,
    seeds: Annotated[int, typer.Option(min=1, max=100, help="Random orders.")] = 3,
    share: Annotated[
        float, typer.Option(min=0, max=1, help="Least share of test concepts that stay unseen.")
    ] = 0.3,
    dev_share: Annotated[float, typer.Option(min=0.01, max=0.99, help="Share of the gold for dev.")] = 0.2,
    cheapest: Annotated[
        bool, typer.Option("--cheapest", help="Make rare concepts unseen, which costs fewest passages.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Training sets of growing size that leave part of the test concepts unseen."""
    from core.exchange.unseen_splits import counted_concepts, write_split

    with _where(context, (gold, pool, *([ontology] if ontology else []))) as workspace:
        found = write_split(
            workspace,
            gold,
            pool,
            out,
            ontology=counted_concepts(workspace, ontology, root, index),
            seeds=range(seeds),
            share=share,
            dev_share=dev_share,
            cheapest=cheapest,
        )
    if as_json:
        return print_json(found)
    rows = [tuple(_shown(value) for value in row.values()) for row in found["sizes"]]
    print_table(f"{found['pool']} for {found['gold']}", list(found["sizes"][0]), rows)
    said = f"{found['duplicates_dropped']} duplicates of gold, {found['passages_dropped']} passages with"
    say(f"Dropped from the pool: {said} {found['made_unseen']} concepts that were made unseen. Wrote {out}.")


def _shown(value: float | int | None) -> str | int | None:
    return f"{value:.4f}" if isinstance(value, float) else value


@contextmanager
def _where(context: typer.Context, names: Iterable[str]) -> Iterator[Workspace | None]:
    """The workspace, where something that is named is no file."""
    if all(Path(name).is_file() for name in names):
        yield None
        return
    with open_workspace(context.obj, create=False) as workspace:
        yield workspace
