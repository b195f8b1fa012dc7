"""How much a sentence looks like a claim: weights of words and of its place, added up.

Sentences are scored by lexical and structural cues (paper 004, section H.3). The paper prints no weights:
those of `weights.tsv` and below are ours, set by reading abstracts.
"""

from __future__ import annotations

import math
import re
from functools import cache
from pathlib import Path

from core.conflicts.extract.sections import OTHER

LEAST = 0.5
"""Confidence from which a sentence is taken for a claim: as much speaks for it as against."""

_SECTIONS = {
    "background": -4.6,
    "objective": -5.0,
    "methods": -4.3,
    "results": 1.0,
    "conclusions": 1.4,
    OTHER: -8.0,
}
_UNSAID = (-1.6, -1.2, -0.1, 0.5)
"""Where no section is known: by the quarter of the abstract. What is known comes first, then methods."""
_SCALE = 1.5
"""Score that makes odds of about 2.7 to 1."""
_START = -1.2
"""Of any sentence: one without a word that tells a finding is none."""
_SHORT = 4
"""Words below which nothing is stated."""


@cache
def _rows() -> tuple[tuple[str, float, re.Pattern[str]], ...]:
    lines = (Path(__file__).parent / "weights.tsv").read_text(encoding="utf-8").splitlines()
    rows = []
    for line in lines:
        if line and not line.startswith("#"):
            name, weight, pattern = line.split("\t")
            spread = pattern.replace("~", r"(?:[\w-]+ ){0,4}")
            rows.append((name, float(weight), re.compile(rf"(?<![\w-])(?:{spread})(?![\w-])", re.IGNORECASE)))
    return tuple(rows)


def evidence(sentence: str) -> list[tuple[str, float]]:
    """The rows of the table that hold of a sentence: (name, weight)."""
    return [(name, weight) for name, weight, pattern in _rows() if pattern.search(sentence)]


def confidence(sentence: str, section: str | None, place: float | None = None) -> float:
    """In [0, 1]: how sure it is that a sentence is a claim; 0.5 where as much speaks for it as against.

    Args:
        section: as in `Sentence.section`.
        place: how far into the abstract the sentence begins, in [0, 1); None where that says nothing, as in
            an abstract of one or two sentences.
    """
    if len(sentence.split()) < _SHORT:
        return 0.0
    prior = _SECTIONS.get(section or "", 0.0)
    if section is None and place is not None:
        prior = _UNSAID[int(place * 4)]
    total = _START + prior + sum(weight for _, weight in evidence(sentence))
    return 1 / (1 + math.exp(-total / _SCALE))
