"""Mentions that an older version of an ontology may not know, one a line: JSONL, plain or gzipped.

    {"mention_id": "m1", "doc_id": "d1", "concept_id": "NIL"}                     linked mentions (discovery)
    {"mention_id": "m1", "edges": [{"parent": "X:1", "child": null}, ...]}        ranked edges (placement)

Gold and predictions have the same shape. A mention of several concepts has a line for each in the gold, and
one in the predictions. Edges stand best first, or each has a score; a file of gold edges may begin with
`{"metadata": {"edges": 350000}}`, the number of edges in the catalogue. Other fields are passed over.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, Self, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from core.errors import InputError
from core.formats.assemble import first_fault
from core.formats.documents import Filled, Words
from core.formats.json import read_lines
from core.formats.rows import Notes
from core.formats.source import Source
from core.formats.strict_json import LARGEST_NUMBER
from core.formats.typed import first_row, read_rows

Kind = Literal["links", "edges"]

_NumberOfEdges = Annotated[int, Field(ge=1, le=LARGEST_NUMBER)]
_Child = Annotated[Filled | None, BeforeValidator(lambda value: None if value == "NULL" else value)]


class Part(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore", frozen=True)


class MentionRow(Part):
    mention_id: Filled = Field(
        description="The same in gold and predictions, and of no other mention of the file."
    )
    doc_id: Filled | None = Field(default=None, description="What intervals resample; of the gold.")
    text: Words = Field(default=None, description="Words of the mention.")


class LinkRow(MentionRow):
    """A mention with its concept in the older version of an ontology."""

    model_config = ConfigDict(title="Linked mention")

    concept_id: Filled | None = Field(
        description="Concept id, or NIL where the older version has none; null: no prediction."
    )


class EdgePart(Part):
    """A place for a concept: below the parent, above the child."""

    parent: Filled
    child: _Child = Field(default=None, description="null: none, the concept is a leaf.")
    score: Annotated[float | None, Field(allow_inf_nan=False)] = None


class EdgesRow(MentionRow):
    """A mention with edges of the older version: the right ones, or a ranking."""

    model_config = ConfigDict(title="Mention with edges")

    concept_id: Filled | None = Field(default=None, description="Of the new concept, where it is known.")
    edges: list[EdgePart] = Field(description="Best first, or by score, the highest first.")

    @model_validator(mode="after")
    def _scored(self) -> Self:
        if len({edge.score is None for edge in self.edges}) > 1:
            raise ValueError("some edges have a score and some have none: score all, or put the best first")
        return self


class EdgesMetadata(Part):
    edges: _NumberOfEdges | None = Field(
        default=None, description="Edges in the catalogue, each of which might have been ranked."
    )


class EdgesMetadataLine(Part):
    """First line of a file of mentions with edges."""

    metadata: EdgesMetadata


Row = TypeVar("Row", LinkRow, EdgesRow)


def mentions_in(path: Path | str) -> Kind | None:
    """What a file of mentions holds, told by its first row; None for any other file."""
    first = first_row(path)
    return ("edges" if "edges" in first else "links") if "mention_id" in first else None


def read_links(path: Path | str) -> list[LinkRow]:
    """Linked mentions of a file.

    Raises:
        InputError: it cannot be read, holds no row, or a row is wrong.
    """
    source = Source(path)
    return _some(source, list(read_rows(source, LinkRow)))


def read_edges(path: Path | str) -> tuple[list[EdgesRow], int | None]:
    """(mentions with edges of a file, number of edges in the catalogue where the file states it).

    Raises:
        InputError: it cannot be read, holds no row, or a row is wrong.
    """
    source = Source(path)
    given, rows = read_lines(source, Notes())
    try:
        size = EdgesMetadata.model_validate(given).edges
    except ValidationError as failure:
        field, cause = first_fault(failure)
        raise InputError(f"{source.name}, metadata, {field or 'the whole'}: {cause}. Correct it.") from None
    return _some(source, list(read_rows(source, EdgesRow, rows))), size


def _some(source: Source, rows: list[Row]) -> list[Row]:
    if not rows:
        raise InputError(f"{source.name} holds no mentions. Check that it is complete.")
    return rows
