"""An answer about a grade, as the decision log holds it."""

from __future__ import annotations

from core.formats.answer import Part


class GradePart(Part):
    criterion: str
    grade: int
