"""An evaluation: scores, settings, counts beside them, and the items behind every number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from core.evaluate.families.result import FamilyResult
from core.evaluate.settings import Settings
from core.metrics.definition import Estimate
from core.metrics.differences import difference
from core.metrics.documents import Item, Outcome
from core.records import Curie

Judged = Literal["documents", "pairs", "mentions"]
SAID: dict[Judged, tuple[str, ...]] = {
    "documents": (
        *("predictions", "gold", "settings", "scope", "sources", "exhaustive"),
        *("families", "beside", "notes", "labels", "documents"),
    ),
    "pairs": (
        *("kind", "predictions", "gold", "settings", "pairs", "domains"),
        *("families", "beside", "notes", "versions"),
    ),
    "mentions": ("predictions", "gold", "settings", "families", "beside", "notes", "rows"),
}
"""What was judged -> what its JSON holds, in this order."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Scores of one set of predictions against one gold, with everything that must be printed beside them."""

    predictions: str
    """Run id or file."""
    gold: str
    """Reference of the gold, version included."""
    settings: Settings
    families: dict[str, FamilyResult]
    """Those that were asked for, by name, in the order of the registry; of documents `corpus` always."""
    beside: dict[str, int]
    """Counts of what is in no number. Of documents: `excluded`, `undecided`, `unpredicted_documents`,
    `unscored_documents`, `learned_from` (documents left out, as the run was learned from them), `filtered`,
    `replaced_ids` (alternative ids read as the concept that now bears them), `outside_ontology` (ids that the
    named ontology does not hold), `replaced` (obsolete gold ids whose replacement was proposed) and
    `replaced_predictions` (the reverse). Of pairs: `unpredicted` (gold pairs without a prediction, scored as
    missing), `unscored` (predicted pairs without gold), `excluded`, `rejected`, `unpaired`,
    `ungrounded_gold`, of pairs with several rows (metric-definitions 10.2) `duplicated_`, `conflicting_` and
    `surplus_` rows of `gold` and `predicted`, `repaired` predictions, and what did not fit the schema:
    `missing_type`, `unknown_type`, `off_schema_axes`, `off_schema_confounder`, `odd_spans`. Of tags and
    mentions also what was scored, such as `sentences`."""
    notes: tuple[str, ...]
    """What a reader must know before quoting a number. Our words and numbers only: safe to show anywhere."""
    judged: Judged = "documents"
    outcomes: tuple[Outcome, ...] = ()
    """Of documents: one per gold document, sorted by doc_id."""
    scope: str | None = None
    """Which concepts were scored, and with whose alternative ids; None: all, ids as they are."""
    exhaustive: bool | None = None
    """Whether the gold is marked exhaustively annotated; None: it does not say."""
    labels: Mapping[Curie, str] = field(default_factory=dict)
    """Names of concepts, as far as known: of those in `outcomes`, and of others. From outside: text, never
    markup."""
    sources: dict[str, str] = field(default_factory=dict)
    """What else was read for families, by what it is for, such as `training`; names of files and versions."""
    pairs: int | None = None
    """Pairs that were scored."""
    domains: dict[str, int] = field(default_factory=dict)
    """Domain -> gold pairs, whichever of them the settings choose."""
    versions: dict[str, str] = field(default_factory=dict)
    """Packages and encoder that define numbers of pairs."""
    places: Mapping[str, int] = field(default_factory=dict)
    """Pair id -> item of the workspace; empty for files."""
    rows: tuple[dict[str, Any], ...] = ()
    """Of mentions: what was judged, one by one."""

    @property
    def scored(self) -> dict[str, FamilyResult]:
        """The families that are not absent."""
        return {name: result for name, result in self.families.items() if result.absent is None}

    @property
    def further(self) -> dict[str, FamilyResult]:
        """The families other than `corpus`, which has tables of its own."""
        return {name: result for name, result in self.families.items() if name != "corpus"}

    def estimate(self, name: str, family: str = "corpus") -> Estimate:
        return self.families[family].estimates[name]

    def review_items(self, found: Sequence[Item]) -> list[int | None]:
        """Under which item of the workspace each pair is reviewed; None where it is in none."""
        return [self.places.get(str(item.id)) for item in found]

    def documents(self) -> list[dict[str, Any]]:
        """One row per gold document: counts and ratios (None: undefined)."""
        rows = []
        for o in self.outcomes:
            p, r, f = o.ratios(self.settings.vacuous)
            rows.append(
                {
                    "doc_id": o.doc_id,
                    "complete": o.complete,
                    "tp": len(o.tp),
                    "fp": len(o.fp),
                    "fn": len(o.fn) if o.complete else None,
                    "undecided": len(o.undecided),
                    "precision": p,
                    "recall": r,
                    "f1": f,
                }
            )
        return rows

    def named(self) -> dict[Curie, str]:
        """Names of the concepts in `outcomes`, by id."""
        used = {c for o in self.outcomes for ids in (o.tp, o.fp, o.fn, o.undecided) for c in ids}
        return {c: self.labels[c] for c in sorted(used) if c in self.labels}

    def to_json(self) -> dict[str, Any]:
        made = {
            "kind": self.judged,
            "labels": self.named(),
            "settings": self.settings.to_json(),
            "families": {name: result.to_json() for name, result in self.families.items()},
            "notes": list(self.notes),
            "rows": list(self.rows),
            "documents": [
                {**row, "items": {k: list(getattr(o, k)) for k in ("tp", "fp", "fn", "undecided")}}
                for row, o in zip(self.documents(), self.outcomes, strict=True)
            ],
        }
        names = (name for name in SAID[self.judged] if name != "rows" or self.rows)
        return {name: made[name] if name in made else getattr(self, name) for name in names}


@dataclass(frozen=True, slots=True)
class ReviewedEvaluation:
    """One run against one gold, raw and corrected by decisions: the same evaluation, twice."""

    before: Evaluation
    after: Evaluation | None = None
    """None while nobody has decided anything on what the run labelled."""
    review: str | None = None
    """`reviewed@NUMBER:POLICY`: whose decisions corrected the run."""
    difference: dict[str, dict[str, Estimate]] | None = None
    """Family -> value -> after - before, with a paired interval where its family resamples documents."""
    uncorrected: Evaluation | None = None
    """Where the gold is corrected: the same proposals against the imported gold that it corrects, corpus
    values alone."""

    @property
    def is_circular(self) -> bool:
        """The gold is the review itself: the reviewed proposals agree with it by construction."""
        return self.review is not None and self.review == self.before.gold

    @property
    def sides(self) -> list[Evaluation]:
        """Before, and after where there is such."""
        return [self.before, self.after] if self.after else [self.before]

    def change(self, family: str, value: str) -> Estimate | None:
        """After - before; None where there is no such."""
        return (self.difference or {}).get(family, {}).get(value)

    def to_json(self) -> dict[str, Any]:
        """The raw evaluation, as for a file, with the review beside it."""
        difference = self.difference or {}
        return {
            **self.before.to_json(),
            "review": self.review,
            "gold_is_the_review": self.is_circular,
            "after_review": self.after.to_json() if self.after else None,
            "uncorrected": self.uncorrected.to_json() if self.uncorrected else None,
            "difference": {f: {k: e.to_json() for k, e in held.items()} for f, held in difference.items()}
            or None,
        }


def reviewed(before: Evaluation, after: Evaluation, review: str) -> ReviewedEvaluation:
    """Two evaluations of the same labels, with what review has changed, family by family."""
    later, level = after.scored, before.settings.level
    changes = {
        family: difference(found.compared, later[family].compared, level)
        for family, found in before.scored.items()
        if family in later
    }
    return ReviewedEvaluation(before, after, review, changes)


def as_reviewed(result: Evaluation | ReviewedEvaluation) -> ReviewedEvaluation:
    """An evaluation that nobody has reviewed is one without a second side."""
    return result if isinstance(result, ReviewedEvaluation) else ReviewedEvaluation(result)
