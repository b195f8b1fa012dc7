"""The one stage and cause of every error, by the rule that `core.metrics.attribution` states."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from core.metrics.documents import Outcome
from core.metrics.stage_lists import ENTERED, Stages, Step, brought_in, out_by
from core.records import Assertion

REVIEW = "review"
"""In place of a stage: what people did."""
Cause = Literal[
    "status",
    "failed",
    "dropped",
    "discarded",
    "removed",
    "too far",
    "mismatched",
    "never",
    "added",
    "brought in",
]
CAUSES: dict[Cause, str] = {
    "status": "status wrong",
    "failed": "no usable answer",
    "dropped": "dropped",
    "discarded": "document discarded",
    "removed": "removed",
    "too far": "named, not near enough",
    "mismatched": "wrongly matched",
    "never": "never generated",
    "added": "added",
    "brought in": "brought in",
}
"""In words, in the order in which tables show them."""


Places = Mapping[str, Mapping[Any, Sequence[tuple[int, int]]]]
"""doc_id -> concept -> (start, end), code points, end exclusive."""
Words = Mapping[str, Mapping[Any, Iterable[str]]]
"""doc_id -> concept -> names and quotes."""


class Fault(NamedTuple):
    """One error with its cause."""

    doc_id: str
    concept: Any
    outcome: Literal["fn", "fp"]
    stage: str
    """One of the run's, or `REVIEW`."""
    cause: Cause
    detail: str
    """What else a reader needs. May hold text from outside."""


Statuses = Mapping[str, Mapping[Any, Assertion]]
_NO_STEPS: Mapping[Any, Sequence[Step]] = {}
_NO_STATUSES: Mapping[Any, Assertion] = {}


def attribute(
    outcomes: Iterable[Outcome],
    stages: Stages,
    gold: Statuses,
    proposed: Statuses,
    *,
    words: Words | None = None,
    gold_places: Places | None = None,
    places: Places | None = None,
) -> list[Fault]:
    """One fault for each FN and each FP of `outcomes`, in their order, misses first.

    Args:
        gold, proposed: all statuses of both sides, those that do not count included.
        words: names and quotes of gold concepts; for `mismatched`.
        gold_places, places: of mentions on both sides; for `mismatched`.
    """
    found: list[Fault] = []
    for o in outcomes:
        if o.fp or o.fn:
            one = _Document(
                o.doc_id,
                stages,
                gold.get(o.doc_id, _NO_STATUSES),
                proposed.get(o.doc_id, _NO_STATUSES),
                {c: {plain(w) for w in said} for c, said in (words or {}).get(o.doc_id, {}).items()},
                (gold_places or {}).get(o.doc_id, {}),
                (places or {}).get(o.doc_id, {}),
            )
            found += [one.miss(concept) for concept in o.fn]
            found += [one.spurious(concept) for concept in o.fp]
    return found


class _Document:
    """Finds causes in one document. Misses are asked for before false positives."""

    def __init__(
        self,
        doc_id: str,
        stages: Stages,
        gold: Mapping[Any, Assertion],
        proposed: Mapping[Any, Assertion],
        words: Mapping[Any, set[str]],
        gold_places: Mapping[Any, Sequence[tuple[int, int]]],
        places: Mapping[Any, Sequence[tuple[int, int]]],
    ):
        self.doc_id, self.stages, self.gold, self.proposed = doc_id, stages, gold, proposed
        self.words, self.gold_places, self.places = words, gold_places, places
        self.steps = stages.steps.get(doc_id, _NO_STEPS)
        self.rivals: dict[Any, Any] = {}
        """Concept that a missed one's words led to -> the missed one."""

    def miss(self, concept: Any) -> Fault:
        def fault(stage: str, cause: Cause, detail: str = "") -> Fault:
            return Fault(self.doc_id, concept, "fn", stage, cause, detail)

        steps, stages, doc_id = self.steps.get(concept, ()), self.stages, self.doc_id
        if concept in self.proposed:
            return fault(self._set_by(concept), "status", self._statuses(concept))
        if doc_id in stages.failed:
            return fault(stages.failed[doc_id], "failed")
        if steps:
            if out := out_by(steps):
                return fault(out.stage, "dropped", out.reason or "")
            if doc_id in stages.discarded:
                return fault(stages.discarded[doc_id], "discarded")
            return fault(REVIEW, "removed")
        if near := stages.near.get(doc_id, {}).get(concept):
            return fault(near.stage, "too far", near.reason or "")
        rivals = sorted(
            (stages.order.index(stage) if stage in stages.order else len(stages.order), str(other), other)
            for other, said in self.steps.items()
            if other not in self.gold and self._same_words(concept, other)
            for stage in (brought_in(said).stage,)
        )
        if rivals:
            self.rivals |= {other: concept for *_, other in rivals}
            first = rivals[0][2]
            return fault(brought_in(self.steps[first]).stage, "mismatched", f"taken for {first}")
        return fault(stages.order[0], "never")

    def spurious(self, concept: Any) -> Fault:
        def fault(stage: str, cause: Cause, detail: str = "") -> Fault:
            return Fault(self.doc_id, concept, "fp", stage, cause, detail)

        steps = self.steps.get(concept, ())
        if concept in self.gold:
            return fault(self._set_by(concept), "status", self._statuses(concept))
        ended = self.doc_id in self.stages.failed or self.doc_id in self.stages.discarded
        if not steps or ended or out_by(steps):
            return fault(REVIEW, "added")
        entered = brought_in(steps)
        if concept in self.rivals:
            return fault(entered.stage, "mismatched", f"taken for it: {self.rivals[concept]}")
        return fault(entered.stage, "brought in", f"by {entered.name!r}" if entered.name else "")

    def _statuses(self, concept: Any) -> str:
        return f"gold {self.gold.get(concept, 'absent')}, proposed {self.proposed.get(concept, 'absent')}"

    def _set_by(self, concept: Any) -> str:
        """The stage that gave a proposed concept the status it has."""
        steps = self.steps.get(concept, ())
        status = self.proposed.get(concept)
        said = [step for step in steps if step.assertion is not None]
        if not steps or (said and said[-1].assertion is not status):
            return REVIEW
        since = brought_in(steps)
        for before, step in zip([None, *said], said, strict=False):
            if before is None or before.assertion is not step.assertion:
                since = step
        return since.stage

    def _same_words(self, missed: Any, other: Any) -> bool:
        known = self.words.get(missed, ())
        names = (plain(s.name) for s in self.steps[other] if s.verdict in ENTERED and s.name)
        if known and any(name in known for name in names):
            return True
        taken = self.places.get(other, ())
        return any(a < d and c < b for a, b in self.gold_places.get(missed, ()) for c, d in taken)


def plain(name: str) -> str:
    """Words, case-folded, one space between them: in this form names are compared."""
    return " ".join(re.findall(r"\w+", name.casefold()))
