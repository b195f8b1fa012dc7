"""The vocabulary: every record that passes between the parts of Touchstone.

A **proposal** is what a machine says about an **item**; a **decision** is what a person says. Both are
written once. Gold is a query over decisions. Spans are 0-based, end-exclusive, in Unicode code points, and
always belong to one named text.
"""

from core.records.calls import Call, StoredCall
from core.records.decisions import Answer, Decision, GoldSet, NewDecision
from core.records.labelling import Candidate, GeneratedClaim, Labelling, Quality, Verdict
from core.records.ontology import Concept, Finding, Ontology, Synonym
from core.records.proposals import Draft, Proposal, StageRecord
from core.records.texts import Annotation, Document, Evidence, Passage, Span
from core.records.vocabulary import JUDGEMENTS, POSITIVE, Action, Assertion, ConceptClass, Curie, ItemKind

__all__ = [
    "JUDGEMENTS",
    "POSITIVE",
    "Action",
    "Annotation",
    "Answer",
    "Assertion",
    "Call",
    "Candidate",
    "Concept",
    "ConceptClass",
    "Curie",
    "Decision",
    "Document",
    "Draft",
    "Evidence",
    "Finding",
    "GeneratedClaim",
    "GoldSet",
    "ItemKind",
    "Labelling",
    "NewDecision",
    "Ontology",
    "Passage",
    "Proposal",
    "Quality",
    "Span",
    "StageRecord",
    "StoredCall",
    "Synonym",
    "Verdict",
]
