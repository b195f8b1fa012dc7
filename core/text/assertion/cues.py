"""Cues of a sentence: phrases of `cues.tsv`, and predicates whose subject is the finding (`predicates`)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from itertools import compress, product

from core.text.assertion.predicates import AMISS, PARTICULAR, PREDICATES, predicate
from core.text.assertion.tables import Cue, Kinds, rows, words_of
from core.text.spans import Words

_Phrases = dict[tuple[str, ...], Kinds]
_Group = tuple[int, int, _Phrases]
"""Phrases of one length, looked up by their word at one place: place, length, phrase -> its kinds."""

_FILLERS = words_of("fillers")
SILENT = frozenset(
    ("ends", "shields", "ignore", "seeing", "particular", "healthy", PARTICULAR, "amiss", AMISS)
)
"""Kinds that give no status by themselves; `seeing` needs a denial, which does."""


@cache
def _phrases() -> _Phrases:
    kinds: dict[tuple[str, ...], set[str]] = {}
    for kind, phrases in rows("cues.tsv"):
        for phrase in phrases.split(" | "):
            for words in product(*(word.split("/") for word in phrase.replace("'", " ").split())):
                kinds.setdefault(words, set()).add(kind)
    return {phrase: frozenset(named) for phrase, named in kinds.items()}


@cache
def _table() -> dict[str, tuple[_Group, ...]]:
    """Word -> groups of phrases that are looked up by it: a filler, a word that is a cue by itself and so is
    looked up anyway, else the rarest one."""
    rank = dict.fromkeys((p[0] for p, kinds in _phrases().items() if len(p) == 1 and kinds - SILENT), 3)
    rank |= dict.fromkeys(words_of("common"), 1) | dict.fromkeys(words_of("frequent"), 0)
    rank |= dict.fromkeys(_FILLERS, 4)
    groups: dict[str, dict[tuple[int, int], _Phrases]] = {}
    for phrase, kinds in _phrases().items():
        at = max(range(len(phrase)), key=lambda i: (rank.get(phrase[i], 2), -i))
        groups.setdefault(phrase[at], {}).setdefault((at, len(phrase)), {})[phrase] = kinds
    return {
        word: tuple((at, length, named) for (at, length), named in several.items())
        for word, several in groups.items()
    }


@cache
def openers() -> frozenset[str]:
    """Words by which cues that give a status are looked up: a sentence without them affirms everything."""
    rows = _phrases().items()
    spoken = {phrase for phrase, kinds in rows if kinds - SILENT}
    return frozenset(
        word
        for word, groups in _table().items()
        for *_, named in groups
        for phrase in named
        if phrase in spoken
    )


@cache
def _filled() -> Kinds:
    """Fillers by which phrases are looked up."""
    return _FILLERS & _table().keys()


def find(found: Words, begin: int, end: int) -> list[Cue]:
    """Cues among words `begin` to `end` (exclusive), leftmost longest, not overlapping."""
    known: list[Cue] | None = found.cues.get((begin, end))
    if known is None:
        known = found.cues[begin, end] = _find(found, begin, end)
    return known


def _find(found: Words, begin: int, end: int) -> list[Cue]:
    words: Sequence[str] = found.words[begin:end]
    places: Sequence[int] = range(begin, end)
    seen = [] if _filled().isdisjoint(words) else _phrases_in(words, places, _filled())  # "no further"
    if not _FILLERS.isdisjoint(words):
        places = [i for i in places if found.words[i] not in _FILLERS]
        words = [found.words[i] for i in places]
    seen += _phrases_in(words, places, _table().keys())
    seen.sort(key=lambda cue: (cue.first, -cue.last))
    result: list[Cue] = []
    after = -1
    for cue in seen:
        if cue.first <= after:
            continue
        after = cue.last
        if not cue.kinds.isdisjoint(PREDICATES):
            predicate(found, cue, begin, result)
        else:
            result.append(cue)
    return result


def _phrases_in(words: Sequence[str], places: Sequence[int], by: Collection[str]) -> list[Cue]:
    """Phrases among words at these places of the text that are looked up by one of `by`."""
    table = _table()
    seen = []
    for i in compress(range(len(words)), map(by.__contains__, words)):
        for at, length, named in table[words[i]]:
            first = i - at
            if first >= 0 and first + length <= len(words):
                kinds = named.get(tuple(words[first : first + length]))
                if kinds:
                    seen.append(Cue(places[first], places[first + length - 1], kinds))
    return seen
