"""Values that others have printed, for orientation: quoted, never recomputed, and never measured here.

They were measured on other texts and often on other concepts, so a difference from them says nothing by
itself (metric-definitions, R41: the printed F1 of the first row is not the one that its P and R give).
"""

from __future__ import annotations

from typing import NamedTuple


class Published(NamedTuple):
    """One row of somebody else's table; values in [0, 1]."""

    system: str
    data: str
    precision: float | None
    recall: float | None
    f1: float
    source: str
    family: str = "corpus"


_FRAMEWORK = "Full-Text HPO Extraction Benchmarking Framework, summary"

PUBLISHED: tuple[Published, ...] = (
    Published("RAG-HPO (Llama-3 70B)", "120 case reports", 0.84, 0.78, 0.80, _FRAMEWORK),
    Published("PhenoBCBERT", "clinical notes", 0.75, 0.71, 0.73, _FRAMEWORK),
    Published("GPT-4", "OMIM summaries", 0.70, 0.68, 0.69, _FRAMEWORK),
    Published("Doc2Hpo", "benchmark, not named", 0.62, 0.58, 0.60, _FRAMEWORK),
    Published("ClinPhen", "benchmark, not named", 0.55, 0.52, 0.54, _FRAMEWORK),
)
