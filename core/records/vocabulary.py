"""The words that records are made of: identifiers, statuses, classes, actions."""

from __future__ import annotations

from enum import StrEnum

Curie = str
"""A compact concept identifier such as `HP:0001250`."""


class Assertion(StrEnum):
    """Status of a concept in a text, in canonical order."""

    AFFIRMED = "affirmed"
    NEGATED = "negated"
    UNCERTAIN = "uncertain"
    OTHER_PERSON = "other_person"
    """Said of somebody else: a relative's finding."""


STRONGEST_FIRST = (Assertion.AFFIRMED, Assertion.UNCERTAIN, Assertion.NEGATED, Assertion.OTHER_PERSON)
"""Of several mentions of a concept, the first of these is the status of the document."""
PRESENT = (Assertion.AFFIRMED, Assertion.UNCERTAIN)
"""Statuses by which a concept is in the set of a document, where nobody says otherwise."""


class ConceptClass(StrEnum):
    """How a passage expresses a concept (HI-ALD, section 3.2). Keys 1 to 4 in review."""

    EXPLICIT = "explicit"
    LOGICALLY_IMPLICIT = "logically_implicit"
    PRAGMATICALLY_IMPLICIT = "pragmatically_implicit"
    NOT_RELEVANT = "not_relevant"


class ItemKind(StrEnum):
    """What is judged: a (passage, concept) fact, a passage as a whole, a pair of claims; a proposal that gold
    does not hold, and what is wrong with it; a concept that gold lacks; a fact or a pair, asked again."""

    CONCEPT = "concept"
    PASSAGE = "passage"
    PAIR = "pair"
    ERROR = "error"
    GOLD_CHANGE = "gold_change"
    CONCEPT_REPEAT = "concept_repeat"
    PAIR_REPEAT = "pair_repeat"


class Origin(StrEnum):
    """Who or what made a label."""

    MODEL = "model"
    HEURISTIC = "heuristic"
    """A rule or a word list: whatever works offline."""
    PERSON = "person"
    """Of labels that came in with a file."""


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
    CLASSIFY_ERROR = "classify_error"


ASSESSING = (Action.ACCEPT, Action.FIX, Action.REJECT)
"""Judgements that say whether what was proposed is right."""
ON_PROPOSALS = (*ASSESSING, Action.ADD, Action.UNSURE)
"""Judgements on what a run proposed, or failed to propose."""
JUDGEMENTS = (*ON_PROPOSALS, Action.CLASSIFY_ERROR)
POSITIVE = (Action.ACCEPT, Action.FIX, Action.ADD)
ANSWERING = (*POSITIVE, Action.CLASSIFY_ERROR)
"""Actions that need an answer."""


class Cause(StrEnum):
    """Why curators disagreed, as an adjudicator sees it."""

    AMBIGUOUS_TEXT = "ambiguous_text"
    GUIDELINE_GAP = "guideline_gap"
    CURATOR_ERROR = "curator_error"
    EDGE_CASE = "edge_case"
    SUBJECTIVE = "subjective"


class ErrorType(StrEnum):
    """What an apparent false positive is (paper 000, A.7). Keys 0 to 5 in the audit."""

    MISSING_GOLD = "missing_gold"
    """No error: the passage supports it, and gold lacks it."""
    GRANULARITY = "E-1"
    SCOPE = "E-2"
    CONTEXT = "E-3"
    TRIGGER = "E-4"
    OVERREACH = "E-5"
