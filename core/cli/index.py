"""touchstone index build | stats | import | export | curve | list"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from core.cli.output import JsonFlag, bar, print_json, print_scores, print_table, say, tell
from core.errors import InputError
from core.store import Workspace, open_workspace

if TYPE_CHECKING:
    from core.store.trees import TreeRow

verbs = typer.Typer(help="Label trees: build, measure, import.", no_args_is_help=True)

Tree = Annotated[
    str, typer.Argument(metavar="FILE|NAME", help="An index file, or NAME[@VERSION] of the workspace.")
]


def register(cli: typer.Typer) -> None:
    cli.add_typer(verbs, name="index")


@verbs.command()
def build(
    context: typer.Context,
    ontology: Annotated[
        list[str], typer.Option(help="NAME[@VERSION] of the workspace, or a file; may be given again.")
    ],
    kind: Annotated[
        Literal["osi", "ssi", "ossi"],
        typer.Option(help="osi: ontology structure; ssi: names alike in meaning; ossi: both."),
    ] = "osi",
    out: Annotated[Path | None, typer.Option(help="Index file to write, .json or .csv, also .gz.")] = None,
    name: Annotated[str | None, typer.Option(help="Keep it in the workspace under this name.")] = None,
    root: Annotated[
        str | None,
        typer.Option(help="Only concepts below this one, or all; default below the ontology's own root."),
    ] = None,
    relation: Annotated[
        list[str] | None, typer.Option(help="Count this link beside is_a (part_of); may be given again.")
    ] = None,
    neighbours: Annotated[int, typer.Option(min=1, max=100, help="ssi, ossi: nearest names to link.")] = 10,
    rule: Annotated[
        Literal["max", "sum"], typer.Option(help="ossi: weight of a link that both graphs have.")
    ] = "max",
    method: Annotated[
        Literal["packing", "louvain"], typer.Option(help="louvain: for comparison, slower and deeper.")
    ] = "packing",
    seed: Annotated[int, typer.Option(help="louvain: random seed; packing draws nothing by chance.")] = 13,
    as_json: JsonFlag = False,
) -> None:
    """Build a label tree of one or more ontologies; the same input gives the same file, byte for byte."""
    from core.evaluate.tree_facts import facts_table
    from core.evaluate.trees import facts_of
    from core.exchange.trees import write_tree
    from core.pipeline.start import only_runner
    from core.pipeline.trees import TreeSettings, build_tree, keep_tree, task

    if out is None and name is None:
        raise InputError("The tree would be lost. Write it with --out FILE, or keep it with --name NAME.")
    settings = TreeSettings(
        tuple(ontology), kind, root, tuple(relation or ()), neighbours, rule, method, seed=seed
    )
    with _opened(context, name is not None, ontology) as workspace, bar("Building the tree") as progress:
        with only_runner(workspace, task(name)) if workspace and name else nullcontext():
            made = build_tree(settings, workspace, progress, progress.message)
            if out is not None:
                write_tree(made.tree.indices, made.labels, out)
            row = keep_tree(workspace, name, made) if workspace and name else None
        facts = facts_of(made.tree, made.parents)
    if as_json:
        kept = {"reference": row.reference, "sha256": row.sha256} if row else {}
        return print_json({**kept, **facts.to_json(), "recipe": made.recipe})
    said = [f"wrote {out}"] if out else []
    said += [f"kept as {row.reference}"] if row else []
    say(f"Built {facts.form.concepts:,} concepts; {' and '.join(said)}.")
    print_scores([facts_table(facts)])


def _opened(
    context: typer.Context, needed: bool, names: Iterable[str]
) -> AbstractContextManager[Workspace | None]:
    """The workspace, if it is needed: for what is kept there, or for what is named and is no file."""
    from core.evaluate.inputs.options import INDICES, ONTOLOGIES, is_file

    found = [is_file(one, (*INDICES, *ONTOLOGIES)) for one in names]
    if needed or not all(found):
        return open_workspace(context.obj, create=False)
    return nullcontext()


@verbs.command()
def stats(
    context: typer.Context,
    tree: Tree,
    ontology: Annotated[
        str | None,
        typer.Option(help="NAME[@VERSION] of the workspace, or a file: for agreement and baselines."),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Measure a tree: depth, width, rules broken, agreement with the ontology, and what it gives for free."""
    from core.evaluate.tree_facts import facts_table, side_by_side
    from core.evaluate.trees import tree_and_ontology

    files = [name for name in (tree, ontology) if name is not None]
    with _opened(context, False, files) as workspace:
        facts = tree_and_ontology(workspace, tree, ontology)
    if as_json:
        return print_json(facts.to_json())
    print_scores([facts_table(facts), *side_by_side([facts])[1:]])


@verbs.command("import")
def import_(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="A JSON object, concept id to path from the root, or CSV.")],
    name: Annotated[str | None, typer.Option(help="What it shall be called; default as the file.")] = None,
    ontology: Annotated[
        str | None, typer.Option(help="NAME[@VERSION] that it is of, for names and baselines.")
    ] = None,
    renumber: Annotated[
        bool, typer.Option("--renumber", help="Close gaps between sibling numbers, which break a rule.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Add a label tree that was made elsewhere, if it keeps the rules of a label tree."""
    from core.exchange.trees import add_tree

    with open_workspace(context.obj) as workspace:
        row = add_tree(workspace, file, name or file.name.split(".")[0], ontology, renumber=renumber)
    tell(_told(row), f"Added {row.reference}: {row.concepts:,} concepts.", as_json)


@verbs.command()
def export(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Label tree, NAME or NAME@VERSION.")],
    out: Annotated[Path, typer.Option(help="File to write, .json or .csv, also .gz.")],
    as_json: JsonFlag = False,
) -> None:
    """Write a tree of the workspace as an index file, or as CSV with names."""
    from core.exchange.trees import export_tree

    with open_workspace(context.obj, create=False) as workspace:
        row = export_tree(workspace, name, out)
    tell(
        {"file": str(out), **_told(row)},
        f"Wrote {out}: {row.concepts:,} concepts of {row.reference}.",
        as_json,
    )


@verbs.command()
def curve(
    context: typer.Context,
    predictions: Annotated[
        list[str], typer.Argument(metavar="PRED...", help="Run ids or files, one for each training size.")
    ],
    gold: Annotated[str, typer.Option(help="As of evaluate: a file or a gold reference.")],
    tree: Annotated[
        str, typer.Option("--index", help="Label tree: an index file, or NAME[@VERSION] of the workspace.")
    ],
    training: Annotated[
        list[Path], typer.Option(help="Training set of each, in the order of the predictions.")
    ],
    size: Annotated[
        list[int] | None, typer.Option(help="Passages of each; default: documents of its file.")
    ] = None,
    ontology: Annotated[
        str | None, typer.Option(help="NAME[@VERSION] of the workspace, or a file: for the baselines.")
    ] = None,
    bootstrap: Annotated[int, typer.Option(min=0, help="Resamples; 0 leaves intervals out.")] = 1000,
    as_json: JsonFlag = False,
) -> None:
    """Score a recogniser at several training sizes: F1, U-RC and U-CS against size, on one tree."""
    from core.evaluate import Options, needs_workspace
    from core.evaluate.training_sizes import Size, score_sizes

    if len(training) != len(predictions) or len(size or training) != len(training):
        raise InputError("Give a --training (and, if any, a --size) for each of the predictions, in order.")
    known: list[int | None] = [*size] if size else [None] * len(training)
    sizes = list(map(Size, predictions, training, known))
    options = Options(counting={"bootstrap": bootstrap}, ontology=ontology, index=tree)
    needed = any(needs_workspace(one, gold, ontology, tree) for one in predictions)
    with open_workspace(context.obj, create=False) if needed else nullcontext() as workspace:
        found = score_sizes(workspace, sizes, gold, options)
    if as_json:
        return print_json(found.to_json())
    print_scores(found.tables())


@verbs.command("list")
def list_(context: typer.Context, as_json: JsonFlag = False) -> None:
    """List the label trees of the workspace."""
    from core.store import trees

    with open_workspace(context.obj, create=False) as workspace:
        rows = trees.list_trees(workspace)
    if as_json:
        return print_json({"trees": [_told(row) for row in rows]})
    print_table(
        "Label trees",
        ["reference", "concepts", "kind", "method", "of", "made"],
        [(r.reference, r.concepts, r.recipe.kind, r.recipe.method, r.of, r.created_at) for r in rows],
    )


def _told(row: TreeRow) -> dict[str, Any]:
    return {"reference": row.reference, **row._asdict()}
