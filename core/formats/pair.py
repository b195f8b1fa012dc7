"""An answer about a claim pair, as the decision log holds it. Files of pairs: `pairs`."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from core.formats.answer import Part
from core.records import Axis, ConflictType


class PairAnswerPart(Part):
    """What a positive decision says of a claim pair."""

    pair: str
    comparable: bool
    conflict_type: Annotated[ConflictType, Field(strict=False)]
    axes: list[Annotated[Axis, Field(strict=False)]]
    confounder: Annotated[Axis | None, Field(strict=False)]
    reconciliation: str
    spans_a: list[tuple[int, int, str]] = Field(
        description="Evidence in the normalised abstract of side A: start, end (exclusive), quote."
    )
    spans_b: list[tuple[int, int, str]] = Field(description="The same of side B.")
