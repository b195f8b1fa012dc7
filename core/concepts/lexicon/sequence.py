"""A text as a sequence of weights with marks where no name reaches across."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.concepts.lexicon.vocabulary import (
    APOSTROPHES,
    COORDINATORS,
    UNKNOWN,
    Vocabulary,
    compound,
    is_letter,
    is_numbered,
    is_prefix,
)
from core.text.normalise import fold
from core.text.spans import Memo, Words, where

BREAK = -1
COMMA = -2
SLASH = -4

_CHANGING = frozenset(("anti", "non", "pre", "pseudo", "un"))
"""Prefixes that make another thing of the word behind their hyphen: "non-obese" speaks of no obesity."""
_DEGREES = frozenset(("borderline", "mild", "moderate", "severe", "profound"))

_HALF = 2
"""Letters of either part of a word at least."""

_THROUGH = re.compile(r"[\s\-‐‑–'’‘\"“”]*")
_LIST = re.compile(r"[\s'’\"“”]*,[\s'’\"“”]*")


_INSIDE = re.compile(r"[()\[\]{}+'’′>\-]+|\+ ")
"""Inside a chemical name: "(1->3)-beta-D-glucan", "NAD(P)H", "Na+ transport"."""


def _mark(gap: str) -> int:
    """What stands between two words: 0 for nothing that parts them or what `read` looks at, else `COMMA` or
    `BREAK`."""
    if gap == "," or gap.strip(" -") == "/" or _INSIDE.fullmatch(gap):
        return 0
    if _THROUGH.fullmatch(gap):
        return BREAK if gap.count("\n") > 1 or " – " in gap or " - " in gap else 0
    if _LIST.fullmatch(gap):
        return COMMA
    return BREAK


_MARKS: Memo[int] = Memo(_mark)


@dataclass(frozen=True, slots=True)
class Sequence:
    weights: list[int]
    """Of each word. Positive: known; 0: stop word, or a prefix joined to the next word; negative: unknown."""
    marks: dict[int, int]
    """What stands before a word, where it parts it from the word before."""
    commas: list[int]
    """Words before which a comma stands, ascending."""
    joined: set[int]
    """Words that carry the prefix before them."""
    bound: set[int]
    """Words inside a hyphened proper name, with which no name begins: Charcot-Marie-Tooth."""
    halves: dict[int, tuple[str, int]]
    """First halves of words, with the word that each stands for and the one that says its end:
    "hypo- or hyperthyroidism"."""

    def begin(self, first: int) -> int:
        """The first word of what begins with `first`: its prefix, where it has one."""
        return first - 1 if first in self.joined else first


def read(found: Words, vocabulary: Vocabulary) -> Sequence:
    words, gaps, known = found.words, found.gaps, vocabulary.weights
    weights = list(map(known.__getitem__, words))
    marks = {i: mark for i in found.parted if (mark := _MARKS[gaps[i]])}
    joined: set[int] = set()
    bound: set[int] = set()
    halves: dict[int, tuple[str, int]] = {}
    for i in [i for i in found.parted if i not in marks]:
        gap, before = gaps[i], words[i - 1]
        if gap == "-":
            whole = UNKNOWN
            if is_prefix(before):
                whole = known[compound(before, words[i])]
            elif is_numbered(before, words[i]):
                whole = known[before + words[i]]
            if whole > 0:
                weights[i - 1], weights[i] = 0, whole
                joined.add(i)
            elif before in _CHANGING:
                weights[i] = UNKNOWN
            elif words[i] == "to" and gaps[i + 1] == "-":  # mild-to-moderate
                weights[i] = vocabulary.coordinator
            elif _proper(found, i - 1) and _proper(found, i):
                bound.add(i)
        elif gap == "-/" or (gap == "- " and words[i] in COORDINATORS):
            end = i + (gap != "-/")
            if end < len(words) and (meant := _completed(before, words[end], vocabulary)):
                weights[i - 1], halves[i - 1] = known[meant], (meant, end)
            if gap == "-/":
                marks[i] = SLASH
        elif gap == "(":
            if gaps[i + 1] == ") ":  # "poly(A) tail"
                marks.pop(i + 1, None)
        elif gap == ",":
            if not (words[i].isdigit() and before.isdigit()):  # "1,25-dihydroxyvitamin"
                marks[i] = COMMA
        elif words[i] == "s" and gap in APOSTROPHES:
            weights[i] = 0
        elif "/" in gap:
            if before in COORDINATORS:  # and/or
                weights[i - 1] = 0
            else:
                marks[i] = SLASH
    for i in where(words, "a"):
        if is_letter(found, i) and i + 1 not in joined:
            weights[i] = known["A"]
    for i in () if _DEGREES.isdisjoint(found.distinct) else where(words, "to"):
        if i and words[i - 1] in _DEGREES and words[i + 1 : i + 2] and words[i + 1] in _DEGREES:
            weights[i] = vocabulary.coordinator
    commas = sorted(i for i, mark in marks.items() if mark == COMMA)
    return Sequence(weights, marks, commas, joined, bound, halves)


def _completed(half: str, whole: str, vocabulary: Vocabulary) -> str | None:
    """The known word that a first half stands for before a word with the same end."""
    if is_prefix(half):
        for k in range(_HALF, len(whole) - _HALF):
            word = compound(half, whole[k:])
            told = fold(word).startswith(half)  # "hypoerthyroidism" would be another spelling of hyper-
            if told and vocabulary.weights[word] > 0 and vocabulary.spelt(word) == word:
                return word
    return None


def _proper(found: Words, i: int) -> bool:
    """Whether a word is written like a proper name: one capital, then small letters."""
    return found.text[found.starts[i] : found.end(i)].istitle() and len(found.words[i]) > 2
