"""touchstone run concepts"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from core.cli.asking import Asked, asking, cost
from core.cli.learn import Learned
from core.cli.output import JsonFlag, bar, say, tell
from core.errors import InputError
from core.store import open_workspace

if TYPE_CHECKING:
    from core.pipeline import ConceptsSettings, RunReport
    from core.store import Workspace

Ablation = Annotated[
    bool, typer.Option("--ablation", help="Run and score every subset of stages that the paper compares.")
]
Oracle = Annotated[
    Literal["sentences", "candidates", "assertions"] | None,
    typer.Option(help="Take this part from --gold: an ablation, no labelling."),
]
HypernymsOption = Annotated[
    Literal["all", "named_apart", "none"] | None,
    typer.Option(
        "--hypernyms",
        help="Concepts more general than another one of the passage: keep all, those named apart from it, or"
        " none; default as the profile says.",
    ),
]
Gold = Annotated[
    str | None, typer.Option(help="Gold for --ablation and --oracle; default the only one imported.")
]

verbs = typer.Typer(help="Label a corpus in stages.", no_args_is_help=True)


def register(cli: typer.Typer) -> None:
    cli.add_typer(verbs, name="run")


@verbs.callback()
def group() -> None:
    """Label a corpus in stages."""


@verbs.command()
@asking
def concepts(
    context: typer.Context,
    asked: Asked,
    corpus: Annotated[str, typer.Option(help="Corpus to label.")],
    ontology: Annotated[str, typer.Option(help="Ontology, NAME or NAME@VERSION.")],
    profile: Annotated[str, typer.Option(help="Task profile, such as hpa or go_bp, or a YAML file.")],
    stages: Annotated[
        str | None, typer.Option(help="Some of the five, in order, comma-separated; default the profile's.")
    ] = None,
    offline: Annotated[bool, typer.Option("--offline", help="Without a model.")] = False,
    model_for: Annotated[
        list[str] | None, typer.Option(help="STAGE=MODEL, where it is another one; may be given again.")
    ] = None,
    root: Annotated[str | None, typer.Option(help="Only concepts below this one.")] = None,
    run: Annotated[str | None, typer.Option(help="Run id; the same id goes on where it stopped.")] = None,
    encoder: Annotated[str, typer.Option(help="Sentence encoder for names.")] = "all-MiniLM-L6-v2",
    threads: Annotated[int | None, typer.Option(min=1, help="Threads of the encoder.")] = None,
    threshold: Annotated[
        float | None, typer.Option(min=0, max=1, help="Least similarity of a name to a concept.")
    ] = None,
    classes: Annotated[int, typer.Option(min=2, max=4, help="Classes of the classify stage.")] = 4,
    direct: Annotated[bool, typer.Option("--direct", help="Concept names without claims.")] = False,
    learned: Learned = None,
    hypernyms: HypernymsOption = None,
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="Try passages without a usable answer again.")
    ] = False,
    ablation: Ablation = False,
    oracle: Oracle = None,
    gold: Gold = None,
    as_json: JsonFlag = False,
) -> None:
    """Label a corpus with concepts in five stages, offline or by asking a model; a stopped run goes on."""
    from core.concepts.profile import POLICIES
    from core.pipeline import ConceptsSettings

    settings = ConceptsSettings(
        corpus=corpus,
        ontology=ontology,
        profile=profile,
        stages=[s.strip() for s in stages.split(",")] if stages else None,
        offline=offline,
        endpoint=None if offline else asked.endpoint(model_for),
        root=root,
        run=run,
        encoder=encoder,
        threads=threads,
        threshold=threshold,
        classes=classes,
        direct=direct,
        learned=learned,
        hypernyms=POLICIES[hypernyms] if hypernyms else None,
        oracle=oracle,
        retry_failed=retry_failed,
        **asked.of_run,
    )
    with open_workspace(context.obj, create=False) as workspace:
        if ablation:
            return _ablation(workspace, settings, gold, as_json)
        _end(_labelled(workspace, settings, gold), as_json)


def _end(report: RunReport, as_json: bool) -> None:
    tell(report, _said(report), as_json, failures=report.failures + (report.status != "done"))


def _ablation(workspace: Workspace, settings: ConceptsSettings, gold: str | None, as_json: bool) -> None:
    from core.cli.ablation import run_ablation

    if settings.stages or settings.direct or settings.batch_out or settings.oracle:
        raise InputError(
            "An ablation runs its own stages, live: leave --stages, --direct, --oracle and --batch-out out."
        )
    run_ablation(workspace, settings, gold=gold, as_json=as_json)


def _labelled(workspace: Workspace, settings: ConceptsSettings, gold: str | None) -> RunReport:
    from core.pipeline import run_concepts

    if settings.oracle and gold is None:
        from core.cli.ablation import only_gold

        gold = only_gold(workspace, settings.corpus)
    with bar("Labelling") as progress:
        return run_concepts(workspace, replace(settings, gold=gold), progress=progress, announce=say)


def _said(report: RunReport) -> str:
    parts = [f"Run {report.run}: {report.proposals} proposals on {report.passages} passages"]
    if report.resumed:
        parts.append(f"{report.resumed} of them from an earlier start")
    if report.failures:
        parts.append(f"{report.failures} without a usable answer (--retry-failed tries them again)")
    if report.spent:
        parts.append(cost(report.spent, report.counted))
    text = ", ".join(parts) + "."
    if report.oracle:
        text += f" An ablation, no labelling: it took the {report.oracle}."
    return f"{text} {report.message}" if report.message else text
