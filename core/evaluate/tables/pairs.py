"""All tasks of an evaluation of claim pairs in one table."""

from __future__ import annotations

from functools import partial

from core.charts import Cell, Table, Value, family_title, text, value_title
from core.evaluate.evaluation import ReviewedEvaluation
from core.evaluate.families.result import FamilyResult

CIRCULAR = (
    "The gold is this review itself, so the reviewed labels agree with it by construction: only the figures"
    " before review say something about the labels."
)


def headlines(family: FamilyResult) -> list[str]:
    """The estimates of a family over all pairs: those without a stratum, and the views of all axes."""
    return [name for name in family.estimates if ":" not in name or name.endswith(":primary")]


def review_table(result: ReviewedEvaluation) -> Table:
    """Before and after review, against the same gold; without a review one column of values."""
    rows = []
    for name, family in result.before.families.items():
        for value in headlines(family):
            sides = zip(("before", "after"), result.sides, strict=False)
            cells: list[Value | Cell] = [
                Cell(e.estimate(value, name), f"{side}:{name}:{value}", partial(e.families[name].open, value))
                for side, e in sides
            ]
            if result.after:
                change = result.change(name, value)
                cells.append(None if change is None else text(change, "+"))
            title = f"{family_title(name)}: {value_title(name, value)}"
            rows.append((title, *cells, family.estimates[value].n))
    if result.after is None:
        return Table.of("All tasks", ("value", "as labelled", "pairs"), rows, "review")
    head = ("value", "before review", "after review", "difference, paired", "pairs")
    return Table.of("Before and after review", head, rows, "review", note=f"Review: {result.review}.")
