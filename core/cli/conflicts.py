"""touchstone run conflicts, and what `runs show` says of such a run"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from core.cli import run as run_verbs
from core.cli.asking import Asked, asking, cost
from core.cli.output import JsonFlag, bar, print_json, print_table, say, tell
from core.records import Axis, ConflictType, Origin, Tier
from core.store import Workspace, open_workspace, pair_tally

if TYPE_CHECKING:
    from core.cli.output import Bar
    from core.pipeline.conflicts import ConflictsReport
    from core.store.sessions import Session


Neighbours = Annotated[int | None, typer.Option(min=1, help="Nearest claims of each; default 20.")]
ByWords = Annotated[
    int | None, typer.Option(min=0, help="Claims of each that share most rare words; default 20.")
]
LeastSim = Annotated[
    float | None, typer.Option(min=0, max=1, help="Least similarity of near claims; default 0.20.")
]
LeastScore = Annotated[
    float | None, typer.Option(min=-1, max=1, help="Least score of near claims; default any.")
]
Swapped = Annotated[
    bool,
    typer.Option("--swapped", help="Ask twice, with sides swapped; where answers differ, review first."),
]


def register(cli: typer.Typer) -> None:
    run_verbs.verbs.command()(asking(conflicts))


def conflicts(
    context: typer.Context,
    asked: Asked,
    corpus: Annotated[str, typer.Option(help="Corpus of articles.")],
    stages: Annotated[
        str | None, typer.Option(help="The first few of the four, comma-separated; default all.")
    ] = None,
    offline: Annotated[bool, typer.Option("--offline", help="Without a model.")] = False,
    run: Annotated[str | None, typer.Option(help="Run id; the same id goes on where it stopped.")] = None,
    tier: Annotated[Tier | None, typer.Option(help="Ask the model about this queue only.")] = None,
    encoder: Annotated[str, typer.Option(help="Sentence encoder for claims.")] = "all-MiniLM-L6-v2",
    threads: Annotated[int | None, typer.Option(min=1, help="Threads of the encoder.")] = None,
    mining: Annotated[
        Literal["paper"] | None,
        typer.Option(help="paper: near claims alone, similarity 0.40, score 0.25, 10,000 pairs, by score."),
    ] = None,
    neighbours: Neighbours = None,
    by_words: ByWords = None,
    least_sim: LeastSim = None,
    least_score: LeastScore = None,
    cap: Annotated[int | None, typer.Option(min=1, help="Most pairs of a domain; default 50,000.")] = None,
    per_article: Annotated[
        int | None, typer.Option(min=1, help="Most pairs of an article; default any number.")
    ] = None,
    swapped: Swapped = False,
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="Try pairs without a usable answer again.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Find, pair and label the claims of articles, offline or by asking a model; a stopped run goes on."""
    from core.pipeline.conflicts import ConflictsSettings, run_conflicts
    from core.pipeline.conflicts.plan import mining_of

    chosen = [s.strip() for s in stages.split(",")] if stages else None
    to_label = not offline and (chosen is None or "annotate" in chosen)
    endpoint = asked.endpoint() if to_label else None
    found_by = {"mining": mining, "neighbours": neighbours, "by_words": by_words, "cap": cap}
    kept_by = {"least_sim": least_sim, "least_score": least_score, "per_article": per_article}
    settings = ConflictsSettings(
        corpus=corpus,
        stages=chosen,
        offline=offline,
        endpoint=endpoint,
        run=run,
        encoder=encoder,
        threads=threads,
        mining=mining_of(found_by | kept_by),
        **asked.of_run,
        tier=tier,
        swapped=swapped,
        retry_failed=retry_failed,
    )
    with open_workspace(context.obj, create=False) as workspace, bar("Reading articles") as progress:
        report = run_conflicts(workspace, settings, progress=_told(progress), announce=say)
    tell(report, _said(report), as_json, failures=report.failures + (report.status != "done"))


def _told(progress: Bar) -> Callable[[str, int, int], None]:
    def told(part: str, done: int, total: int) -> None:
        progress.message(part)
        progress(done, total)

    return told


def _said(report: ConflictsReport) -> str:
    left = ", ".join(f"{n} {reason}" for reason, n in report.left.items())
    left = f" (left out: {left})" if left else ""
    labels = " and ".join(f"{n:,} by {origin}" for origin, n in report.labels.items() if n)
    parts = [
        f"Run {report.run}: {report.kept:,} of {report.articles:,} articles{left}",
        f"{report.claims:,} claims",
        f"{report.pairs:,} pairs",
    ]
    if labels:
        parts.append(f"labels {labels}")
    if report.repaired:
        parts.append(f"{report.repaired} of them repaired")
    if report.failures:
        parts.append(f"{report.failures} pairs without a usable answer (--retry-failed tries them again)")
    if report.spent:
        parts.append(cost(report.spent, report.counted))
    text = ", ".join(parts) + "."
    return f"{text} {report.message}" if report.message else text


# --- runs show ----------------------------------------------------------------------------------------------


def funnel(workspace: Workspace, run: str) -> dict[str, Any]:
    """A run's counts: in all, and by domain."""
    counts = pair_tally.pair_tally(workspace, run)
    return {
        "articles": counts.articles,
        "kept": counts.kept,
        "left_out": counts.left,
        "claims": counts.claims,
        "pairs": counts.pairs,
        "labels": {origin.value: counts.labels(origin) for origin in Origin},
        "repaired": counts.repaired,
        "failed": counts.failed,
        "axes": counts.axes,
        "confounders": counts.confounders,
        "agreement": [{"model": a, "heuristic": b, "pairs": n} for (a, b), n in counts.agreement.items()],
        "domains": [dataclasses.asdict(domain) for domain in counts.domains],
        "costs": [cost._asdict() for cost in counts.costs],
    }


def show(
    run: Mapping[str, Any], state: str, session: Session | None, counts: dict[str, Any], *, as_json: bool
) -> None:
    """A run and its `funnel` as JSON; else what its stages made, behind what is shown of every run."""
    if as_json:
        progress = session and session._asdict()
        return print_json({**run, "state": state, "session": progress, "funnel": counts})
    print_table(
        "Stages by domain",
        ["domain", "articles", "left out", "kept", "claims", "pairs", "labelled", "repaired", "failed"],
        [
            (
                d["domain"],
                d["articles"],
                ", ".join(f"{reason} {n}" for reason, n in d["left"].items()) or None,
                d["kept"],
                sum(d["claims"].values()),
                sum(d["pairs"].values()),
                max((sum(by.values()) for by in d["labels"].values()), default=0),
                d["repaired"],
                d["failed"],
            )
            for d in counts["domains"]
        ],
    )
    print_table("Claims by type", ["type", "claims"], counts["claims"].items())
    print_table("Pairs by queue", ["queue", "pairs"], counts["pairs"].items())
    _by_origin("Labels by type", [kind.value for kind in ConflictType], counts["labels"])
    _by_origin("Labels by axis", [axis.value for axis in Axis], counts["axes"])
    if counts["costs"]:
        columns = list(counts["costs"][0])
        print_table("Calls paid for", columns, [list(cost.values()) for cost in counts["costs"]])


def _by_origin(title: str, values: list[str], found: dict[str, dict[str, int]]) -> None:
    origins = [origin.value for origin in Origin if origin is not Origin.PERSON or found.get(origin)]
    rows = [(value, *(found.get(origin, {}).get(value, 0) for origin in origins)) for value in values]
    print_table(title, [title.rpartition(" ")[2], *origins], rows)
