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


class ConceptClass(StrEnum):
    """How a passage expresses a concept (HI-ALD, section 3.2). Keys 1 to 4 in review."""

    EXPLICIT = "explicit"
    LOGICALLY_IMPLICIT = "logically_implicit"
    PRAGMATICALLY_IMPLICIT = "pragmatically_implicit"
    NOT_RELEVANT = "not_relevant"


class ItemKind(StrEnum):
    """What is judged: a (passage, concept) fact, a passage as a whole, or a pair of claims."""

    CONCEPT = "concept"
    PASSAGE = "passage"
    PAIR = "pair"


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


JUDGEMENTS = (Action.ACCEPT, Action.FIX, Action.REJECT, Action.ADD, Action.UNSURE)
POSITIVE = (Action.ACCEPT, Action.FIX, Action.ADD)
