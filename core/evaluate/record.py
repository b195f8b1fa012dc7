"""An evaluation: scores, settings, counts beside them, and the items behind every number."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from core.evaluate.family import FamilyResult
from core.evaluate.settings import Settings
from core.metrics import corpus
from core.metrics.definition import Estimate
from core.metrics.differences import Sampled, difference
from core.metrics.documents import Item, Outcome, items_behind
from core.records import Curie


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Scores of one set of predictions against one gold, with everything that must be printed beside them."""

    predictions: str
    """Run id or file name."""
    gold: str
    """Reference of the gold, version included."""
    settings: Settings
    scope: str | None
    """Which concepts were scored, and with whose alternative ids; None: all, ids as they are."""
    outcomes: tuple[Outcome, ...]
    """One per gold document, sorted by doc_id."""
    corpus: corpus.CorpusScores
    beside: dict[str, int]
    """Counts of what is in no number: `excluded`, `undecided`, `unpredicted_documents`, `unscored_documents`,
    `filtered`, `replaced_ids` (alternative ids read as the concept that now bears them), `outside_ontology`
    (ids that the named ontology does not hold), `replaced` (obsolete gold ids whose replacement was proposed)
    and `replaced_predictions` (the reverse)."""
    exhaustive: bool | None
    """Whether the gold is marked exhaustively annotated; None: it does not say."""
    labels: dict[Curie, str]
    """Names of the concepts in `outcomes`, as far as known. From outside: text, never markup."""
    notes: tuple[str, ...]
    """What a reader must know before quoting a number. Our words and numbers only: safe to show anywhere."""
    families: dict[str, FamilyResult] = field(default_factory=dict)
    """Of the families other than `corpus` that were asked for, by name."""
    sources: dict[str, str] = field(default_factory=dict)
    """What else was read for them, by what it is for, such as `training`; names of files and versions."""

    def estimate(self, name: str) -> Estimate:
        return self.corpus.estimates[name]

    def items(self, value: str, doc_id: str | None = None) -> list[Item]:
        """The items behind one number: a name of `corpus.VALUES`, a measure, or a count such as `fp`.

        Of one document, where `doc_id` names it.
        """
        chosen = [o for o in self.outcomes if doc_id is None or o.doc_id == doc_id]
        if value in corpus.VALUES:
            row = corpus.FAMILY.metrics[value]
            return items_behind(chosen, row.opens, complete_only=row.over == "complete")
        return items_behind(chosen, value, complete_only=value in ("recall", "f1"))

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

    def sampled(self) -> dict[str, Sampled]:
        """The values of every family that was scored, the corpus first, with their resamples."""
        scored = {name: result for name, result in self.families.items() if result.absent is None}
        return {"corpus": self.corpus, **scored}

    def to_json(self) -> dict[str, Any]:
        return {
            "predictions": self.predictions,
            "gold": self.gold,
            "settings": self.settings.to_json(),
            "scope": self.scope,
            "sources": self.sources,
            "exhaustive": self.exhaustive,
            "families": {
                "corpus": self.corpus.to_json(),
                **{name: result.to_json() for name, result in self.families.items()},
            },
            "beside": self.beside,
            "notes": list(self.notes),
            "labels": self.labels,
            "documents": [
                {
                    **row,
                    "items": {k: list(getattr(o, k)) for k in ("tp", "fp", "fn", "undecided")},
                }
                for row, o in zip(self.documents(), self.outcomes, strict=True)
            ],
        }


def changes(before: Evaluation, after: Evaluation) -> dict[str, dict[str, Estimate]]:
    """after - before of two evaluations on the same documents, family by family."""
    later = after.sampled()
    return {
        family: difference(values, later[family], before.settings.level)
        for family, values in before.sampled().items()
        if family in later
    }


@dataclass(frozen=True, slots=True)
class ReviewedEvaluation:
    """One run against one gold, raw and corrected by decisions."""

    before: Evaluation
    after: Evaluation | None
    """None while nobody has decided anything on the run's corpus."""
    review: str | None
    """`reviewed@NUMBER:POLICY`: whose decisions corrected the run."""
    difference: dict[str, dict[str, Estimate]] | None
    """Family, `corpus` included -> value -> after - before, with a paired interval where its family resamples
    documents."""

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
