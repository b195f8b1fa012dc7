"""A text as a sequence of weights with marks where no name reaches across."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from core.concepts.lexicon.vocabulary import PREFIXES, Memo, Vocabulary
from core.text.spans import Words

BREAK = -1
COMMA = -2
_SLASH = 1

_THROUGH = re.compile(r"[\s\-‐‑–'’‘\"“”]*")
_LIST = re.compile(r"[\s'’\"“”]*,[\s'’\"“”]*")


def _gap(gap: str) -> int:
    """What stands between two words: 0 for nothing that parts them, `COMMA`, `_SLASH` or `BREAK`."""
    if _THROUGH.fullmatch(gap):
        return BREAK if gap.count("\n") > 1 or " – " in gap or " - " in gap else 0
    if _LIST.fullmatch(gap):
        return COMMA
    return _SLASH if gap.strip() == "/" else BREAK


_GAPS: Memo[int] = Memo(_gap)


@dataclass(frozen=True, slots=True)
class Sequence:
    """Parallel lists; an element is a word (or hyphened word), a mark or a slash read as "or"."""

    weights: list[int]
    """Positive: known; 0: stop word; negative: unknown, `BREAK` or `COMMA`."""
    firsts: list[int]
    """First word of each element."""
    lasts: list[int]

    def runs(self) -> Iterator[tuple[list[int], list[int], list[int]]]:
        """Stretches of known words without their stop words, each as weights, first and last word."""
        weights: list[int] = []
        firsts: list[int] = []
        lasts: list[int] = []
        for value, first, last in zip(self.weights, self.firsts, self.lasts, strict=True):
            if value > 0:
                weights.append(value)
                firsts.append(first)
                lasts.append(last)
            elif value < 0 and weights:
                yield weights, firsts, lasts
                weights, firsts, lasts = [], [], []
        if weights:
            yield weights, firsts, lasts


def read(found: Words, vocabulary: Vocabulary) -> Sequence:
    words, known = found.words, vocabulary.weights
    weights: list[int] = []
    firsts: list[int] = []
    lasts: list[int] = []
    for i, gap in enumerate(found.gaps[:-1]):
        word = words[i]
        value = known[word]
        if gap != " " and i:
            mark = _GAPS[gap]
            if mark:
                weights.append(vocabulary.coordinator if mark == _SLASH else mark)
                firsts.append(i)
                lasts.append(i)
            elif gap == "-" and words[i - 1] in PREFIXES and (joined := known[words[i - 1] + word]) > 0:
                weights[-1] = joined
                lasts[-1] = i
                continue
        weights.append(value)
        firsts.append(i)
        lasts.append(i)
    return Sequence(weights, firsts, lasts)
