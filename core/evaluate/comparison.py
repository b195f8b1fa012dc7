"""Two evaluations on the same gold: by how much one is better, and whether that may be chance.

    compare_scores(first, second)                            # any two evaluations on one gold
    compare_on_gold(workspace, "run-1", "run-2", "imported:gsc@1")

Over the documents scored in both (`core.metrics.paired.shared`). Differences are second - first and are
resampled alike; the tests are two-sided.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from core.charts import Cell, Key
from core.errors import InputError
from core.evaluate.evaluation import Evaluation
from core.evaluate.families.result import FamilyResult, few_notes, in_order
from core.evaluate.notes import of_learning
from core.evaluate.reviewed import evaluate_run, read_apart
from core.evaluate.settings import Settings
from core.evaluate.tables import comparison as cells
from core.evaluate.tables.comparison import BETTER, BOTH, EQUAL, NEITHER, ONLY_A, ONLY_B, WORSE
from core.metrics import corpus
from core.metrics.differences import Difference, with_test
from core.metrics.discordant import McNemar, discordant, mcnemar
from core.metrics.documents import Item, Outcome, Vacuous
from core.metrics.paired import Test, corpus_differences, f1_differences, shared, t_test, wilcoxon
from core.metrics.sums import Scored
from core.records import Curie
from core.store.workspace import Workspace

_SAID = {BOTH: "both right", ONLY_A: "only A right", ONLY_B: "only B right", NEITHER: "both wrong"}
_CLUSTERS = (
    "McNemar's test takes the concepts of a document for independent, so its p is too small where errors "
    "come in clusters: quote the tests over documents."
)


@dataclass(frozen=True, slots=True)
class ScoreComparison:
    a: str
    b: str
    gold: str
    documents: int
    """Scored in both."""
    learned_from: int
    """Documents left out of both, because one of the runs was learned from them."""
    in_sample: bool
    """Whether such documents count all the same."""
    differences: dict[str, Difference]
    """B - A of every corpus value, with paired intervals and the p of the paired bootstrap test."""
    families: dict[str, dict[str, Difference]]
    """The same of every other family that was scored on both sides; over all documents that it scores."""
    t_test: Test
    wilcoxon: Test
    mcnemar: McNemar
    labels: Mapping[Curie, str]
    """Names of concepts. From outside: text, never markup."""
    result: FamilyResult
    """Tables (`differences`, `tests`, `documents`, `items`, one of each further family), what their cells
    open, and notes."""

    def to_json(self) -> dict[str, Any]:
        return {
            "a": self.a,
            "b": self.b,
            "gold": self.gold,
            "documents": self.documents,
            "learned_from": self.learned_from,
            "in_sample": self.in_sample,
            "differences": _json(self.differences),
            "families": {family: _json(held) for family, held in self.families.items()},
            "t_test": self.t_test.to_json(),
            "wilcoxon": self.wilcoxon.to_json(),
            "mcnemar": self.mcnemar.to_json(),
            "notes": list(self.result.notes),
        }


def compare_on_gold(
    workspace: Workspace, a: str, b: str, gold: str, settings: Settings | None = None
) -> ScoreComparison:
    """Score two runs as proposed, before any review, and compare them.

    Raises:
        InputError: no such form of reference, or the runs were labelled with different ontologies.
        NotFoundError: no such run or gold.
    """
    first, second = (
        evaluate_run(workspace, run, gold, settings, readings=readings).before
        for run, readings in zip((a, b), read_apart(workspace, (a, b)), strict=True)
    )
    return compare_scores(first, second)


def compare_scores(a: Evaluation, b: Evaluation) -> ScoreComparison:
    """B against A.

    Raises:
        InputError: the two were not scored against the same gold, by the same rules and over the same
            concepts.
    """
    _check(a, b)
    chosen = a.settings
    first, second = shared(a.outcomes, b.outcomes, chosen.vacuous)
    changes = f1_differences(first, second, chosen.vacuous)
    differences = corpus_differences(
        first,
        second,
        vacuous=chosen.vacuous,
        resamples=chosen.bootstrap,
        seed=chosen.seed,
        level=chosen.level,
    )
    by_t, by_rank = t_test(changes, "two-sided"), wilcoxon(changes, "two-sided")
    lists = _items(first, second, chosen.vacuous)
    by_item = mcnemar(len(lists[ONLY_A]), len(lists[ONLY_B]), len(first))
    sides = {"a": first, "b": second}
    documents = _by_change(first, second, changes)
    notes = [_CLUSTERS]
    left_out = len({o.doc_id for o in (*a.outcomes, *b.outcomes)}) - len(first)
    if left_out:
        notes.insert(0, f"Documents without an F1 on either side, compared nowhere: {left_out}.")
    notes += [*of_learning(a.beside.get("learned_from", 0), chosen)]
    notes += few_notes(found.estimate for found in differences.values())
    families = _of_families(a, b)
    apart = partial(_apart, lists)
    result = FamilyResult(
        "paired",
        {},
        (
            cells.differences(a, b, differences, sides, apart),
            cells.tests(differences[corpus.HEADLINE], by_t, by_rank, by_item, chosen.level, apart),
            cells.documents([_document_cell(lists, *held) for held in documents.items()]),
            cells.items(lists),
            *(cells.family(name, a, b, found) for name, found in families.items()),
        ),
        notes=tuple(notes),
    )
    return ScoreComparison(
        a.predictions,
        b.predictions,
        a.gold,
        len(first),
        a.beside.get("learned_from", 0),
        chosen.in_sample,
        differences,
        families,
        by_t,
        by_rank,
        by_item,
        {**a.labels, **b.labels},
        result,
    )


def _of_families(a: Evaluation, b: Evaluation) -> dict[str, dict[str, Difference]]:
    """B - A of the values of families other than the corpus; without intervals where the two were resampled
    from other documents."""
    alike = _resampled(a) == _resampled(b)
    ours, theirs = (
        {name: held if alike else Scored(held.estimates, {}) for name, held in side.scored.items()}
        for side in (a, b)
    )
    return {
        name: with_test(ours[name], theirs[name], a.settings.level)
        for name in ours
        if name in theirs and name != "corpus"
    }


def _resampled(side: Evaluation) -> tuple[object, ...]:
    """What the resamples are drawn from: equal, and the two drew the same."""
    chosen = side.settings
    return chosen.bootstrap, chosen.seed, [(o.doc_id, o.complete) for o in side.outcomes]


def _json(found: Mapping[str, Difference]) -> dict[str, Any]:
    return {name: each.estimate.to_json() | {"p": each.p} for name, each in found.items()}


def _check(a: Evaluation, b: Evaluation) -> None:
    what = {
        "gold": (a.gold, b.gold),
        "concepts": (a.scope, b.scope),
        "assertions": (a.settings.assertions, b.settings.assertions),
        "rule for vacuous documents": (a.settings.vacuous, b.settings.vacuous),
    }
    if a.further and b.further:
        names = ("similarity", "information", "alike", "sure", "by")
        what["options of families"] = tuple([getattr(e.settings, n) for n in names] for e in (a, b))  # type: ignore[assignment]
    differing = [name for name, (one, other) in what.items() if one != other]
    if differing:
        raise InputError(
            f"{a.predictions} and {b.predictions} were not scored alike ({', '.join(differing)} differ). "
            "Score both against the same gold, by the same rules and with the same ontology."
        )


# --- what is behind the numbers -----------------------------------------------------------------------------


def _items(
    first: tuple[Outcome, ...], second: tuple[Outcome, ...], vacuous: Vacuous
) -> dict[Key, list[Item]]:
    only_a, only_b = discordant(first, second, vacuous)
    found: dict[Key, list[Item]] = {BOTH: [], ONLY_A: only_a, ONLY_B: only_b, NEITHER: []}
    for a, b in zip(first, second, strict=True):
        for key, outcome in ((BOTH, "tp"), (NEITHER, "fn"), (NEITHER, "fp")):
            alike = set(getattr(b, outcome))
            found[key] += [Item(a.doc_id, c, outcome) for c in getattr(a, outcome) if c in alike]
    return {
        key: [item._replace(detail=_SAID[key]) for item in in_order(items)] for key, items in found.items()
    }


def _by_change(
    first: tuple[Outcome, ...], second: tuple[Outcome, ...], changes: list[float]
) -> dict[Key, list[tuple[Outcome, Outcome]]]:
    """Documents by whether B's F1 is above A's, below it, or the same."""
    found: dict[Key, list[tuple[Outcome, Outcome]]] = {BETTER: [], WORSE: [], EQUAL: []}
    for a, b, change in zip(first, second, changes, strict=True):
        change = round(change, 12)  # equal as fractions is equal
        found[BETTER if change > 0 else WORSE if change < 0 else EQUAL].append((a, b))
    return found


def _apart(lists: Mapping[Key, list[Item]], chosen: Container[str] | None = None) -> list[Item]:
    """Items that only one side has right, of these documents; None: of all."""
    return in_order(
        item for key in (ONLY_A, ONLY_B) for item in lists[key] if chosen is None or item.doc_id in chosen
    )


def _document_cell(
    lists: Mapping[Key, list[Item]], key: Key, held: Sequence[tuple[Outcome, Outcome]]
) -> Cell:
    """How many documents; opens what only one side has right there, where F1 is equal all of it."""

    def items() -> list[Item]:
        chosen = {a.doc_id for a, _ in held}
        if key != EQUAL:
            return _apart(lists, chosen)
        return [item for found in lists.values() for item in found if item.doc_id in chosen]

    return Cell(len(held), key, items)
