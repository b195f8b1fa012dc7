"""Claim pairs as JSONL or JSON, silver, gold and releases alike, plain or gzipped (`pair_schema`).

One pair a line, or `{"pairs": [...]}`, or a bare array. The reader takes the other names of the tables, too
(`pair_names`), and finds what comes without offsets (`pair_places`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from pydantic import ValidationError

from core.errors import InputError
from core.formats import format_of
from core.formats.assemble import first_fault
from core.formats.json import dumps, lines_of
from core.formats.pair_names import Renamed, renamed
from core.formats.pair_places import placed
from core.formats.pair_schema import (
    CandidateRow,
    EvidencePart,
    LabelOrigin,
    MachineLabelPart,
    PairRow,
    PairsFile,
    SlotsPart,
)
from core.formats.rows import FieldFault, Notes, Raw, RowError, shown
from core.formats.source import Source
from core.formats.strict_json import Cursor, JsonFault

__all__ = [
    "CandidateRow",
    "EvidencePart",
    "LabelOrigin",
    "MachineLabelPart",
    "PairRow",
    "PairsFile",
    "SlotsPart",
    "holds_pairs",
    "numbered_pairs",
    "raw_rows",
    "read_pairs",
    "write_pairs",
]

FIELDS = frozenset(PairRow.model_fields)


def read_pairs(
    path: Path | str, notes: Notes | None = None, *, mend: bool = False
) -> Iterator[PairRow | RowError]:
    """Stream a file of claim pairs.

    Claims and evidence are checked against their texts, and located where the file gives no offsets. Evidence
    of a machine that does not stand in its text is kept without offsets; that of a person is an error.

    Args:
        notes: counts of what was located, kept ungrounded or left out; complete at the end.
        mend: make off-schema labels of machines fit, as the annotator does with answers of models: unknown
            type -> no_conflict, unknown axes dropped, unknown confounder -> null, inconsistent parts dropped.
            Such a row is `repaired` and says how. Otherwise they are row errors.

    Raises:
        InputError: the file cannot be read as JSON or JSONL; each row's own fault is a `RowError` instead.
    """
    yield from (row for _, row in numbered_pairs(path, notes, mend=mend))


def numbered_pairs(
    path: Path | str, notes: Notes | None = None, *, mend: bool = False
) -> Iterator[tuple[int | None, PairRow | RowError]]:
    """`read_pairs`, each row with the line it starts on."""
    name = Source(path).name
    notes = notes if notes is not None else Notes()
    for raw in raw_rows(path):
        yield raw.line, raw if isinstance(raw, RowError) else _row(raw, name, notes, mend)


def raw_rows(path: Path | str) -> Iterator[Raw | RowError]:
    """Rows of a file of pairs before any check but that of their JSON, streamed.

    Raises:
        InputError: the file cannot be read as JSON or JSONL, or holds no row.
    """
    source = Source(path)
    name = format_of(source.path)
    if name not in ("json", "jsonl"):
        raise InputError(f"{source.name} is {name}. Claim pairs are read from JSONL or JSON.")
    rows = lines_of(source) if name == "jsonl" else iter(list(_elements(source)))
    empty = True
    for raw in rows:
        empty = False
        yield raw
    if empty:
        raise InputError(f"{source.name} holds no claim pairs. Check that it is complete.")


def holds_pairs(path: Path | str) -> bool:
    """Whether a JSON or JSONL file is one of claim pairs, told by its first row; False for what no reader of
    pairs could read."""
    try:
        source = Source(path)
        name = format_of(source.path)
        first = (
            next(lines_of(source) if name == "jsonl" else _elements(source), None) if "json" in name else None
        )
    except InputError:
        return False
    value = first.value if isinstance(first, Raw) else None
    return isinstance(value, dict) and "pair_id" in value


def _row(raw: Raw, file: str, notes: Notes, mend: bool) -> PairRow | RowError:
    mine = Notes()  # a row that is refused leaves no notes
    try:
        found: Renamed = renamed(raw.value, FIELDS, mend=mend)
        row = placed(PairRow.model_validate(found.value), found.unframed, mine)
    except FieldFault as fault:
        return RowError(file, raw.line, None, fault.field, fault.cause, raw.value)
    except ValidationError as failure:
        field, cause = first_fault(failure)
        return RowError(file, raw.line, None, field, cause, raw.value)
    mine.ignored.update(found.ignored)
    notes.add(mine)
    return row


def _elements(source: Source) -> Iterator[Raw]:
    """Rows of `{"pairs": [...]}` or of a bare array, each with the line it starts on."""
    try:
        cursor = Cursor(source.whole())
        if cursor.next_is("[") or _at_pairs(cursor):
            yield from (Raw(value, line) for line, value in cursor.elements())
            return
    except JsonFault as fault:
        hint = "Correct the JSON, or, if each line is one pair, name the file .jsonl."
        place = f"line {fault.line}, column {fault.column}"
        raise InputError(f"{source.name}, {place}: {fault.cause}. {hint}") from None
    raise InputError(f'{source.name} has no "pairs". A JSON file of claim pairs is {{"pairs": [...]}}.')


def _at_pairs(cursor: Cursor) -> bool:
    """Whether the object here has pairs; the cursor then stands before their list."""
    for _, name in cursor.members():
        if name in ("pairs", "documents"):
            return name == "pairs"
        cursor.value()
    return False


def write_pairs(format: str, rows: Iterable[PairRow], out: BinaryIO) -> int:
    """Write claim pairs as `jsonl` or `json`; returns how many. Nothing is left out.

    Raises:
        InputError: another format.
    """
    if format not in ("json", "jsonl"):
        raise InputError(f"The format {shown(format)} cannot hold claim pairs. Choose --format jsonl, json.")
    count = 0
    out.write(b'{"pairs": [' if format == "json" else b"")
    for row in rows:
        start = b"" if format == "jsonl" else b",\n  " if count else b"\n  "
        out.write(start + dumps(row.value()) + (b"\n" if format == "jsonl" else b""))
        count += 1
    out.write(b"\n]}\n" if format == "json" else b"")
    return count
