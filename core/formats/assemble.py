"""From what a format found to a checked document: the one place where rows become records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from pydantic import ValidationError

from core.formats.alignment import Alignment, align, difference
from core.formats.documents import CURIE, AnnotationRow, DocumentRow
from core.formats.grounding import Claim, Frame, Grounded, Mismatch, ground, other_unit
from core.formats.rows import FieldFault, Notes, Raw, Reading, RowError, Unread, shown
from core.records import Annotation, Assertion, ConceptClass, Document, Evidence, Span


def assemble(
    rows: Iterable[Raw | RowError], file: str, reading: Reading, notes: Notes
) -> Iterator[Document | RowError]:
    """Check every document. A document comes whole or not at all: any error in it yields errors only. With
    `Reading.one_by_one` errors of annotations come before their document, which comes without these.

    A doc_id that occurs twice is an error at its second place.
    """
    first_line: dict[str, int | None] = {}
    for row in rows:
        if isinstance(row, RowError):
            yield row
            continue
        about = _About(row, row.file or file, reading)
        document = about.document(notes)
        if document is not None and document.doc_id in first_line:
            line = first_line[document.doc_id]
            before = f"this doc_id was used before{f' on line {line}' if line else ''}"
            cause = f"{before}; in CSV and PubTator keep the rows of one document together"
            yield about.error("doc_id", cause)
            continue
        yield from about.errors
        if document is not None:
            first_line[document.doc_id] = row.line
            yield document


class _About:
    """One document on its way in, and what is wrong with it."""

    def __init__(self, raw: Raw, file: str, reading: Reading):
        self.raw, self.file, self.reading = raw, file, reading
        value = raw.value
        listed = value.get("annotations") if isinstance(value, dict) else None
        self.given: list[Any] | None = listed if isinstance(listed, list) else None
        self.doc_id = value.get("doc_id") if isinstance(value, dict) else None
        self.errors: list[RowError] = []

    def document(self, notes: Notes) -> Document | None:
        """The document; None where its errors rule it out."""
        row, labels = self._checked()
        if row is None or (self.errors and not self.reading.one_by_one):
            self._whole()
            return None
        mine = Notes()  # a document that is refused leaves no notes
        try:
            text, aligned = self._text(row, mine)
        except FieldFault as wrong:
            self.errors.append(self.error(wrong.field, str(wrong)))
            self._whole()
            return None
        annotations = self._grounded(labels, Frame(text, self.reading.offsets), aligned, mine)
        if self.errors and not self.reading.one_by_one:
            self._whole()
            return None
        notes.add(mine)
        known = aligned.known if aligned else text
        return Document(row.doc_id, known, tuple(annotations), row.title, row.article, row.meta)

    def _checked(self) -> tuple[DocumentRow | None, list[tuple[int, AnnotationRow]]]:
        """The document by the schema, and its annotations with their place; what is wrong is in `errors`."""
        try:
            self.doc_id = self._name()
        except FieldFault as wrong:
            self.errors.append(self.error(wrong.field, str(wrong)))
            return None, list(self._labels())
        value = self.raw.value
        if isinstance(value, dict) and value.get("doc_id") != self.doc_id:
            value = {**value, "doc_id": self.doc_id}
        try:
            row = DocumentRow.model_validate(value)
        except ValidationError:
            pass  # mostly there is nothing wrong; otherwise all that is wrong is told, one by one
        else:
            return row, list(enumerate(row.annotations))
        try:
            row = DocumentRow.model_validate(value if self.given is None else {**value, "annotations": []})
        except ValidationError as failure:
            found = [told(problem)[:2] for problem in failure.errors(include_url=False)]
            self.errors += [self.error(*one) for one in found]
            return None, list(self._labels())
        return row, list(self._labels())

    def error(self, field: str | None, cause: str, index: int | None = None) -> RowError:
        lines = self.raw.annotation_lines
        line = self.raw.line if index is None or lines is None else lines[index]
        doc_id = self.doc_id if isinstance(self.doc_id, str) else None
        given = _as_read(self.raw) if index is None or self.given is None else _plain(self.given[index])
        return RowError(self.file, line, doc_id, field, cause, given)

    def _whole(self) -> None:
        """The errors are those of the whole document, which the first of them has."""
        rows = (_as_read(self.raw), *(None for _ in self.errors[1:]))
        self.errors = [replace(error, row=row) for error, row in zip(self.errors, rows, strict=True)]

    def _name(self) -> Any:
        """The name that the document has among those to label.

        Raises:
            FieldFault: a document without a name has a text that none of them has, or several have.
        """
        raw, texts, named = self.raw, self.reading.texts, self.reading.named
        if raw.by_text and named is not None and isinstance(text := raw.value["text"], str):
            found = named(text)
            if not found:
                raise FieldFault("text", f"no document to label has this text: {shown(text)}")
            if len(found) > 1:
                raise FieldFault(
                    "text", f"several documents have this text: {', '.join(map(shown, found[:3]))}"
                )
            return found[0]
        if raw.names and texts is not None and texts(str(self.doc_id)) is None:
            return next((name for name in raw.names if texts(name) is not None), self.doc_id)
        return self.doc_id

    def _labels(self) -> Iterator[tuple[int, AnnotationRow]]:
        for index, one in enumerate(self.given or ()):
            place = f"annotations[{index}]"
            if isinstance(one, Unread):
                self.errors.append(self.error(one.field, one.cause, index))
                continue
            try:
                yield index, AnnotationRow.model_validate(one)
            except ValidationError as failure:
                for problem in failure.errors(include_url=False):
                    path, cause, _ = told(problem)
                    field = f"{place}.{path}" if path else place
                    self.errors.append(self.error(field, cause, index))

    def _text(self, row: DocumentRow, notes: Notes) -> tuple[str, Alignment | None]:
        """The text that offsets of the file are about, and how it differs from the one to label."""
        text, reading = row.text, self.reading
        if reading.texts is not None:
            known = reading.texts(row.doc_id)
            if known is None:
                raise FieldFault("doc_id", "there is no document of this id to label")
            if text is not None and text != known:
                aligned = align(text, known)
                if aligned is None:
                    cause = f"the text differs from the one to label {difference(text, known)}"
                    raise FieldFault("text", cause)
                notes.aligned.append(row.doc_id)
                return text, aligned
            text = known
        if text is None and not reading.without_texts:
            raise FieldFault("text", "the text is missing")
        return text or "", None

    def _grounded(
        self, labels: list[tuple[int, AnnotationRow]], frame: Frame, aligned: Alignment | None, notes: Notes
    ) -> list[Annotation]:
        claims = [Claim(a.text_span, a.start_offset, a.end_offset) for _, a in labels]
        before, found = len(self.errors), list[Annotation]()
        for (index, a), claim in zip(labels, claims, strict=True):
            keep = self.reading.keep_ungrounded or a.of_a_machine
            try:
                place = (
                    ground(frame, claim, notes, keep=keep) if frame.text else _as_stated(claim, self.reading)
                )
            except Mismatch as mismatch:
                self.errors.append(self.error(f"annotations[{index}]", str(mismatch), index))
                continue
            found.append(_annotation(a, _moved(place, aligned, notes)))
            notes.ignored.update((a.model_extra or {}).keys())
        if len(self.errors) > before:
            self.errors[before] = _hinted(self.errors[before], other_unit(frame, claims))
        return found


def _moved(place: Grounded, aligned: Alignment | None, notes: Notes) -> Grounded:
    """A place in the file's text as one in the text to label."""
    if aligned is None:
        return place
    if place.span is not None:
        span = aligned.span(place.span.start, place.span.end)
        if span is not None:
            return Grounded(span)
        notes.ungrounded += 1
        return Grounded(None, Evidence(place.span.quote, None, None, grounded=False))
    if place.ungrounded is not None:
        return Grounded(None, replace(place.ungrounded, start=None, end=None))
    return place


def _as_stated(claim: Claim, reading: Reading) -> Grounded:
    """A place in a text that is not at hand: taken as the file says it, where only the labels count."""
    if not reading.without_texts or (claim.quote is None and claim.start is None):
        return Grounded()
    start, end, quote = claim.start, claim.end, claim.quote or ""
    if start is not None and end is not None and 0 <= start < end and reading.offsets == "code-points":
        return Grounded(Span(start, end, quote))
    return Grounded(None, Evidence(quote, None, None, grounded=False))


def _as_read(raw: Raw) -> Any:
    return _plain(raw.value if raw.given is None else raw.given)


def _plain(given: Any) -> Any:
    """What a rejects file holds of it."""
    if isinstance(given, Unread):
        return given.given
    if isinstance(given, dict) and isinstance(listed := given.get("annotations"), list):
        return {**given, "annotations": [_plain(one) for one in listed]}
    return given


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
    place: tuple[int | str, ...] = problem["loc"]
    path = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in place)
    index = place[1] if len(place) > 1 and place[0] == "annotations" and isinstance(place[1], int) else None
    return path.lstrip(".") or None, _cause(problem), index


def _cause(problem: Any) -> str:
    if problem["type"] == "missing":
        return "is missing"
    if problem["type"] == "value_error":
        return str(problem["ctx"]["error"])
    if problem["type"] == "string_unicode":
        return "holds half of a surrogate pair"
    wanted = problem["msg"].removeprefix("Input should be ")
    if problem["type"] == "string_pattern_mismatch" and problem["ctx"]["pattern"] == CURIE:
        wanted = "an id such as HP:0001250 or HP_0001250"
    return f"expected {wanted}, found {shown(problem['input'])}"


def first_fault(failure: ValidationError) -> tuple[str | None, str]:
    """The first of pydantic's errors as (path of the value, cause)."""
    return told(failure.errors(include_url=False)[0])[:2]
