"""Sentence boundaries, found in the gaps between words.

A full stop ends a sentence when white space follows, the next word does not start in lower case and the word
before is no known abbreviation or initial. A line break ends a sentence after closing punctuation, before a
list bullet or with an empty line; inside running text it is only a wrapped line.
"""

from __future__ import annotations

import re
from itertools import pairwise

from core.records import Span
from core.text.spans import Memo, Words, words

_STOP = re.compile(r"[.!?]['\")\]»”’]*\s|\n\s*\n|[.!?:;]\s*\n|\n\s*[-*•·]")
_ALWAYS = re.compile(r"[!?]['\")\]»”’]*\s|\n\s*\n|[.:;]\s*\n|\n\s*[-*•·]")
_ABBREVIATED = "al approx ca cf ch dr eg fig figs ie mr mrs ms nos pp prof ref refs resp sp spp st viz vol vs"
_ABBREVIATIONS = frozenset(_ABBREVIATED.split())
_LETTERED = frozenset(
    "class factor grade group haemophilia hemophilia hepatitis stage type vitamin".split()  # noqa: SIM905
)
"""Words with a letter behind them that may end a sentence."""


def _mark(gap: str) -> int:
    """How surely a sentence ends in a gap: 0 not, 1 if the words around it agree, 2 always."""
    return 0 if not _STOP.search(gap) else 2 if _ALWAYS.search(gap) else 1


_MARKS: Memo[int] = Memo(_mark)


def boundaries(found: Words) -> list[int]:
    """Indices of words that begin a sentence; the first is 0 (empty for a text without words). Looked for
    once per text."""
    if found.firsts is None:
        found.firsts = _boundaries(found)
    return found.firsts


def _boundaries(found: Words) -> list[int]:
    if not found.words:
        return []
    starts = [0]
    for i in [i for i in found.parted if _MARKS[found.gaps[i]]]:
        gap, before = found.gaps[i], found.words[i - 1]
        lower = found.text[found.starts[i]].islower()
        if _MARKS[gap] == 2 or not (lower or before in _ABBREVIATIONS or _initial(found, i - 1, gap)):
            starts.append(i)
    return starts


def _initial(found: Words, i: int, gap: str) -> bool:
    """Whether a single letter before a full stop is an initial, as in "E. coli", and no degree or type."""
    if len(found.words[i]) != 1 or not found.words[i].isalpha() or gap != ". ":
        return False
    return "°" not in found.gaps[i] and (i == 0 or found.words[i - 1] not in _LETTERED)


def sentences(text: str) -> list[Span]:
    """The sentences of a text as spans without white space around them; together they hold every word."""
    found = words(text)
    firsts = boundaries(found)
    spans: list[Span] = []
    for first, after in pairwise([*firsts, len(found.words)]):
        lead = found.gaps[first]
        start = found.starts[first] - (len(lead) - len(lead.rstrip("('\"[«“‘")) + 0)
        trail = found.gaps[after]
        closing = re.match(r"[^\w\s]*", trail)
        end = found.end(after - 1) + (closing.end() if closing else 0)
        start = max(start, spans[-1].end if spans else 0)
        spans.append(Span(start, end, text[start:end]))
    return spans
