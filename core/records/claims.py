"""Articles, what becomes of their abstracts, and the claims in them (paper 004, Tables 21 and 26)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from core.records.taxonomy import Axis, ClaimType, Direction

# --- articles ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Section:
    """A labelled part of an abstract; offsets in its text, the label as printed and not part of it."""

    label: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Article:
    """An abstract with its publication data, as collected or read from a file."""

    uid: str
    """Article uid: unique in its corpus; the `article` of its passage."""
    text: str
    domain: str
    passage_id: int = 0
    """Of the stored passage; 0 outside a workspace."""
    title: str | None = None
    doi: str | None = None
    pmid: str | None = None
    year: int | None = None
    journal: str | None = None
    source: str | None = None
    """Such as pubmed or europepmc."""
    sections: tuple[Section, ...] = ()
    """In the frame of `text`; empty where the abstract is not structured, or only by words in the text."""


OffsetMap = tuple[tuple[int, int, int, int], ...]
"""Runs (start, end, original start, original end), ascending, that cover a normalised text. A run of equal
lengths maps character by character; one of unequal lengths maps as a whole."""


@dataclass(frozen=True, slots=True)
class Normalised:
    """Stage 2: an article that stays. `article.text` and its sections are the normalised ones."""

    article: Article
    original: str
    offsets: OffsetMap


@dataclass(frozen=True, slots=True)
class Left:
    """Stage 2: an article that does not stay, and why: nothing is dropped in silence."""

    article: Article
    """As it came."""
    reason: str
    """`too_short`, `empty`, or why it was merged: what it shares with another, `doi`, `pmid` or `content`, or
    `article` where another passage of its article shares something."""
    into: str | None = None
    """Article uid of the one that stays, for a merge."""
    shared: tuple[tuple[str, str], ...] = ()
    """(what, article uid) of all that it shares, for a merge; the other one may be merged itself."""


ALONE, BOILERPLATE = "alone", "boilerplate"
"""Slots of a claim that leaves open what it is about, or that says nothing of a subject."""


# --- claims -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Cue:
    """Words of a text that say something about its context along one axis."""

    axis: Axis
    start: int
    end: int
    quote: str
    value: str
    """Comparable form: two cues of an axis say the same if their values are equal."""


@dataclass(frozen=True, slots=True)
class Claim:
    """Stage 3: a span of an abstract that states a finding (paper 004, Table 26). Offsets in the normalised
    text of its article."""

    claim_id: str
    article_uid: str
    domain: str
    start: int
    end: int
    text: str
    sentence_start: int
    sentence_end: int
    claim_type: ClaimType
    confidence: float
    """In [0, 1]."""
    section: str | None = None
    """Canonical: background, objective, methods, results, conclusions; None where nothing says."""
    direction: Direction = Direction.UNCLEAR
    negated: bool = False
    entities: tuple[str, ...] = ()
    """Normalised names, sorted, each once."""
    slots: dict[str, Any] = field(default_factory=dict)
    """population, intervention, comparator, outcome (text or None), numbers (list of text); `ALONE` and
    `BOILERPLATE` where they hold."""
    cues: tuple[Cue, ...] = ()
    """Inside the claim; those of the abstract around it are found anew where they are needed."""
    year: int | None = None
    journal: str | None = None
    passage_id: int = 0
    text_id: int = 0
    """Of the normalised text in the store; 0 outside a workspace."""
    id: int = 0
    """Row in the store."""

    @property
    def alone(self) -> str:
        """The claim as it can be read alone: its text, or that with said what it leaves open."""
        return str(self.slots.get(ALONE) or self.text)

    @property
    def boilerplate(self) -> bool:
        """Whether any abstract might hold it: it is not paired."""
        return bool(self.slots.get(BOILERPLATE))

    def key(self) -> tuple[str, int, int]:
        """Order of claims within a corpus: which side of a pair is A."""
        return (self.article_uid, self.start, self.end)
