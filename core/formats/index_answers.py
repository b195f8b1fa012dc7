"""What a recogniser of label trees says, before its indices become concepts: JSONL, plain or gzipped.

    {"doc_id": "d1", "indices": [[5, 3, 2], [0, 1]]}

An index is a path from the root of a tree (`label_trees`), to a leaf or not, and may be empty. Other fields
are passed over.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from core.formats.documents import Filled
from core.formats.label_trees import DEEPEST
from core.formats.source import Source
from core.formats.strict_json import LARGEST
from core.formats.typed import first_row, read_rows

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
    return {"doc_id", "indices"} <= first_row(path).keys()


def read_answers(path: Path | str) -> dict[str, frozenset[Index]]:
    """doc_id -> indices.

    Raises:
        InputError: the file cannot be read, a row is wrong, or a document occurs twice.
    """
    rows = read_rows(Source(path), AnswerRow, unique="doc_id")
    return {row.doc_id: frozenset(map(tuple, row.indices)) for row in rows}
