"""The families of an evaluation as sections of tables: what the terminal and the reports print of each.

Nothing here knows a family by name: what it measures stands in the registry, what it found in its tables.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from core import charts
from core.charts import Table, Value
from core.errors import InputError
from core.evaluate.evaluation import Evaluation, ReviewedEvaluation
from core.evaluate.families.result import FamilyResult
from core.kinds.names import called
from core.metrics import BESIDE, FAMILIES, METRICS, PAIR_FAMILIES, Family, Metric
from core.metrics.definition import Estimate

SCORED: dict[str, Family] = FAMILIES | PAIR_FAMILIES | BESIDE
LISTED = 1000
"""Rows of a table that a report prints; the rest are for the page and the downloads."""


class Section(NamedTuple):
    title: str
    """Empty: its tables stand for themselves."""
    tables: tuple[Table, ...]
    notes: tuple[str, ...]
    """Sentences of ours, what is missing first."""
    family: str = ""

    def under_its_name(self) -> list[Table]:
        """Its tables, each with the family in its title, and its notes as the last of them."""
        notes: list[tuple[Value, ...]] = [(note,) for note in self.notes]
        last = [Table("Read with these numbers", ("note",), notes)] if notes else []
        return [
            table if table.title == self.title else replace(table, title=f"{self.title}: {table.title}")
            for table in (*self.tables, *last)
        ]


def sections(result: ReviewedEvaluation) -> list[Section]:
    """One for each family that was asked for beside `corpus`, in the order in which they were scored."""
    later, changes = result.after.families if result.after else {}, result.difference or {}
    return [
        _section(found, later.get(name), changes.get(name, {}))
        for name, found in result.before.further.items()
    ]


def settings_table(scored: Evaluation) -> Table:
    """What was scored against what, and every option."""
    rows: list[tuple[Value, ...]] = [("predictions", scored.predictions), ("gold", scored.gold)]
    for name, value in scored.settings.to_json().items():
        said = ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
        rows.append((name.replace("_", " "), said))
    return Table("Configuration", ("setting", "value"), rows)


def _section(
    before: FamilyResult, after: FamilyResult | None, differences: Mapping[str, Estimate]
) -> Section:
    title = charts.family_title(before.family)
    if before.absent is not None:
        return Section(title, (), (before.absent, *before.caveats), before.family)
    after = None if after is None or after.absent is not None else after
    tables: list[Table] = []
    if after is not None:
        tables.append(before_and_after(before, after, differences))
    elif unshown := _unshown(before):
        tables.append(_values(before, unshown))
    tables += before.tables
    if after is not None:
        tables += [replace(table, title=f"{table.title}, after review") for table in after.tables]
    tables += _undefined(before)
    return Section(title, tuple(tables), before.caveats, before.family)


def value_name(family: str, estimate: str) -> str:
    """An estimate\'s name in words: `F1 of one status (negated)` for `f1:negated`."""
    metric, _, stratum = estimate.partition(":")
    known = charts.title(charts.metric_of(family, estimate)) or metric.replace("_", " ")
    return f"{known} ({called(stratum)})" if stratum else known


def _values(found: FamilyResult, names: Sequence[str]) -> Table:
    rows: list[tuple[Value, ...]] = [
        (value_name(found.family, name), e, e.std, e.n) for name in names for e in (found.estimates[name],)
    ]
    return Table("Values", ("metric", "value", "standard deviation", "n"), rows, name="values")


def _unshown(found: FamilyResult) -> list[str]:
    """Estimates that stand in none of the family's tables."""
    cells = {id(cell) for table in found.tables for row in table.rows for cell in row}
    keys = {key for table in found.tables for row in table.opens for key in row}
    return [name for name, e in found.estimates.items() if id(e) not in cells and name not in keys]


def before_and_after(
    before: FamilyResult, after: FamilyResult, differences: Mapping[str, Estimate] | None = None
) -> Table:
    """Every value of a family on both sides, and after - before: with an interval where one is given."""
    rows: list[tuple[Value, ...]] = []
    for name in dict.fromkeys((*before.estimates, *after.estimates)):
        a, b = before.estimates.get(name), after.estimates.get(name)
        rows.append((value_name(before.family, name), a, b, (differences or {}).get(name) or change(a, b)))
    columns = ("metric", "before", "after", "difference")
    return Table("Before and after review", columns, rows, name="review", signed=("difference",))


def change(before: Estimate | None, after: Estimate | None) -> Estimate | None:
    """after - before without an interval; None where either is undefined."""
    if before is None or after is None or before.value is None or after.value is None:
        return None
    return Estimate(after.value - before.value, min(before.n, after.n))


def _undefined(found: FamilyResult) -> list[Table]:
    """Why values have none, or are shown as a dash."""
    rows: list[tuple[Value, ...]] = [
        (value_name(found.family, name), e.blank or e.reason)
        for name, e in found.estimates.items()
        if e.value is None or e.blank
    ]
    return [Table("Undefined", ("value", "why"), rows, name="undefined")] if rows else []


def definitions(families: Sequence[str]) -> Table:
    """What every metric of these families means, from the registry."""
    rows: list[tuple[Value, ...]] = [
        (SCORED[family].title, m.title, m.question, m.formula, m.range, m.source, m.undefined)
        for family in families
        if family in SCORED
        for m in SCORED[family].metrics.values()
    ]
    columns = ("family", "metric", "question", "formula", "range", "source", "undefined")
    return Table("What the numbers mean", columns, rows)


def registered(name: str | None = None) -> dict[str, Metric]:
    """`family.metric` -> metric of the registry: all of them, those of one family, or one.

    Raises:
        InputError: no family and no metric is called so.
    """
    found = {k: m for k, m in METRICS.items() if name is None or name in (k, k.partition(".")[0])}
    if not found:
        families = ", ".join((*FAMILIES, *PAIR_FAMILIES, *BESIDE))
        raise InputError(
            f"There is no metric {name!r}. Name FAMILY.METRIC, or one of the families {families}."
        )
    return found
