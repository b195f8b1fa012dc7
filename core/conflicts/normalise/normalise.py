"""Stage 2: normalise. Texts are cleaned and duplicates merged; what leaves says why.

Source: BioDivergence (paper 004), appendix G.3 and Table 21.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import fields, replace
from tempfile import SpooledTemporaryFile

from core.conflicts.normalise.clean import clean
from core.conflicts.normalise.duplicates import Duplicates
from core.conflicts.normalise.offsets import normalised_span
from core.errors import InputError
from core.records import Article, Left, Normalised, Section
from core.records.claims import OffsetMap

SHORTEST = 50
"""Least characters of an abstract (paper 004, Table 21)."""
HELD = 16 * 2**20
"""Bytes of cleaned articles in memory; more go to a temporary file."""


def run(articles: Iterable[Article], *, shortest: int = SHORTEST) -> Iterator[Normalised | Left]:
    """Each article, in its order, as it stays or as it leaves.

    All articles are read and cleaned before the first one is given back: the last one may join two that
    nothing else joins. Meanwhile they lie in a temporary file without a name.

    Args:
        shortest: least length of a normalised text, in characters. A text that is shorter leaves, and its ids
            are not noted: its article may come again in full.

    Raises:
        InputError: the temporary file cannot be written.
    """
    seen, count = Duplicates(), 0
    with SpooledTemporaryFile(max_size=HELD) as aside:
        for article in articles:
            count += 1
            text, offsets = clean(article.text)
            if stays := len(text) >= shortest and bool(text):
                seen.add(replace(article, text=text))
            try:
                aside.write(_line(article, text, offsets, stays))
            except OSError as error:
                raise InputError(
                    f"Normalised articles cannot be laid aside in a temporary file: {error.strerror}. Make "
                    "room for about twice the size of the corpus, or name another folder with TMPDIR."
                ) from None
        merges, number = seen.merges(), -1
        del seen
        aside.seek(0)
        for _ in range(count):
            article, text, offsets, stays = _read(aside.readline())
            number += stays
            if not stays:
                yield Left(article, "too_short" if text else "empty")
            elif number in merges:
                yield Left(article, *merges[number])
            else:
                kept = replace(article, text=text, sections=_sections(article, text, offsets))
                yield Normalised(kept, article.text, offsets)


_FIELDS = tuple(field.name for field in fields(Article) if field.name != "sections")


def _line(article: Article, text: str, offsets: OffsetMap, stays: bool) -> bytes:
    """As JSON on a line; halves of characters pass as they are."""
    sections = [(part.label, part.start, part.end) for part in article.sections]
    plain = [getattr(article, name) for name in _FIELDS]
    cleaned = None if text == article.text else text
    line = json.dumps([plain, sections, cleaned, offsets, stays], ensure_ascii=False)
    return line.encode("utf-8", "surrogatepass") + b"\n"


def _read(line: bytes) -> tuple[Article, str, OffsetMap, bool]:
    plain, sections, cleaned, offsets, stays = json.loads(line.decode("utf-8", "surrogatepass"))
    article = Article(
        **dict(zip(_FIELDS, plain, strict=True)), sections=tuple(Section(*part) for part in sections)
    )
    return article, article.text if cleaned is None else cleaned, tuple(map(tuple, offsets)), stays


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
