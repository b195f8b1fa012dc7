"""touchstone evaluate"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any

import typer

from core.cli.output import JsonFlag, print_json, print_scores, say
from core.errors import InputError
from core.store import open_workspace
from core.store.gold import ESTIMATED

IN_REPORTS = "corpus,relaxed,assertions,thresholds,auprc"
"""What a report shows where no family is chosen: the contents of paper 003, section 8.3."""


def register(cli: typer.Typer) -> None:
    cli.command()(evaluate)


Predictions = Annotated[
    str,
    typer.Argument(metavar="PRED", help="A run id, or a file of documents, claim pairs, tags or mentions."),
]
Gold = Annotated[
    str,
    typer.Option(
        help="A file, imported:NAME@VERSION, corrected@NUMBER:NAME@VERSION, reviewed@NUMBER:POLICY or "
        "estimated@NUMBER:FRAME."
    ),
]
Families = Annotated[
    str | None,
    typer.Option(
        help="Metric families, comma-separated, or all (`touchstone metrics` lists them). Default: "
        f"corpus; in a report {IN_REPORTS}."
    ),
]
By = Annotated[str, typer.Option(help="Slices: branch, length, assertion, or all.")]
Statuses = Annotated[str, typer.Option(help="Statuses that count, comma-separated.")]
Root = Annotated[str | None, typer.Option(help="Score only concepts below this one (needs --ontology).")]
OntologyName = Annotated[
    str | None,
    typer.Option(help="NAME[@VERSION] of the workspace, or an ontology file: for alt_ids, is_a, --root."),
]
Similarity = Annotated[
    str, typer.Option(help="Of concepts, for relaxed matching: lin, jiang_conrath or lineage.")
]
Information = Annotated[str, typer.Option(help="Where information content comes from: structure or corpus.")]
Alike = Annotated[float, typer.Option(help="Concepts match from this similarity on.")]
Sure = Annotated[
    float, typer.Option(help="From this confidence on an unmatched proposal counts against the system.")
]
Training = Annotated[
    list[Path] | None, typer.Option(help="What the model was trained on; may be given again.")
]
TrainingIds = Annotated[
    list[Path] | None, typer.Option(help="Concept ids of the training set; may be given again.")
]
GoldIds = Annotated[Path | None, typer.Option(help="Concept ids of a gold file of tags, token by token.")]
Tree = Annotated[
    str | None,
    typer.Option(
        help="Label tree for closeness to unseen concepts: an index file, or NAME[@VERSION] of the workspace."
    ),
]
Encoder = Annotated[
    str | None,
    typer.Option(
        help="Claim pairs: sentence encoder for the similarity of reconciliations, a name or a folder; "
        "none leaves it out. Default: the bundled one."
    ),
]
Domain = Annotated[str | None, typer.Option(help="Claim pairs: score only those of this domain.")]
Resamples = Annotated[
    int, typer.Option(min=0, max=100_000, help="Resamples, at least 100; 0 leaves intervals out.")
]
Seed = Annotated[int, typer.Option(help="Random seed of the resamples.")]
Vacuous = Annotated[str, typer.Option(help="Empty gold, empty prediction: one, zero or skip.")]
InSample = Annotated[
    bool, typer.Option("--in-sample", help="Score documents that the run was learned from, too.")
]
ReportFile = Annotated[Path | None, typer.Option(help="Write a report, .md or .html.")]


def evaluate(
    context: typer.Context,
    predictions: Predictions,
    gold: Gold,
    families: Families = None,
    by: By = "",
    assertions: Statuses = "affirmed,uncertain",
    root: Root = None,
    ontology: OntologyName = None,
    similarity: Similarity = "lin",
    information: Information = "structure",
    alike: Alike = 0.7,
    sure: Sure = 0.8,
    training: Training = None,
    training_ids: TrainingIds = None,
    gold_ids: GoldIds = None,
    index: Tree = None,
    encoder: Encoder = None,
    domain: Domain = None,
    bootstrap: Resamples = 1000,
    seed: Seed = 13,
    vacuous: Vacuous = "one",
    in_sample: InSample = False,
    report: ReportFile = None,
    as_json: JsonFlag = False,
) -> None:
    """Score a run or a file against gold by any family of metrics, runs before and after review."""
    from core import evaluate as scoring

    if gold.startswith(ESTIMATED):
        return _estimate(context, predictions, gold, report, as_json)
    options = scoring.Options(
        families=families or "",
        usual=IN_REPORTS if _checked_name(report) else "corpus",
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
            "in_sample": in_sample,
        },
        ontology=ontology,
        root=root,
        training=training or (),
        training_ids=training_ids or (),
        gold_ids=gold_ids,
        index=index,
    )
    needed = scoring.needs_workspace(predictions, gold, ontology, index)
    with open_workspace(context.obj, create=False) if needed else nullcontext() as workspace:
        result = scoring.score_given(workspace, predictions, gold, options)
    _write(report, result)
    _print(result, lambda: scoring.evaluation_tables(result), as_json)


def _print(result: Any, tables: Callable[[], Iterable[Any]], as_json: bool) -> None:
    if as_json:
        return print_json(result.to_json())
    print_scores(tables())


def _estimate(context: typer.Context, run: str, reference: str, report: Path | None, as_json: bool) -> None:
    """The whole run from the decided part of a frame, which has figures and no labels to score against."""
    from core.evaluate.estimated import estimated_run

    if report is not None:
        raise InputError("An estimate is printed, or given by --json; a report needs gold that holds labels.")
    with open_workspace(context.obj, create=False) as workspace:
        found = estimated_run(workspace, run, reference)
    _print(found, found.tables, as_json)


def _write(report: Path | None, result: Any) -> None:
    from core.evaluate import report_html, report_markdown

    if report is None:
        return
    text = report_html(result) if report.suffix == ".html" else report_markdown(result)
    report.write_text(text, encoding="utf-8")
    say(f"Wrote {report}.")


def _checked_name(report: Path | None) -> Path | None:
    """Before anything is computed."""
    if report is not None and report.suffix not in (".md", ".html"):
        raise InputError(f"A report is .md or .html, not {report.suffix!r}: rename {report}.")
    return report
