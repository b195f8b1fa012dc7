"""What a text says to be as it should be: normal, negative in a test, or not changed.

Each is told by its words, whether a finding is named there or not: of "hearing was normal" it is "hearing".
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence, Set
from typing import NamedTuple

from core.text.assertion.predicates import AMISS, NEGATED, PARTICULAR, SOUND
from core.text.assertion.reach import LIST
from core.text.assertion.sentence import Sentence
from core.text.assertion.tables import Cue, words_of
from core.text.sentences import boundaries
from core.text.spans import Words

_BEHIND, _BOUNDS = words_of("behind"), words_of("bounds")
_OWNERS, _PARTICULAR = words_of("owners") | {"the"}, words_of("particular")
_SUBJECTS = words_of("subjects")
"""What is called normal by the words of `particular`."""
_WITH = words_of("led", "placed", "joins", "inside")
FELT = "palpable"
"""An organ that is not palpable is not enlarged."""
_EXCEPT = frozenset(("except", "excepting", "exception", "apart", "aside", "besides", "than"))
_ABNORMAL = frozenset(("abnormal",))
_TESTED, _NOT, _DENIABLE = frozenset(("negative",)), frozenset(("not",)), words_of("changes") | {FELT}
_DENIED = 3
"""Words behind "not" among which the change stands: "not been raised"."""

_Place = tuple[int, int]
"""First word, last word."""


class Normal(NamedTuple):
    """What one word calls normal."""

    places: list[_Place]
    """What "and" joins, in the order of the text."""
    by: str = ""
    """The word, where it says so of some things alone."""
    at: int | None = None
    """Where it stands, where it does not say so of every finding."""


def normal(found: Words) -> list[Normal]:
    """What is said to be normal: "hearing" in "normal hearing, short stature"."""
    told: list[Normal] = []
    particular = [] if _SUBJECTS.isdisjoint(found.distinct) else found.among(_PARTICULAR)
    for whole in _sentences(found, found.among(words_of("sounding")) + particular):
        for cue in () if _excepted(whole) else whole.cues:
            if SOUND in cue.kinds:
                told.append(Normal(_listed_before(whole, cue)[::-1]))
            elif PARTICULAR in cue.kinds:
                word = found.words[cue.last]
                by = word if word in _PARTICULAR else ""
                told.append(Normal(_listed_before(whole, cue)[::-1], by, cue.last))
            elif "normals" in cue.kinds:
                told.append(Normal(_listed_behind(whole, cue)))
    return told


def _excepted(whole: Sentence) -> bool:
    """Whether something is not normal: "normal apart from" it."""
    said = (whole.found.words[cue.first : cue.last + 1] for cue in whole.cues if "shields" in cue.kinds)
    return any(not _EXCEPT.isdisjoint(phrase) for phrase in said)


def negative(found: Words) -> list[_Place]:
    """What a test was negative for: "rheumatoid factor was negative"."""
    return [
        place
        for whole in _sentences(found, found.among(_TESTED))
        for cue in whole.cues
        if NEGATED in cue.kinds and found.words[cue.last] == "negative"
        for place in _listed_before(whole, cue)
    ]


def free_of(found: Words, tested: Set[str], held: Set[str]) -> list[int]:
    """Words of `held` that a sentence on what was `tested` is negative for: "blood" in "urine was negative
    for blood"."""
    words = found.words
    return [
        i
        for whole in _sentences(found, found.among(_TESTED) if not tested.isdisjoint(found.distinct) else [])
        if not tested.isdisjoint(words[whole.begin : whole.end])
        for cue in whole.cues
        if words[cue.first : cue.last + 1] == ["negative", "for"]
        for i in range(cue.last + 1, whole.clause(cue.last)[1])
        if words[i] in held
    ]


def abnormal(found: Words) -> list[tuple[_Place, int]]:
    """What is said to be abnormal, with the place of that word: "EEG" in "the EEG was abnormal"."""
    return [
        (place, cue.last)
        for whole in _sentences(found, found.among(_ABNORMAL))
        for cue in whole.cues
        if AMISS in cue.kinds
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
    last = i = _aside(whole, begin, cue.first) - 1
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
        if words[i] in _OWNERS and i < last and i > begin and words[i - 1] not in _WITH:
            return [*places, (i, last)]  # "despite the skeletal changes his intelligence"
        i -= 1
    return [*places, (begin, last)] if begin <= last else places


def _aside(whole: Sentence, begin: int, end: int) -> int:
    """The word behind the subject of what begins at word `end`: "color vision" of "color vision, tested with
    plates, was normal"."""
    words, gaps = whole.found.words, whole.found.gaps
    if "," not in gaps[end]:
        return end
    comma = next((k for k in range(end - 1, begin, -1) if "," in gaps[k]), begin)
    told = comma > begin and (words[comma] in _WITH or words[comma].endswith(("ed", "ing")))
    return comma if told else end


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
