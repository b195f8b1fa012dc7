"""What a text says to be as it should be: normal, negative in a test, or not changed.

Each is told by its words, whether a finding is named there or not: of "hearing was normal" it is "hearing".
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from core.text.assertion.cues import NEGATED, SOUND, Cue, words_of
from core.text.assertion.reach import LIST
from core.text.assertion.sentence import Sentence
from core.text.sentences import boundaries
from core.text.spans import Words

_BEHIND, _BOUNDS = words_of("behind"), words_of("bounds")
FELT = "palpable"
"""An organ that is not palpable is not enlarged."""
_TESTED, _NOT, _DENIABLE = frozenset(("negative",)), frozenset(("not",)), words_of("changes") | {FELT}
_DENIED = 3
"""Words behind "not" among which the change stands: "not been raised"."""

_Place = tuple[int, int]
"""First word, last word."""


def normal(found: Words) -> list[_Place]:
    """What is said to be normal: "hearing" in "normal hearing, short stature"."""
    places: list[_Place] = []
    for whole in _sentences(found, found.among(words_of("sounding"))):
        for cue in () if whole.shields else whole.cues:  # "normal apart from" something
            if SOUND in cue.kinds:
                places += _listed_before(whole, cue)
            elif "normals" in cue.kinds:
                places += _listed_behind(whole, cue)
    return places


def negative(found: Words) -> list[_Place]:
    """What a test was negative for: "rheumatoid factor was negative"."""
    return [
        place
        for whole in _sentences(found, found.among(_TESTED))
        for cue in whole.cues
        if NEGATED in cue.kinds and found.words[cue.last] == "negative"
        for place in _listed_before(whole, cue)
    ]


def unchanged(found: Words) -> list[tuple[_Place, int]]:
    """What is said not to be changed, with the word of the change: "liver" in "the liver was not
    enlarged"."""
    words = found.words
    places = found.among(_NOT) if not found.distinct.isdisjoint(_DENIABLE) else []
    denied = [i for i in places if not _DENIABLE.isdisjoint(words[i + 1 : i + 1 + _DENIED])]
    result: list[tuple[_Place, int]] = []
    for whole in _sentences(found, denied):
        for cue in whole.cues:
            felt = NEGATED in cue.kinds and words[cue.last] == FELT
            if felt or "unchanged" in cue.kinds:
                result += ((place, cue.last) for place in _listed_before(whole, cue))
    return result


def _sentences(found: Words, places: Sequence[int]) -> Iterator[Sentence]:
    """The sentences of these words."""
    firsts = [*boundaries(found), len(found.words)] if places else []
    for sentence in sorted({bisect_right(firsts, i) for i in places}):
        yield Sentence(found, (), firsts[sentence - 1], firsts[sentence])


def _listed_before(whole: Sentence, cue: Cue) -> list[_Place]:
    """The phrases that "were normal": one, or several with "and" before the last one."""
    words, gaps = whole.found.words, whole.found.gaps
    begin = max(whole.clause(cue.first)[0], cue.first - LIST)
    places: list[_Place] = []
    last = i = cue.first - 1
    joined = False
    while i >= begin:
        at_join = words[i] in ("and", "or", "nor")
        apart = i < last and ("," in gaps[i + 1] or ":" in gaps[i + 1])
        if at_join or apart:
            first = i + 1
            if first <= last:
                places.append((first, last))
            if not (at_join or joined):
                return places
            joined = joined or at_join
            last = i - 1 if at_join else i
        if not at_join and (words[i] in _BOUNDS or ";" in gaps[i + 1]):
            return [*places, (i + 1, last)] if i < last else places
        i -= 1
    return [*places, (begin, last)] if begin <= last else places


def _listed_behind(whole: Sentence, cue: Cue) -> list[_Place]:
    """The phrases that "normal" describes: one, or several with "and" before the last one."""
    words, gaps = whole.found.words, whole.found.gaps
    places: list[_Place] = []
    first, end = cue.last + 1, whole.clause(cue.last)[1]
    joined = False
    while first < end:
        last = first
        while last + 1 < end and gaps[last + 1] in (" ", "-") and words[last + 1] not in _BEHIND:
            last += 1
        places.append((first, last))
        apart = last + 1 < end and gaps[last + 1] in (" ", ", ")
        if joined or not apart:
            break
        joined = words[last + 1] in ("and", "or")
        if not joined and gaps[last + 1] == " ":
            break
        first = last + 1 + joined
    return places if joined else places[:1]
