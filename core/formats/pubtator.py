"""PubTator: a title line, an abstract line, then one mention a line; an empty line ends a document.

    11312426|t|Title
    11312426|a|Abstract
    11312426	0	5	Title	Disease	MESH:D009369

The text is title, line feed, abstract: offsets count the character between them, whichever it was. A mention
of several ids (`A|B`, `A+B`, `A;B`, `A,B`) is one annotation for each. An id without a prefix gets that of
its type; a mention without an id names no concept and is counted. The type is not kept.

Written are texts and affirmed mentions. The title is what stands before the first line feed of a text; other
line feeds and tabs become spaces, so that offsets stay. PubTator has no place for a status, a label, a score
or a concept without a quote: what is left out for that is counted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

from core.errors import InputError
from core.formats.documents import Metadata
from core.formats.foreign import curies
from core.formats.rows import Notes, Raw, RowError, Unread, shown
from core.formats.source import Source
from core.records import Assertion, Document

_TEXT = re.compile(r"[^|\t]+\|([ta])\|(.*)", re.DOTALL)
_INTEGER = re.compile(r"[0-9]{1,18}")
_BREAKS = str.maketrans("\n\r\t", "   ")
_TYPES = {"HP": "Phenotype", "MESH": "Disease", "OMIM": "Disease", "MONDO": "Disease", "NCBIGene": "Gene"}
"""Prefix to the type that others write for it; of other ids the prefix is the type."""


def read(source: Source, notes: Notes) -> tuple[Any, Iterator[Raw | RowError]]:
    """Documents of a PubTator file; it has no metadata."""
    return {}, _documents(source, notes)


def _documents(source: Source, notes: Notes) -> Iterator[Raw | RowError]:
    block: list[tuple[int, str]] = []
    doc_id = ""
    for number, line in source.lines():
        if number == 1 and line.startswith("PMID-"):
            raise InputError(f"{source.name} is MEDLINE text, not PubTator. Name it with --format medline.")
        line = line.removesuffix("\n").removesuffix("\r")
        here = re.split(r"[|\t]", line, maxsplit=1)[0]
        if block and (not line.strip() or here != doc_id):
            yield from _document(source.name, doc_id, block, notes)
            block = []
        if line.strip():
            block.append((number, line))
            doc_id = here
    if block:
        yield from _document(source.name, doc_id, block, notes)


def _document(file: str, doc_id: str, block: list[tuple[int, str]], notes: Notes) -> Iterator[Raw | RowError]:
    parts: dict[str, str] = {}
    mentions: list[Any] = []
    lines: list[int] = []
    errors: list[RowError] = []
    seen = Notes()
    for number, line in block:
        try:
            if match := _TEXT.fullmatch(line):
                _check(match[1] not in parts, f"a second |{match[1]}| line")
                parts[match[1]] = match[2]
                continue
        except ValueError as cause:
            errors.append(RowError(file, number, doc_id, None, str(cause), line))
            continue
        found: list[Any]
        try:
            found = _mentions(line, seen)
        except ValueError as cause:
            found = [Unread(str(cause), line)]
        mentions += found
        lines += [number] * len(found)
    if errors:
        yield from errors
        return
    notes.add(seen)
    value: dict[str, Any] = {"doc_id": doc_id, "annotations": mentions}
    if parts:
        title, abstract = parts.get("t", ""), parts.get("a")
        value |= {"title": title, "text": title if abstract is None else _join(title, abstract, mentions)}
    yield Raw(value, block[0][0], tuple(lines))


def _check(holds: bool, cause: str) -> None:
    if not holds:
        raise ValueError(cause)


def _join(title: str, abstract: str, mentions: list[Any]) -> str:
    """A line feed between the two, unless a mention that runs across them says that it was a space."""
    at = len(title)
    read = (m for m in mentions if isinstance(m, dict))
    crossing = (m for m in read if m["start_offset"] <= at < m["end_offset"])
    across = {m["text_span"][at - m["start_offset"] :][:1] for m in crossing}
    return title + (" " if " " in across else "\n") + abstract


def _mentions(line: str, notes: Notes) -> list[dict[str, Any]]:
    """The annotations of one mention line.

    Raises:
        ValueError: the line is no mention.
    """
    cells = line.split("\t")
    if len(cells) == 4 and not _INTEGER.fullmatch(cells[1]):
        notes.relations += 1
        return []
    _check(len(cells) >= 5, "expected doc_id, start, end, mention, type and concept id, separated by tabs")
    _, start, end, quote, kind = cells[:5]
    for offset in (start, end):
        _check(_INTEGER.fullmatch(offset) is not None, f"expected an offset, found {shown(offset)}")
    ids = curies(cells[5], kind) if len(cells) > 5 else []
    if not ids:
        notes.without_concept += 1
    return [
        {
            "concept_id": one,
            "text_span": quote,
            "start_offset": int(start),
            "end_offset": int(end),
        }
        for one in ids
    ]


def write(metadata: Metadata, documents: Iterable[Document], out: BinaryIO) -> dict[str, int]:
    """Write texts and affirmed mentions; returns how often each field had to be left out.

    Raises:
        InputError: a doc_id that would end its column. Nothing of the file must be kept then.
    """
    left_out = Counter(metadata.value().keys())
    for document in documents:
        if re.search(r"[|\s]", document.doc_id):
            raise InputError(
                f"Document {shown(document.doc_id)} has an id with white space or |, which PubTator "
                "cannot hold. Export with --format jsonl."
            )
        left_out.update(document.meta.keys())
        left_out.update(name for name in ("title", "article") if getattr(document, name) is not None)
        lines = [*_text_lines(document, left_out), *_mention_lines(document, left_out)]
        out.write(("".join(f"{line}\n" for line in lines) + "\n").encode())
    return dict(+left_out)


def _text_lines(document: Document, left_out: Counter[str]) -> Iterator[str]:
    title, feed, abstract = document.text.partition("\n")
    if document.title == title and feed:
        left_out["title"] -= 1  # it is there
    for kind, part in (("t", title), ("a", abstract))[: 2 if feed else 1]:
        written = part.translate(_BREAKS)
        left_out["line breaks and tabs, written as spaces"] += sum(
            a != b for a, b in zip(part, written, strict=True)
        )
        yield f"{document.doc_id}|{kind}|{written}"


def _mention_lines(document: Document, left_out: Counter[str]) -> Iterator[str]:
    for a in document.annotations:
        if a.span is None or a.assertion is not Assertion.AFFIRMED:
            left_out[
                "annotations without a place" if a.span is None else f"{a.assertion.value} annotations"
            ] += 1
            continue
        fields = ("label", "concept_class", "confidence", "reason", "run")
        left_out.update(name for name in fields if getattr(a, name) is not None)
        kind = _TYPES.get(prefix := a.concept.partition(":")[0], prefix)
        quote = a.span.quote.translate(_BREAKS)
        yield "\t".join((document.doc_id, str(a.span.start), str(a.span.end), quote, kind, a.concept))
