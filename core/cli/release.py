"""touchstone export, touchstone release"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from core.cli.output import JsonFlag, print_json, print_table, say
from core.formats import FORMATS, listed
from core.records import PairSort
from core.store import open_workspace

WRITTEN = listed(name for name, form in FORMATS.items() if form.write)


class SplitBy(StrEnum):
    ARTICLE = "article-disjoint"
    PAIR = "pair-level"


class What(StrEnum):
    PROPOSALS = "proposals"
    GOLD = "gold"
    DECISIONS = "decisions"
    CLAIMS = "claims"
    PAIRS = "pairs"
    TASKS = "tasks"
    ADJUDICATED = "adjudicated"


def register(cli: typer.Typer) -> None:
    cli.command()(export)
    cli.command()(release)


def export(
    context: typer.Context,
    what: What,
    out: Annotated[Path, typer.Option(help="File to write; a manifest is written beside it.")],
    run: Annotated[
        str | None, typer.Option(help="Run whose proposals to write, or whose claim pairs as gold.")
    ] = None,
    gold: Annotated[
        str | None,
        typer.Option(
            help="imported:NAME@VERSION, corrected@NUMBER:NAME@VERSION or reviewed@NUMBER:POLICY (NUMBER may "
            "be 'now')."
        ),
    ] = None,
    corpus: Annotated[str | None, typer.Option(help="Corpus, where the workspace holds several.")] = None,
    format_: Annotated[str | None, typer.Option("--format", help=f"{WRITTEN}; default by extension.")] = None,
    order: Annotated[
        PairSort | None,
        typer.Option(help="Of proposals of claim pairs; default the likeliest conflict first."),
    ] = None,
    oracle: Annotated[
        bool, typer.Option("--oracle", help="Also of an oracle run, which took a part of it from gold.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Write proposals, gold, decisions, or claims and pairs of a run, with a manifest beside them."""
    from core.exchange import export

    with open_workspace(context.obj, create=False) as workspace:
        manifest = export(
            *(workspace, what.value, out),
            run=run,
            gold=gold,
            corpus=corpus,
            format=format_,
            oracle=oracle,
            order=order,
        )
    if as_json:
        return print_json(manifest)
    say(f"Wrote {out} and its manifest.")
    if manifest.left_out:
        told = ", ".join(f"{name} {count}" for name, count in manifest.left_out.items())
        say(f"{manifest.format} has no place for some of it. Left out: {told}.")


def release(
    context: typer.Context,
    run: Annotated[str, typer.Option(help="Run of claim pairs.")],
    out: Annotated[Path, typer.Option(help="Folder to write; new, or empty.")],
    split: Annotated[
        SplitBy, typer.Option(help="pair-level leaks articles: for comparison with older figures only.")
    ] = SplitBy.ARTICLE,
    allow_heuristic: Annotated[
        bool, typer.Option("--allow-heuristic", help="Let unreviewed labels of rules into dev and test.")
    ] = False,
    allow_single_class: Annotated[
        bool, typer.Option("--allow-single-class", help="Write it even if all labels are of one type.")
    ] = False,
    gold: Annotated[
        str | None, typer.Option(help="Whose reviews count: reviewed@NUMBER:POLICY; default all that agree.")
    ] = None,
    per_domain: Annotated[int, typer.Option(min=1, help="Most pairs of a domain.")] = 2500,
    seed: Annotated[int, typer.Option(help="Of the choice where a domain has more.")] = 13,
    licence: Annotated[
        list[str] | None,
        typer.Option("--licence", help="Only texts of this licence, as their files name it; repeatable."),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Package a run of claim pairs: article-disjoint splits, leakage audit, statistics, release card."""
    from core.exchange import release

    with open_workspace(context.obj, create=False) as workspace:
        report = release(
            workspace,
            run,
            out,
            split=split.value,
            allow_heuristic=allow_heuristic,
            allow_single_class=allow_single_class,
            gold=gold,
            per_domain=per_domain,
            seed=seed,
            licences=licence or (),
        )
    if as_json:
        return print_json(report)
    print_table(
        "Pairs",
        ["domain", *report.sizes],
        [(d, *n.values()) for d, n in report.domains.items()] + [("all", *report.sizes.values())],
    )
    say(str(report))
