"""MEDLINE, the tagged text that PubMed saves as .nbib or .txt: a record is lines of `TAG - value`.

    PMID- 10808977
    TI  - Title that goes on
          on the next line.
    AB  - BACKGROUND: Text. METHODS: Text.
    LID - 10.1000/x [doi]

A record ends at an empty line or at the next PMID. Lines are put together by single spaces. PubMed writes the
sections of a structured abstract into one line, their labels in capitals: each becomes a line of the text, as
it is in PubMed XML. `SO`, the last field PubMed writes, shows whether a record is whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from core.errors import InputError
from core.formats.articles import iso_date
from core.formats.rows import Notes, Raw, RowError, shown
from core.formats.source import Source

_FIELD = re.compile(r"([A-Z][A-Z0-9]{1,3}) {0,2}- ?(.*)", re.DOTALL)
_ONCE = ("PMID", "TI", "AB", "JT", "TA", "DP")
_YEAR = re.compile(r"(?<![0-9])[12][0-9]{3}(?![0-9])")
_IDENTIFIER = re.compile(r"(\S+) \[(\w+)\]")
_DATE = re.compile(r"([12][0-9]{3})(?: ([A-Z][a-z]{2}))?(?: ([0-9]{1,2}))?")
_DIGITS = re.compile(r"([12][0-9]{3})([0-9]{2})([0-9]{2})")
_ELSEWHERE = "Abstract available from the publisher"
_LABEL = re.compile(r"(?:(?<=^)|(?<=[.?!)\]] ))([A-Z][A-Z ,/&()\-']{2,80}): ")
_HEAD = re.compile(
    r"\b(?:ABSTRACT|AIM|ANALYSIS|APPROACH|BACKGROUND|CASE|CONCLUSION|CONTEXT|DATA|DESIGN|DIAGNOSIS|DISCUSSION"
    r"|ELIGIBILITY|EVIDENCE|FINDING|FUNDING|GOAL|HYPOTHES[EI]S|IMPLICATION|IMPORTANCE|INTERPRETATION"
    r"|INTERVENTION|INTRODUCTION|LESSON|LIMITATION|MATERIAL|MEASURE|MEASUREMENT|METHOD|METHODOLOGY|OBJECTIVE"
    r"|OUTCOME|PARTICIPANT|PATIENT|POPULATION|PROCEDURE|PURPOSE|QUESTION|RATIONALE|RECOMMENDATION"
    r"|REGISTRATION|RELEVANCE|RESULT|SAMPLE|SETTING|SIGNIFICANCE|STUDY|SUBJECT|SUMMARY|SYNTHESIS|TRIAL)S?\b"
)
"""Words of which one stands in every label: `RNA: ` in capitals is none."""


def read(source: Source, notes: Notes) -> tuple[Any, Iterator[Raw | RowError]]:
    """Records of a MEDLINE file; it has no metadata."""
    return {}, _records(source)


def _records(source: Source) -> Iterator[Raw | RowError]:
    earlier = False
    for block, ends in _blocks(source):
        row = _record(source.name, block)
        whole = _has(block, "SO")
        # by PubMed, which writes OWN or STAT after the PMID, or else as far as the file itself shows
        expected = _has(block, "OWN", "STAT") or (ends is not None and (earlier or not ends))
        if expected and not whole and isinstance(row, Raw):
            cause = "the record ends before its SO: the file was cut off or damaged, so download it again"
            row = RowError(source.name, row.line, row.value["doc_id"], None, cause, row.value)
        earlier = earlier or whole
        yield row


def _blocks(source: Source) -> Iterator[tuple[list[tuple[int, str]], bool | None]]:
    """(numbered lines of a record, of the last record whether a line end closes the file)."""
    block: list[tuple[int, str]] = []
    ended, over = True, True
    for number, line in source.lines():
        ended = line.endswith("\n")
        line = line.rstrip("\r\n")
        if not line.strip():
            over = True
            continue
        if over or line.startswith("PMID-"):
            if block:
                yield block, None
            block, over = [], False
            if not _FIELD.fullmatch(line):
                raise InputError(
                    f"{source.name}, line {number}: {shown(line)} begins no record of MEDLINE, which is "
                    "lines of `TAG - value`, PMID first. Check that the file is complete, and its --format."
                )
        block.append((number, line))
    if block:
        yield block, ended


def _has(block: list[tuple[int, str]], *tags: str) -> bool:
    return any(match[1] in tags for _, line in block if (match := _FIELD.fullmatch(line)))


def _record(file: str, block: list[tuple[int, str]]) -> Raw | RowError:
    fields: dict[str, list[str]] = {}
    values: list[str] = []
    pmid = match[2].strip() if (match := _FIELD.fullmatch(block[0][1])) and match[1] == "PMID" else None
    as_read = "\n".join(line for _, line in block)
    for number, line in block:
        if line.startswith("      ") and values:
            values[-1] = f"{values[-1]} {line.strip()}".strip()
            continue
        match = _FIELD.fullmatch(line)
        if match is None:
            cause = f"expected `TAG - value` or a line that goes on after six spaces, found {shown(line)}"
            return RowError(file, number, pmid, None, cause, as_read)
        values = fields.setdefault(match[1], [])
        if values and match[1] in _ONCE:
            return RowError(file, number, pmid, match[1], "occurs twice in one record", as_read)
        values.append(match[2].strip())
    if not pmid or not pmid.isascii() or not pmid.isdigit():
        cause = f"the record begins with {shown(block[0][1])}, not with a PMID"
        return RowError(file, block[0][0], None, "PMID", cause, as_read)
    return Raw(_article(fields), block[0][0])


def _article(fields: dict[str, list[str]]) -> dict[str, Any]:
    def first(tag: str) -> str | None:
        return next((value for value in fields.get(tag, ()) if value), None)

    located = (_IDENTIFIER.fullmatch(value) for tag in ("LID", "AID") for value in fields.get(tag, ()))
    date, year = _date(first("DP"), first("DEP"))
    value = {
        "doc_id": f"PMID{first('PMID')}",
        "pmid": first("PMID"),
        "title": first("TI") or first("BTI"),
        "doi": next((match[1] for match in located if match and match[2] == "doi"), None),
        "pmcid": first("PMC"),
        "year": year,
        "published": date,
        "journal": first("JT") or first("BTI"),
        "journal_abbreviation": first("TA"),
        "source": "pubmed",
        "language": first("LA"),
        "vernacular_title": first("TT"),
        "publication_types": fields.get("PT"),
        "mesh": list(dict.fromkeys(heading.split("/")[0].lstrip("*") for heading in fields.get("MH", ()))),
        "keywords": fields.get("OT"),
        **_abstracts(fields),
    }
    return {name: field for name, field in value.items() if field or name == "abstract_sections"}


def _abstracts(fields: dict[str, list[str]]) -> dict[str, Any]:
    """The abstract's parts, and the other abstracts; the first of those where there is no other."""
    languages = fields.get("OABL", [])
    others = [
        {"language": languages[i] if i < len(languages) else None, "text": text}
        for i, text in enumerate(fields.get("OAB", ()))
        if text and _ELSEWHERE not in text
    ]
    abstract = next(iter(fields.get("AB", ())), "")
    found: dict[str, Any] = {}
    if not abstract and others:
        chosen = others.pop(0)
        abstract = chosen["text"] or ""
        found["abstract_language"] = chosen["language"]
    return {"abstract_sections": _parts(abstract), "other_abstracts": others, **found}


def _parts(abstract: str) -> list[dict[str, str]]:
    """The sections of an abstract that begins with a label; else the whole of it, without one."""
    labels = [match for match in _LABEL.finditer(abstract) if _HEAD.search(match[1])]
    if not labels or labels[0].start() > 0:
        return [{"text": abstract}] if abstract else []
    ends = [*(match.start() for match in labels[1:]), len(abstract)]
    parts = [
        {"label": match[1].strip(), "text": abstract[match.end() : end].strip()}
        for match, end in zip(labels, ends, strict=True)
    ]
    return [part for part in parts if part["text"]]


def _date(*given: str | None) -> tuple[str | None, int | None]:
    """(date, year) of the first that has a year; one of several months or a season keeps its own words."""
    for words in given:
        if words and (match := _DATE.fullmatch(words) or _DIGITS.fullmatch(words)):
            return iso_date(match[1], match[2], match[3]), int(match[1])
        if words and (match := _YEAR.search(words)):
            return words, int(match[0])
    return None, None
