"""Rows of JSONL files that have a model of their own: mentions, raw indices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from core.errors import InputError
from core.formats import format_of
from core.formats.assemble import first_fault
from core.formats.json import read_lines
from core.formats.rows import BadRows, Notes, Raw, RowError, shown
from core.formats.source import Source

Row = TypeVar("Row", bound=BaseModel)


def first_row(path: Path | str) -> dict[str, Any]:
    """The first row of a JSONL file, by which its kind is told; empty for a file without such a row."""
    try:
        source = Source(path)
        first = next(read_lines(source, Notes())[1], None) if format_of(source.path) == "jsonl" else None
    except InputError:
        return {}
    return first.value if isinstance(first, Raw) and isinstance(first.value, dict) else {}


def read_rows(
    source: Source, model: type[Row], rows: Iterable[Raw | RowError] | None = None, *, unique: str = ""
) -> Iterator[Row]:
    """Rows of a file that fit the model. What was yielded must not be kept where it raises in the end.

    Args:
        rows: those of the file, where its first line was read already.
        unique: a field that no two rows may have the same value of.

    Raises:
        InputError: the file cannot be read, or a row is wrong: after the last row, with the first of them.
    """
    bad, seen = BadRows(), set()
    for raw in read_lines(source, Notes())[1] if rows is None else rows:
        if isinstance(raw, RowError):
            bad.add(raw)
            continue
        try:
            row = model.model_validate(raw.value)
        except ValidationError as failure:
            field, cause = first_fault(failure)
            bad.add(
                RowError(source.name, raw.line, None, field, f"{cause}{_of_mention(raw.value)}", raw.value)
            )
            continue
        if unique and (value := getattr(row, unique)) in seen:
            bad.add(RowError(source.name, raw.line, value, unique, "was used before", raw.value))
        seen.add(getattr(row, unique, None))
        yield row
    bad.refuse()


def _of_mention(value: Any) -> str:
    name = value.get("mention_id") if isinstance(value, dict) else None
    return f" (mention {shown(name)})" if isinstance(name, str) else ""
