"""What people say, and the gold that follows from it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import Any

from core.records.conflicts import PairAnswer
from core.records.texts import Span
from core.records.vocabulary import Action, Assertion, Cause, ConceptClass, Curie, ErrorType


@dataclass(frozen=True, slots=True)
class Answer:
    """What a positive decision says the passage expresses. Stored in full, so gold needs no proposal."""

    concept: Curie
    label: str
    assertion: Assertion
    concept_class: ConceptClass
    spans: tuple[Span, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "concept": self.concept,
            "label": self.label,
            "assertion": self.assertion.value,
            "class": self.concept_class.value,
            "spans": [[s.start, s.end, s.quote] for s in self.spans],
        }

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> Answer:
        return cls(
            concept=str(value["concept"]),
            label=str(value.get("label") or value["concept"]),
            assertion=Assertion(value.get("assertion", "affirmed")),
            concept_class=ConceptClass(value.get("class", "explicit")),
            spans=tuple(Span(int(a), int(b), str(q)) for a, b, q in value.get("spans", ())),
        )


@dataclass(frozen=True, slots=True)
class ErrorAnswer:
    """What is wrong with an apparent false positive."""

    error: ErrorType

    def to_json(self) -> dict[str, Any]:
        return {"error": self.error.value}

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> ErrorAnswer:
        return cls(ErrorType(value["error"]))


AnyAnswer = Answer | PairAnswer | ErrorAnswer


@dataclass(frozen=True, slots=True)
class NewDecision:
    """A decision on its way into the store. Exactly one of `item_id` and (`passage_id`, `subject`) is set:
    the second form adds a concept nobody proposed, or (`subject` None) speaks of the passage as a whole."""

    client_id: str
    curator: str
    action: Action
    item_id: int | None = None
    passage_id: int | None = None
    subject: str | None = None
    shown: tuple[int, ...] = ()
    """Ids of the proposals on screen: the base of a first answer. Empty when blind or added."""
    answer: AnyAnswer | None = None
    note: str | None = None
    undoes: int | None = None
    blind: bool = False
    milliseconds: int | None = None
    guideline_revision: str | None = None
    cause: Cause | None = None
    """Of an adjudication: why curators disagreed."""
    update_guideline: bool = False
    """Of an adjudication: the guideline should say what to do in such cases."""
    decided_at: str | None = None
    """When, UTC, for one that was made elsewhere; None: now."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A stored decision. `number` is its place in history; order is by number, never by clock."""

    number: int
    client_id: str
    item_id: int
    kind: str
    """Name in `core.kinds.KINDS`."""
    passage_id: int
    """Of a pair: the passage of its side A."""
    subject: str | None
    """Of a concept its CURIE, of a pair its pair id, of an error the gold and the CURIE; None: the passage
    as a whole."""
    curator: str
    base: str
    action: Action
    answer: AnyAnswer | None
    note: str | None
    undoes: int | None
    blind: bool
    milliseconds: int | None
    decided_at: str
    guideline_revision: str | None
    cause: Cause | None
    update_guideline: bool
    link: str
    """Hash-chain link, hex: covers this decision, the content of its base, and every earlier one."""


@dataclass(frozen=True, slots=True)
class GoldSet:
    """A gold standard read for scoring: concept statuses per document, with what it can be used for."""

    reference: str
    """`imported:NAME@VERSION`, `corrected@NUMBER:NAME@VERSION` or `reviewed@NUMBER:POLICY`."""
    documents: dict[str, dict[Curie, Assertion]]
    """doc_id -> concept -> status; a document present with an empty dict was judged and holds nothing."""
    recall_documents: frozenset[str]
    """Documents known to be complete (imported gold, or closed in review); only these enter recall."""
    rejected: dict[str, frozenset[Curie]] = field(default_factory=dict)
    """doc_id -> concepts judged not to be there (reviewed gold only)."""
    unsettled: dict[str, frozenset[Curie]] = field(default_factory=dict)
    """doc_id -> concepts of a complete document that are neither in it nor judged absent; whatever else is
    proposed there is wrong (reviewed gold only)."""
    excluded: int = 0
    """Items left out: unsure, undecided or unadjudicated; printed beside the number."""
    learned_from: int = 0
    """Documents left out because what is scored was learned from them; printed beside the number."""

    def without(self, doc_ids: Collection[str]) -> GoldSet:
        """Without documents that what is scored was learned from."""
        left = {doc_id: held for doc_id, held in self.documents.items() if doc_id not in doc_ids}
        return replace(
            self,
            documents=left,
            recall_documents=self.recall_documents & left.keys(),
            learned_from=len(self.documents) - len(left),
        )
