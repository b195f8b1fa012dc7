"""How much a sentence looks like a claim: weights of words and of its place, added up.

Sentences are scored by lexical and structural cues (paper 004, section H.3). The paper prints no weights:
those of `weights.tsv` and below are ours, set by reading abstracts.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from core.conflicts.extract.sections import OTHER
from core.text.normalise import lower

LEAST = 0.5
"""Confidence from which a sentence is taken for a claim: as much speaks for it as against."""

_CAPITAL = re.compile(r"(?<!\\)[A-Z]")
_SECTIONS = {
    "background": -4.6,
    "objective": -5.0,
    "methods": -4.3,
    "results": 1.2,
    "conclusions": 1.4,
    OTHER: -8.0,
}
_BEFORE, _DURING, _AFTER = -3.5, -3.0, 1.2
"""Where no section is said: before, between and behind the sentences that tell what was done."""
_QUARTERS = (-1.6, -1.2, -0.1, 0.5)
"""Where no sentence tells what was done: by the quarter of the abstract."""
_DOING = frozenset(
    (
        "aim",
        "study did",
        "we did",
        "assigned",
        "done",
        "outcomes are",
        "analysed by",
        "given",
        "received",
        "will",
    )
)
_DONE, _FOUND, _PART = -2.0, 3.0, 0.7
"""A sentence tells what was done if these rows sum to at most the first, the rows for a finding to less than
the second, and it begins in the first seven tenths: later on, methods are told in passing."""
_SCALE = 1.5
"""Score that makes odds of about 2.7 to 1."""
_ALONE = 1.3
"""A text of one or two sentences was cut out for what it states: a sentence needs no word that tells so."""
_START = -1.2
"""Of any sentence: one without a word that tells a finding is none."""
_SHORT = 4
"""Words below which nothing is stated."""

Evidence = list[tuple[str, float]]
"""The rows of the table that hold of a sentence: (name, weight)."""


@cache
def _rows() -> tuple[tuple[str, float, re.Pattern[str]], ...]:
    lines = (Path(__file__).parent / "weights.tsv").read_text(encoding="utf-8").splitlines()
    rows = []
    for line in lines:
        if line and not line.startswith("#"):
            name, weight, pattern = line.split("\t")
            spread = _CAPITAL.sub(lambda m: m[0].lower(), pattern.replace("~", r"(?:[\w-]+ ){0,4}"))
            rows.append((name, float(weight), re.compile(rf"(?<![\w-])(?:{spread})(?![\w-])")))
    return tuple(rows)


def evidence(sentence: str) -> Evidence:
    lowered = lower(sentence)  # twice as fast as matching without regard to case
    return [(name, weight) for name, weight, pattern in _rows() if pattern.search(lowered)]


def confidences(sentences: Sequence[tuple[str, str | None]]) -> list[float]:
    """How sure it is of each sentence of an abstract that it is a claim, in [0, 1]; 0.5 where as much
    speaks for it as against.

    Args:
        sentences: (text, section as in `Sentence.section`) in the order of the abstract.
    """
    found = [evidence(text) for text, _ in sentences]
    unsaid = [i for i, (_, section) in enumerate(sentences) if section is None]
    priors = dict(zip(unsaid, _unsaid([found[i] for i in unsaid]), strict=True))
    sure = []
    for i, (text, section) in enumerate(sentences):
        prior = _SECTIONS[section] if section else priors[i]
        total = _START + prior + sum(weight for _, weight in found[i])
        sure.append(0.0 if len(text.split()) < _SHORT else 1 / (1 + math.exp(-total / _SCALE)))
    return sure


def _unsaid(found: list[Evidence]) -> list[float]:
    """What the place of sentences speaks for, where no section is said: findings come after what was done."""
    if len(found) < 3:
        return [_ALONE] * len(found)
    part = _PART * len(found)
    doing = [i for i, rows in enumerate(found) if i < part and _tells_doing(rows)]
    if not doing:
        return [_QUARTERS[i * 4 // len(found)] for i in range(len(found))]
    return [_BEFORE if i < doing[0] else _DURING if i <= doing[-1] else _AFTER for i in range(len(found))]


def _tells_doing(rows: Evidence) -> bool:
    doing = sum(weight for name, weight in rows if name in _DOING)
    return doing <= _DONE and sum(weight for _, weight in rows if weight > 0) < _FOUND
