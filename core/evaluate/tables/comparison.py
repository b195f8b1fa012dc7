"""A comparison of two evaluations as tables."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from core.charts import Cell, Chart, Key, Table, family_title
from core.evaluate.evaluation import Evaluation
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
) -> Table:
    ours, theirs = (corpus.score(side, vacuous=a.settings.vacuous).estimates for side in sides.values())
    rows: list[tuple[Cell, ...]] = []
    for name in VALUES:
        change = found[name]
        title = corpus.FAMILY.metrics[name].title
        rows.append((title, ours[name].value, theirs[name].value, change.estimate, change.p))
    return Table(
        f"A = {a.predictions}, B = {b.predictions}, against {a.gold}",
        ("value", "A", "B", "B - A", "p"),
        rows,
        name="differences",
        opens=[(None, f"a:{name}", f"b:{name}", name, name) for name in VALUES],
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
    ours, theirs = (side.families[name].estimates for side in (a, b))
    return Table(
        f"{family_title(name)}: A and B",
        ("value", "A", "B", "B - A", "p"),
        [
            (value_name(name, value), ours[value].value, theirs[value].value, change.estimate, change.p)
            for value, change in found.items()
        ],
        name=f"{name}_differences",
        opens=[(None, f"a:{name}/{value}", f"b:{name}/{value}", None, None) for value in found],
        note="p: as above. Over all documents of the gold that this family scores.",
        signed=("B - A",),
        help={"p": "paired.bootstrap_p"},
    )


def tests(bootstrap: Difference, by_t: Test, by_rank: Test, by_item: McNemar, level: float) -> Table:
    headline, e = corpus.HEADLINE, bootstrap.estimate
    rows: list[tuple[Cell, ...]] = [
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
    return Table(
        "Is it chance? Two-sided tests",
        ("test", "over", "n", "statistic", "p", "the two differ"),
        rows,
        name="tests",
        opens=[(None, None, headline, headline, headline, None)] * len(rows),
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
) -> tuple[Cell, ...]:
    if p is None:
        return name, over, n, statistic, None, reason or "No resamples were drawn."
    return name, over, n, statistic, p, "yes" if p < 1 - level else "not shown"


def documents(by_change: Mapping[Key, Collection[object]]) -> Table:
    names = {BETTER: "B has the higher F1", WORSE: "A has the higher F1", EQUAL: "equal F1"}
    rows: list[tuple[Cell, ...]] = [(names[key], len(found)) for key, found in by_change.items()]
    return Table(
        "Documents",
        ("documents", "n"),
        rows,
        name="documents",
        opens=[(None, key) for key in by_change],
        chart=Chart("bars", x="documents", y=("n",)),
        note="A number opens the concepts of these documents that only one of the two gets right; where F1 "
        "is equal, all of them.",
    )


def items(lists: Mapping[Key, Sequence[Item]]) -> Table:
    return Table(
        "Concepts",
        ("concepts", "A right", "A wrong"),
        [
            ("B right", len(lists[BOTH]), len(lists[ONLY_B])),
            ("B wrong", len(lists[ONLY_A]), len(lists[NEITHER])),
        ],
        name="items",
        opens=[(None, BOTH, ONLY_B), (None, ONLY_A, NEITHER)],
        chart=Chart("heatmap", x="concepts", y=("A right", "A wrong")),
        note="Of every concept that is gold or proposed by either: who is right about it.",
        help={"A wrong": "discordant.mcnemar_p"},
    )
