"""What each stage of the labelling is worth: runs of different stages against one gold (HI-ALD, table 2).

    score_ablation(workspace, [(Row(("generate",)), "run-1"), (Row(("generate", "classify")), "run-2")], gold)

Every row is compared with the first one, on the documents that are scored in both. A row that ends with the
selection of passages has two lines (metric-definitions R47): `retained` scores the passages that were kept,
and is what the tests are about; `all` scores every passage, the dropped ones as empty predictions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from core.concepts.ablation import Row
from core.errors import InputError
from core.evaluate.concept_scope import Scope, scope
from core.evaluate.evaluation import Evaluation
from core.evaluate.inputs.gold import is_exhaustive
from core.evaluate.reviewed import learned_from
from core.evaluate.score import evaluate
from core.evaluate.settings import Settings
from core.evaluate.worth import Passages, Worth, worth
from core.metrics.definition import Estimate
from core.metrics.documents import count
from core.metrics.paired import Test, corpus_differences, f1_differences, t_test, wilcoxon
from core.records import Curie, GoldSet
from core.store import compared, ontologies, runs
from core.store.gold import gold_set
from core.store.workspace import Workspace

Worked = tuple[int, Mapping[str, float]]
"""(passages worked on, stage -> seconds of work on all of them)"""
MEASURES = ("micro_precision", "micro_recall", "micro_f1")


@dataclass(frozen=True, slots=True)
class Comparison:
    """One line against the first row, over the documents scored in both."""

    documents: int
    t_test: Test
    """One-sided: F1 per document is higher than in the first row."""
    wilcoxon: Test
    difference: dict[str, Estimate]
    """This line - the first row, of `MEASURES`, with paired intervals."""


@dataclass(frozen=True, slots=True)
class Line:
    row: Row
    run: str
    passages: Passages
    evaluation: Evaluation
    failed: int
    """Scored passages on which a stage got no usable answer: they count as empty predictions."""
    against_first: Comparison | None
    """None for the first row itself, and for a line over all passages beside one over the retained."""

    def estimates(self) -> dict[str, Estimate]:
        return {name: self.evaluation.estimate(name) for name in MEASURES}

    def to_json(self) -> dict[str, Any]:
        tested = self.against_first
        return {
            "row": self.row.name,
            "stages": list(self.row.stages),
            "direct": self.row.direct,
            "run": self.run,
            "passages": self.passages,
            "documents": len(self.evaluation.outcomes),
            "failed": self.failed,
            "counts": count(self.evaluation.outcomes)._asdict(),
            **{name: e.to_json() for name, e in self.estimates().items()},
            "against_first": tested
            and {
                "documents": tested.documents,
                "t_test": tested.t_test.to_json(),
                "wilcoxon": tested.wilcoxon.to_json(),
                "difference": {name: e.to_json() for name, e in tested.difference.items()},
            },
        }


class StageCost(NamedTuple):
    """What one passage costs in one stage, as in HI-ALD, table 5: its input is what the first stage made."""

    stage: str
    run: str
    passages: int
    """Passages that this rests on."""
    calls: float | None
    """Per passage; None where no model is asked."""
    seconds: float | None
    """Per passage; of a model until its answer, so calls that ran side by side are added up."""
    price: float | None
    """US dollars per passage; None where no model is asked, or its price is not known."""


@dataclass(frozen=True, slots=True)
class Ablation:
    corpus: str
    gold: str
    scope: str | None
    settings: Settings
    lines: tuple[Line, ...]
    worth: tuple[Worth, ...]
    costs: tuple[StageCost, ...]
    paid: float
    """US dollars that these runs paid for all their calls, as far as prices are known."""
    notes: tuple[str, ...]
    """Our words and numbers only."""

    def to_json(self) -> dict[str, Any]:
        return {
            "corpus": self.corpus,
            "gold": self.gold,
            "scope": self.scope,
            "settings": self.settings.to_json(),
            "lines": [line.to_json() for line in self.lines],
            "worth": [one.to_json() for one in self.worth],
            "costs": [cost._asdict() for cost in self.costs],
            "paid": self.paid,
            "notes": list(self.notes),
        }


def score_ablation(
    workspace: Workspace,
    rows: Sequence[tuple[Row, str]],
    gold: str,
    settings: Settings | None = None,
    *,
    root: Curie | None = None,
    worked: Mapping[str, Worked] | None = None,
) -> Ablation:
    """Score the runs of an ablation against gold.

    Args:
        rows: (what the run is, its id), the one to compare with first.
        gold: `imported:NAME@VERSION`, or another reference.
        root: score only concepts from here on down, on both sides; default the root of the first run.
        worked: run id -> time that its offline stages took, as far as it was measured.

    Raises:
        InputError: no rows, runs of different corpora or ontologies, or no such form of reference.
        NotFoundError: no such run or gold.
    """
    settings = settings or Settings()
    found = [runs.find_run(workspace, run) for _, run in rows]
    if len({(run.corpus, run.ontology_id) for run in found}) != 1:
        raise InputError(
            "An ablation needs runs of one corpus and one ontology, at least one. Name such runs."
        )
    first_run = found[0]
    chosen = _gold(workspace, gold, found)
    ontology = first_run.ontology_id and ontologies.ontology_by_id(workspace, first_run.ontology_id).reference
    root = root or first_run.settings.get("root")
    scorer = _Scorer(
        workspace, chosen, settings, scope(workspace, ontology or None, root if ontology else None)
    )
    first: Evaluation | None = None
    lines: list[Line] = []
    for row, run in rows:
        kept = scorer.retained(run) if "select" in row.stages else None
        for passages, documents in (("retained", kept), ("all", None)):
            if passages == "retained" and kept is None:
                continue
            evaluation, failed = scorer.score(run, documents)
            beside = passages == "all" and kept is not None
            tested = None if first is None or beside else _compare(first, evaluation, settings)
            lines.append(
                Line(row, run, "retained" if documents is not None else "all", evaluation, failed, tested)
            )
            first = first or evaluation
    costs, paid = _costs(workspace, rows, worked or {})
    return Ablation(
        corpus=first_run.corpus,
        gold=chosen.reference,
        scope=lines[0].evaluation.scope,
        settings=settings,
        lines=tuple(lines),
        worth=(worths := worth([(x.row, x.passages, x.evaluation.outcomes) for x in lines], settings)),
        costs=tuple(costs),
        paid=paid,
        notes=tuple(_notes(lines, worths)),
    )


def _gold(workspace: Workspace, reference: str, found: Sequence[runs.Run]) -> GoldSet:
    """The gold without documents that any of the runs was learned from.

    Raises:
        InputError: none is left.
    """
    chosen = gold_set(workspace, reference, found[0].corpus)
    taught = learned_from(workspace, *(run.id for run in found))
    left = chosen.without(taught) if taught else chosen
    if taught and not left.documents:
        raise InputError(
            f"These runs were learned from all {left.learned_from} documents of this gold, so their scores"
            " would tell nothing. Name gold of other documents."
        )
    return left


class _Scorer:
    """Scores runs against one gold by one rule."""

    def __init__(self, workspace: Workspace, gold: GoldSet, settings: Settings, scope: Scope):
        self.workspace, self.gold, self.settings, self.scope = workspace, gold, settings, scope

    def retained(self, run: str) -> frozenset[str]:
        """Gold documents that the run rated and kept; what it failed on is in no data set."""
        return frozenset(self.gold.documents) & compared.retained(self.workspace, run)

    def score(self, run: str, documents: frozenset[str] | None) -> tuple[Evaluation, int]:
        """The evaluation on these documents (None: all), and how many of them the run failed on."""
        gold = self.gold if documents is None else _only(self.gold, documents)
        said = runs.predictions(self.workspace, run)
        if documents is not None:
            said = {d: statuses for d, statuses in said.items() if d in documents}
        corpus = runs.find_run(self.workspace, run).corpus
        evaluation = evaluate(
            gold,
            said,
            self.settings,
            self.scope,
            name=run,
            exhaustive=is_exhaustive(self.workspace, corpus, gold.reference),
        )
        failed = compared.failed(self.workspace, run)
        return evaluation, sum(o.doc_id in failed for o in evaluation.outcomes)


def _only(gold: GoldSet, documents: frozenset[str]) -> GoldSet:
    return replace(
        gold,
        documents={d: s for d, s in gold.documents.items() if d in documents},
        recall_documents=frozenset(gold.recall_documents) & documents,
        rejected={d: c for d, c in gold.rejected.items() if d in documents},
        unsettled={d: c for d, c in gold.unsettled.items() if d in documents},
    )


def _notes(lines: Sequence[Line], worths: Sequence[Worth]) -> Iterator[str]:
    """What holds of every line over all passages, then what tells the lines apart."""
    everywhere = [set(line.evaluation.notes) for line in lines if line.passages == "all"]
    yield from (note for note in lines[0].evaluation.notes if all(note in notes for notes in everywhere))
    if any(line.passages == "retained" for line in lines):
        yield (
            "Lines over retained passages rest on other passages than the first line: read the tests, which "
            "compare the two on the passages scored in both."
        )
    for one in worths:
        if not one.changes:
            yield f"The stage {one.stage} after {one.after} changes nothing on this corpus."
    if any(line.failed for line in lines):
        yield "Passages on which a stage got no usable answer count as empty predictions (column failed)."


def _compare(first: Evaluation, second: Evaluation, settings: Settings) -> Comparison:
    differences = f1_differences(first.outcomes, second.outcomes, settings.vacuous)
    found = corpus_differences(
        first.outcomes,
        second.outcomes,
        vacuous=settings.vacuous,
        resamples=settings.bootstrap,
        seed=settings.seed,
        level=settings.level,
    )
    return Comparison(
        len(differences),
        t_test(differences),
        wilcoxon(differences),
        {name: found[name].estimate for name in MEASURES},
    )


def _costs(
    workspace: Workspace, rows: Sequence[tuple[Row, str]], worked: Mapping[str, Worked]
) -> tuple[list[StageCost], float]:
    """Each stage where it follows the first one directly, and what all runs paid together."""
    paid = 0.0
    found: dict[str, StageCost] = {}
    for row, run in rows:
        of_stage = compared.costs(workspace, run)
        paid += sum(cost.paid for cost in of_stage.values())
        stage = row.stages[-1]
        if len(row.stages) > 2 or row.direct or stage in found:
            continue
        cost, (n, seconds) = of_stage.get(stage), worked.get(run, (0, {}))
        if cost:
            n = max(cost.passages, 1)
            price = None if cost.price is None else cost.price / n
            found[stage] = StageCost(stage, run, n, cost.calls / n, cost.seconds / n, price)
        else:
            found[stage] = StageCost(stage, run, n, None, seconds[stage] / n if n else None, None)
    return list(found.values()), paid
