"""Scores of one file against another, with no workspace and no concept documents."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from core.charts import Table
from core.evaluate.family import FamilyResult
from core.evaluate.sections import Countable


@dataclass(frozen=True, slots=True)
class FileEvaluation:
    """Tagged tokens, linked mentions or ranked edges, scored."""

    predictions: str
    gold: str
    """Both `file:NAME@` and the first 12 hex digits of the content's sha256."""
    settings: Countable
    families: dict[str, FamilyResult]
    notes: tuple[str, ...] = ()
    """What a reader must know before quoting a number. Ours: safe to show anywhere."""
    counts: dict[str, int] = field(default_factory=dict)
    """Such as `sentences`, `gold` and `predicted`: of what was scored, and of what is in no number."""
    rows: tuple[dict[str, Any], ...] = ()
    """What was judged, one by one, where that is not said by the families."""

    @property
    def tables(self) -> tuple[Table, ...]:
        return tuple(table for result in self.families.values() for table in result.tables)

    def to_json(self) -> dict[str, Any]:
        return {
            "predictions": self.predictions,
            "gold": self.gold,
            "settings": self.settings.to_json(),
            "families": {name: result.to_json() for name, result in self.families.items()},
            "beside": self.counts,
            "notes": list(self.notes),
            **({"rows": list(self.rows)} if self.rows else {}),
        }
