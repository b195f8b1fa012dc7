"""touchstone evaluate"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from core.cli.output import JsonFlag, print_json, print_scores, say
from core.errors import InputError
from core.store import open_workspace

IN_REPORTS = "corpus,relaxed,assertions,thresholds,auprc"
"""What a report shows where no family is chosen: the contents of paper 003, section 8.3."""


def register(cli: typer.Typer) -> None:
    cli.command()(evaluate)


def evaluate(
    context: typer.Context,
    predictions: Annotated[
        str,
        typer.Argument(
            metavar="PRED", help="A run id, or a file of documents, claim pairs, tags or mentions."
        ),
    ],
    gold: Annotated[str, typer.Option(help="A file, imported:NAME@VERSION or reviewed@NUMBER:POLICY.")],
    families: Annotated[
        str | None,
        typer.Option(
            help="Metric families, comma-separated, or all (`touchstone metrics` lists them). Default: "
            f"corpus; in a report {IN_REPORTS}."
        ),
    ] = None,
    by: Annotated[str, typer.Option(help="Slices: branch, length, assertion, or all.")] = "",
    assertions: Annotated[
        str, typer.Option(help="Statuses that count, comma-separated.")
    ] = "affirmed,uncertain",
    root: Annotated[
        str | None, typer.Option(help="Score only concepts below this one (needs --ontology).")
    ] = None,
    ontology: Annotated[
        str | None,
        typer.Option(help="NAME[@VERSION] of the workspace, or an ontology file: for alt_ids, is_a, --root."),
    ] = None,
    similarity: Annotated[
        str, typer.Option(help="Of concepts, for relaxed matching: lin, jiang_conrath or lineage.")
    ] = "lin",
    information: Annotated[
        str, typer.Option(help="Where information content comes from: structure or corpus.")
    ] = "structure",
    alike: Annotated[float, typer.Option(help="Concepts match from this similarity on.")] = 0.7,
    sure: Annotated[
        float, typer.Option(help="From this confidence on an unmatched proposal counts against the system.")
    ] = 0.8,
    training: Annotated[
        list[Path] | None, typer.Option(help="What the model was trained on; may be given again.")
    ] = None,
    training_ids: Annotated[
        list[Path] | None, typer.Option(help="Concept ids of the training set; may be given again.")
    ] = None,
    gold_ids: Annotated[
        Path | None, typer.Option(help="Concept ids of a gold file of tags, token by token.")
    ] = None,
    index: Annotated[Path | None, typer.Option(help="Label tree for closeness to unseen concepts.")] = None,
    encoder: Annotated[
        str | None,
        typer.Option(
            help="Claim pairs: sentence encoder for the similarity of reconciliations, a name or a folder; "
            "none leaves it out. Default: the bundled one."
        ),
    ] = None,
    domain: Annotated[str | None, typer.Option(help="Claim pairs: score only those of this domain.")] = None,
    bootstrap: Annotated[
        int, typer.Option(min=0, max=100_000, help="Resamples, at least 100; 0 leaves intervals out.")
    ] = 1000,
    seed: Annotated[int, typer.Option(help="Random seed of the resamples.")] = 13,
    vacuous: Annotated[str, typer.Option(help="Empty gold, empty prediction: one, zero or skip.")] = "one",
    report: Annotated[Path | None, typer.Option(help="Write a report, .md or .html.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Score a run or a file against gold by any family of metrics, runs before and after review."""
    from core import evaluate as scoring

    if report is not None and report.suffix not in (".md", ".html"):
        raise InputError(f"A report is .md or .html, not {report.suffix!r}: rename {report}.")
    options = scoring.Options(
        families=families or "",
        usual=IN_REPORTS if report else "corpus",
        counting={
            "by": by,
            "assertions": assertions,
            "bootstrap": bootstrap,
            "seed": seed,
            "vacuous": vacuous,
            "similarity": similarity,
            "information": information,
            "alike": alike,
            "sure": sure,
            "encoder": encoder,
            "domain": domain,
        },
        ontology=ontology,
        root=root,
        training=training or (),
        training_ids=training_ids or (),
        gold_ids=gold_ids,
        index=index,
    )
    if scoring.needs_workspace(predictions, gold, ontology):
        with open_workspace(context.obj, create=False) as workspace:
            result = scoring.score_given(workspace, predictions, gold, options)
    else:
        result = scoring.score_given(None, predictions, gold, options)
    if report is not None:
        text = scoring.report_html(result) if report.suffix == ".html" else scoring.report_markdown(result)
        report.write_text(text, encoding="utf-8")
        say(f"Wrote {report}.")
    if as_json:
        return print_json(result.to_json())
    print_scores(scoring.evaluation_tables(result))
