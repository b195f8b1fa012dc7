"""The vocabulary: every record that passes between the parts of Touchstone.

A **proposal** is what a machine says about an **item**; a **decision** is what a person says. Both are
written once. Gold is a query over decisions. Spans are 0-based, end-exclusive, in Unicode code points, and
always belong to one named text.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

Curie = str
"""A compact concept identifier such as `HP:0001250`."""


class Assertion(StrEnum):
    """Status of a concept in a text, in canonical order (metric-definitions, section 5)."""

    AFFIRMED = "affirmed"
    NEGATED = "negated"
    UNCERTAIN = "uncertain"


class ConceptClass(StrEnum):
    """How a passage expresses a concept (HI-ALD, section 3.2). Keys 1 to 4 in review."""

    EXPLICIT = "explicit"
    LOGICALLY_IMPLICIT = "logically_implicit"
    PRAGMATICALLY_IMPLICIT = "pragmatically_implicit"
    NOT_RELEVANT = "not_relevant"


class ItemKind(StrEnum):
    """What is judged: a (passage, concept) fact, or a passage as a whole."""

    CONCEPT = "concept"
    PASSAGE = "passage"


class Action(StrEnum):
    """What a person can do. `JUDGEMENTS` answer the item; the others annotate, close or cancel."""

    ACCEPT = "accept"
    FIX = "fix"
    REJECT = "reject"
    ADD = "add"
    UNSURE = "unsure"
    NOTE = "note"
    CLOSE = "close"
    REOPEN = "reopen"
    UNDO = "undo"
    ADJUDICATE = "adjudicate"


JUDGEMENTS = (Action.ACCEPT, Action.FIX, Action.REJECT, Action.ADD, Action.UNSURE)
POSITIVE = (Action.ACCEPT, Action.FIX, Action.ADD)


# --- ontology ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Synonym:
    text: str
    scope: str
    """EXACT, BROAD, NARROW or RELATED."""
    type: str | None = None
    """Synonym type id, such as `layperson` or `HP:0045076`; None where the source gives none."""


@dataclass(frozen=True, slots=True)
class Concept:
    curie: Curie
    name: str
    definition: str | None = None
    synonyms: tuple[Synonym, ...] = ()
    parents: tuple[Curie, ...] = ()
    """Direct is_a parents."""
    relations: tuple[tuple[str, Curie], ...] = ()
    """Other relationships: (relation id, target)."""
    intersection_of: tuple[tuple[str | None, Curie], ...] = ()
    """Logical definition: (relation id, filler); the genus has relation None."""
    alt_ids: tuple[Curie, ...] = ()
    obsolete: bool = False
    replaced_by: tuple[Curie, ...] = ()
    namespace: str | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing noticed in an ontology file before or while loading it."""

    line: int | None
    """1-based line in the file, None where the format has no lines."""
    kind: str
    """repaired, duplicate_id, dangling_parent, cycle, encoding, import_ignored, ..."""
    message: str


@dataclass(frozen=True, slots=True)
class Ontology:
    """One version of one ontology, as read from a file; several versions live side by side."""

    name: str
    version: str
    root: Curie | None
    sha256: str
    """Of the file as given, before decompression and repair."""
    concepts: tuple[Concept, ...]
    title: str | None = None
    findings: tuple[Finding, ...] = ()


# --- texts and gold ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Span:
    """`quote == text[start:end]` wherever the span is grounded."""

    start: int
    end: int
    quote: str


@dataclass(frozen=True, slots=True)
class Annotation:
    """A concept that somebody (gold) or something (silver) says a document expresses."""

    concept: Curie
    label: str | None = None
    assertion: Assertion = Assertion.AFFIRMED
    span: Span | None = None
    """None for a document-level annotation."""
    concept_class: ConceptClass | None = None
    confidence: float | None = None
    """In [0, 1]; None where the source states none."""
    reason: str | None = None
    run: str | None = None
    """What made the label, where a machine did."""
    ungrounded: Evidence | None = None
    """A quote that does not stand in the text where the source says; `span` is None then."""


@dataclass(frozen=True, slots=True)
class Document:
    """One passage (or abstract) with whatever annotations its file carries."""

    doc_id: str
    text: str
    annotations: tuple[Annotation, ...] = ()
    title: str | None = None
    article: str | None = None
    """Article the passage belongs to; None means the document is its own article."""
    meta: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Passage:
    """A document in a workspace."""

    id: int
    corpus: str
    doc_id: str
    text_id: int
    text: str
    title: str | None = None
    meta: dict[str, Any] = field(default_factory=dict)
    article: str | None = None
    """Article the passage belongs to; None: the passage is its own article."""


# --- proposals --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Evidence:
    """A quote that supports a proposal. Ungrounded: the quote does not stand at the offsets, or anywhere."""

    quote: str
    start: int | None
    end: int | None
    grounded: bool
    assertion: Assertion | None = None
    """Status of this one mention, where it differs from mention to mention."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A concept proposal before it is stored: what an annotator yields for one passage, one per concept."""

    concept: Curie
    label: str
    assertion: Assertion
    concept_class: ConceptClass
    confidence: float | None
    """None only for imported labels whose source states none."""
    reason: str
    evidence: tuple[Evidence, ...] = ()
    stage: str = "lexicon"
    repaired: bool = False


@dataclass(frozen=True, slots=True)
class Proposal:
    """A stored concept proposal."""

    id: int
    run: str
    item_id: int
    concept: Curie
    label: str
    assertion: Assertion
    concept_class: ConceptClass
    confidence: float | None
    reason: str | None
    stage: str
    repaired: bool
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class StageRecord:
    """What one stage of a run did with one candidate; append-only."""

    stage: str
    passage_id: int
    concept: Curie | None
    verdict: str
    reason: str | None = None
    call_id: int | None = None
    payload: dict[str, Any] = field(default_factory=dict)


# --- decisions --------------------------------------------------------------------------------------------


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
class NewDecision:
    """A decision on its way into the store. Exactly one of `item_id` and (`passage_id`, `concept`) is set:
    the second form adds a concept nobody proposed, or (`concept` None) speaks of the passage as a whole."""

    client_id: str
    curator: str
    action: Action
    item_id: int | None = None
    passage_id: int | None = None
    concept: Curie | None = None
    shown: tuple[int, ...] = ()
    """Ids of the proposals on screen: the base of a first answer. Empty when blind or added."""
    answer: Answer | None = None
    note: str | None = None
    undoes: int | None = None
    blind: bool = False
    milliseconds: int | None = None
    guideline_revision: str | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """A stored decision. `number` is its place in history; order is by number, never by clock."""

    number: int
    client_id: str
    item_id: int
    passage_id: int
    concept: Curie | None
    curator: str
    base: str
    action: Action
    answer: Answer | None
    note: str | None
    undoes: int | None
    blind: bool
    milliseconds: int | None
    decided_at: str
    guideline_revision: str | None
    link: str
    """Hash-chain link, hex: covers this decision, the content of its base, and every earlier one."""


@dataclass(frozen=True, slots=True)
class GoldSet:
    """A gold standard read for scoring: concept statuses per document, with what it can be used for."""

    reference: str
    """`imported:NAME@VERSION` or `reviewed@NUMBER:POLICY`."""
    documents: dict[str, dict[Curie, Assertion]]
    """doc_id -> concept -> status; a document present with an empty dict was judged and holds nothing."""
    recall_documents: frozenset[str]
    """Documents known to be complete (imported gold, or closed in review); only these enter recall."""
    rejected: dict[str, frozenset[Curie]] = field(default_factory=dict)
    """doc_id -> concepts judged not to be there (reviewed gold only)."""
    excluded: int = 0
    """Items left out: unsure, undecided or unadjudicated; printed beside the number."""
