"""What a search says: a concept, and why it is there."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from core.records import Curie


class Why(StrEnum):
    EXACT = "exact"
    """The words stand in the concept's own name."""
    SYNONYM = "synonym"
    """The words stand in a synonym."""
    ABBREVIATION = "abbreviation"
    """The words are short for a name."""
    SPELLING = "spelling"
    """The words are spelled like those of a name."""
    MEANING = "meaning"
    """The words mean nearly what a name means, as the encoder has it."""


LIKENESS = frozenset((Why.SPELLING, Why.MEANING))
"""Rows that are alike and no more: nobody takes one unseen."""


LAY = "LAY"
"""Scope of what people say who are no clinicians, by our own list."""
BY_ID = "ID"


class Row(NamedTuple):
    """One concept that was found."""

    curie: Curie
    name: str
    matched: str
    """The name or synonym that was found, or the id, or the plain words."""
    scope: str
    """Of what was found: NAME, EXACT, NARROW, RELATED, BROAD; ID for an id, LAY for plain words."""
    why: Why


class Found(NamedTuple):
    rows: list[Row]
    """Best first, each concept once."""
    complete: bool
    """Whether the encoder had its say: False while vectors are lacking."""
    more: bool = False
    """Whether it is worth asking again: better rows are on their way."""
