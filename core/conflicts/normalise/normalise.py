"""Stage 2: normalise. Texts are cleaned and duplicates merged; what leaves says why.

Source: BioDivergence (paper 004), appendix G.3 and Table 21.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from core.conflicts.normalise.clean import clean
from core.conflicts.normalise.duplicates import Seen
from core.conflicts.normalise.offsets import normalised_span
from core.records import Article, Left, Normalised, Section
from core.records.claims import OffsetMap

SHORTEST = 50
"""Least characters of an abstract (paper 004, Table 21)."""


def run(articles: Iterable[Article], *, shortest: int = SHORTEST) -> Iterator[Normalised | Left]:
    """Each article, in its order, as it stays or as it leaves.

    Args:
        shortest: least length of a normalised text, in characters. A text that is shorter leaves, and its ids
            are not noted: its article may come again in full.
    """
    seen = Seen()
    for article in articles:
        text, offsets = clean(article.text)
        if len(text) < shortest or not text:
            yield Left(article, "too_short" if text else "empty")
            continue
        cleaned = replace(article, text=text, sections=_sections(article, text, offsets))
        merged = seen.take(cleaned)
        if merged is not None:
            yield Left(article, *merged)
        else:
            yield Normalised(cleaned, article.text, offsets)


def _sections(article: Article, text: str, offsets: OffsetMap) -> tuple[Section, ...]:
    """The sections in the frame of the normalised text, labels as they stand; without one of which nothing is
    left."""
    found = []
    for section in article.sections:
        span = normalised_span(offsets, section.start, section.end)
        if span is None:
            continue
        part = text[span[0] : span[1]]
        start, end = span[0] + len(part) - len(part.lstrip()), span[1] - len(part) + len(part.rstrip())
        if start < end:
            found.append(Section(section.label, start, end))
    return tuple(found)
