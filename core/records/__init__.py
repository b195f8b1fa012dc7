"""The vocabulary: every record that passes between the parts of Touchstone.

A **proposal** is what a machine says about an **item**; a **decision** is what a person says. Both are
written once. Gold is a query over decisions. Spans are 0-based, end-exclusive, in Unicode code points, and
always belong to one named text.
"""

from core.records.calls import Call, StoredCall
from core.records.claims import (
    Article,
    Claim,
    Cue,
    Left,
    Normalised,
    OffsetMap,
    Section,
)
from core.records.conflicts import (
    CandidatePair,
    Level,
    PairAnswer,
    PairLabel,
    PairSpan,
    PairTask,
    Scores,
    Side,
    StoredPairLabel,
    Tier,
    doubts,
    inconsistencies,
)
from core.records.decisions import Answer, AnyAnswer, Decision, ErrorAnswer, GoldSet, NewDecision
from core.records.labelling import GeneratedClaim, Labelling, Quality, Verdict
from core.records.ontology import Concept, Finding, Ontology, Synonym
from core.records.proposals import Candidate, Draft, Kept, Proposal, Quoted, StageRecord, Stated
from core.records.taxonomy import (
    PRIMARY_AXES,
    PROVISIONAL_AXES,
    Axis,
    ClaimType,
    ConflictType,
    Direction,
)
from core.records.texts import Annotation, Document, Evidence, Passage, Span
from core.records.vocabulary import (
    ANSWERING,
    JUDGEMENTS,
    ON_PROPOSALS,
    POSITIVE,
    Action,
    Assertion,
    ConceptClass,
    Curie,
    ErrorType,
    ItemKind,
    Origin,
)

__all__ = [
    "ANSWERING",
    "JUDGEMENTS",
    "ON_PROPOSALS",
    "POSITIVE",
    "PRIMARY_AXES",
    "PROVISIONAL_AXES",
    "Action",
    "Annotation",
    "Answer",
    "AnyAnswer",
    "Article",
    "Assertion",
    "Axis",
    "Call",
    "Candidate",
    "CandidatePair",
    "Claim",
    "ClaimType",
    "Concept",
    "ConceptClass",
    "ConflictType",
    "Cue",
    "Curie",
    "Decision",
    "Direction",
    "Document",
    "Draft",
    "ErrorAnswer",
    "ErrorType",
    "Evidence",
    "Finding",
    "GeneratedClaim",
    "GoldSet",
    "ItemKind",
    "Kept",
    "Labelling",
    "Left",
    "Level",
    "NewDecision",
    "Normalised",
    "OffsetMap",
    "Ontology",
    "Origin",
    "PairAnswer",
    "PairLabel",
    "PairSpan",
    "PairTask",
    "Passage",
    "Proposal",
    "Quality",
    "Quoted",
    "Scores",
    "Section",
    "Side",
    "Span",
    "StageRecord",
    "Stated",
    "StoredCall",
    "StoredPairLabel",
    "Synonym",
    "Tier",
    "Verdict",
    "doubts",
    "inconsistencies",
]
