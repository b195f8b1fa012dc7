"""Sentence boundaries, found in the gaps between words.

A full stop ends a sentence when white space follows, the next word does not start in lower case and the word
before is no known abbreviation, initial or list number. A line break ends a sentence after closing punctuation, before
a list bullet or with an empty line; inside running text it is only a wrapped line.
"""

from __future__ import annotations

import re
from itertools import pairwise

from core.records import Span
from core.text.spans import Words, words

_STOP = re.compile(r"[.!?]['\")\]»”’]*\s|\n\s*\n|[.!?:;]\s*\n|\n\s*[-*•·]")
_ALWAYS = re.compile(r"[!?]['\")\]»”’]*\s|\n\s*\n|[.:;]\s*\n|\n\s*[-*•·]")
_ABBREVIATIONS = frozenset(
    "al approx ca cf ch dr e.g eg et etc fig figs i.e ie inc mr mrs ms no nos pp prof ref refs resp sp spp st tab "
    "viz vol vs".split()
)


def boundaries(found: Words) -> list[int]:
    """Indices of words that begin a sentence; the first is 0 (empty for a text without words)."""
    if not found.words:
        return []
    starts = [0]
    gaps, names, text = found.gaps, found.words, found.text
    for i in range(1, len(names)):
        gap = gaps[i]
        if len(gap) < 2 or not _STOP.search(gap):
            continue
        if not _ALWAYS.search(gap):
            before = names[i - 1]
            if text[found.starts[i]].islower() or before in _ABBREVIATIONS:
                continue
            if len(before) == 1 and before.isalpha() and gap.startswith(". "):
                continue  # an initial, as in "E. coli" or "J. Smith"
        starts.append(i)
    return starts


def sentences(text: str) -> list[Span]:
    """The sentences of a text as spans, without the white space around them; together they hold every word."""
    found = words(text)
    firsts = boundaries(found)
    spans = []
    for first, after in pairwise([*firsts, len(found.words)]):
        lead = found.gaps[first]
        start = found.starts[first] - (len(lead) - len(lead.rstrip("('\"[«“‘")) + 0)
        trail = found.gaps[after]
        closing = re.match(r"[^\w\s]*", trail)
        end = found.end(after - 1) + (closing.end() if closing else 0)
        start = max(start, spans[-1].end if spans else 0)
        spans.append(Span(start, end, text[start:end]))
    return spans
