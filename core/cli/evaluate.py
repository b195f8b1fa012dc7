"""touchstone evaluate"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from core.cli.output import JsonFlag, print_json, print_scores, say
from core.errors import InputError
from core.store import open_workspace

SUFFIXES = {".json", ".jsonl", ".csv", ".pubtator", ".txt", ".gz"}


def register(cli: typer.Typer) -> None:
    cli.command()(evaluate)


def evaluate(
    context: typer.Context,
    predictions: Annotated[
        str, typer.Argument(metavar="PRED", help="A run id, or a file of concept documents.")
    ],
    gold: Annotated[str, typer.Option(help="A file, imported:NAME@VERSION or reviewed@NUMBER:POLICY.")],
    families: Annotated[str, typer.Option(help="Metric families, comma-separated.")] = "corpus",
    assertions: Annotated[
        str, typer.Option(help="Statuses that count, comma-separated.")
    ] = "affirmed,uncertain",
    root: Annotated[
        str | None, typer.Option(help="Score only concepts below this one (needs --ontology).")
    ] = None,
    ontology: Annotated[
        str | None, typer.Option(help="Ontology of the workspace, NAME[@VERSION], for --root and alt_ids.")
    ] = None,
    bootstrap: Annotated[
        int, typer.Option(min=0, max=100_000, help="Resamples; 0 leaves intervals out.")
    ] = 1000,
    seed: Annotated[int, typer.Option(help="Random seed of the resamples.")] = 13,
    vacuous: Annotated[str, typer.Option(help="Empty gold, empty prediction: one, zero or skip.")] = "one",
    report: Annotated[Path | None, typer.Option(help="Write a report, .md or .html.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Score a run or a file against gold: micro, macro, weighted P/R/F1, before and after review."""
    from core import evaluate as scoring

    settings = scoring.Settings.parse(
        families=families, assertions=assertions, bootstrap=bootstrap, seed=seed, vacuous=vacuous
    )
    if report is not None and report.suffix not in (".md", ".html"):
        raise InputError(f"A report is .md or .html, not {report.suffix!r}: rename {report}.")
    for name, is_reference in ((predictions, False), (gold, gold.startswith(("imported:", "reviewed@")))):
        looks_like_a_file = Path(name).suffix in SUFFIXES or "/" in name
        if looks_like_a_file and not is_reference and not Path(name).is_file():
            raise InputError(f"There is no file {name}. Check the name and the folder.")
    if Path(gold).is_file() and Path(predictions).is_file() and ontology is None:
        result: scoring.Evaluation | scoring.ReviewedEvaluation = scoring.evaluate_files(
            Path(predictions), Path(gold), settings
        )
    else:
        with open_workspace(context.obj, create=False) as workspace:
            scope = scoring.scope(workspace, ontology, root)
            if Path(predictions).is_file():
                result = scoring.evaluate_files(Path(predictions), Path(gold), settings, scope)
            else:
                result = scoring.evaluate_run(workspace, predictions, gold, settings, scope)
    if report is not None:
        report.write_text(
            scoring.report_html(result) if report.suffix == ".html" else scoring.report_markdown(result),
            encoding="utf-8",
        )
        say(f"Wrote {report}.")
    if as_json:
        return print_json(result.to_json())
    print_scores(scoring.tables(result))
