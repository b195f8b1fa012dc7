"""What a brief holds: findings, the pairs they stand in, what splits them."""

from __future__ import annotations

from dataclasses import dataclass

from core.evaluate.brief.sides import Side


@dataclass(frozen=True, slots=True)
class PairLine:
    """A pair of two findings on the question."""

    item_id: int
    pair_id: str
    other: str
    """The claim of the other side of the pair, in its words."""
    other_study: str
    likelihood: str | None
    """likely, possible or unlikely; None: never estimated."""
    label: str
    """Conflict type and axes, in words, and who says so."""
    reconciliation: str
    decided: str | None
    """What people decided; None: nothing yet, or not to be seen yet."""


@dataclass(frozen=True, slots=True)
class Line:
    """One finding."""

    claim_id: str
    quote: str
    study: str
    """Title of the article, else its id."""
    article: str
    journal: str | None
    n: int | None
    """The largest number of people or samples that the abstract counts."""
    year: int | None
    pairs: tuple[PairLine, ...]
    """The likeliest conflict first."""


@dataclass(frozen=True, slots=True)
class Split:
    """An axis along which findings for and against differ."""

    axis: str
    pairs: int
    """Pairs between both sides that name it."""
    found_for: tuple[str, ...]
    """What the articles of findings for say along it, the most frequent first."""
    found_against: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Brief:
    question: str
    corpus: str
    run: str
    gold: str
    """Reference of what people decided, pinned to a number."""
    sides: dict[Side, tuple[Line, ...]]
    counts: dict[Side, int]
    articles: int
    splits: tuple[Split, ...]
    """The axis that most pairs name first."""
    decided: tuple[tuple[str, int], ...]
    """(what, pairs)"""
    missing: tuple[str, ...]
    items: tuple[int, ...]
    """Of all pairs told, each once, the likeliest conflict first."""
