"""touchstone corpus add | list | show, touchstone proposals add"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from core.cli.output import JsonFlag, bar, print_json, print_table, tell
from core.formats import FORMATS, listed
from core.formats.rows import OffsetUnit
from core.store import collections, corpora, open_workspace, publications

verbs = typer.Typer(help="Load and list corpora of passages or articles.", no_args_is_help=True)
proposal_verbs = typer.Typer(help="Bring in silver labels made elsewhere.", no_args_is_help=True)

Format = Annotated[
    str | None,
    typer.Option(
        "--format",
        help=f"{listed(FORMATS)}; default by extension.",
    ),
]
Offsets = Annotated[
    OffsetUnit, typer.Option("--offsets", help="What the file's offsets count; they become code points.")
]
SkipBad = Annotated[
    bool, typer.Option("--skip-bad", help="Leave bad rows out and write them to FILE.rejects.jsonl.")
]
SkipBadLabels = Annotated[
    bool,
    typer.Option(
        "--skip-bad",
        help="Leave bad labels out, and documents whose text is bad; write them to FILE.rejects.jsonl.",
    ),
]


def register(cli: typer.Typer) -> None:
    cli.add_typer(verbs, name="corpus")
    cli.add_typer(proposal_verbs, name="proposals")


@verbs.command()
def add(
    context: typer.Context,
    file: Path,
    name: Annotated[str, typer.Option(help="Name of the corpus in this workspace.")],
    format_: Format = None,
    offsets: Offsets = "code-points",
    domain: Annotated[str | None, typer.Option(help="Free text, for example 'rare disease'.")] = None,
    skip_bad: SkipBad = False,
    confidential: Annotated[
        bool, typer.Option("--confidential", help="Its texts, in any corpus, may never leave this machine.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Add a corpus of passages or articles; annotations become an imported gold set named after it."""
    from core.exchange import add_corpus

    with open_workspace(context.obj) as workspace, bar("Reading documents") as progress:
        report = add_corpus(
            workspace,
            file,
            name=name,
            format=format_,
            domain=domain,
            skip_bad=skip_bad,
            confidential=confidential,
            offsets=offsets,
            progress=progress,
        )
    tell(report, str(report), as_json, failures=len(report.rejected))


@verbs.command("list")
def list_(context: typer.Context, as_json: JsonFlag = False) -> None:
    """List the corpora of the workspace."""
    with open_workspace(context.obj, create=False) as workspace:
        rows = corpora.list_corpora(workspace)
        published = {row.name: publications.published(workspace, row.name, most=0) for row in rows}
    if as_json:
        return print_json({"corpora": [{**c._asdict(), "years": published[c.name].years} for c in rows]})
    print_table(
        "Corpora",
        ["name", "passages", "published", "domain", "confidential", "source"],
        [
            (c.name, c.passages, _years(published[c.name]), c.domain, _yes(c.confidential), c.source)
            for c in rows
        ],
    )


@verbs.command()
def show(context: typer.Context, name: str, as_json: JsonFlag = False) -> None:
    """Show a corpus with its imported gold sets and, of articles, years, journals and the queries that
    collected them."""
    with open_workspace(context.obj, create=False) as workspace:
        corpus = corpora.corpus(workspace, name)
        sets = [
            {**s._asdict(), "annotations": corpora.annotations_in(workspace, s.id)}
            for s in corpora.list_annotation_sets(workspace, name)
        ]
        published = publications.published(workspace, name)
        collected = [{"source": s, **asdict(c)} for s, c in collections.of_corpus(workspace, corpus.id)]
    if as_json:
        found = {"gold": sets, "published": published, "collections": collected}
        return print_json({**corpus._asdict(), **found})
    print_table(corpus.name, ["field", "value"], list(corpus._asdict().items()))
    if published.articles:
        told = [f"{published.articles} articles", _years(published), f"{published.journals} journals"]
        print_table(", ".join(filter(None, told)), ["journal", "articles"], list(published.most))
    if collected:
        columns = ["source", "query", "found", "fetched", "added", "done", "message", "updated_at"]
        rows = [[_yes(c["done"]) if key == "done" else c[key] for key in columns] for c in collected]
        print_table("Collected by", columns, rows)
    print_table(
        "Imported gold",
        ["reference", "annotations", "exhaustive"],
        [(f"imported:{s['name']}@{s['version']}", s["annotations"], _yes(s["exhaustive"])) for s in sets],
    )


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def _years(published: publications.Published) -> str:
    if published.years is None:
        return ""
    first, last = published.years
    return str(first) if first == last else f"{first} to {last}"


@proposal_verbs.command("add")
def add_proposals(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="File, or a folder of files of one --format.")],
    run: Annotated[str, typer.Option(help="Id of the run that these proposals become.")],
    source: Annotated[str, typer.Option(help="What made them: tool and version, or model.")],
    corpus: Annotated[
        str, typer.Option(help="Corpus they speak of; of claim pairs also a new one, of their abstracts.")
    ],
    ontology: Annotated[str | None, typer.Option(help="Ontology of their concepts, NAME[@VERSION].")] = None,
    format_: Format = None,
    offsets: Offsets = "code-points",
    skip_bad: SkipBadLabels = False,
    as_json: JsonFlag = False,
) -> None:
    """Add silver labels from any other tool as proposals to review: concept labels, or claim pairs."""
    from core.exchange import add_pairs, add_proposals
    from core.formats.pairs import holds_pairs

    if holds_pairs(file):
        with open_workspace(context.obj) as workspace, bar("Reading pairs") as progress:
            pairs = add_pairs(
                workspace, file, run=run, source=source, corpus=corpus, skip_bad=skip_bad, progress=progress
            )
        return tell(pairs, str(pairs), as_json, failures=len(pairs.rejected))
    with open_workspace(context.obj, create=False) as workspace, bar("Reading proposals") as progress:
        report = add_proposals(
            workspace,
            file,
            run=run,
            source=source,
            corpus=corpus,
            ontology=ontology,
            format=format_,
            skip_bad=skip_bad,
            offsets=offsets,
            progress=progress,
        )
    tell(report, str(report), as_json, failures=len(report.rejected))
