"""The five tiers of quality, as models write them. HI-ALD, section 3.2, stage 5."""

from __future__ import annotations

from core.llm.fields import lookup
from core.records import Quality

RETAINED = (Quality.AVERAGE, Quality.GOOD, Quality.EXCELLENT)
"""Passages with these stay."""
QUALITIES: dict[str, Quality] = {one.value.replace("_", " "): one for one in Quality}
QUALITY_ALIASES: dict[str, Quality] = {
    "1": Quality.VERY_POOR,
    "2": Quality.POOR,
    "3": Quality.AVERAGE,
    "4": Quality.GOOD,
    "5": Quality.EXCELLENT,
    "very bad": Quality.VERY_POOR,
    "verypoor": Quality.VERY_POOR,
    "bad": Quality.POOR,
    "fair": Quality.AVERAGE,
    "medium": Quality.AVERAGE,
    "moderate": Quality.AVERAGE,
    "acceptable": Quality.AVERAGE,
    "very good": Quality.GOOD,
    "outstanding": Quality.EXCELLENT,
}


def quality(label: str) -> tuple[Quality | None, bool]:
    """The tier that a label means and whether it had to be repaired; (None, True) if it means none."""
    return lookup(label, QUALITIES, QUALITY_ALIASES)
