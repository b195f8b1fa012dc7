"""An evaluation of claim pairs: families, settings, counts beside them, and the pairs behind every number."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.evaluate.family import FamilyResult
from core.evaluate.pairs.settings import PairSettings
from core.metrics.definition import Estimate
from core.metrics.documents import Item
from core.metrics.sums import Scored


@dataclass(frozen=True, slots=True)
class PairEvaluation:
    """Scores of one set of predictions against one gold, with everything that must be printed beside them."""

    predictions: str
    """Run id or file."""
    gold: str
    """Reference of the gold, version included."""
    settings: PairSettings
    n: int
    """Pairs scored."""
    families: dict[str, FamilyResult]
    """Name in `core.metrics.PAIR_FAMILIES` -> result, in the order of the tasks."""
    scores: dict[str, Scored]
    """The same values with their resamples, for paired differences."""
    beside: dict[str, int]
    """Counts: `unpredicted` (gold pairs without a prediction, scored as missing), `unscored` (predicted pairs
    without gold), `excluded`, `rejected`, `unpaired`, `ungrounded_gold`, of pairs with
    several rows (metric-definitions 10.2) `duplicated_`, `conflicting_` and `surplus_` rows of `gold` and
    `predicted`,
    `repaired` predictions, and what did not fit the schema: `missing_type`, `unknown_type`,
    `off_schema_axes`, `off_schema_confounder`, `odd_spans`."""
    notes: tuple[str, ...]
    """What a reader must know before quoting a number. Our words and numbers only: safe to show anywhere."""
    versions: dict[str, str]
    """Packages and encoder that define numbers."""
    domains: dict[str, int]
    """Domain -> gold pairs, whichever of them the settings choose."""
    places: Mapping[str, int] = field(default_factory=dict)
    """Pair id -> item of the workspace; empty for files."""

    def estimate(self, family: str, name: str) -> Estimate:
        return self.families[family].estimates[name]

    def address(self, item: Item) -> dict[str, str]:
        """Query parameters of the review page for a pair; empty where it is in no workspace."""
        place = self.places.get(str(item.id))
        return {} if place is None else {"item": str(place)}

    def to_json(self) -> dict[str, Any]:
        return {
            "kind": "pairs",
            "predictions": self.predictions,
            "gold": self.gold,
            "settings": self.settings.to_json(),
            "pairs": self.n,
            "domains": self.domains,
            "families": {name: result.to_json() for name, result in self.families.items()},
            "beside": self.beside,
            "notes": list(self.notes),
            "versions": self.versions,
        }


@dataclass(frozen=True, slots=True)
class ReviewedPairEvaluation:
    """One run of pairs against one gold, raw and corrected by decisions."""

    before: PairEvaluation
    after: PairEvaluation | None
    """None while nobody has decided anything on the pairs of the run's corpus."""
    review: str | None
    """`reviewed@NUMBER:POLICY`: whose decisions corrected the run."""
    difference: dict[str, dict[str, Estimate]] | None
    """Family -> value -> after - before, with paired intervals."""

    @property
    def is_circular(self) -> bool:
        """The gold is the review itself: the reviewed proposals agree with it by construction."""
        return self.review is not None and self.review == self.before.gold

    def to_json(self) -> dict[str, Any]:
        """The raw evaluation, as for a file, with the review beside it."""
        difference = self.difference or {}
        return {
            **self.before.to_json(),
            "review": self.review,
            "gold_is_the_review": self.is_circular,
            "after_review": self.after.to_json() if self.after else None,
            "difference": {f: {k: e.to_json() for k, e in held.items()} for f, held in difference.items()}
            or None,
        }
