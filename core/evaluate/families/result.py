"""What a metric family makes of an evaluation: estimates, tables, and the items behind every cell."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from core.charts import Key, Table
from core.metrics.bootstrap import NOT_DRAWN, Floats
from core.metrics.definition import FEW, Estimate
from core.metrics.documents import Item, Totals
from core.metrics.sums import Scored


def nothing(key: Key) -> list[Item]:
    """Opens no key."""
    raise KeyError(key)


@dataclass(frozen=True, slots=True)
class FamilyResult:
    family: str
    """Name in `core.metrics.FAMILIES`."""
    estimates: dict[str, Estimate] = field(default_factory=dict)
    """Metric of the registry, or `metric:stratum`, such as `f1:negated` -> value."""
    tables: tuple[Table, ...] = ()
    """The most important first. What the terminal, reports and pages show, and what charts are drawn from."""
    open: Callable[[Key], list[Item]] = nothing
    """The items behind a cell: any key that stands in `tables`, or the name of an estimate. In order of
    document and id. KeyError for any other key."""
    notes: tuple[str, ...] = ()
    """What a reader must know before quoting a number. Ours: safe to show anywhere."""
    resampled: Mapping[str, Floats] = field(default_factory=dict)
    """Name of an estimate -> its value in each resample of documents, shape (resamples,), NaN: undefined, for
    paired differences; those without an interval over documents are left out."""
    absent: str | None = None
    """Why nothing was scored and what to give, as a sentence; None: it was."""
    totals: Totals | None = None
    """Counts over all documents, where the family is made of nothing else."""
    differs: tuple[str, ...] | None = None
    """Names of the values whose change is a difference, in order; None: all of them."""

    @property
    def caveats(self) -> tuple[str, ...]:
        """The notes, and what the documents behind the estimates are too few for."""
        return (*self.notes, *few_notes(self.estimates.values()))

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
