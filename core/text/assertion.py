"""Status of findings: affirmed, negated or uncertain, from cue phrases and their reach.

Rules in the family of NegEx (Chapman et al. 2001) and ConText (Harkema et al. 2009), with tables of our own
(`cues.tsv`). A cue reaches forwards or backwards within its sentence, over lists, at most `REACH` words, up
to the next word that opens a clause. A cue inside a finding ("absent thumb") belongs to it.

Decisions: a negation outweighs a doubt. "Family history of X" makes X uncertain, as it is said of somebody
else and may still matter, while "her mother had X" affirms it: the text says that X was there. "No family
history of X" negates. X is uncertain after "risk of", "screened for" or "suspected".
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence
from functools import cache
from itertools import compress
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from core.records import Assertion
from core.text.sentences import boundaries
from core.text.spans import Words

REACH = 12
"""Words a cue reaches forwards at most; a list of findings after one "no" is longer than a clause."""
_BACK = 4
"""Words that may stand between a finding and a cue behind it."""
_LIST = 30
"""Words that a list of findings before a cue may have."""
_ITEM = 4
"""Words of a list item that is no finding, over which a cue still reaches ("no trauma of knees, fever")."""

_FORWARDS = {"negates": Assertion.NEGATED, "doubts": Assertion.UNCERTAIN}
_BACKWARDS = {"negated": Assertion.NEGATED, "doubted": Assertion.UNCERTAIN}
_VERBAL = frozenset(("not", "cannot", "never", "t"))
"""Cues of a verb, not of a noun: they reach over a comma only from a finding."""


_Place = tuple[int, int]
"""A mention: first word, last word."""


class _Cue(NamedTuple):
    first: int
    last: int
    kinds: frozenset[str]


_FREQUENT = frozenset(
    ("are", "be", "been", "can", "could", "had", "has", "have", "is", "of", "to", "was", "were")
)
"""Words by which no cue is looked up, if it has another."""
_Group = tuple[int, int, dict[tuple[str, ...], frozenset[str]]]
"""Phrases of one length, looked up by their word at one place: place, length, phrase -> its kinds."""


@cache
def _table() -> dict[str, tuple[_Group, ...]]:
    """Word -> groups of phrases that are looked up by it."""
    kinds: dict[tuple[str, ...], set[str]] = {}
    for line in (Path(__file__).parent / "cues.tsv").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            kind, phrases = line.split("\t")
            for phrase in phrases.split(" | "):
                kinds.setdefault(tuple(phrase.replace("'", " ").split()), set()).add(kind)
    groups: dict[str, dict[tuple[int, int], dict[tuple[str, ...], frozenset[str]]]] = {}
    for words, named in kinds.items():
        at = next((i for i, word in enumerate(words) if word not in _FREQUENT), 0)
        groups.setdefault(words[at], {}).setdefault((at, len(words)), {})[words] = frozenset(named)
    return {
        word: tuple((at, length, named) for (at, length), named in rows.items())
        for word, rows in groups.items()
    }


@cache
def _openers() -> frozenset[str]:
    """Words by which cues that give a status are looked up: a text without them affirms everything."""
    given = _FORWARDS.keys() | _BACKWARDS.keys()
    rows = (
        (word, kinds) for word, groups in _table().items() for *_, named in groups for kinds in named.values()
    )
    return frozenset(word for word, kinds in rows if kinds & given)


def _find(words: Sequence[str], begin: int, end: int) -> list[_Cue]:
    """Cues among words `begin` to `end` (exclusive), leftmost longest, not overlapping."""
    table = _table()
    seen = []
    for i in compress(range(begin, end), map(table.__contains__, words[begin:end])):
        for at, length, named in table[words[i]]:
            first = i - at
            if begin <= first and first + length <= end:
                kinds = named.get(tuple(words[first : first + length]))
                if kinds:
                    seen.append(_Cue(first, first + length - 1, kinds))
    found: list[_Cue] = []
    for cue in sorted(seen, key=_longest):
        if not found or cue.first > found[-1].last:
            found.append(cue)
    return found


def _longest(cue: _Cue) -> tuple[int, int]:
    return cue.first, -cue.last


def statuses(found: Words, mentions: Sequence[tuple[int, int]]) -> list[Assertion]:
    """The status of each mention (first word, last word), in the order given."""
    openers = _openers()
    if not mentions or openers.isdisjoint(found.words):
        return [Assertion.AFFIRMED] * len(mentions)
    firsts = [*boundaries(found), len(found.words)]
    opened = {
        bisect_right(firsts, i) for i in compress(range(firsts[-1]), map(openers.__contains__, found.words))
    }
    near: dict[int, list[_Place]] = {}
    for mention in dict.fromkeys(mentions):
        sentence = bisect_right(firsts, mention[0])
        if sentence in opened and mention[1] < firsts[sentence]:
            near.setdefault(sentence, []).append(mention)
    verdict: dict[_Place, Assertion] = {}
    for sentence, together in near.items():
        _judge(found, sorted(together), firsts[sentence - 1], firsts[sentence], verdict)
    return [verdict.get(mention, Assertion.AFFIRMED) for mention in mentions]


def strongest(given: Collection[Assertion]) -> Assertion:
    """The status of a concept with mentions of these: one affirmed mention affirms it.

    Raises:
        ValueError: no mention.
    """
    for status in (Assertion.AFFIRMED, Assertion.UNCERTAIN, Assertion.NEGATED):
        if status in given:
            return status
    raise ValueError("a concept without a mention has no status")


def _judge(
    found: Words, near: Sequence[_Place], begin: int, end: int, verdict: dict[_Place, Assertion]
) -> None:
    """Write the status of every mention of one sentence, given in order, that a cue reaches."""
    cues = _find(found.words, begin, end)
    starts = [first for first, _ in near]
    for at, cue in enumerate(cues):
        reached: list[tuple[_Place, Assertion]] = []
        ahead = near[bisect_right(starts, cue.last) : bisect_right(starts, cue.last + REACH)]
        for kind in cue.kinds & _FORWARDS.keys() if ahead else ():
            limit = _limit(found, ahead, cues, at, end)
            reached += [(m, _FORWARDS[kind]) for m in ahead if m[0] < limit]
        before = near[bisect_left(starts, cue.first - _LIST) : bisect_left(starts, cue.first)]
        for kind in cue.kinds & _BACKWARDS.keys() if before else ():
            reached += [(m, _BACKWARDS[kind]) for m in _listed(found, before, cues, at)]
        for mention, status in reached:
            inside = mention[0] <= cue.first and cue.last <= mention[1]
            if not inside and verdict.get(mention) is not Assertion.NEGATED:
                verdict[mention] = status


def _limit(found: Words, ahead: Sequence[_Place], cues: Sequence[_Cue], at: int, end: int) -> int:
    """The first word that a cue does not reach any more."""
    cue = cues[at]
    limit = min(end, cue.last + 1 + REACH)
    for other in cues[at + 1 : at + 1 + REACH]:
        if "ends" in other.kinds and cue.last + 1 < other.first < limit:  # "did not have" goes on
            limit = other.first
            break
    item = cue.last + 1
    for i in range(cue.last + 2, limit):
        gap = found.gaps[i]
        if ";" in gap or ":" in gap:
            return i
        if "," not in gap:
            continue
        finding = any(a < i and item <= b for a, b in ahead)
        first = item == cue.last + 1
        if not finding and (i - item > _ITEM or (first and found.words[cue.last] in _VERBAL)):
            return i
        if first and found.words[i] == "and":  # a list of two has no comma: here begins something else
            return i
        item = i
    return limit


def _listed(found: Words, before: Sequence[_Place], cues: Sequence[_Cue], at: int) -> list[_Place]:
    """Mentions that a cue reaches backwards: the nearest one and those listed before it."""
    cue = cues[at]
    begin = before[0][0]
    for other in reversed(cues[max(0, at - _LIST) : at]):
        if other.last < cue.first - 1 and "ends" in other.kinds:  # "have not been seen" is one cue
            begin = other.last + 1
            break
    reached: list[_Place] = []
    edge = cue.first
    whole = [m for m in before if begin <= m[0] and m[1] < edge]
    for first, last in sorted(whole, key=itemgetter(1), reverse=True):
        gaps = found.gaps[last + 1 : edge + 1]
        if edge - last - 1 > _BACK or any(";" in gap or ":" in gap for gap in gaps):
            break
        reached.append((first, last))
        edge = min(edge, first)
    return reached
