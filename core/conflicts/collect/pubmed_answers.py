"""What E-utilities answer: search results, records, and the errors that come with status 200."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from core.conflicts.collect.sending import Faulty, RateLimited
from core.errors import InputError
from core.formats import Notes, RowError, pubmed
from core.formats.rows import shown
from core.formats.strict_json import JsonFault, loads
from core.records import Document

Quoted = Callable[[bytes], str]
"""The start of a body as it may stand in a message."""

_ERROR = re.compile(rb"<ERROR>(.*?)</ERROR>", re.DOTALL)
_QUOTED = re.compile(r'"([^"*]+)"')
_PHRASE = re.compile(r'"([^"*]+)"\[(tiab|ti)\]', re.IGNORECASE)


class Search(NamedTuple):
    hits: int
    webenv: str
    query_key: str
    notes: tuple[str, ...]


class Fetched(NamedTuple):
    documents: tuple[Document, ...]
    faults: tuple[RowError, ...]
    without_abstract: int
    records: int
    """All that came, usable or not."""


class Forgotten(Exception):
    """The history server has lost the result."""


class Unreadable(Exception):
    """A page that came whole and cannot be read: some record in it breaks the file."""


def search_result(body: bytes, quoted: Quoted, *, history: bool) -> tuple[Search, tuple[str, ...]]:
    """A search, and the phrases of it that PubMed's index lacks.

    Raises:
        Faulty, RateLimited: it is none.
    """
    try:
        value = loads(body.decode("utf-8"))
    except (UnicodeDecodeError, JsonFault):
        raise Faulty(f"no search result but {quoted(body)}") from None
    result = value.get("esearchresult") if isinstance(value, dict) else None
    if not isinstance(result, dict):
        _say_error(body, quoted)
        raise Faulty(f"no search result but {quoted(body)}")
    if error := result.get("ERROR") or result.get("error"):
        raise Faulty(f"the search failed: {quoted(str(error).encode())}")
    count, webenv, key = (result.get(name) for name in ("count", "webenv", "querykey"))
    if not str(count).isdecimal() or (history and not (webenv and key)):
        raise Faulty(f"a search result without a count or a place: {quoted(body)}")
    errors, warnings = _words(result.get("errorlist")), _words(result.get("warninglist"))
    notes = [f"PubMed does not find: {shown(each)}." for each in errors.get("phrasesnotfound", ())]
    notes += [f"PubMed has no such field: {shown(each)}." for each in errors.get("fieldsnotfound", ())]
    notes += [f"PubMed ignores: {shown(each)}." for each in warnings.get("phrasesignored", ())]
    unknown = tuple(warnings.get("quotedphrasesnotfound", ()))
    return Search(int(str(count)), str(webenv), str(key), tuple(notes)), unknown


def records(body: bytes, name: str, quoted: Quoted) -> Fetched:
    """The records of one page.

    Args:
        name: of the page, for messages about single records.

    Raises:
        Faulty, RateLimited, Forgotten: it is none, or is cut off.
        Unreadable: it is whole, but no sound XML.
    """
    _say_error(body, quoted)
    notes = Notes()
    documents: list[Document] = []
    faults: list[RowError] = []
    try:
        for row in pubmed.documents(io.BytesIO(body), name, notes):
            if isinstance(row, Document):
                documents.append(row)
            else:
                faults.append(row)
    except InputError as error:
        if body.rstrip().endswith(b"</PubmedArticleSet>") and body.lstrip()[:5] == b"<?xml":
            raise Unreadable(str(error)) from None
        # cut off, or no PubMed XML at all, such as a page of HTML
        raise Faulty(f"{error} It begins {quoted(body)}") from None
    without = len(notes.without_abstract)
    bad = sum(fault.row is not None for fault in faults)
    gone = len(notes.deleted)
    return Fetched(tuple(documents), tuple(faults), without, len(documents) + bad + without + gone)


def _say_error(body: bytes, quoted: Quoted) -> None:
    """What E-utilities report in a body whose status is 200."""
    head = body[:4096]
    if head.lstrip()[:1] == b"{":
        if b"rate limit" in head.lower():
            raise RateLimited
        raise Faulty(f"no records but {quoted(body)}")
    if b"<PubmedArticle" not in head and (match := _ERROR.search(head)):
        say_forgotten(body)
        raise Faulty(f"an error: {quoted(match[1])}")


def say_forgotten(body: bytes) -> None:
    """Raise Forgotten where an error speaks of the history server, whatever its status."""
    match = _ERROR.search(body[:4096])
    said = match[1].lower() if match else b""
    if b"history" in said or b"obtain query" in said or b"webenv" in said:
        raise Forgotten


def _words(value: Any) -> dict[str, list[str]]:
    """Lists of text by name, whatever else there is."""
    rows = value.items() if isinstance(value, dict) else ()
    return {name: [str(each) for each in given] for name, given in rows if isinstance(given, list)}


def closer(term: str, unknown: tuple[str, ...]) -> str:
    """The term with phrases that PubMed's index lacks as words next to one another. Left alone, PubMed takes
    such a phrase apart and finds its words anywhere, in a record on something else."""
    lacking = {" ".join(words.split()).casefold() for each in unknown for words in _QUOTED.findall(each)}

    def near(match: re.Match[str]) -> str:
        words = " ".join(match[1].split())
        if words.casefold() not in lacking or len(words.split()) < 2:
            return match[0]
        return f'"{words}"[{match[2]}:~0]'

    return _PHRASE.sub(near, term)
