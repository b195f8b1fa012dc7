"""What FastHPOCR's `HPOAnnotator.serialize` writes: a file for each text, a concept a line.

    [20:28]\tHP:0001250\tSeizure\tseizures
    [20:28]\tHP:0001250\tSeizure\tseizures\t[HP:0000707 (Abnormality of the nervous system)]

Offsets, id, name, the words of the text as they are (tabs and line feeds included), and with
`includeCategoriesIfPresent` the top-level categories, which are counted. There is no status: all is affirmed.
The document is named by the file: with its suffix, or without. Files of many documents lie in one folder. A
file without a line is a text in which nothing was found.
Followed: `FastHPOCR/HPOAnnotator.py`, `util/AnnotationObject.py` and `cr/FormatResults.py` of FastHPOCR 2 in
https://github.com/tudorgroza/fast_hpo_cr
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from core.errors import InputError
from core.formats.grounding import length
from core.formats.rows import Notes, Raw, RowError, Unread, shown
from core.formats.source import Source

_START = re.compile(r"^\[-?[0-9]{1,10}:-?[0-9]{1,10}\]\t", re.MULTILINE)
_ROW = re.compile(r"\[(-?[0-9]+):(-?[0-9]+)\]\t([^\t]*)\t([^\t]*)\t(.*)", re.DOTALL)
_CATEGORIES = re.compile(r"(.*)\t\[[^\t]*\]", re.DOTALL)


def read(source: Source, notes: Notes) -> tuple[Any, Iterator[Raw | RowError]]:
    """The one document that the file is about."""
    content = source.whole() if source.path.is_file() and source.path.stat().st_size else ""
    return {}, iter([_document(content, source, notes)])


def _document(content: str, source: Source, notes: Notes) -> Raw:
    starts = [match.start() for match in _START.finditer(content)]
    if content.strip() and (not starts or content[: starts[0]].strip()):
        raise InputError(
            f"{source.name}, line 1: expected [start:end], id, name and text, separated by tabs, found "
            f"{shown(content[:60])}. Check that FastHPOCR wrote the file, and its --format."
        )
    rows = [content[start:end] for start, end in pairwise([*starts, len(content)])]
    lines = tuple(content.count("\n", 0, start) + 1 for start in starts)
    annotations = [_annotation(row.removesuffix("\n"), source, notes) for row in rows]
    value = {"doc_id": source.stem, "annotations": annotations}
    return Raw(value, 1, lines, names=(source.path.name,))


def _annotation(row: str, source: Source, notes: Notes) -> Any:
    match = _ROW.fullmatch(row)
    if match is None:
        return Unread("expected [start:end], id, name and text, separated by tabs", row)
    start, end, quote = int(match[1]), int(match[2]), match[5].removesuffix("\r")
    if length(quote, source.offsets) != end - start and (with_categories := _CATEGORIES.fullmatch(quote)):
        quote = with_categories[1]
        notes.left_out["Top-level categories of concepts"] += 1
    found = {"concept_id": match[3], "label": match[4]}
    if start < 0 or not quote:  # so it writes of words beyond the ten thousandth
        notes.left_out["Offsets below 0, of labels kept without a quote"] += 1
        return found
    return {**found, "text_span": quote, "start_offset": start, "end_offset": end}
