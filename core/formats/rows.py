"""What a reader yields: documents, errors of single rows, and notes on what it had to decide."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields
from typing import Any, Literal

from core.errors import InputError
from core.formats.documents import Metadata
from core.records import Document

OffsetUnit = Literal["code-points", "utf-16", "utf-8"]

LISTED = 20
"""How many row errors one message prints before it counts the rest."""


def shown(value: object, limit: int = 60) -> str:
    """A value from outside as it may stand in a message: quoted, escaped, cut to `limit` characters.

    `repr` escapes line breaks, control and bidirectional characters, so no file can forge a message.
    """
    text = repr(value[: limit + 1] if isinstance(value, str) else value)
    return text if len(text) <= limit + 2 else f"{text[:limit]}…{text[-1]}"


@dataclass(frozen=True, slots=True)
class RowError:
    """One row, or one document, that cannot be used; the rest of the file may be fine."""

    file: str
    line: int | None
    """1-based; in a JSON object the line where the document starts."""
    doc_id: str | None
    field: str | None
    """Path to the value, such as `annotations[2].start_offset`, or a column."""
    cause: str
    row: Any = None
    """The row as read, for a rejects file; None where an earlier error of the document has it."""

    def __str__(self) -> str:
        place = [self.file]
        if self.line is not None:
            place.append(f"line {self.line}")
        if self.doc_id is not None:
            place.append(f"document {shown(self.doc_id)}")
        if self.field:
            place.append(self.field)
        return f"{', '.join(place)}: {self.cause}"


@dataclass(slots=True)
class Notes:
    """Counts of what was read in a way worth telling; complete once the rows are exhausted."""

    located: int = 0
    """Quotes given without offsets that occur exactly once."""
    ambiguous: int = 0
    """Quotes given without offsets that occur more than once: the first place was taken."""
    relocated: int = 0
    """Quotes with wrong offsets that occur exactly once (where ungrounded quotes are kept)."""
    ungrounded: int = 0
    """Quotes kept although they do not stand in the text (see `Reading.keep_ungrounded`)."""
    without_concept: int = 0
    """Mentions that name no concept, left out."""
    relations: int = 0
    """Relations between mentions, left out."""
    pieces: int = 0
    """Mentions in several pieces, each of which became a quote of its own."""
    aligned: list[str] = field(default_factory=list)
    """Documents whose text differs from the one to label by white space only, by name."""
    without_abstract: list[str] = field(default_factory=list)
    """Records of articles that have none, by name, left out."""
    deleted: list[str] = field(default_factory=list)
    """Records that the file says were deleted at their source, by name."""
    astray: int = 0
    """Documents with sections that mark no part of their text, kept as a field and not used."""
    left_out: Counter[str] = field(default_factory=Counter)
    """What a format says that the schema has no place for, in words."""
    ignored: Counter[str] = field(default_factory=Counter)
    """Unknown fields that were not kept, by name."""

    def add(self, other: Notes) -> None:
        for item in fields(self):
            mine, theirs = getattr(self, item.name), getattr(other, item.name)
            if isinstance(mine, list):
                mine += theirs
            else:
                setattr(self, item.name, mine + theirs)

    def sentences(self) -> list[str]:
        """Each non-zero count as a sentence for a report."""
        said = {
            "Quotes without offsets, found in the text": self.located,
            "Quotes without offsets, in the text several times: the first place was taken": self.ambiguous,
            "Quotes with wrong offsets, found elsewhere in the text": self.relocated,
            "Quotes that are not in the text, kept as ungrounded evidence": self.ungrounded,
            "Mentions that name no concept, left out": self.without_concept,
            "Relations, left out": self.relations,
            "Mentions in several pieces, with a quote for each": self.pieces,
            f"Texts that differ by white space only, offsets moved ({_some(self.aligned)})": len(
                self.aligned
            ),
            f"Records without an abstract, left out ({_some(self.without_abstract)})": len(
                self.without_abstract
            ),
            f"Records deleted at their source ({_some(self.deleted)})": len(self.deleted),
            "Documents whose sections do not fit their text, kept without use": self.astray,
            **{f"{what}, left out": n for what, n in self.left_out.items()},
            **{f"Unknown field {shown(name)}, left out": n for name, n in self.ignored.items()},
        }
        return [f"{what}: {count}." for what, count in said.items() if count]


def _some(names: list[str]) -> str:
    """The first of many names from outside, as they may stand in a message."""
    listed = [name if name.isprintable() and len(name) <= 60 else shown(name) for name in names[:LISTED]]
    return ", ".join([*listed, *(["..."] if len(names) > LISTED else [])])


class FieldFault(ValueError):
    """What is wrong with one field of a row; None: with the row as a whole."""

    def __init__(self, field: str | None, cause: str):
        super().__init__(cause)
        self.field, self.cause = field, cause


@dataclass(frozen=True, slots=True)
class Reading:
    """How to read a file."""

    offsets: OffsetUnit = "code-points"
    """What the file's offsets count. They become code points; nothing is guessed."""
    keep_ungrounded: bool = False
    """Keep a quote that is not in the text as `Annotation.ungrounded`, instead of refusing its document.
    Labels with a run or a confidence are a machine's, whose wrong quotes are always kept: they are a fact
    about the machine, while in gold they are a fault of the file."""
    texts: Callable[[str], str | None] | None = None
    """doc_id -> the text that the labels are about. Documents may then leave their text out; one that has a
    text must have the same, white space apart."""
    named: Callable[[str], list[str]] | None = None
    """text -> the doc_ids of those to label that have it, white space apart; for files without ids."""
    one_by_one: bool = False
    """Leave a bad annotation out, and keep its document. Of gold that would be a lie: what is not annotated
    there is said not to be there."""
    without_texts: bool = False
    """Documents may leave their text out, and then have an empty one: enough where only concepts count."""


@dataclass(frozen=True, slots=True)
class Unread:
    """Stands in a document's list of annotations for one that a format could not make out."""

    cause: str
    given: Any
    field: str | None = None
    """A column; None: the annotation as a whole."""


@dataclass(frozen=True, slots=True)
class Raw:
    """One document as a format found it, before any check."""

    value: Any
    """A dict of the schema's fields; `annotations` may hold `Unread`."""
    line: int | None
    annotation_lines: tuple[int, ...] | None = None
    """Line of each annotation, where the format has one line for each."""
    given: Any = None
    """What the file had, where `value` was made from it; None: the value itself."""
    names: tuple[str, ...] = ()
    """Other names that the document may go by among those to label, such as that of its file."""
    by_text: bool = False
    """The file has no ids, so `doc_id` is only a number: the document is found by its text."""
    file: str | None = None
    """Of a folder: the file it stands in."""


@dataclass(slots=True)
class DocumentSet:
    """A file being read. Rows stream; `notes` is complete when they are exhausted."""

    source: str
    """File name, for messages only."""
    format: str
    metadata: Metadata
    rows: Iterator[Document | RowError]
    notes: Notes

    def __iter__(self) -> Iterator[Document | RowError]:
        return self.rows

    def documents(self) -> Iterator[Document]:
        """Documents only.

        Raises:
            InputError: after the last row if any was bad; the message lists the first of them. What was
                yielded until then must not be kept.
        """
        bad = BadRows()
        for row in self.rows:
            if isinstance(row, RowError):
                bad.add(row)
            elif not bad.count:
                yield row
        bad.refuse()


@dataclass(slots=True)
class BadRows:
    """Row errors so far: the first of them, and how many."""

    first: list[RowError] = field(default_factory=list)
    count: int = 0

    def add(self, error: RowError) -> None:
        self.count += 1
        if self.count <= LISTED:
            self.first.append(error)

    def sentences(self) -> tuple[str, ...]:
        more = [f"... and {self.count - LISTED} more."] if self.count > LISTED else []
        return (*map(str, self.first), *more)

    def refuse(self, hint: str = "Correct the file and read it again.") -> None:
        """Raise InputError that lists the errors, if there are any."""
        if self.count:
            raise InputError("\n".join([*self.sentences(), hint]))
