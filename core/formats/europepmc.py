"""Europe PMC search results as JSON (`resultType=core`, which alone has abstracts).

A file is one page of the service ({"resultList": {"result": [...]}}), a list of pages or results, or JSONL
with a page or a result on each line, which is read line by line. Abstracts and titles are HTML there:
headings become sections, other tags go and their words stay, entities become characters. What is no tag of
HTML, such as `p <0.05`, stays as it is.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from core.errors import InputError
from core.formats.articles import as_documents
from core.formats.assemble import assemble
from core.formats.rows import Notes, Raw, Reading, RowError, shown
from core.formats.source import Source
from core.formats.strict_json import Cursor, JsonFault, loads
from core.records import Document

_TAG_NAMES = (
    "a|abbr|article|b|big|blockquote|br|center|cite|code|dd|div|dl|dt|em|figure|font|h[1-6]|hr|i|img|italic|"
    "label|li|list|list-item|ol|p|bold|q|s|sc|sec|section|small|span|strike|strong|sub|sup|table|tbody|td|th|"
    "title|tr|tt|u|ul|underline"
)
_TAG = re.compile(rf"</?(?:{_TAG_NAMES}|(?:jats|mml|m):[a-z\-]+)(?:\s[^<>]*)?/?>", re.IGNORECASE)
_BREAK = re.compile(r"<(?:br|p|/p|li|/li|div|/div|tr|/tr|/?jats:p)(?:\s[^<>]*)?/?>", re.IGNORECASE)
_HEADING = re.compile(
    r"<(h[1-6]|jats:title)(?:\s[^<>]*)?>((?:(?!<h[1-6]|<jats:title).){0,200}?)</\1\s*>",
    re.IGNORECASE | re.DOTALL,
)
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_SPACE = re.compile(r"\s+")
_YEAR = re.compile(r"[12][0-9]{3}")


def read(source: Source, notes: Notes) -> tuple[Any, Iterator[Raw | RowError]]:
    """Results of a file; it has no metadata."""
    return {}, _rows(source, notes)


def documents(
    results: list[dict[str, Any]], name: str, notes: Notes | None = None
) -> Iterator[Document | RowError]:
    """Documents of one page's `resultList.result`.

    Args:
        name: of the page, for messages.
        notes: told which records have no abstract.
    """
    notes = Notes() if notes is None else notes
    rows = (_row(result, name, None) for result in results)
    return assemble(as_documents(rows, name, notes), name, Reading(), notes)


# --- the file ---------------------------------------------------------------------------------------------


def _rows(source: Source, notes: Notes) -> Iterator[Raw | RowError]:
    lines = source.lines()
    number, first = next(((n, line) for n, line in lines if line.strip()), (0, ""))
    try:
        value = loads(first)
    except JsonFault:
        yield from _whole(source)
        return
    yield from _line(value, source.name, number)
    for number, line in lines:
        if not line.strip(" \t\r\n"):
            continue
        try:
            value = loads(line)
        except JsonFault as fault:
            yield RowError(source.name, number, None, None, f"column {fault.column}: {fault.cause}", line)
            continue
        yield from _line(value, source.name, number)


def _line(value: Any, file: str, number: int) -> Iterator[Raw | RowError]:
    """A page, a list of pages or results, or a result, all on one line."""
    if isinstance(value, list):
        for element in value:
            yield from _line(element, file, number) if _is_page(element) else [_row(element, file, number)]
    elif _is_page(value):
        results = value.get("resultList")
        results = results.get("result", []) if isinstance(results, dict) else None
        if not isinstance(results, list):
            raise _no_page(file, number, value)
        yield from (_row(result, file, number) for result in results)
    else:
        yield _row(value, file, number)


def _whole(source: Source) -> Iterator[Raw | RowError]:
    cursor = Cursor(source.whole())
    try:
        if cursor.next_is("["):
            for line, element in cursor.elements():
                yield from _line(element, source.name, line)
            cursor.end()
            return
        held: list[tuple[int, Any]] = []
        found = False
        for line, name in cursor.members():
            if name != "resultList":
                value = cursor.value()
                if name in ("errCode", "errMsg"):
                    raise _no_page(source.name, line, {name: value})
                continue
            found = True
            for _, inner in cursor.members():
                if inner == "result":
                    held = list(cursor.elements())
                else:
                    cursor.value()
        cursor.end()
    except JsonFault as fault:
        place = f"{source.name}, line {fault.line}, column {fault.column}"
        raise InputError(
            f"{place}: {fault.cause}. Correct the JSON, or download it from Europe PMC again."
        ) from None
    if not found:
        raise _no_page(source.name, 1, {})
    yield from (_row(result, source.name, line) for line, result in held)


def _is_page(value: Any) -> bool:
    return isinstance(value, dict) and bool({"resultList", "errCode", "errMsg", "hitCount"} & value.keys())


def _no_page(file: str, line: int, value: dict[str, Any]) -> InputError:
    said = value.get("errMsg") or value.get("errCode")
    reason = f": the service answered {shown(said, 200)}" if said else ""
    return InputError(
        f"{file}, line {line}: no page of Europe PMC results{reason}. Such a page is "
        '{"resultList": {"result": [...]}}: search again with format=json and resultType=core.'
    )


# --- a result ---------------------------------------------------------------------------------------------


def _row(result: Any, file: str, line: int | None) -> Raw | RowError:
    if not isinstance(result, dict):
        return RowError(file, line, None, None, f"expected a result, found {shown(result)}", result)
    try:
        value = _article(result)
    except _Unexpected as fault:
        return RowError(file, line, _string(result.get("id")), fault.args[0], fault.args[1], result)
    if "doc_id" not in value:
        return RowError(file, line, None, "id", "the result has no id", result)
    return Raw(value, line)


class _Unexpected(ValueError):
    """(field, cause)"""


def _article(result: dict[str, Any]) -> dict[str, Any]:
    journal = _inside(result, "journalInfo")
    book = _inside(result, "bookOrReportDetails")
    title = _inside(journal, "journal")
    headings = _inside(result, "meshHeadingList").get("meshHeading")
    year = _string(result.get("pubYear")) or _string(journal.get("yearOfPublication"))
    value: dict[str, Any] = {
        "doc_id": _name(result),
        "title": _plain(_text(result, "title")),
        "doi": _text(result, "doi"),
        "pmid": _pmid(result),
        "pmcid": _text(result, "pmcid"),
        "year": int(year) if year and _YEAR.fullmatch(year) else year,
        "published": _text(result, "firstPublicationDate"),
        "journal": _plain(_text(title, "title") or _text(result, "journalTitle") or _text(book, "publisher")),
        "journal_abbreviation": _text(title, "isoabbreviation") or _text(title, "medlineAbbreviation"),
        "source": "europepmc",
        "europepmc_source": _text(result, "source"),
        "language": _text(result, "language"),
        "license": _text(result, "license"),
        "publication_types": _strings(_inside(result, "pubTypeList").get("pubType")),
        "mesh": _strings([h.get("descriptorName") for h in _dicts(headings)]),
        "keywords": _strings(_inside(result, "keywordList").get("keyword")),
    }
    parts = _parts(_text(result, "abstractText") or "")
    return {name: field for name, field in value.items() if field} | {"abstract_sections": parts}


def _name(result: dict[str, Any]) -> str | None:
    """`PMID` and digits, else the PMCID, else the id under its source: the names that PubMed gives, too."""
    if pmid := _pmid(result):
        return f"PMID{pmid}"
    if pmcid := _text(result, "pmcid"):
        return pmcid
    identifier, source = _string(result.get("id")), _text(result, "source") or ""
    if not identifier or (source and identifier.startswith(source)):
        return identifier
    return f"{source}:{identifier}" if source else identifier


def _pmid(result: dict[str, Any]) -> str | None:
    """Of a record from MEDLINE, also where only its id says so."""
    identifier = _string(result.get("id")) or ""
    of_medline = result.get("source") == "MED" and identifier.isascii() and identifier.isdigit()
    return _text(result, "pmid") or (identifier if of_medline else None)


def _parts(markup: str) -> list[dict[str, str]]:
    """Parts of an abstract: what stands under each heading, and before the first."""
    parts: list[dict[str, str]] = []
    label, at = "", 0
    for match in chain(_HEADING.finditer(markup), [None]):
        if text := _plain(markup[at : match.start() if match else len(markup)]):
            parts.append({"label": label, "text": text} if label else {"text": text})
        if match:
            label, at = (_plain(match[2]) or "").rstrip(": "), match.end()
    return parts


def _plain(markup: str | None) -> str | None:
    """Words of HTML: tags gone, entities as characters, white space as single spaces; None without any."""
    if markup is None:
        return None
    words = _TAG.sub("", _BREAK.sub(" ", markup))
    return _SPACE.sub(" ", _ENTITY.sub(lambda match: html.unescape(match[0]), words)).strip() or None


def _inside(value: dict[str, Any], name: str) -> dict[str, Any]:
    found = value.get(name)
    if found is not None and not isinstance(found, dict):
        raise _Unexpected(name, f"expected an object, found {shown(found)}")
    return found or {}


def _text(value: dict[str, Any], name: str) -> str | None:
    found = value.get(name)
    if found is not None and not isinstance(found, str):
        raise _Unexpected(name, f"expected a string, found {shown(found)}")
    return found or None


def _string(value: Any) -> str | None:
    """Also of a number, which some fields hold as text in one version and as a number in another."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value if isinstance(value, str) and value else None


def _strings(value: Any) -> list[str]:
    return [found for found in map(_string, value if isinstance(value, list) else []) if found]


def _dicts(value: Any) -> Iterable[dict[str, Any]]:
    return (member for member in value if isinstance(member, dict)) if isinstance(value, list) else ()
