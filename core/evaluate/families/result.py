"""What a metric family makes of an evaluation: estimates, tables, and the items behind every cell."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any, TypeVar

from core.charts import Items, Key, Table
from core.metrics.bootstrap import NOT_DRAWN, Floats, Summed
from core.metrics.definition import FEW, Estimate
from core.metrics.documents import Item, Totals
from core.metrics.sums import Scored

T = TypeVar("T")


def behind(entries: Iterable[T], item: Callable[[T], Item | None]) -> Items:
    """What a cell opens, in order of document and id.

    Args:
        entries: what was scored; read whenever somebody asks.
        item: an entry as an item; None: it is not behind the cell.
    """
    return lambda: in_order(found for entry in entries if (found := item(entry)) is not None)


def in_order(items: Iterable[Item]) -> list[Item]:
    """By document and id."""
    return sorted(items, key=lambda item: (item.doc_id, str(item.id)))


@dataclass(frozen=True, slots=True)
class FamilyResult:
    family: str
    """Name in `core.metrics.FAMILIES`."""
    estimates: dict[str, Estimate] = field(default_factory=dict)
    """Metric of the registry, or `metric:stratum`, such as `f1:negated` -> value."""
    tables: tuple[Table, ...] = ()
    """The most important first. What the terminal, reports and pages show, and what charts are drawn from."""
    behind: Mapping[Key, Items] = field(default_factory=dict)
    """What opens beside the cells of the tables, such as estimates that stand in none of them."""
    notes: tuple[str, ...] = ()
    """What a reader must know before quoting a number. Ours: safe to show anywhere."""
    resampled: Mapping[str, Floats] = field(default_factory=dict)
    """Name of an estimate -> its value in each resample of documents, shape (resamples,), NaN: undefined, for
    paired differences; those without an interval over documents are left out."""
    absent: str | None = None
    """Why nothing was scored and what to give, as a sentence; None: it was."""
    totals: Totals | None = None
    """Counts over all documents, where the family is made of nothing else."""
    summed: Summed | None = None
    """What its resampled values were made of, where that is kept."""
    differs: tuple[str, ...] | None = None
    """Names of the values whose change is a difference, in order; None: all of them."""
    warnings: tuple[str, ...] = ()
    """Why the headline may mislead. Ours, as the notes."""

    def open(self, key: Key) -> list[Item]:
        """The items behind a cell of the tables, or an estimate: none of one that needs what was not given.
        KeyError for any other key."""
        for known in (*(table.items for table in self.tables), self.behind):
            if key in known:
                return known[key]()
        if key in self.estimates:
            return []
        raise KeyError(key)

    def through(self, change: Callable[[Items], Items]) -> FamilyResult:
        """The same numbers; what is behind them is listed in another way."""
        tables = tuple(table.through(change) for table in self.tables)
        behind = {key: change(items) for key, items in self.behind.items()}
        return replace(self, tables=tables, behind=behind)

    @property
    def caveats(self) -> tuple[str, ...]:
        """The warnings, the notes, and what the documents behind the estimates are too few for."""
        return (*self.warnings, *self.notes, *few_notes(self.estimates.values()))

    @property
    def compared(self) -> Scored:
        """The values that can be compared with those of another evaluation, with their resamples."""
        names = self.estimates if self.differs is None else self.differs
        return Scored({name: self.estimates[name] for name in names}, dict(self.resampled))

    def to_json(self) -> dict[str, Any]:
        estimates = {name: estimate.to_json() for name, estimate in self.estimates.items()}
        if self.totals is not None:
            return {"totals": self.totals._asdict(), "estimates": estimates}
        return {
            "estimates": estimates,
            "tables": {
                t.name: {"columns": list(t.columns), "rows": [_raw(r) for r in t.rows]} for t in self.tables
            },
            "notes": list(self.caveats),
            "absent": self.absent,
        }


def few_notes(estimates: Iterable[Estimate]) -> Iterator[str]:
    """What must be said of values that rest on few documents, as sentences; nothing where none does."""
    found = list(estimates)
    alone = [e for e in found if e.interval_reason not in (None, NOT_DRAWN)]
    few = [e for e in found if e.few and e.interval_reason in (None, NOT_DRAWN)]
    for reason, held in groupby(sorted(alone, key=_reason), key=_reason):
        count = sum(1 for _ in held)
        yield f"Values without an interval: {count} of {len(found)}. {reason}"
    if few:
        least = min(e.n if e.documents is None else e.documents for e in few)
        yield (
            f"Few documents: {len(few)} of {len(found)} values rest on fewer than {FEW}, some on {least}. "
            "Values and intervals are unsure: take them as a hint."
        )


def _reason(estimate: Estimate) -> str:
    return estimate.interval_reason or ""


def absent(family: str, why: str) -> FamilyResult:
    """A family that cannot be scored here. `why` names what is missing and how to give it."""
    return FamilyResult(family, absent=why)


def _raw(row: tuple[Any, ...]) -> list[Any]:
    return [cell.value if isinstance(cell, Estimate) else cell for cell in row]
