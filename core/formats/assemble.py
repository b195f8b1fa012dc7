"""From what a format found to a checked document: the one place where rows become records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from pydantic import ValidationError

from core.formats.documents import AnnotationRow, DocumentRow
from core.formats.grounding import Claim, Frame, Grounded, Mismatch, ground, other_unit
from core.formats.rows import Notes, Raw, Reading, RowError, shown
from core.records import Annotation, Assertion, ConceptClass, Document, Evidence, Span


def assemble(
    rows: Iterable[Raw | RowError], file: str, reading: Reading, notes: Notes
) -> Iterator[Document | RowError]:
    """Check every document. A document comes whole or not at all: any error in it yields errors only.

    A doc_id that occurs twice is an error at its second place.
    """
    first_line: dict[str, int | None] = {}
    for row in rows:
        if isinstance(row, RowError):
            yield row
            continue
        checked = _document(row, file, reading, notes)
        if isinstance(checked, Document):
            if checked.doc_id in first_line:
                line = first_line[checked.doc_id]
                before = f"this doc_id was used before{f' on line {line}' if line else ''}"
                cause = f"{before}; in CSV and PubTator keep the rows of one document together"
                yield RowError(file, row.line, checked.doc_id, "doc_id", cause, _as_read(row))
                continue
            first_line[checked.doc_id] = row.line
            yield checked
        else:
            yield checked[0]
            yield from (replace(error, row=None) for error in checked[1:])


def _document(raw: Raw, file: str, reading: Reading, notes: Notes) -> Document | list[RowError]:
    given = raw.value.get("doc_id") if isinstance(raw.value, dict) else None
    doc_id = given if isinstance(given, str) else None

    def error(field: str | None, cause: str, index: int | None = None) -> RowError:
        line = raw.line if index is None or raw.annotation_lines is None else raw.annotation_lines[index]
        return RowError(file, line, doc_id, field, cause, _as_read(raw))

    try:
        row = DocumentRow.model_validate(raw.value)
    except ValidationError as failure:
        return [error(*told(problem)) for problem in failure.errors(include_url=False)]
    text = row.text
    if reading.texts is not None:
        known = reading.texts(row.doc_id)
        if known is None:
            return [error("doc_id", "there is no document of this id to label")]
        if text is not None and text != known:
            return [error("text", f"the text differs from the one to label {_first_difference(text, known)}")]
        text = known
    if text is None and not reading.without_texts:
        return [error("text", "the text is missing")]
    text = text or ""

    mine = Notes()  # a document that is refused leaves no notes
    frame = Frame(text, reading.offsets)
    claims = [Claim(a.text_span, a.start_offset, a.end_offset) for a in row.annotations]
    annotations: list[Annotation] = []
    errors: list[RowError] = []
    for index, (a, claim) in enumerate(zip(row.annotations, claims, strict=True)):
        try:
            keep = reading.keep_ungrounded or a.of_a_machine
            place = ground(frame, claim, mine, keep=keep) if text else _as_stated(claim, reading)
        except Mismatch as mismatch:
            errors.append(error(f"annotations[{index}]", str(mismatch), index))
        else:
            annotations.append(_annotation(a, place))
            mine.ignored.update((a.model_extra or {}).keys())
    if errors:
        return [_hinted(errors[0], other_unit(frame, claims)), *errors[1:]]
    notes.add(mine)
    return Document(row.doc_id, text, tuple(annotations), row.title, row.article, row.meta)


def _as_stated(claim: Claim, reading: Reading) -> Grounded:
    """A place in a text that is not at hand: taken as the file says it, where only the labels count."""
    if not reading.without_texts or (claim.quote is None and claim.start is None):
        return Grounded()
    start, end, quote = claim.start, claim.end, claim.quote or ""
    if start is not None and end is not None and 0 <= start < end and reading.offsets == "code-points":
        return Grounded(Span(start, end, quote))
    return Grounded(None, Evidence(quote, None, None, grounded=False))


def _as_read(raw: Raw) -> Any:
    return raw.value if raw.given is None else raw.given


def _annotation(row: AnnotationRow, place: Grounded) -> Annotation:
    return Annotation(
        concept=row.curie,
        label=row.label,
        assertion=Assertion(row.assertion_status),
        span=place.span,
        concept_class=ConceptClass(row.concept_class) if row.concept_class else None,
        confidence=None if row.confidence is None else float(row.confidence),
        reason=row.reason,
        run=row.run,
        ungrounded=place.ungrounded,
    )


def _hinted(error: RowError, unit: str | None) -> RowError:
    if unit is None:
        return error
    hint = f". All offsets of this document agree when counted in {unit}: read the file with --offsets {unit}"
    return replace(error, cause=error.cause + hint)


def told(problem: Any) -> tuple[str | None, str, int | None]:
    """A pydantic error as (path of the value, cause, index of the annotation it is in)."""
    path = ""
    place: tuple[int | str, ...] = problem["loc"]
    for step in place:
        path += f"[{step}]" if isinstance(step, int) else f".{step}"
    index = place[1] if len(place) > 1 and place[0] == "annotations" and isinstance(place[1], int) else None
    if problem["type"] == "missing":
        return path.lstrip(".") or None, "is missing", index
    if problem["type"] == "value_error":
        return path.lstrip(".") or None, str(problem["ctx"]["error"]), index
    if problem["type"] == "string_unicode":
        return path.lstrip(".") or None, "holds half of a surrogate pair", index
    cause = problem["msg"].removeprefix("Input should be ")
    return path.lstrip(".") or None, f"expected {cause}, found {shown(problem['input'])}", index


def _first_difference(text: str, known: str) -> str:
    pairs = enumerate(zip(text, known, strict=False))
    at = next((i for i, (a, b) in pairs if a != b), min(len(text), len(known)))
    return f"from character {at} on: {shown(text[at : at + 20])} against {shown(known[at : at + 20])}"
