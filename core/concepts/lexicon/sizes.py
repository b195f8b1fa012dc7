"""Sizes of the body that a text sets far from the mean: "weight and OFC were below the 3rd percentile".

Which finding a size is, where it is less or more, `sizes.tsv` tells by the names of the findings.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from core.concepts.lexicon.substances import DOWN, UP, words_of
from core.concepts.lexicon.vocabulary import COORDINATORS, STOP_WORDS, listed, rows
from core.records import Concept
from core.text.normalise import lower
from core.text.spans import Words

_NEAR = 9
"""Words between a size and its deviation at most."""
_WHOSE = listed("s current adult final present standing body both all postnatal birth whose our with low")
"""Words that may stand before a size; before "length" of a bone stands another one."""
_LONGEST = 4


class Size(NamedTuple):
    """A size in a text."""

    first: int
    last: int
    phrase: str


@cache
def _table() -> dict[str, tuple[str, str]]:
    """What texts call a size -> names of the findings of less and of more."""
    cells = (line.split("\t") for line in rows("sizes.tsv"))
    return {text: (less, more) for less, more, texts in cells for text in texts.split(" | ")}


@cache
def _endings() -> frozenset[str]:
    return frozenset(text.split()[-1] for text in _table())


class Sizes:
    """The findings of an ontology that are sizes."""

    def __init__(self, concepts: Sequence[Concept]) -> None:
        wanted = {name for names in _table().values() for name in names}
        self._known: dict[str, tuple[int, str]] = {}
        for number, concept in enumerate(concepts):
            name = lower(concept.name)
            if name in wanted:
                self._known[name] = number, concept.name

    def meaning(self, phrase: str, way: int) -> tuple[int, str] | None:
        """The number and name of the concept of more or less of a size."""
        less, more = _table()[phrase]
        return self._known.get({DOWN: less, UP: more}[way])


def sizes_before(found: Words, begin: int, at: int) -> Iterator[Size]:
    """The sizes of which word `at` tells a deviation: the nearest before it, and those listed before that."""
    words, gaps = found.words, found.gaps
    size = next(
        filter(None, (_size(found, begin, i) for i in range(at - 1, max(begin, at - _NEAR) - 1, -1))), None
    )
    against = words_of("against")
    if size is None or any(words[i] in against or ";" in gaps[i] for i in range(size.last + 1, at + 1)):
        return
    while size is not None:
        yield size
        i = size.first - 1
        while i >= begin and (words[i] in STOP_WORDS or words[i] in COORDINATORS):
            i -= 1
        between = words[i + 1 : size.first]
        joined = "," in "".join(gaps[i + 1 : size.first + 1]) or not COORDINATORS.isdisjoint(between)
        size = _size(found, begin, i) if i >= begin and joined else None


def _size(found: Words, begin: int, last: int) -> Size | None:
    """The size that ends at a word, the longest."""
    words, gaps = found.words, found.gaps
    if words[last] not in _endings():
        return None
    for first in range(max(begin, last - _LONGEST + 1), last + 1):
        phrase = " ".join(words[first : last + 1])
        if phrase in _table() and all(gaps[i] in (" ", "-") for i in range(first + 1, last + 1)):
            lead = words[first - 1] if first > begin and gaps[first] in (" ", "-", "'", "’") else ""
            light = not lead or lead in _WHOSE or lead in STOP_WORDS or lead in COORDINATORS
            if not light:
                return None
            newborn = f"{phrase} at birth" in _table() and words[begin : begin + 2] == ["at", "birth"]
            return Size(first, last, f"{phrase} at birth" if newborn else phrase)
    return None
