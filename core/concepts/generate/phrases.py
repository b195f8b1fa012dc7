"""Phrases that may name a concept, by rule: stretches of words between punctuation, function words and verbs.

No tagger and no model: a stretch ends at a word of `breaks.txt`, at an adverb in -ly and at any punctuation
but hyphens and apostrophes. "Of", "in" and "on" join two stretches ("enlargement of the liver"). Of a
stretch, all parts of two or more words are phrases, as a name may begin behind a word of degree and end
before a word of number.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from core.text.spans import Memo, Words

MAX_WORDS = 6
"""Longer phrases are sentences."""
MIN_WORDS = 2
"""A single word that says a name is found by the dictionary."""

_JOINTS = frozenset(("of", "in", "on"))
_ARTICLES = frozenset(("a", "an", "the", "his", "her", "their", "its", "both"))
_INNER: Memo[bool] = Memo(lambda gap: re.fullmatch(r"[\s\-‐‑'’]+", gap) is not None and gap.count("\n") < 2)


class Phrase(NamedTuple):
    """Words `first` to `last` of a text."""

    first: int
    last: int


@cache
def _breaks() -> frozenset[str]:
    lines = (Path(__file__).parent / "breaks.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


def stretches(found: Words) -> Iterator[tuple[int, int]]:
    """First and last word of every stretch without a break, in order."""
    breaks = _breaks()
    begin = -1
    for i, word in enumerate(found.words):
        if begin >= 0 and not _INNER[found.gaps[i]]:
            yield begin, i - 1
            begin = -1
        if word in breaks or word in _JOINTS or word in _ARTICLES or word.isdigit() or _adverb(word):
            if begin >= 0:
                yield begin, i - 1
            begin = -1
        elif begin < 0:
            begin = i
    if begin >= 0:
        yield begin, len(found.words) - 1


def phrases(found: Words, told: Callable[[str], bool]) -> list[Phrase]:
    """Phrases of a text in order of their beginning.

    Args:
        told: whether a word can be of a name at all; a phrase has such a word, and begins and ends with one
            unless it is a whole stretch.
    """
    made: list[Phrase] = []
    before: tuple[int, int] | None = None
    for first, last in stretches(found):
        known = [told(found.words[i]) for i in range(first, last + 1)]
        for a in range(first, last + 1):
            for b in range(a + MIN_WORDS - 1, min(last, a + MAX_WORDS - 1) + 1):
                whole = a == first and b == last
                if any(known[a - first : b - first + 1]) and (
                    whole or (known[a - first] and known[b - first])
                ):
                    made.append(Phrase(a, b))
        if before is not None and _joined(found, before[1], first):
            a, b = max(before[0], before[1] - 2), min(last, first + 2)
            if b - a < MAX_WORDS and told(found.words[before[1]]) and any(known[: b - first + 1]):
                made.append(Phrase(a, b))
        before = first, last
    return made


def _joined(found: Words, last: int, first: int) -> bool:
    """Whether only "of (the)" and the like stand between two stretches."""
    between = found.words[last + 1 : first]
    return (
        0 < len(between) <= 2
        and between[0] in _JOINTS
        and (len(between) == 1 or between[1] in _ARTICLES)
        and all(_INNER[found.gaps[i]] for i in range(last + 1, first + 1))
    )


def _adverb(word: str) -> bool:
    return (
        len(word) > 5
        and word.endswith("ly")
        and not word.endswith(("dactyly", "megaly", "cephaly", "somely"))
    )
