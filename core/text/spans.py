"""Words of a text with exact offsets, and grounded spans made from them.

Offsets are 0-based, end-exclusive, in Unicode code points.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass, field
from itertools import accumulate, compress
from typing import Any, TypeVar

from core.records import Span
from core.text.normalise import lower

# Letters and digits with the combining marks that sit on them; a split by a group alternates gaps and words.
_WORD = re.compile(r"([^\W_]+(?:[\u0300-\u036f]+[^\W_]*)*)")
_ASCII_WORD = re.compile(r"([a-z0-9]+)", re.ASCII)


V = TypeVar("V")


class Memo(dict[str, V]):
    """Values computed once per string; forgets all when texts have brought more than `LIMIT` of them."""

    LIMIT = 300_000

    def __init__(self, compute: Callable[[str], V]) -> None:
        super().__init__()
        self._compute = compute

    def __missing__(self, key: str) -> V:
        if len(self) >= self.LIMIT:
            self.clear()
        value = self[key] = self._compute(key)
        return value


@dataclass(slots=True)
class Words:
    """The words of a text in lower case. `gaps[i]` stands before word i, `gaps[-1]` behind the last one."""

    text: str
    words: list[str]
    gaps: list[str]
    starts: list[int]
    parted: list[int]
    """Words before which something else stands than one space, but for the first word."""
    distinct: frozenset[str]
    """Each word once: most of what is looked for is in no text, and this tells so soonest."""
    firsts: list[int] | None = None
    """Words that begin a sentence, from when `core.text.sentences` has looked for them."""
    cues: dict[tuple[int, int], list[Any]] = field(default_factory=dict)
    """Cues among two words (the second one excluded), from when `core.text.assertion` has looked there."""

    def end(self, index: int) -> int:
        return self.starts[index] + len(self.words[index])

    def among(self, wanted: Set[str]) -> list[int]:
        """Indices of the words that are one of these."""
        if self.distinct.isdisjoint(wanted):
            return []
        return list(compress(range(len(self.words)), map(wanted.__contains__, self.words)))

    def span(self, first: int, last: int) -> Span:
        """The text from word `first` to word `last`, both included."""
        start, end = self.starts[first], self.end(last)
        return Span(start, end, self.text[start:end])


def words(text: str) -> Words:
    lowered = lower(text)
    parts = (_ASCII_WORD if lowered.isascii() else _WORD).split(lowered)
    offsets = [0, *accumulate(map(len, parts))]
    gaps = parts[0::2]
    parted = list(compress(range(len(gaps)), map(" ".__ne__, gaps)))
    if parted and not parted[0]:
        del parted[0]
    if parted and parted[-1] == len(gaps) - 1:
        parted.pop()
    listed = parts[1::2]
    return Words(text, listed, gaps, offsets[1:-1:2], parted, frozenset(listed))


def where(listed: list[V], wanted: V) -> Iterator[int]:
    """Indices at which a list holds something: quick where that is seldom."""
    at = -1
    try:
        while True:
            at = listed.index(wanted, at + 1)
            yield at
    except ValueError:
        return
