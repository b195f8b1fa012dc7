"""touchstone ontology add | list | show | search | diff | edges"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from core.cli.dataset import Complex, Null, WithoutChild
from core.cli.output import JsonFlag, bar, print_json, print_table, say
from core.errors import InputError, TouchstoneError
from core.store import ontologies, open_workspace

Root = Annotated[str | None, typer.Option(help="Only concepts below this one.")]

verbs = typer.Typer(help="Load, list, search and compare ontologies.", no_args_is_help=True)


def register(cli: typer.Typer) -> None:
    cli.add_typer(verbs, name="ontology")


@verbs.command()
def add(
    context: typer.Context,
    source: Annotated[
        str,
        typer.Argument(
            metavar="FILE|NAME",
            help="OBO, OBO Graph JSON or OWL file (also .gz), "
            "or a name such as 'hp' to fetch from the OBO library.",
        ),
    ],
    name: Annotated[
        str | None, typer.Option(help="Short name in this workspace; default from the source.")
    ] = None,
    version: Annotated[str | None, typer.Option(help="Default: the version the file states.")] = None,
    root: Annotated[
        str | None, typer.Option(help="Root concept of interest, for example HP:0000118.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Add one version of an ontology.

    Environment: TOUCHSTONE_OBO_URL (a mirror of the OBO library).
    """
    from core.exchange import add_ontology

    with open_workspace(context.obj) as workspace, bar("Loading ontology") as progress:
        report = add_ontology(
            workspace, source, name=name, version=version, root=root, progress=progress.message
        )
    if as_json:
        return print_json(report)
    for finding in report.findings:
        say(f"line {finding.line}: {finding.message}" if finding.line else finding.message)
    say(f"Added {report.reference}: {report.concepts} concepts, {report.names} names, root {report.root}.")


@verbs.command("list")
def list_(context: typer.Context, as_json: JsonFlag = False) -> None:
    """List the ontologies of the workspace."""
    with open_workspace(context.obj, create=False) as workspace:
        rows = [(r, ontologies.size(workspace, r.id)) for r in ontologies.list_ontologies(workspace)]
    if as_json:
        return print_json({"ontologies": [{**r._asdict(), **size._asdict()} for r, size in rows]})
    print_table(
        "Ontologies",
        ["reference", "title", "root", "concepts", "obsolete", "names"],
        [(r.reference, r.title, r.root, *size) for r, size in rows],
    )


@verbs.command()
def show(
    context: typer.Context,
    reference: Annotated[str, typer.Argument(metavar="NAME[@VERSION]")],
    concept: Annotated[
        str | None, typer.Argument(metavar="[CURIE]", help="Show one concept instead.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Show an ontology, with what was found on loading it, or one of its concepts."""
    from core.ontology.lineage import Lineage

    with open_workspace(context.obj, create=False) as workspace:
        row = ontologies.find_ontology(workspace, reference)
        if concept is None:
            found = ontologies.findings(workspace, row.id)
            facts = {**row._asdict(), **ontologies.size(workspace, row.id)._asdict()}
            if as_json:
                return print_json({**facts, "findings": found})
            print_table(row.reference, ["field", "value"], list(facts.items()))
            return print_table(
                "Findings", ["line", "kind", "message"], [(f.line, f.kind, f.message) for f in found]
            )
        match = ontologies.concept(workspace, row.id, concept)
        lineage = Lineage(*ontologies.is_a(workspace, row.id))
        labels = ontologies.labels(workspace, row.id)
    value = {
        **match._asdict(),
        "parents": {c: labels.get(c, c) for c in lineage.parents(match.curie)},
        "children": {c: labels.get(c, c) for c in lineage.children(match.curie)},
        "path": [f"{c} {labels.get(c, '')}" for c in lineage.path(match.curie, row.root) or ()]
        if row.root
        else [],
    }
    if as_json:
        return print_json(value)
    print_table(f"{match.curie} {match.name}", ["field", "value"], list(value.items()))


@verbs.command()
def search(
    context: typer.Context,
    reference: Annotated[str, typer.Argument(metavar="NAME[@VERSION]")],
    query: Annotated[
        str, typer.Argument(help="Words of a name or synonym, an abbreviation, plain words, or an id.")
    ],
    limit: Annotated[int, typer.Option(min=1, max=200)] = 10,
    as_json: JsonFlag = False,
) -> None:
    """Search concepts as the review page does, in the same order.

    The first search of an ontology makes the vectors of its names (minutes for a large one) and keeps them.
    """
    from core.review.search import Search

    if not query.strip():
        raise InputError("The query is empty. Give some words of a name or synonym, or an id.")
    with open_workspace(context.obj, create=False) as workspace, bar("Vectors of names") as progress:
        row = ontologies.find_ontology(workspace, reference)
        search = Search.of(workspace, row.id)
        try:
            found = search.wait(workspace, query, limit, progress)
        except TouchstoneError as error:
            say(f"Rows by meaning are missing. {error}")
            found = search.first(query, limit)
        definitions = ontologies.look_up(workspace, row.id, [hit.curie for hit in found.rows])
    if as_json:
        rows = [hit._asdict() for hit in found.rows]
        old = [{**row, "definition": definitions[row["curie"]].definition} for row in rows]
        answer = {"query": query, "ontology": row.reference, "complete": found.complete, "rows": rows}
        return print_json({**answer, "matches": old})  # the name of the rows before they said why
    print_table(
        f"{len(found.rows)} concepts in {row.reference}",
        ["id", "name", "matched", "scope", "why"],
        [(h.curie, h.name, h.matched, h.scope, h.why.value) for h in found.rows],
    )


@verbs.command()
def diff(
    context: typer.Context,
    old: Annotated[str, typer.Argument(metavar="OLD")],
    new: Annotated[str, typer.Argument(metavar="NEW")],
    root: Root = None,
    format_: Annotated[
        str | None, typer.Option("--format", help="kgcl: a list of changes for ontology editors; with --out.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="File for the list of changes.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Compare two stored versions: concepts new, merged, replaced, obsolete, renamed, moved, reworded."""
    from core.exchange.atomic import replacing
    from core.ontology.kgcl import commands
    from core.review.explore import difference

    if (format_ is None) != (out is None) or format_ not in (None, "kgcl"):
        raise InputError("A list of changes is written by --format kgcl and --out FILE together.")
    with open_workspace(context.obj, create=False) as workspace:
        found = difference(workspace, old, new, root)
    if out is not None:
        with replacing(out) as file:
            file.writelines(f"{command}\n".encode() for command in commands(found))
        say(f"Wrote {out}.")
    if as_json:
        counts = {kind.value: number for kind, number in found.counts().items()}
        return print_json({"old": found.old, "new": found.new, "counts": counts, **found.to_json()})
    print_table(
        f"{found.old} → {found.new}",
        ["change", "concepts", "examples"],
        [(kind, len(items), "; ".join(items[:5])) for kind, items in found.to_json().items()],
    )


@verbs.command()
def edges(
    context: typer.Context,
    old: Annotated[str, typer.Argument(metavar="NAME[@VERSION]")],
    complex_: Complex = None,
    root: Root = None,
    null: WithoutChild = Null.EVERY,
    out: Annotated[Path | None, typer.Option(help="Write every edge, one a line: JSONL.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Count the edges between which a new concept may be placed, complex parents included."""
    from core.exchange.mention_edges import write_edges

    with open_workspace(context.obj, create=False) as workspace:
        found = write_edges(workspace, old, out, root=root, complex_file=complex_, null=null.value)
    if as_json:
        return print_json(found)
    print_table(
        f"{found['ontology']} below {found['root']}", ["what", "number"], list(found["counts"].items())
    )
