"""What a recogniser of label trees says, before its indices become concepts: JSONL, plain or gzipped.

    {"doc_id": "d1", "indices": [[5, 3, 2], [0, 1]]}

An index is a path from the root of a tree (`label_trees`), to a leaf or not, and may be empty. Other fields
are passed over.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from core.errors import InputError
from core.formats import format_of
from core.formats.assemble import told
from core.formats.documents import Filled
from core.formats.json import read_lines
from core.formats.label_trees import DEEPEST
from core.formats.rows import BadRows, Notes, Raw, RowError
from core.formats.source import Source
from core.formats.strict_json import LARGEST

Index = tuple[int, ...]
_Number = Annotated[int, Field(ge=0, le=LARGEST)]


class AnswerRow(BaseModel):
    """The indices that were generated for one document."""

    model_config = ConfigDict(strict=True, extra="ignore", frozen=True, title="Raw indices")

    doc_id: Filled
    indices: list[Annotated[list[_Number], Field(max_length=DEEPEST)]] = Field(
        description="Each a path from the root, a whole number from 0 a step."
    )


def holds_indices(path: Path | str) -> bool:
    """Whether a file is one of raw indices, told by its first row."""
    try:
        source = Source(path)
        if format_of(source.path) != "jsonl":
            return False
        first = next(read_lines(source, Notes())[1], None)
    except InputError:
        return False
    return (
        isinstance(first, Raw)
        and isinstance(first.value, dict)
        and {"doc_id", "indices"} <= first.value.keys()
    )


def read_answers(path: Path | str) -> dict[str, frozenset[Index]]:
    """doc_id -> indices.

    Raises:
        InputError: the file cannot be read, a row is wrong, or a document occurs twice.
    """
    source = Source(path)
    found: dict[str, frozenset[Index]] = {}
    bad = BadRows()
    for raw in read_lines(source, Notes())[1]:
        if isinstance(raw, RowError):
            bad.add(raw)
            continue
        try:
            row = AnswerRow.model_validate(raw.value)
        except ValidationError as failure:
            field, cause, _ = told(failure.errors(include_url=False)[0])
            bad.add(RowError(source.name, raw.line, None, field, cause, raw.value))
            continue
        if row.doc_id in found:
            bad.add(RowError(source.name, raw.line, row.doc_id, "doc_id", "was used before", raw.value))
        found[row.doc_id] = frozenset(map(tuple, row.indices))
    bad.refuse()
    return found
