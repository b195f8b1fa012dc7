"""An evaluation of claim pairs as tables: what the terminal, the reports and the pages print."""

from __future__ import annotations

from core.charts import Cell, Key, Table, text
from core.evaluate.family import FamilyResult
from core.evaluate.pairs.record import PairEvaluation, ReviewedPairEvaluation
from core.metrics import PAIR_FAMILIES
from core.metrics.definition import Estimate

CIRCULAR = (
    "The gold is this review itself, so the reviewed labels agree with it by construction: only the figures"
    " before review say something about the labels."
)


def pair_tables(result: PairEvaluation | ReviewedPairEvaluation) -> list[Table]:
    """Every family's tables, then before and after review, then what to know when reading them."""
    first = result if isinstance(result, PairEvaluation) else result.before
    found = [table for family in first.families.values() for table in family.tables]
    if isinstance(result, ReviewedPairEvaluation) and result.after is not None:
        found.insert(0, review_table(result))
    return [*found, *_caveats(result)]


def headlines(family: FamilyResult) -> list[str]:
    """The estimates of a family over all pairs: those without a stratum, and the views of all axes."""
    return [name for name in family.estimates if ":" not in name or name.endswith(":primary")]


def review_table(result: ReviewedPairEvaluation) -> Table:
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
            change = (result.difference or {}).get(name, {}).get(value)
            rows.append((title, now, result.after.families[name].estimates[value], _signed(change), now.n))
            opens.append((None, f"before:{key}", f"after:{key}", None, None))
    if result.after is None:
        return Table("All tasks", ("value", "as labelled", "pairs"), rows, "review", opens)
    head = ("value", "before review", "after review", "difference, paired", "pairs")
    return Table("Before and after review", head, rows, "review", opens, note=f"Review: {result.review}.")


def _signed(change: Estimate | None) -> Cell:
    return None if change is None else text(change, "+")


def name_of(family: str, value: str) -> str:
    """Such as `Divergence axes (task 2): Micro F1, primary`."""
    metric, _, stratum = value.partition(":")
    known = PAIR_FAMILIES[family]
    title = f"{known.title}: {known.metrics[metric].title}"
    return f"{title}, {stratum}" if stratum else title


def _caveats(result: PairEvaluation | ReviewedPairEvaluation) -> list[Table]:
    """Why values are undefined, and what must be read together with them; only tables that say something."""
    first = result if isinstance(result, PairEvaluation) else result.before
    notes = [*first.notes, *(note for family in first.families.values() for note in family.caveats)]
    if isinstance(result, ReviewedPairEvaluation) and result.is_circular:
        notes.append(CIRCULAR)
    why: dict[str, None] = {}
    for family in first.families.values():
        why |= dict.fromkeys(e.blank for e in family.estimates.values() if e.blank)
    for name, family in first.families.items():
        for value in headlines(family):
            reason = family.estimates[value].reason
            if reason:
                why[f"{name_of(name, value)}: {reason}"] = None
    found = [
        Table("Undefined", ("why",), [(reason,) for reason in why], "undefined"),
        Table("Read with these numbers", ("note",), [(note,) for note in dict.fromkeys(notes)], "notes"),
    ]
    return [table for table in found if table.rows]
