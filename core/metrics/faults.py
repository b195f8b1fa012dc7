"""The one stage and cause of every error, by the rule that `core.metrics.attribution` states."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from core.metrics.documents import Outcome
from core.metrics.stage_lists import ENTERED, Stages, Step, brought_in, out_by, per_way
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
_NO_STEP: Mapping[Any, Step] = {}
_NO_WORDS: Mapping[Any, Any] = {}


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
    way = per_way(_Way.of)
    for o in outcomes:
        if o.fp or o.fn:
            one = _Document(
                o.doc_id,
                stages,
                way,
                gold.get(o.doc_id, _NO_STATUSES),
                proposed.get(o.doc_id, _NO_STATUSES),
                (words or _NO_WORDS).get(o.doc_id, _NO_WORDS),
                (gold_places or _NO_WORDS).get(o.doc_id, _NO_WORDS),
                (places or _NO_WORDS).get(o.doc_id, _NO_WORDS),
            )
            found += [one.miss(concept) for concept in o.fn]
            found += [one.spurious(concept) for concept in o.fp]
    return found


class _Way(NamedTuple):
    """What is asked of the steps of a concept; there is at least one."""

    out: Step | None
    entry: Step
    detail: str

    @classmethod
    def of(cls, steps: Sequence[Step]) -> _Way:
        entry = brought_in(steps)
        return cls(out_by(steps), entry, f"by {entry.name!r}" if entry.name else "")


class _Document:
    """Finds causes in one document. Misses are asked for before false positives."""

    def __init__(
        self,
        doc_id: str,
        stages: Stages,
        way: Callable[[Sequence[Step]], _Way],
        gold: Mapping[Any, Assertion],
        proposed: Mapping[Any, Assertion],
        words: Mapping[Any, Iterable[str]],
        gold_places: Mapping[Any, Sequence[tuple[int, int]]],
        places: Mapping[Any, Sequence[tuple[int, int]]],
    ):
        self.doc_id, self.stages, self.way, self.gold, self.proposed = doc_id, stages, way, gold, proposed
        self.words, self.gold_places, self.places = words, gold_places, places
        self.steps = stages.steps.get(doc_id, _NO_STEPS)
        self.rivals: dict[Any, Any] = {}
        """Concept that a missed one's words led to -> the missed one."""

    def miss(self, concept: Any) -> Fault:
        return Fault(self.doc_id, concept, "fn", *self._why_missed(concept))

    def spurious(self, concept: Any) -> Fault:
        return Fault(self.doc_id, concept, "fp", *self._why_spurious(concept))

    def _why_missed(self, concept: Any) -> tuple[str, Cause, str]:
        """Stage, cause, detail."""
        steps, stages, doc_id = self.steps.get(concept), self.stages, self.doc_id
        if concept in self.proposed:
            return self._set_by(concept), "status", self._statuses(concept)
        if doc_id in stages.failed:
            return stages.failed[doc_id], "failed", ""
        if steps:
            if out := self.way(steps).out:
                return out.stage, "dropped", out.reason or ""
            if doc_id in stages.discarded:
                return stages.discarded[doc_id], "discarded", ""
            return REVIEW, "removed", ""
        if near := stages.near.get(doc_id, _NO_STEP).get(concept):
            return near.stage, "too far", near.reason or ""
        if rivals := self._rivals(concept):
            self.rivals |= dict.fromkeys(rivals, concept)
            return self.way(self.steps[rivals[0]]).entry.stage, "mismatched", f"taken for {rivals[0]}"
        return stages.order[0], "never", ""

    def _rivals(self, missed: Any) -> list[Any]:
        """Concepts outside the gold that its words led to, the earliest stage first."""
        order = self.stages.order

        def rank(other: Any) -> tuple[int, str]:
            stage = self.way(self.steps[other]).entry.stage
            return order.index(stage) if stage in order else len(order), str(other)

        others = [other for other in self.steps if other not in self.gold]
        known = {plain(word) for word in self.words.get(missed, ())} if others else set()
        return sorted((other for other in others if self._same_words(missed, known, other)), key=rank)

    def _why_spurious(self, concept: Any) -> tuple[str, Cause, str]:
        steps = self.steps.get(concept)
        if concept in self.gold:
            return self._set_by(concept), "status", self._statuses(concept)
        ended = self.doc_id in self.stages.failed or self.doc_id in self.stages.discarded
        if not steps or ended:
            return REVIEW, "added", ""
        out, entry, detail = self.way(steps)
        if out:
            return REVIEW, "added", ""
        if concept in self.rivals:
            return entry.stage, "mismatched", f"taken for it: {self.rivals[concept]}"
        return entry.stage, "brought in", detail

    def _statuses(self, concept: Any) -> str:
        return f"gold {self.gold.get(concept, 'absent')}, proposed {self.proposed.get(concept, 'absent')}"

    def _set_by(self, concept: Any) -> str:
        """The stage that gave a proposed concept the status it has."""
        steps = self.steps.get(concept, ())
        status = self.proposed.get(concept)
        said = [step for step in steps if step.assertion is not None]
        if not steps or (said and said[-1].assertion is not status):
            return REVIEW
        since = self.way(steps).entry
        for before, step in zip([None, *said], said, strict=False):
            if before is None or before.assertion is not step.assertion:
                since = step
        return since.stage

    def _same_words(self, missed: Any, known: set[str], other: Any) -> bool:
        names = (plain(s.name) for s in self.steps[other] if s.verdict in ENTERED and s.name)
        if known and any(name in known for name in names):
            return True
        taken = self.places.get(other, ())
        return any(a < d and c < b for a, b in self.gold_places.get(missed, ()) for c, d in taken)


@lru_cache(maxsize=20_000)
def plain(name: str) -> str:
    """Words, case-folded, one space between them: in this form names are compared."""
    return " ".join(re.findall(r"\w+", name.casefold()))
