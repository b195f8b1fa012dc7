"""Measured findings: "CK was raised", "low iron, ferritin and zinc", "alkaline phosphatase 485 (38-126)".

A direction belongs to the substances it stands before, or of which it is said; one direction can serve a
list. A number gives the direction where the text itself says what is normal.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from core.concepts.lexicon.index import Index, measurement
from core.concepts.lexicon.matching import Level, Mention
from core.concepts.lexicon.sizes import Sizes, sizes_before
from core.concepts.lexicon.substances import (
    BLOOD,
    CSF,
    LONGEST,
    UP,
    URINE,
    Meaning,
    Substances,
    direction,
    words_of,
)
from core.concepts.lexicon.values import deviation, ranged, stated_ranges
from core.concepts.lexicon.vocabulary import COORDINATORS, STOP_WORDS, family, listed
from core.text.sentences import boundaries
from core.text.spans import Memo, Words

_BACK = 7
"""Words between a substance and what is said of it."""
_DEVIATING = listed("sd sds deviation deviations percentile percentiles centile centiles")
_Range = tuple[int, re.Match[str]]


class _Span(NamedTuple):
    """A substance in a text."""

    first: int
    last: int
    meaning: Meaning


class Measured(NamedTuple):
    """Words `first` to `last` of a text, which say a concept by a measurement."""

    first: int
    last: int
    concept: int
    name: str


def measured(found: Words, index: Index) -> list[Mention]:
    """The mentions of measured findings, in no particular order."""
    result = []
    for one in readings(found, index.substances, index.sizes):
        names = (measurement(one.concept, one.name),)
        result.append(Mention(one.first, one.last, names, Level.DERIVED, True, False, measured=True))
    return result


def readings(found: Words, substances: Substances, sizes: Sizes) -> Iterator[Measured]:
    """All that a text says by measurements."""
    said = found.words
    spoken = found.among(_triggers())
    ranges = list(stated_ranges(found.text))
    if not spoken and not ranges:
        return
    firsts = [*boundaries(found), len(said)]
    asked: dict[int, tuple[list[int], list[_Range]]] = {}
    for i in spoken:
        asked.setdefault(bisect_right(firsts, i), ([], []))[0].append(i)
    for opens, match in ranges:
        asked.setdefault(bisect_right(firsts, bisect_right(found.starts, opens) - 1), ([], []))[1].append(
            (opens, match)
        )
    compared = words_of("compared")
    for at, (here, values) in asked.items():
        begin, end = firsts[at - 1], firsts[at]
        among = () if compared.isdisjoint(said[begin:end]) else range(begin, end)
        if all(said[i] not in compared or _bounds(found, i) for i in among):  # no groups that are compared
            meant = [i for i in here if not _means_else(found, i)]
            spans = _spans(found, begin, end, substances) if meant or values else []
            if spans or not _DEVIATING.isdisjoint(said[begin:end]):
                yield from _Reading(found, begin, end, spans, sizes).read(meant, values)


@cache
def _triggers() -> frozenset[str]:
    return (words_of("up", "down") | {"fold"} | _DEVIATING) - words_of("defining")


def _bounds(found: Words, i: int) -> bool:
    """Whether a "than" stands before a bound, not before a group: "less than the 3rd percentile"."""
    behind = found.words[i + 1 : i + 4]
    return found.words[i] == "than" and not _DEVIATING.isdisjoint(behind)


def _means_else(found: Words, i: int) -> bool:
    """Whether a word of direction is part of another one ("low-density") or a verb: "it reduced glucose"."""
    words, gaps = found.words, found.gaps
    follows, before = words[i + 1 : i + 2], words[i - 1] if i else ""
    if "-" in gaps[i + 1] or follows == ["density"]:
        return True
    if words[i] in words_of("noun"):
        return gaps[i + 1] == " " and bool(follows) and follows[0] not in ("in", "of")
    if before.endswith("ly") and i > 1:
        before = words[i - 2]
    return words[i] in words_of("verb") and gaps[i] == " " and not (before in _leading() or before.isdigit())


@cache
def _leading() -> frozenset[str]:
    return _light() | COORDINATORS | words_of("before")


@cache
def _silent() -> frozenset[str]:
    return _light() | words_of("up", "down")


@cache
def _light() -> frozenset[str]:
    return words_of("filler") | STOP_WORDS


_TOLD: Memo[str] = Memo(lambda word: "" if word in _silent() else family(word))
"""The family of a word, nothing for one that tells no substance."""


def _spans(found: Words, begin: int, end: int, substances: Substances) -> list[_Span]:
    """Substances of a sentence, leftmost longest."""
    starts = substances.starts
    families = map(_TOLD.__getitem__, found.words[begin:end])
    told = [(i, one) for i, one in enumerate(families, begin) if one]
    spans: list[_Span] = []
    after = 0
    for k in [k for k, (_, one) in enumerate(told) if one in starts]:
        if k < after:
            continue
        n = 1
        while (
            n < LONGEST
            and k + n < len(told)
            and told[k + n][1] in starts
            and _adjoin(found, told[k + n - 1][0], told[k + n][0])
        ):
            n += 1
        while n and frozenset(word for _, word in told[k : k + n]) not in substances.by_bag:
            n -= 1
        if n:
            part = told[k : k + n]
            spans.append(_Span(part[0][0], part[-1][0], substances.by_bag[frozenset(w for _, w in part)]))
        after = k + n
    return spans


def _adjoin(found: Words, before: int, i: int) -> bool:
    """Whether at most words that tell nothing and hyphens stand between two words."""
    return all(found.gaps[at].strip() in ("", "-") for at in range(before + 1, i + 1))


class _Reading:
    """One sentence with its substances."""

    def __init__(self, found: Words, begin: int, end: int, spans: Sequence[_Span], sizes: Sizes) -> None:
        self.found, self.begin, self.end, self.spans, self.sizes = found, begin, end, spans, sizes

    def read(self, spoken: Sequence[int], values: Sequence[_Range]) -> Iterator[Measured]:
        for at in spoken:
            word = self.found.words[at]
            way = direction(word)
            if word == "fold":
                follows = self.found.words[at + 1 : at + 3]
                if not any(direction(w) for w in follows if w != "upper"):
                    yield from self._said_of(at, UP)
            elif way:
                behind = list(self._behind(at, way))
                yield from behind or self._said_of(at, way)
        deviating = [at for at in spoken if self.found.words[at] in _DEVIATING]
        yield from self._numbers(values, deviating)

    # --- where a direction stands before a substance --------------------------------------------------------

    def _behind(self, at: int, way: int) -> Iterator[Measured]:
        """ "elevated CK", "an increase in lactate and pyruvate"."""
        edge = at
        listed = False
        for span in self.spans:
            if span.first <= at:
                continue
            if not self._joined(edge, span.first, listed=listed):
                return
            yield from self._told(span, way, at, span.last)
            edge, listed = span.last, True

    def _joined(self, last: int, first: int, *, listed: bool) -> bool:
        """Whether only words of measuring, and in a list a comma or "and", stand between two words."""
        words, gaps = self.found.words, self.found.gaps
        inner = 0
        for i in range(last + 1, first + 1):
            gap = gaps[i]
            inner += gap.count("(") - gap.count(")")
            if not listed and (inner > 0 or ")" in gap):
                return False
            if inner > 0:
                continue
            if ")" not in gap and gap.strip() not in ("", "-") and not (listed and gap.strip() in (",", "/")):
                return False
            light = listed if words[i] in COORDINATORS else words[i] in _light()
            if i < first and not light:
                return False
        between = words[last + 1 : first]
        return not listed or "," in "".join(gaps[last + 1 : first + 1]) or "and" in between or "or" in between

    # --- where it is said of a substance --------------------------------------------------------------------

    def _said_of(self, at: int, way: int) -> Iterator[Measured]:
        """ "CK was raised", "Y and Z were raised"."""
        words, gaps = self.found.words, self.found.gaps
        before = [span for span in self.spans if span.last < at]
        if not before or at - before[-1].last > _BACK:
            return
        linked = words[at] in words_of("moved")
        inner = 0
        for i in range(before[-1].last + 1, at + 1):
            gap = gaps[i]
            inner += gap.count("(") - gap.count(")")
            if inner > 0 or ")" in gap:
                continue
            if any(mark in gap for mark in ",;"):
                return
            linked = linked or ":" in gap or "=" in gap
            if i < at:
                if words[i] in words_of("against"):
                    return
                linked = linked or words[i] in words_of("link")
                if not (words[i] in words_of("link", "filler") or words[i].isdigit() or words[i] == "fold"):
                    return
        closed = at + 1 == self.end or gaps[at + 1][:1] in (".", ",", ";", ")")
        if not linked and not closed:
            return
        edge = at
        for span in reversed(before):
            if edge != at and not self._joined(span.last, edge, listed=True):
                return
            if edge == at or not any(direction(w) for w in words[span.last + 1 : edge]):
                yield from self._told(span, way, span.first, at)
            edge = span.first

    # --- where a number says it -----------------------------------------------------------------------------

    def _numbers(self, values: Sequence[_Range], deviating: Sequence[int]) -> Iterator[Measured]:
        found = self.found
        for opens, match in values:
            end, way = ranged(found.text, found.starts[self.begin], opens, match)
            if way:
                yield from self._nearest(bisect_left(found.starts, end) - 1, way)
        for at in deviating:
            way, start = deviation(found.text, found.starts[max(self.begin, at - 4)], found.starts[at])
            if way:
                sizes = list(self._sized(at, bisect_left(found.starts, start), way))
                yield from sizes or self._nearest(at, way)

    def _sized(self, at: int, first: int, way: int) -> Iterator[Measured]:
        """The sizes of the body that a deviation from word `first` to `at` is about."""
        for size in sizes_before(self.found, self.begin, first):
            meant = self.sizes.meaning(size.phrase, way)
            if meant is not None:
                yield Measured(size.first, at, *meant)

    def _nearest(self, at: int, way: int) -> Iterator[Measured]:
        """The substance that a number is about: the nearest before it."""
        before = [span for span in self.spans if span.last < at]
        if before and at - before[-1].last <= _BACK + 1:
            between = range(before[-1].last + 1, at + 1)
            words, gaps = self.found.words, self.found.gaps
            if not any(";" in gaps[i] or words[i] in words_of("against") for i in between):
                yield from self._told(before[-1], way, before[-1].first, at)

    def _told(self, span: _Span, way: int, first: int, last: int) -> Iterator[Measured]:
        """The concept of a substance with a direction, where there is one."""
        behind = span.last + 1
        if (
            behind < self.end
            and self.found.gaps[behind] == " "
            and self.found.words[behind] in words_of("other")
        ):
            return
        around = self.found.words[max(self.begin, span.first - 2) : span.last + 4]
        where = URINE if not words_of("urine").isdisjoint(around) else BLOOD
        where = CSF if not words_of("csf").isdisjoint(around) else where
        meant = span.meaning.get((way, where))
        if meant is not None:
            yield Measured(min(first, span.first), max(last, span.last), *meant)
