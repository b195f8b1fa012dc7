"""Abbreviations that a text defines itself: "atrial septal defect (ASD)".

Where the words before the bracket are a mention whose letters make the short form, every other place of the
short form is a mention of the same concept. Where they are something else, names of the ontology that happen
to be written like the short form are not meant.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from core.concepts.lexicon.matching import Mention
from core.text.spans import Words

_LONGEST = 8
"""Letters of a short form."""


def expand(found: Words, mentions: list[Mention]) -> list[Mention]:
    """The mentions, with those of defined short forms added and those of other things so called removed."""
    defined = _defined(found)
    if not defined:
        return mentions
    ending: dict[int, list[Mention]] = {}
    for mention in mentions:
        if not mention.split:
            ending.setdefault(mention.last, []).append(mention)
    meanings: dict[str, Mention | None] = {}
    for at, short in defined:
        letters = short.rstrip("s").lower()
        before = [m for m in ending.get(at - 1, ()) if _made_of(letters, found.words[m.first : at])]
        if before:
            meanings.setdefault(short, min(before, key=lambda m: m.first))
        elif _made_of(letters, found.words[max(0, at - len(letters)) : at]):
            meanings.setdefault(short, None)
    if not meanings:
        return mentions
    lowered = {short.lower() for short in meanings}
    places: dict[int, Mention | None] = {}
    for i in found.among(lowered):
        written = found.text[found.starts[i] : found.end(i)]
        if written in meanings:
            places[i] = meanings[written]
    kept = [m for m in mentions if m.first != m.last or m.first not in places]
    return kept + [
        long._replace(first=i, last=i, meaning=found.span(long.first, long.last).quote)
        for i, long in places.items()
        if long is not None
    ]


def _bracketed(found: Words) -> Iterator[int]:
    """Words right behind an opening bracket, but for the first word."""
    text, starts = found.text, found.starts
    at = text.find("(")
    while at >= 0:
        i = bisect_left(starts, at)
        if 0 < i < len(starts) and starts[i] == at + 1:
            yield i
        at = text.find("(", at + 1)


def _defined(found: Words) -> list[tuple[int, str]]:
    """Places and texts of short forms in brackets: one word of two or more letters, mostly capitals."""
    result = []
    for i in _bracketed(found):
        if found.gaps[i + 1].startswith(")") and 2 <= len(found.words[i]) <= _LONGEST:
            short = found.text[found.starts[i] : found.end(i)]
            if sum(map(str.isupper, short)) >= max(2, len(short) - 2):
                result.append((i, short))
    return result


def _made_of(letters: str, words: Sequence[str]) -> bool:
    """Whether letters are initials of the words, in any order, or stand in the words in this order."""
    if not words or not letters or letters[0] not in {word[0] for word in words}:
        return False
    initials = "".join(word[0] for word in words)
    remaining = iter("".join(words))
    return all(initials.count(c) >= letters.count(c) for c in letters) or (
        words[0][0] == letters[0] and all(c in remaining for c in letters)
    )
