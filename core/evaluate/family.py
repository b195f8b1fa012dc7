"""What a metric family makes of an evaluation: estimates, tables, and the items behind every cell."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from core.charts import Key, Table
from core.metrics.bootstrap import Floats
from core.metrics.definition import Estimate
from core.metrics.documents import Item


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

    def to_json(self) -> dict[str, Any]:
        return {
            "estimates": {name: estimate.to_json() for name, estimate in self.estimates.items()},
            "tables": {
                t.name: {"columns": list(t.columns), "rows": [_raw(r) for r in t.rows]} for t in self.tables
            },
            "notes": list(self.notes),
            "absent": self.absent,
        }


def absent(family: str, why: str) -> FamilyResult:
    """A family that cannot be scored here. `why` names what is missing and how to give it."""
    return FamilyResult(family, absent=why)


def _raw(row: tuple[Any, ...]) -> list[Any]:
    return [cell.value if isinstance(cell, Estimate) else cell for cell in row]
