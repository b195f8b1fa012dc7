"""Abbreviations that a text defines itself: "atrial septal defect (ASD)".

Where the words before the bracket are a mention whose letters make the short form, every other place of the
short form is a mention of the same concept. Where they are something else, names of the ontology that happen
to be written like the short form are not meant.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import compress

from core.concepts.lexicon.matching import Mention
from core.text.spans import Words

_LONGEST = 8
"""Letters of a short form."""


def expand(found: Words, mentions: list[Mention]) -> list[Mention]:
    """The mentions, with those of defined short forms added and those of other things so called removed."""
    for at, short in list(_defined(found)):
        letters = short.rstrip("s").lower()
        long = max(
            (
                m
                for m in mentions
                if m.last == at - 1 and not m.split and _made_of(letters, found.words[m.first : at])
            ),
            key=lambda m: m.last - m.first,
            default=None,
        )
        alike = compress(range(len(found.words)), map(short.lower().__eq__, found.words))
        places = [i for i in alike if found.text[found.starts[i] : found.end(i)] == short]
        if long is not None:
            meaning = found.span(long.first, long.last).quote
            mentions = [m for m in mentions if not (m.first == m.last and m.first in places)]
            mentions += [long._replace(first=i, last=i, split=False, meaning=meaning) for i in places]
        elif _made_of(letters, found.words[max(0, at - len(letters)) : at]):
            mentions = [
                m
                for m in mentions
                if m.first not in places or m.first != m.last or not any(name.acronym for name in m.names)
            ]
    return mentions


def _defined(found: Words) -> Iterator[tuple[int, str]]:
    """Places and texts of short forms in brackets: one word of two or more letters, mostly capitals."""
    for i, gap in enumerate(found.gaps):
        if 0 < i < len(found.words) and gap.endswith("(") and found.gaps[i + 1].startswith(")"):
            short = found.text[found.starts[i] : found.end(i)]
            if 2 <= len(short) <= _LONGEST and sum(c.isupper() for c in short) >= max(2, len(short) - 2):
                yield i, short


def _made_of(letters: str, words: Sequence[str]) -> bool:
    """Whether letters are initials of the words, in any order, or stand in the words in this order."""
    if not words or not letters or letters[0] not in {word[0] for word in words}:
        return False
    initials = "".join(word[0] for word in words)
    remaining = iter("".join(words))
    return all(initials.count(c) >= letters.count(c) for c in letters) or (
        words[0][0] == letters[0] and all(c in remaining for c in letters)
    )
