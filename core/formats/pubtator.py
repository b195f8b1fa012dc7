"""PubTator: a title line, an abstract line, then one mention a line; an empty line ends a document.

    11312426|t|Title
    11312426|a|Abstract
    11312426	0	5	Title	Disease	MESH:D009369

The text is title, line feed, abstract: offsets count the character between them, whichever it was. A mention
of several ids (`A|B`, `A+B`) is one annotation for each. An id without a prefix gets that of its type
(`_PREFIX`); a mention without an id names no concept and is counted. The type is not kept.

Read only: PubTator has no place for an assertion or a document-level concept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from core.errors import InputError
from core.formats.rows import Notes, Raw, RowError, shown
from core.formats.source import Source

_TEXT = re.compile(r"[^|\t]+\|([ta])\|(.*)", re.DOTALL)
_INTEGER = re.compile(r"[0-9]{1,18}")
_PREFIX = {
    "disease": "MESH",
    "chemical": "MESH",
    "gene": "NCBIGene",
    "species": "NCBITaxon",
    "cellline": "CVCL",
}
"""Type, in lower case, to the prefix of ids that have none."""
_NO_ID = ("", "-", "-1", "None")


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
    mentions: list[dict[str, Any]] = []
    lines: list[int] = []
    errors: list[RowError] = []
    seen = Notes()
    for number, line in block:
        try:
            if match := _TEXT.fullmatch(line):
                _check(match[1] not in parts, f"a second |{match[1]}| line")
                parts[match[1]] = match[2]
            else:
                found = _mentions(line, seen)
                mentions += found
                lines += [number] * len(found)
        except ValueError as cause:
            errors.append(RowError(file, number, doc_id, None, str(cause), line))
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


def _join(title: str, abstract: str, mentions: list[dict[str, Any]]) -> str:
    """A line feed between the two, unless a mention that runs across them says that it was a space."""
    at = len(title)
    crossing = (m for m in mentions if m["start_offset"] <= at < m["end_offset"])
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
    cell = cells[5] if len(cells) > 5 else ""
    ids = [one.strip() for one in re.split(r"[|+]", cell) if one.strip() not in _NO_ID]
    if not ids:
        notes.without_concept += 1
    return [
        {
            "concept_id": _curie(one, kind),
            "text_span": quote,
            "start_offset": int(start),
            "end_offset": int(end),
        }
        for one in dict.fromkeys(ids)
    ]


def _curie(identifier: str, kind: str) -> str:
    if ":" in identifier:
        return identifier
    prefix = _PREFIX.get(kind.lower())
    cause = f"the id {shown(identifier)} has no prefix, and type {shown(kind)} implies none"
    _check(prefix is not None, cause)
    return f"{prefix}:{identifier}"
