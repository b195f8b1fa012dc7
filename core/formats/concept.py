"""An answer about a concept, as the decision log holds it."""

from __future__ import annotations

from pydantic import Field

from core.formats.answer import Part
from core.formats.documents import Class, Status


class AnswerPart(Part):
    """What a positive decision says the passage expresses."""

    concept: str
    label: str
    assertion: Status
    concept_class: Class = Field(alias="class")
    spans: list[tuple[int, int, str]] = Field(description="Start, end (exclusive), quote; in code points.")
