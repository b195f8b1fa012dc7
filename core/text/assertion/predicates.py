"""Predicates whose subject is the finding.

A predicate is its last word with what leads up to it: "has also been ruled out", "came back negative", "were
never seen". That chain says what the word means: "was ruled out" denies, "could not be ruled out" doubts, and
"were seen" says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from core.text.assertion.tables import Cue, words_of
from core.text.spans import Words

_JOINED = 4
"""Words between a predicate and the "and" or "but" by which another one follows it."""
_CHAIN = 8
"""Words that a predicate has at most before its last one."""
_COPULAS, _DENIALS, _MODEST = words_of("copulas"), words_of("denials"), words_of("modest")
_OWED, _ARTICLES = words_of("owed"), words_of("articles")
_LINKING = words_of("copulas", "auxiliaries", "denials", "modest", "owed", "articles", "fillers", "linking")
_BREAKS, _BEHIND = words_of("joins", "strong"), words_of("behind")


class _Chain(NamedTuple):
    """What leads up to the last word of a predicate."""

    first: int
    copula: bool
    active: bool
    """It has no copula: "did not develop"."""
    denied: bool
    modest: bool
    """ "may have been". """
    owed: bool
    """ "must be", "remains to be": nobody has done it yet."""

    @property
    def plain(self) -> bool:
        """Whether it says that something is so."""
        return not (self.denied or self.modest or self.owed)


NEGATED, DOUBTED, SOUND = "negated", "doubted", "found_sound"
PARTICULAR, AMISS = "found_particular", "found_amiss"
"""Kinds of a predicate, of what it says of its subject."""
_Meaning = str | None
PREDICATES: dict[str, Callable[[_Chain], _Meaning]] = {
    "excluding": lambda c: DOUBTED if c.denied or c.modest or c.owed else NEGATED,
    "lacking": lambda c: None if c.denied else DOUBTED if c.modest else NEGATED,
    "seeing": lambda c: NEGATED if c.denied else DOUBTED if c.modest else None,
    "sound": lambda c: SOUND if c.plain else None,
    "particular": lambda c: PARTICULAR if c.plain else None,
    "amiss": lambda c: None if c.denied or c.modest else AMISS,
    "healthy": lambda c: PARTICULAR if c.plain else None,
    "doubting": lambda c: None if c.denied else DOUBTED,
    "likely": lambda c: DOUBTED,
}
_CONTINUED = {
    "seeing": frozenset(("with", "to", "as", "from", "until", "having")),
    "excluding": frozenset(("for", "from", "having")),
}
"""Before such a word, "not diagnosed with", "was ruled out for" speaks of what follows."""
_BARE = frozenset(("sound", "particular"))
_NOTED = _BARE | {"lacking", "excluding"}
"""Kinds that notes tell without a verb."""
_NEARLY = _LINKING | words_of("led", "placed", "joins") | {"near", "almost", "half", "than", "more"}
"""Words before "normal" that make something else of it: "back to normal"."""
_SURE = frozenset(("confirmed", "proven", "verified", "established"))
_CAUSES = frozenset(("cause", "reason", "explanation"))
"""But "ruled out as the cause" speaks of what stands before."""
_ASIDE = frozenset(("however", "therefore", "thus", "though", "then"))
_RANGE = re.compile(r"(?:\s(?:ranges?|values?|limits?|levels?))?[\s:=,]*(?:[<>\u2264\u2265]\s*|up to )?\d")
_NOVEL = frozenset(("previously", "hitherto", "always", "necessarily", "before"))
"""Not reported before, not always seen: found all the same."""


def predicate(found: Words, cue: Cue, begin: int, result: list[Cue]) -> None:
    """Add what the last word of a predicate is: a predicate, or whatever it is by itself."""
    words = found.words
    (kind,) = cue.kinds & PREDICATES.keys()
    if kind == "lacking" and ":" in found.gaps[cue.last + 1]:  # "Negative: fever, cough."
        result.append(cue._replace(kinds=frozenset(("negates",))))
        return
    if kind == "sound" and found.gaps[cue.first] == "-":  # "half-normal"
        return
    chain = _chain(found, cue.first, begin)
    follows = words[cue.last + 1] if cue.last + 1 < len(words) and found.gaps[cue.last + 1] == " " else ""
    if kind == "seeing" and follows == "neither":  # "noticed neither at home nor at school"
        chain = chain._replace(denied=True)
    if words[cue.last + 1 : cue.last + 3] == ["to", "date"]:
        follows = ""
    if kind in _CONTINUED and not chain.active:
        continued = follows in _CONTINUED[kind] and _CAUSES.isdisjoint(words[cue.last + 2 : cue.last + 4])
    else:  # "was normal" and no more, not "was a normal reflex"
        continued = bool(follows) and not (follows in _BEHIND or is_adverb(follows))
    noted = kind in _NOTED and _noted(found, cue, begin)
    joined = _joined(found, chain.first, begin, result) if chain.active else None
    if joined:
        if kind == "seeing" and not chain.denied:  # "was suspected and confirmed"
            result[result.index(joined)] = joined._replace(kinds=frozenset(("ignore",)))
            return
        chain, noted = chain._replace(first=joined.first), True
    there = chain.first > begin and words[chain.first - 1] == "there"
    if continued or there or not (chain.copula or noted):
        rest = cue.kinds - PREDICATES.keys()
        if rest and not (follows == "from" and "negates" in rest):
            result.append(cue._replace(kinds=rest))
        return
    if kind == "seeing" and not chain.denied and not chain.modest:
        open_ = chain.owed or "to" in words[chain.first : cue.first]  # "suspected ataxia, to be confirmed"
        if words[cue.last] in _SURE and not open_:  # "the suspicion of ataxia was confirmed"
            _confirm(result, chain.first)
        return
    meaning = PREDICATES[kind](chain)
    while result and result[-1].last >= chain.first:
        if "ignore" in result[-1].kinds and result[-1].last > chain.first:
            return
        result.pop()
    if not _NOVEL.isdisjoint(words[chain.first : cue.first]):
        meaning = None
    result.append(Cue(chain.first, cue.last, frozenset((meaning or "ignore",))))


def _confirm(result: list[Cue], first: int) -> None:
    """Silence the doubt that stands before a finding of which a predicate says that it is so."""
    for at, one in enumerate(result):
        if "doubts" in one.kinds and 0 < first - one.last <= _CHAIN:
            result[at] = one._replace(kinds=frozenset(("ignore",)))


def _joined(found: Words, first: int, begin: int, result: Sequence[Cue]) -> Cue | None:
    """The predicate that a second one without a copula follows: "was suspected but then excluded"."""
    words = found.words
    i = first - 1
    while i > begin and (words[i] in words_of("fillers", "linking") or is_adverb(words[i])):
        i -= 1
    if words[i] not in _BREAKS:
        return None
    near = (one for one in reversed(result) if "ends" not in one.kinds)
    return next((one for one in near if i - one.last <= _JOINED and DOUBTED in one.kinds), None)


def _noted(found: Words, cue: Cue, begin: int) -> bool:
    """Whether it ends a line of a note: "Cleft palate: absent", "rheumatoid factor negative,"."""
    if cue.first == begin:
        return False
    before, after = found.gaps[cue.first], found.gaps[cue.last + 1]
    if _RANGE.match(found.text, found.end(cue.last)):
        return False  # "(normal < 40)" tells what would be normal
    if found.words[cue.last] == "free":  # "seizure-free", "was seizure free"
        told = cue.first > begin + 1 and found.words[cue.first - 2] in _COPULAS
        return before == "-" or (told and before == " ")
    if ":" in before or before in (" - ", " – ", " (", "="):
        return True
    closed = cue.last + 1 == len(found.words) or after[:1] in (".", ",", ";", ")", "\n", "")
    follows = "" if closed else found.words[cue.last + 1]
    if "lacking" in cue.kinds:
        return before == " " and (closed or follows in _BREAKS)
    bare = not cue.kinds.isdisjoint(_BARE) and found.words[cue.first - 1] not in _NEARLY  # "lungs clear"
    return before == " " and bare and (closed or follows in _BEHIND)


def _chain(found: Words, first: int, begin: int) -> _Chain:
    """What leads up to word `first`, from right to left."""
    words, gaps = found.words, found.gaps
    i = first
    copula = denied = modest = owed = False
    while i > begin and first - i < _CHAIN and (gaps[i] == " " or _parted(gaps[i], words[i - 1], words[i])):
        word = words[i - 1]
        if word == "no" and words[i] != "longer":
            break
        if word not in _LINKING and not is_adverb(word):
            break
        i -= 1
        copula = copula or word in _COPULAS
        denied = denied or word in _DENIALS
        modest = modest or word in _MODEST
        owed = owed or word in _OWED
    while i < first and words[i] in _ARTICLES:
        i += 1
    return _Chain(i, copula or denied or modest, not copula, denied, modest, owed)


def is_adverb(word: str) -> bool:
    """Whether a word is an adverb in -ly, as microcephaly, hepatomegaly and polydactyly are not."""
    return word.endswith("ly") and not word.endswith(("aly", "dactyly", "family", "only"))


def _parted(gap: str, before: str, word: str) -> bool:
    """Whether a comma or apostrophe stands inside a chain: "was, however, absent", "wasn't seen"."""
    return gap in ("'", "’") or (gap == ", " and (before in _ASIDE or word in _ASIDE))
