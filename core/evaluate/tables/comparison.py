"""A comparison of two evaluations as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from core.charts import Cell, Chart, Items, Key, Table, Value, family_title
from core.evaluate.evaluation import Evaluation
from core.evaluate.families.corpus import opened
from core.evaluate.references import in_words
from core.evaluate.tables.cells import AVERAGES, FURTHER
from core.evaluate.tables.sections import value_name
from core.metrics import corpus
from core.metrics.differences import Difference
from core.metrics.discordant import McNemar
from core.metrics.documents import Item, Outcome
from core.metrics.paired import Test

VALUES = (
    *(f"{average}_{measure}" for average in AVERAGES for measure in ("f1", "precision", "recall")),
    *FURTHER,
)
"""The headline first."""
BETTER, WORSE, EQUAL = "documents:better", "documents:worse", "documents:equal"
BOTH, ONLY_A, ONLY_B, NEITHER = "items:both", "items:only_a", "items:only_b", "items:neither"
"""What cells open."""


def differences(
    a: Evaluation,
    b: Evaluation,
    found: Mapping[str, Difference],
    sides: Mapping[str, Sequence[Outcome]],
    apart: Items,
) -> Table:
    """The corpus values on both sides; a difference opens every item that only one has right."""
    scored = {side: corpus.score(held, vacuous=a.settings.vacuous).estimates for side, held in sides.items()}
    rows = []
    for name in VALUES:
        values = (
            Cell(scored[side][name].value, f"{side}:{name}", partial(opened, held, name))
            for side, held in sides.items()
        )
        change = found[name]
        changes = (Cell(value, name, apart) for value in (change.estimate, change.p))
        rows.append((corpus.FAMILY.metrics[name].title, *values, *changes))
    return Table.of(
        f"A = {a.predictions}, B = {b.predictions}, against {in_words(a.gold)}",
        ("value", "A", "B", "B - A", "p"),
        rows,
        "differences",
        chart=Chart("intervals", x="value", y=("B - A",), y_title="B - A"),
        note="p: paired bootstrap over documents, two-sided, the same resamples for both.",
        signed=("B - A",),
        help={
            "value": f"corpus.{corpus.HEADLINE}",
            "B - A": "paired.micro_difference",
            "p": "paired.bootstrap_p",
        },
    )


def family(name: str, a: Evaluation, b: Evaluation, found: Mapping[str, Difference]) -> Table:
    """The values of another family on both sides."""
    sides = {"a": a.families[name], "b": b.families[name]}
    return Table.of(
        f"{family_title(name)}: A and B",
        ("value", "A", "B", "B - A", "p"),
        [
            (
                value_name(name, value),
                *(
                    Cell(held.estimates[value].value, f"{side}:{name}/{value}", partial(held.open, value))
                    for side, held in sides.items()
                ),
                change.estimate,
                change.p,
            )
            for value, change in found.items()
        ],
        f"{name}_differences",
        note="p: as above. Over all documents of the gold that this family scores.",
        signed=("B - A",),
        help={"p": "paired.bootstrap_p"},
    )


def tests(
    bootstrap: Difference, by_t: Test, by_rank: Test, by_item: McNemar, level: float, apart: Items
) -> Table:
    e = bootstrap.estimate
    rows: list[tuple[Value, ...]] = [
        _test(
            "paired bootstrap of macro F1",
            "documents",
            e.n,
            e.value,
            bootstrap.p,
            e.reason or e.interval_reason,
            level,
        ),
        *(
            _test(name, "documents that differ", test.differing, test.statistic, test.p, test.reason, level)
            for name, test in (("paired t-test of F1", by_t), ("Wilcoxon signed-rank test of F1", by_rank))
        ),
        _test(
            "McNemar's test, exact",
            "concepts that only one gets right",
            by_item.first + by_item.second,
            None,
            by_item.p,
            by_item.reason,
            level,
        ),
    ]
    opening = [
        (name, over, *(Cell(value, corpus.HEADLINE, apart) for value in values), differ)
        for name, over, *values, differ in rows
    ]
    return Table.of(
        "Is it chance? Two-sided tests",
        ("test", "over", "n", "statistic", "p", "the two differ"),
        opening,
        "tests",
        note=f"The two differ where p is below {1 - level:.3g}. Four tests ask four questions: choose one "
        "before looking.",
        help={"p": "paired.wilcoxon_p"},
    )


def _test(
    name: str,
    over: str,
    n: int,
    statistic: float | None,
    p: float | None,
    reason: str | None,
    level: float,
) -> tuple[Value, ...]:
    if p is None:
        return name, over, n, statistic, None, reason or "No resamples were drawn."
    return name, over, n, statistic, p, "yes" if p < 1 - level else "not shown"


def documents(by_change: Sequence[Cell]) -> Table:
    names = {BETTER: "B has the higher F1", WORSE: "A has the higher F1", EQUAL: "equal F1"}
    return Table.of(
        "Documents",
        ("documents", "n"),
        [(names[cell.key], cell) for cell in by_change],
        "documents",
        chart=Chart("bars", x="documents", y=("n",)),
        note="A number opens the concepts of these documents that only one of the two gets right; where F1 "
        "is equal, all of them.",
    )


def items(lists: Mapping[Key, Sequence[Item]]) -> Table:
    cells = {key: Cell(len(found), key, partial(list, found)) for key, found in lists.items()}
    return Table.of(
        "Concepts",
        ("concepts", "A right", "A wrong"),
        [("B right", cells[BOTH], cells[ONLY_B]), ("B wrong", cells[ONLY_A], cells[NEITHER])],
        "items",
        chart=Chart("heatmap", x="concepts", y=("A right", "A wrong")),
        note="Of every concept that is gold or proposed by either: who is right about it.",
        help={"A wrong": "discordant.mcnemar_p"},
    )
