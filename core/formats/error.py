"""An answer about an apparent false positive, as the decision log holds it."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from core.formats.answer import Part
from core.records import ErrorType


class ErrorPart(Part):
    """What is wrong with it; `missing_gold`: nothing, gold lacks it."""

    error: Annotated[ErrorType, Field(strict=False)]
