"""touchstone collect"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from core.cli.output import JsonFlag, bar, finish_with, print_json, print_table, tell
from core.store import open_workspace

if TYPE_CHECKING:
    from core.conflicts.collect import Query, Service


Pack = Annotated[
    str | None, typer.Option(metavar="PACK", help="Name of a shipped query pack, or a YAML file.")
]
Again = Annotated[bool, typer.Option("--again", help="Ask finished queries anew, for what is new.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show the queries and their hits; store nothing.")]
PerConcept = Annotated[int | None, typer.Option(min=1, help="Newest abstracts of each concept, at most.")]
Most = Annotated[
    int | None, typer.Option(min=0, help="Newest articles of each query, at most; 0: all. Default 500.")
]
Since = Annotated[int | None, typer.Option(min=1700, max=2200, help="No article of an earlier year.")]


def register(cli: typer.Typer) -> None:
    cli.command()(collect)


def collect(
    context: typer.Context,
    source: Annotated[Literal["pubmed", "europepmc"], typer.Argument(help="Where to ask.")],
    corpus: Annotated[str, typer.Option(help="Corpus to add to; made if there is none.")],
    queries: Pack = None,
    groups: Annotated[str | None, typer.Option(help="Groups of the pack, with commas; default all.")] = None,
    ontology: Annotated[
        str | None, typer.Option(help="Ask for each of its concepts instead, NAME[@VERSION].")
    ] = None,
    root: Annotated[str | None, typer.Option(help="Only concepts below this one.")] = None,
    per_concept: PerConcept = None,
    most: Most = None,
    since: Since = None,
    domain: Annotated[str | None, typer.Option(help="Domain of the articles, where no pack says it.")] = None,
    again: Again = False,
    dry_run: DryRun = False,
    as_json: JsonFlag = False,
) -> None:
    """Collect articles by query into a corpus; the same command goes on where it stopped.

    Environment: NCBI_API_KEY or TOUCHSTONE_NCBI_API_KEY (10 requests a second in place of 3),
    TOUCHSTONE_EMAIL (whom the services may write to), TOUCHSTONE_EUTILS_URL and TOUCHSTONE_EUROPEPMC_URL
    (mirrors).
    """
    from core.conflicts.collect import Service
    from core.exchange import queries as planned
    from core.exchange.collect import collect as bring_in

    service = Service.from_environment(source)
    chosen = [name.strip() for name in groups.split(",") if name.strip()] if groups else None
    needs_none = dry_run and ontology is None
    with nullcontext() if needs_none else open_workspace(context.obj, create=not dry_run) as workspace:
        asked = planned.plan(
            workspace,
            pack=queries,
            groups=chosen,
            ontology=ontology,
            root=root,
            per_concept=per_concept,
            most=most,
            since=since,
        )
        if workspace is None or dry_run:
            return _preview(service, source, asked, as_json)
        with bar("Queries") as progress:
            report = bring_in(
                workspace,
                service,
                asked,
                corpus=corpus,
                domain=domain,
                again=again,
                progress=progress,
                announce=lambda text: progress.message(text or "Queries"),
            )
    tell(report, str(report), as_json, failures=report.failures)


def _preview(service: Service, source: str, asked: Sequence[Query], as_json: bool) -> None:
    """Show the queries and their hits."""
    from core.exchange.queries import preview

    with bar("Queries") as progress:
        hits = preview(service, asked, progress, lambda text: progress.message(text or "Queries"))
    if as_json:
        return print_json({"source": source, "queries": hits})
    rows = [(hit.name, hit.hits, hit.most, hit.text, hit.message) for hit in hits]
    print_table(f"{service.title}", ["query", "hits", "at most", "text", "said"], rows)
    finish_with(sum(hit.hits is None for hit in hits))
