"""What Phentrieve says about one text: each form in which `phentrieve text process` and its service answer.

    rich_json_summary   {"document": {"chunks": [...], "hpo_terms": [...]}}
    json_lines          a term a line, then {"aggregated_hpo_terms": [chunks with their matches]}
    csv_hpo_list        hpo_id, name, confidence, status, chunk_idx, chunk_text, start_char, end_char
    the service (API)   {"meta", "processed_chunks": [...], "aggregated_hpo_terms": [...]}

A term is a label, with its status and its confidence. Its evidence are the words that Phentrieve marks in
a chunk, or else the whole chunk. `normal` is negated. A finding of a relative, whatever its status, gets
the status `other_person`. No form names the document, so it is named by its file, or by a `doc_id` beside
the rest; files of many documents lie in one folder. `phenopacket_v2_json` is read as phenopackets.
Followed: `phentrieve/cli/text_commands.py`, `text_processing/full_text_service.py`, `assertion_vocab.py`
and `api/schemas/text_processing_schemas.py` of https://github.com/berntpopp/phentrieve
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any, NamedTuple

from core.errors import InputError
from core.formats import foreign
from core.formats.json import values
from core.formats.rows import Notes, Raw, RowError, Unread, shown
from core.formats.source import Source

_TERMS = ("aggregated_hpo_terms", "hpo_terms")


class _Chunk(NamedTuple):
    text: str
    start: int | None
    """Of the chunk in the text; None where Phentrieve does not say."""


def read(source: Source, notes: Notes) -> tuple[Any, Iterator[Raw | RowError]]:
    """The documents of a file: mostly the one that it is about."""
    first = source.whole().lstrip()[:1]
    return {}, _documents(source, notes) if first in ("{", "[") else iter([_of_table(source, notes)])


def _documents(source: Source, notes: Notes) -> Iterator[Raw | RowError]:
    loose: list[dict[str, Any]] = []
    chunks: dict[int, _Chunk] = {}
    for line, value in values(source):
        if not isinstance(value, dict):
            yield RowError(source.name, line, None, None, f"expected an object, found {shown(value)}", value)
        elif isinstance(whole := value.get("document", value), dict) and _is_whole(whole):
            yield _document(value, whole, line, source, notes)
        elif "aggregated_hpo_terms" in value:
            chunks |= _chunks(value["aggregated_hpo_terms"], "chunk_idx", "chunk_text")
        elif "id" in value or "hpo_id" in value:
            loose.append(value)
        else:
            cause = "expected terms of Phentrieve: hpo_terms, aggregated_hpo_terms, or one a line"
            yield RowError(source.name, line, None, None, cause, value)
    if loose or chunks:
        annotations = [found for term in loose for found in _annotations(term, chunks, notes)]
        yield _raw(source, annotations, 1)


def _is_whole(value: dict[str, Any]) -> bool:
    """Whether an object holds terms together with what they are about."""
    terms = next((value[name] for name in _TERMS if name in value), None)
    return isinstance(terms, list) and not any(isinstance(one, dict) and "matches" in one for one in terms)


def _document(given: Any, value: dict[str, Any], line: int, source: Source, notes: Notes) -> Raw:
    if isinstance(chunked := value.get("chunks"), list):
        chunks = _chunks(chunked, "chunk_idx", "text")
    else:
        chunks = _chunks(value.get("processed_chunks"), "chunk_id", "text")
    terms = next(value[name] for name in _TERMS if name in value)
    annotations = [found for term in terms for found in _annotations(term, chunks, notes)]
    if isinstance(relatives := value.get("family_history_findings"), list):
        of_them = [
            {"experiencer": "family_history", **term} if isinstance(term, dict) else term
            for term in relatives
        ]
        annotations += [found for term in of_them for found in _annotations(term, chunks, notes)]
    return _raw(source, annotations, line, given.get("doc_id"))


def _raw(source: Source, annotations: list[Any], line: int, doc_id: Any = None) -> Raw:
    if doc_id is not None:
        return Raw({"doc_id": doc_id, "annotations": annotations}, line)
    return Raw({"doc_id": source.stem, "annotations": annotations}, line, names=(source.path.name,))


def _chunks(given: Any, number: str, text: str) -> dict[int, _Chunk]:
    found: dict[int, _Chunk] = {}
    for one in given if isinstance(given, list) else ():
        if isinstance(one, dict) and isinstance(one.get(number), int) and isinstance(one.get(text), str):
            found[one[number]] = _Chunk(one[text], _offset(one.get("start_char")))
    return found


def _offset(value: Any) -> int | None:
    """Phentrieve writes -1, or nothing, where it does not know."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


# --- terms ------------------------------------------------------------------------------------------------


def _annotations(term: Any, chunks: dict[int, _Chunk], notes: Notes) -> list[Any]:
    """One annotation for each quote of a term, or one for the document."""
    if not isinstance(term, dict):
        return [Unread(f"expected a term, found {shown(term)}", term)]

    def first(*names: str) -> Any:
        return next((term[name] for name in names if term.get(name) is not None), None)

    try:
        about = {
            "concept_id": first("hpo_id", "id"),
            "label": first("name", "label"),
            "assertion_status": _status(
                first("experiencer"), first("status", "assertion_status", "assertion")
            ),
            "confidence": foreign.score(first("confidence", "score"), notes),
        }
    except ValueError as cause:
        return [Unread(str(cause), term)]
    places = list(dict.fromkeys((*_marked(term, chunks), *_unmarked(term, chunks))))
    return [{**about, **dict(place)} for place in places or [()]]


def _status(whose: Any, word: Any) -> str:
    """Of a finding of the patient what the word says; `other_person` of anybody else's."""
    return foreign.status(word) if whose in (None, "", "proband") else "other_person"


_Place = tuple[tuple[str, Any], ...]


def _marked(term: dict[str, Any], chunks: dict[int, _Chunk]) -> Iterator[_Place]:
    """The words that Phentrieve marks. Their offsets count from the start of their chunk."""
    given = term.get("text_attributions")
    for one in given if isinstance(given, list) else ():
        if (
            not isinstance(one, dict)
            or not isinstance(quote := one.get("matched_text_in_chunk"), str)
            or not quote
        ):
            continue
        number = one.get("chunk_id", one.get("chunk_idx"))
        chunk = chunks.get(number, _Chunk("", None)) if isinstance(number, int) else _Chunk("", None)
        start = _offset(one.get("start_char"))
        if chunk.start is None or start is None:
            yield (("text_span", quote),)
        else:
            yield _place(quote, chunk.start + start)


def _unmarked(term: dict[str, Any], chunks: dict[int, _Chunk]) -> Iterator[_Place]:
    """The chunks of a term in which no words are marked."""
    if term.get("text_attributions"):
        return
    numbers = term.get("source_chunk_ids", term.get("chunks"))
    for number in numbers if isinstance(numbers, list) else [term.get("top_evidence_chunk")]:
        chunk = chunks.get(number) if isinstance(number, int) else None
        if chunk is not None and chunk.text:
            yield (("text_span", chunk.text),) if chunk.start is None else _place(chunk.text, chunk.start)
    if not chunks and isinstance(quote := term.get("evidence"), str) and quote:
        yield (("text_span", quote),)


def _place(quote: str, start: int) -> _Place:
    return ("text_span", quote), ("start_offset", start), ("end_offset", start + len(quote))


def _of_table(source: Source, notes: Notes) -> Raw:
    reader = csv.DictReader(io.StringIO(source.whole()), strict=True)
    if "hpo_id" not in (reader.fieldnames or ()):
        raise InputError(
            f"{source.name}, line 1: there is no column hpo_id. Check that Phentrieve wrote the file, and "
            "its --format."
        )
    annotations: list[Any] = []
    try:
        for row in reader:
            chunk, start = row.get("chunk_text") or "", row.get("start_char") or ""
            term = {key: cell for key, cell in row.items() if key is not None and cell not in (None, "")}
            known = (
                {0: _Chunk(chunk, int(start) if start.isdecimal() and len(start) < 10 else None)}
                if chunk
                else {}
            )
            annotations += _annotations({**term, "chunks": [0]}, known, notes)
    except csv.Error as error:
        raise InputError(f"{source.name}, line {reader.line_num}: {error}. Check the file.") from None
    return _raw(source, annotations, 1)
