"""Status of findings: affirmed, negated or uncertain, from cue phrases and their reach.

Rules in the family of NegEx (Chapman et al. 2001) and ConText (Harkema et al. 2009), with tables of our own
(`cues.tsv`). A cue reaches forwards or backwards within its sentence, over lists, at most `REACH` words, up to the
next word that opens a clause. A cue inside a finding ("absent thumb", "no teeth") belongs to the finding.

Decisions: a negation outweighs a doubt; "family history of X" makes X uncertain, because it is asserted of
somebody else and may still matter, while a relative who "has X" affirms it; X is uncertain after "risk of",
"screened for" or "suspected".
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from core.records import Assertion
from core.text.sentences import boundaries
from core.text.spans import Words

REACH = 12
"""Words a cue reaches at most; lists of findings after one "no" are longer than clauses."""
_BACK = 6
"""Words that may stand between a finding and a cue behind it."""
_UNTIL_COMMA = 4
"""A comma ends the reach of a cue unless a finding or a list item of at most this many words stands before it."""

_Phrase = tuple[str, ...]


@cache
def _cues() -> dict[str, tuple[tuple[_Phrase, frozenset[str]], ...]]:
    """First word -> phrases that begin with it, longest first, each with its kinds."""
    kinds: dict[_Phrase, set[str]] = {}
    for line in (Path(__file__).parent / "cues.tsv").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            kind, phrases = line.split("\t")
            for phrase in phrases.split(" | "):
                kinds.setdefault(tuple(phrase.replace("n't", "n t").split()), set()).add(kind)
    table: dict[str, list[tuple[_Phrase, frozenset[str]]]] = {}
    for words, named in kinds.items():
        table.setdefault(words[0], []).append((words, frozenset(named)))
    return {first: tuple(sorted(rows, key=lambda row: -len(row[0]))) for first, rows in table.items()}


@cache
def _openers() -> frozenset[str]:
    """Words that can open a cue other than a mere clause boundary: a text without them has no statuses to find."""
    return frozenset(
        first for first, rows in _cues().items() if any(kinds - {"ends", "ignore"} for _, kinds in rows)
    )


def _find(words: Sequence[str]) -> list[tuple[int, int, frozenset[str]]]:
    """Cues as (first word, last word, kinds), leftmost longest, not overlapping."""
    table, found, i = _cues(), [], 0
    while i < len(words):
        for phrase, kinds in table.get(words[i], ()):
            if tuple(words[i : i + len(phrase)]) == phrase:
                found.append((i, i + len(phrase) - 1, kinds))
                i += len(phrase) - 1
                break
        i += 1
    return found


def statuses(found: Words, mentions: Sequence[tuple[int, int]]) -> list[Assertion]:
    """The status of each mention (first word, last word), in the order given."""
    if _openers().isdisjoint(found.words):
        return [Assertion.AFFIRMED] * len(mentions)
    cues = _find(found.words)
    firsts = [*boundaries(found), len(found.words)]
    ordered = sorted(mentions)
    verdict: dict[tuple[int, int], Assertion] = {}
    for first, last, kinds in cues:
        where = bisect_right(firsts, first)
        begin, end = firsts[where - 1], firsts[where]
        for doubt, status in ((False, Assertion.NEGATED), (True, Assertion.UNCERTAIN)):
            hit: list[tuple[int, int]] = []
            if ("doubts" if doubt else "negates") in kinds:
                hit += _ahead(found, ordered, cues, last, end)
            if ("doubted" if doubt else "negated") in kinds:
                hit += _behind(found, ordered, cues, first, begin)
            for mention in hit:
                inside = mention[0] <= first and last <= mention[1]
                if not inside and verdict.get(mention) is not Assertion.NEGATED:
                    verdict[mention] = status
    return [verdict.get(mention, Assertion.AFFIRMED) for mention in mentions]


def _ahead(
    found: Words,
    mentions: Sequence[tuple[int, int]],
    cues: Sequence[tuple[int, int, frozenset[str]]],
    after: int,
    end: int,
) -> list[tuple[int, int]]:
    """Mentions that a cue whose last word is `after` reaches forwards."""
    limit = min(end, after + 1 + REACH)
    for first, _, kinds in cues:
        if after < first < limit and "ends" in kinds:
            limit = first
            break
    covered = {i for a, b in mentions for i in range(a, b + 1)}
    item = after + 1
    for i in range(after + 1, limit):
        gap = found.gaps[i]
        if ";" in gap or ":" in gap:
            limit = i
        elif "," in gap and i > after + 1:
            if not any(j in covered for j in range(item, i)) and i - item > _UNTIL_COMMA:
                limit = i
            item = i
        if limit == i:
            break
    return [m for m in mentions if after < m[0] < limit]


def _behind(
    found: Words,
    mentions: Sequence[tuple[int, int]],
    cues: Sequence[tuple[int, int, frozenset[str]]],
    before: int,
    begin: int,
) -> list[tuple[int, int]]:
    """Mentions that a cue whose first word is `before` reaches backwards: the nearest one and its list."""
    limit = begin
    for _, last, kinds in cues:
        if limit <= last < before - 1 and "ends" in kinds:  # in "have not been seen" the cue follows at once
            limit = last + 1
    reached: list[tuple[int, int]] = []
    edge = before
    for mention in sorted((m for m in mentions if limit <= m[0] and m[1] < before), key=lambda m: -m[1]):
        if edge - mention[1] - 1 > _BACK or any(
            ";" in gap or ":" in gap for gap in found.gaps[mention[1] + 1 : edge + 1]
        ):
            break
        reached.append(mention)
        edge = min(edge, mention[0])
    return reached
