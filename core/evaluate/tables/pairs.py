"""All tasks of an evaluation of claim pairs in one table."""

from __future__ import annotations

from core.charts import Cell, Key, Table, text
from core.evaluate.evaluation import ReviewedEvaluation
from core.evaluate.families.result import FamilyResult
from core.metrics import PAIR_FAMILIES

CIRCULAR = (
    "The gold is this review itself, so the reviewed labels agree with it by construction: only the figures"
    " before review say something about the labels."
)


def headlines(family: FamilyResult) -> list[str]:
    """The estimates of a family over all pairs: those without a stratum, and the views of all axes."""
    return [name for name in family.estimates if ":" not in name or name.endswith(":primary")]


def review_table(result: ReviewedEvaluation) -> Table:
    """Before and after review, against the same gold; without a review one column of values.

    Cells open as `before:FAMILY:NAME` and `after:FAMILY:NAME`.
    """
    rows: list[tuple[Cell, ...]] = []
    opens: list[tuple[Key | None, ...]] = []
    for name, family in result.before.families.items():
        for value in headlines(family):
            key = f"{name}:{value}"
            title, now = name_of(name, value), family.estimates[value]
            if result.after is None:
                rows.append((title, now, now.n))
                opens.append((None, f"before:{key}", None))
                continue
            change = text(result.change(name, value), "+")
            rows.append((title, now, result.after.estimate(value, name), change, now.n))
            opens.append((None, f"before:{key}", f"after:{key}", None, None))
    if result.after is None:
        return Table("All tasks", ("value", "as labelled", "pairs"), rows, "review", opens)
    head = ("value", "before review", "after review", "difference, paired", "pairs")
    return Table("Before and after review", head, rows, "review", opens, note=f"Review: {result.review}.")


def name_of(family: str, value: str) -> str:
    """Such as `Divergence axes (task 2): Micro F1, primary`."""
    metric, _, stratum = value.partition(":")
    known = PAIR_FAMILIES[family]
    title = f"{known.title}: {known.metrics[metric].title}"
    return f"{title}, {stratum}" if stratum else title
