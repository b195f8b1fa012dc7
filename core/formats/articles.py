"""Articles: rows that hold an abstract, as documents.

A row is an article's if it has `abstract` or `abstract_sections` in place of `text`, whatever its format.

    abstract            the abstract, taken as it stands
    abstract_sections   [{"label", "text"}] of a structured abstract, instead of `abstract` or beside it
    doc_id              or `pmid`, `pmcid` or `doi`, of which the first that is there names the document
    year                a whole number, or four digits as text
    title, doi, pmid, journal, domain, source and any other field are kept as they are

The text is the abstract without the title. Where only sections are given, it is `Label: text` of each, joined
by line feeds. `meta.sections` is [{"label", "start", "end"}]: each covers the text of a section, without its
label, in code points of the document's text; parts without a label have none.

A record without an abstract is no document. It is left out, and told by name in the notes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from core.formats.grounding import Frame
from core.formats.rows import FieldFault, Notes, OffsetUnit, Raw, RowError, shown
from core.formats.strict_json import JsonFault, loads

ABSTRACTS = ("abstract", "abstract_sections")
IDENTIFIERS = ("pmid", "pmcid", "doi")
"""Fields that can name an article, in this order."""

_YEAR = re.compile(r"[12][0-9]{3}")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def as_documents(
    rows: Iterable[Raw | RowError], file: str, notes: Notes, offsets: OffsetUnit = "code-points"
) -> Iterator[Raw | RowError]:
    """Rows of articles as rows of documents; other rows as they are.

    Args:
        offsets: what the offsets of sections count that come with them.
    """
    for row in rows:
        if isinstance(row, RowError):
            yield row
            continue
        if not is_article(row.value):
            yield _with_sections(row, notes, offsets)
            continue
        try:
            value = _document(row.value, offsets)
        except FieldFault as fault:
            yield RowError(file, row.line, name_of(row.value), fault.field, fault.cause, row.value)
            continue
        if value is None:
            notes.without_abstract.append(_told(row))
        else:
            yield replace(row, value=value, given=row.value)


def _with_sections(row: Raw, notes: Notes, offsets: OffsetUnit) -> Raw:
    """A document whose sections, if it has any, are in code points. Whose they are not is not known of a
    document with a text, so such a field is no fault of it: it stays, unused, and is counted."""
    value = row.value
    if not isinstance(value, dict) or not isinstance(value.get("sections"), list):
        return row
    if not isinstance(value.get("text"), str):
        return row
    try:
        sections = placed(value["sections"], Frame(value["text"], offsets))
    except FieldFault:
        notes.astray += 1
        return row
    return replace(row, value={**value, "sections": sections}, given=value)


def is_article(value: Any) -> bool:
    """Whether a row has an abstract, if an empty one, where others have a text. An empty one beside
    annotations is a document whose text is missing."""
    if not isinstance(value, dict) or value.get("text") is not None:
        return False
    return any(value.get(name) for name in ABSTRACTS) or (
        not value.get("annotations") and any(name in value for name in ABSTRACTS)
    )


def name_of(value: Mapping[str, Any]) -> str | None:
    """The doc_id that an article has or is given: `PMID` and digits, else the PMCID, else the DOI."""
    given = value.get("doc_id")
    if given is not None:
        return given if isinstance(given, str) else None
    for field in IDENTIFIERS:
        found = value.get(field)
        if isinstance(found, int) and not isinstance(found, bool):
            found = str(found)
        if isinstance(found, str) and found.strip():
            found = found.strip()
            return f"PMID{found}" if field == "pmid" else found
    return None


def _told(row: Raw) -> str:
    title = row.value.get("title")
    place = f"line {row.line}" if row.line is not None else "a record without a name"
    return name_of(row.value) or (shown(title) if isinstance(title, str) and title.strip() else place)


def _document(given: dict[str, Any], offsets: OffsetUnit) -> dict[str, Any] | None:
    """The row of a document; None without an abstract."""
    abstract, parts = _abstract(given.get("abstract")), _parts(given.get("abstract_sections"))
    value = {name: field for name, field in given.items() if name not in (*ABSTRACTS, "text")}
    name = name_of(given)
    if value.get("doc_id") is None and name is not None:
        value["doc_id"] = name
    if abstract is None and parts:
        value["text"], sections = joined(parts)
    elif abstract is not None:
        value["text"], sections = abstract, located(abstract, parts)
    else:
        return None
    if sections:
        if given.get("sections") is not None:
            raise FieldFault("sections", "stands beside abstract_sections: leave one of them out")
        value["sections"] = sections
    elif isinstance(given.get("sections"), list):
        value["sections"] = placed(given["sections"], Frame(value["text"], offsets))
    _plain(value)
    return value


def _plain(value: dict[str, Any]) -> None:
    """Year and PMID in the form that all articles share. A year of another form stays what it is."""
    year, pmid = value.get("year"), value.get("pmid")
    if isinstance(year, str) and _YEAR.fullmatch(year):
        value["year"] = int(year)
    if isinstance(pmid, int) and not isinstance(pmid, bool):
        value["pmid"] = str(pmid)


def _abstract(value: Any) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str):
        raise FieldFault("abstract", f"expected a string, found {shown(value)}")
    return value if value.strip() else None


def _parts(value: Any) -> list[dict[str, Any]]:
    """The sections that hold text. A CSV cell holds them as JSON."""
    if value is None or value == "":
        return []
    if isinstance(value, str):
        try:
            value = loads(value)
        except JsonFault as fault:
            raise FieldFault("abstract_sections", f"is no valid JSON: {fault.cause}") from None
    if not isinstance(value, list):
        raise FieldFault("abstract_sections", f"expected a list, found {shown(value)}")
    for index, part in enumerate(value):
        field = f"abstract_sections[{index}]"
        if not isinstance(part, dict) or not isinstance(part.get("text"), str):
            raise FieldFault(field, f'expected {{"label", "text"}}, found {shown(part)}')
        if not isinstance(part.get("label"), str | None):
            raise FieldFault(f"{field}.label", f"expected a string, found {shown(part['label'])}")
    return [part for part in value if part["text"].strip()]


def joined(parts: Iterable[Mapping[str, Any]]) -> tuple[str, list[dict[str, Any]]]:
    """One text of all parts, a line each, and the sections in it. Fields of a part beside its text are those
    of its section."""
    text, sections = "", []
    for part in parts:
        label = _label(part)
        text += ("\n" if text else "") + (f"{label}: " if label else "")
        start = len(text)
        text += part["text"]
        if label:
            sections.append(_section(part, label, start, len(text)))
    return text, sections


def located(text: str, parts: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Where the parts stand in a text that holds them in their order, white space apart.

    Raises:
        FieldFault: one does not stand there.
    """
    at, sections = 0, []
    for index, part in enumerate(parts):
        start = text.find(part["text"], at)
        end = start + len(part["text"])
        if start < 0:
            loose = r"\s+".join(map(re.escape, part["text"].split()))
            match = re.compile(loose).search(text, at)
            if match is None:
                where = f"does not stand in the abstract after character {at}"
                cause = f"{shown(part['text'])} {where}: correct one of them, or leave one out"
                raise FieldFault(f"abstract_sections[{index}].text", cause)
            start, end = match.span()
        at = end
        if label := _label(part):
            sections.append(_section(part, label, start, end))
    return sections


def _label(part: Mapping[str, Any]) -> str:
    """As printed, without the colon after it; empty where there is none."""
    return (part.get("label") or "").strip().rstrip(":").rstrip()


def _section(part: Mapping[str, Any], label: str, start: int, end: int) -> dict[str, Any]:
    further = {name: field for name, field in part.items() if name not in ("label", "text", "start", "end")}
    return {"label": label, "start": start, "end": end, **further}


def placed(given: list[Any], frame: Frame) -> list[Any]:
    """Sections that come with offsets, in code points. Members of another form are not ours, and stay.

    Raises:
        FieldFault: offsets that mark no part of the text, or another part than the section's own `text`.
    """
    sections: list[Any] = []
    for index, row in enumerate(given):
        if not isinstance(row, dict) or not {"label", "start", "end"} <= row.keys():
            sections.append(row)
            continue
        start, end = row["start"], row["end"]
        whole = all(isinstance(at, int) and not isinstance(at, bool) for at in (start, end))
        marked = frame.marked(start, end) if whole else None
        if marked is None:
            cause = f"{shown(start)} to {shown(end)} mark no part of the text of {len(frame.text)} characters"
            raise FieldFault(f"sections[{index}]", cause)
        if row.get("text", marked.quote) != marked.quote:
            cause = f"expected {shown(row['text'])} at {start} to {end}, found {shown(marked.quote)}"
            raise FieldFault(f"sections[{index}].text", cause)
        sections.append({**row, "start": marked.start, "end": marked.end})
    return sections


def iso_date(year: str, month: str | None, day: str | None) -> str:
    """As precise as it is told: `2005`, `2005-03` or `2005-03-16`. A month is a number or an English name."""
    number = 0
    if month and month.isdecimal():
        number = int(month)
    elif month and month[:3].lower() in _MONTHS:
        number = _MONTHS.index(month[:3].lower()) + 1
    if not 1 <= number <= 12:
        return year
    within = day is not None and day.isdecimal() and 1 <= int(day) <= 31
    return f"{year}-{number:02}" + (f"-{int(day or 0):02}" if within else "")
