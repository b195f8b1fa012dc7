"""The decision log as JSON, JSONL or CSV: one decision a row, in order of number.

Every row names its item in words that outlive a database (corpus, doc_id, concept), so that the log can be
read, counted and checked without the workspace. In CSV the answer is a JSON object in one cell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO, Literal, Union

from pydantic import Field, ValidationError

from core.errors import InputError
from core.formats.answer import Part
from core.formats.assemble import first_fault
from core.formats.concept import AnswerPart
from core.formats.error import ErrorPart
from core.formats.json import dumps
from core.formats.pair import PairAnswerPart
from core.formats.rows import RowError, shown
from core.formats.source import Source
from core.formats.strict_json import LARGEST_NUMBER
from core.formats.tables import GUARDED, read_table, write_table
from core.records import Cause, ItemKind

Judged = Literal["accept", "fix", "reject", "add", "unsure", "adjudicate", "classify_error"]
Act = Judged | Literal["note", "close", "reopen", "undo"]

ANSWERS: dict[str, type[Part]] = {
    ItemKind.CONCEPT: AnswerPart,
    ItemKind.PAIR: PairAnswerPart,
    ItemKind.ERROR: ErrorPart,
    ItemKind.GOLD_CHANGE: AnswerPart,
    ItemKind.CONCEPT_REPEAT: AnswerPart,
    ItemKind.PAIR_REPEAT: PairAnswerPart,
}
"""Kind of the item -> how its answers are written."""

if TYPE_CHECKING:
    AnyAnswer = Part
else:
    AnyAnswer = Union[tuple(ANSWERS.values())]  # noqa: UP007 - of a registry


class DecisionRow(Part):
    """One decision."""

    number: int = Field(ge=1, le=LARGEST_NUMBER, description="Place in history.")
    corpus: str
    doc_id: str = Field(description="Of a claim pair that of side A.")
    concept: str | None = Field(
        description="CURIE; of a claim pair its id; null where the passage as a whole was judged."
    )
    kind: str | None = Field(
        default=None,
        description="Of the item; `concept` names the gold, too, of an error and of a change of gold.",
    )
    """None: a log of an older version, where the subject alone tells it."""
    curator: str = Field(description="Stable id of the curator.")
    action: Act
    answer: AnyAnswer | None
    note: str | None
    undoes: int | None = Field(le=LARGEST_NUMBER, description="Number of the decision that this one cancels.")
    blind: bool = Field(description="Answered without seeing what the machine said.")
    milliseconds: int | None = Field(ge=0, le=LARGEST_NUMBER, description="Time taken.")
    decided_at: str = Field(description="UTC.")
    guideline_revision: str | None
    cause: Annotated[Cause | None, Field(strict=False)] = Field(
        default=None, description="Of an adjudication: why curators disagreed."
    )
    update_guideline: bool = Field(
        default=False, description="Of an adjudication: the guideline should say what to do in such cases."
    )
    base: str = Field(description="What was answered: proposals shown, an earlier decision, or the item.")
    client_id: str
    link: str = Field(description="Link of the hash chain, hex.")

    def value(self) -> dict[str, Any]:
        return self.model_dump(mode="json", by_alias=True)


class DecisionsFile(Part):
    """A JSON file of decisions."""

    decisions: list[DecisionRow]


def _write_object(rows: Iterable[DecisionRow], out: BinaryIO) -> None:
    out.write(b'{"decisions": [')
    for index, row in enumerate(rows):
        out.write((b"," if index else b"") + b"\n  " + dumps(row.value()))
    out.write(b"\n]}\n")


def _write_lines(rows: Iterable[DecisionRow], out: BinaryIO) -> None:
    for row in rows:
        out.write(dumps(row.value()) + b"\n")


def _write_table(rows: Iterable[DecisionRow], out: BinaryIO) -> None:
    write_table((*DecisionRow.model_fields, GUARDED), map(_cells, rows), out)


def _cells(row: DecisionRow) -> dict[str, Any]:
    value = row.value()
    answer = None if value["answer"] is None else dumps(value["answer"]).decode()
    flags = {name: dumps(value[name]).decode() for name in ("blind", "update_guideline")}
    return value | {"answer": answer, **flags}


def _read_object(source: Source) -> Iterator[tuple[int, DecisionRow]]:
    for row in DecisionsFile.model_validate_json(source.whole()).decisions:
        yield 1, row


def _read_lines(source: Source) -> Iterator[tuple[int, DecisionRow]]:
    for line, text in source.lines():
        yield line, DecisionRow.model_validate_json(text)


def _read_table(source: Source) -> Iterator[tuple[int, DecisionRow]]:
    required = [name for name, field in DecisionRow.model_fields.items() if field.is_required()]
    for line, row in read_table(source, required):
        if isinstance(row, RowError):
            raise InputError(f"{row}. Export the log again.")
        # numbers, true and objects stand in their cells as JSON has them; everything else is text
        cells = (
            f"{dumps(name).decode()}: {cell if name in _AS_JSON else dumps(cell).decode()}"
            for name, cell in row.items()
            if cell
        )
        empty = (f"{dumps(name).decode()}: null" for name, cell in row.items() if not cell)
        yield line, DecisionRow.model_validate_json(f"{{{', '.join([*cells, *empty])}}}")


_AS_JSON = ("number", "answer", "undoes", "blind", "update_guideline", "milliseconds")

Writer = Callable[[Iterable[DecisionRow], BinaryIO], None]
Reader = Callable[[Source], Iterator[tuple[int, DecisionRow]]]

DECISION_FORMATS: dict[str, tuple[Reader, Writer]] = {
    "json": (_read_object, _write_object),
    "jsonl": (_read_lines, _write_lines),
    "csv": (_read_table, _write_table),
}


def _format(name: str) -> tuple[Reader, Writer]:
    if name not in DECISION_FORMATS:
        known = ", ".join(DECISION_FORMATS)
        raise InputError(f"The format {shown(name)} cannot hold decisions. Choose --format {known}.")
    return DECISION_FORMATS[name]


def write_decisions(format: str, rows: Iterable[DecisionRow], out: BinaryIO) -> None:
    """Write a decision log.

    Raises:
        InputError: the format cannot hold decisions.
    """
    _format(format)[1](rows, out)


def read_decisions(path: Path | str, format: str) -> Iterator[DecisionRow]:
    """Read an exported decision log back.

    Raises:
        InputError: the file is no decision log of this format.
    """
    source = Source(path)
    last = 0
    try:
        for line, row in _format(format)[0](source):
            yield row
            last = line
    except ValidationError as failure:
        field, cause = first_fault(failure)
        place = f"{source.name}, after line {last}, {field or 'the row'}"
        raise InputError(f"{place}: {cause}. Export the log again.") from None
