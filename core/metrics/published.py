"""Values that others have printed, for orientation: quoted, never recomputed, and never measured here.

They were measured on other texts and often on other concepts, so a difference from them says nothing by
itself (metric-definitions, R41: the printed F1 of the first row is not the one that its P and R give).
Percentages are given as shares.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Published(NamedTuple):
    """One row of somebody else's table."""

    system: str
    data: str
    values: Mapping[str, float]
    """Name of an estimate of the family -> value, in its unit."""
    source: str
    family: str = "corpus"

    @property
    def name(self) -> str:
        """Unlike any other of its family."""
        return f"{self.system}, {self.data}"


_FRAMEWORK = "HPO Benchmarking Framework (paper 003), summary"
_HI_ALD = "HI-ALD (paper 000), table 3"
_SPLITS = "MEM / SYN / CON (paper 002), table 3"
_DIVERGENCE = "BioDivergence (paper 004), table"
_AVERAGES = ("macro_precision", "macro_recall", "macro_f1")
"""The framework names no other average as current (its summary of recommendations)."""
_UNSEEN = ("exact_f1", "u_rc", "u_cs")
_RECALLS = ("precision", "recall", "f1", "recall:MEM", "recall:SYN", "recall:CON")
_TYPES = ("accuracy", "macro_f1", "weighted_f1", "kappa", "f1:contextual_contradiction")
_AXES = (
    *("micro_f1", "macro_f1", "exact_match"),
    *("micro_f1:primary", "macro_f1:primary", "exact_match:primary"),
)
_TEXTS = ("bleu", "rouge_l", "semsim", "slot_overlap")
_SPANS = ("iou", "precision", "recall", "f1")
_PRIMARY, _LEGACY = "article-disjoint test", "pair-level test"


def _of(
    family: str, names: tuple[str, ...], source: str, *rows: tuple[str, str, tuple[float, ...]]
) -> tuple[Published, ...]:
    return tuple(
        Published(system, data, dict(zip(names, values, strict=True)), source, family)
        for system, data, values in rows
    )


PUBLISHED: tuple[Published, ...] = (
    *_of(
        "corpus",
        _AVERAGES,
        _FRAMEWORK,
        ("RAG-HPO (Llama-3 70B)", "120 case reports", (0.84, 0.78, 0.80)),
        ("PhenoBCBERT", "clinical notes", (0.75, 0.71, 0.73)),
        ("GPT-4", "OMIM summaries", (0.70, 0.68, 0.69)),
        ("Doc2Hpo", "benchmark, not named", (0.62, 0.58, 0.60)),
        ("ClinPhen", "benchmark, not named", (0.55, 0.52, 0.54)),
    ),
    *_of(
        "unseen",
        _UNSEEN,
        _HI_ALD,
        ("MA-COIR, OSI", "47,152 of HPA-ALD", (0.353, 0.461, 20.1)),
        ("MA-COIR, SSI", "47,152 of HPA-ALD", (0.360, 0.412, 24.7)),
        ("MA-COIR, OSSI", "47,152 of HPA-ALD", (0.367, 0.456, 20.5)),
        ("MA-COIR, OSI", "16,415 of HoIP-ALD", (0.177, 0.409, 73.3)),
        ("MA-COIR, SSI", "16,415 of HoIP-ALD", (0.176, 0.380, 33.2)),
        ("MA-COIR, OSSI", "16,415 of HoIP-ALD", (0.173, 0.414, 44.4)),
    ),
    *_of(
        "mem_syn_con",
        _RECALLS,
        _SPLITS,
        ("BioBERT", "NCBI-disease", (0.867, 0.905, 0.886, 0.955, 0.809, 0.841)),
        ("BERT", "NCBI-disease", (0.838, 0.876, 0.856, 0.950, 0.790, 0.707)),
        ("BioBERT, debiased", "NCBI-disease", (0.850, 0.902, 0.875, 0.942, 0.815, 0.861)),
        ("BioBERT", "BC5CDR-disease", (0.824, 0.863, 0.843, 0.932, 0.749, 0.737)),
        ("BERT", "BC5CDR-disease", (0.785, 0.814, 0.799, 0.915, 0.640, 0.634)),
        ("BioBERT, debiased", "BC5CDR-disease", (0.804, 0.863, 0.833, 0.923, 0.771, 0.747)),
        ("BioBERT", "BC5CDR-chemical", (0.921, 0.931, 0.926, 0.978, 0.821, 0.870)),
        ("BERT", "BC5CDR-chemical", (0.898, 0.900, 0.899, 0.970, 0.724, 0.811)),
        ("BioBERT, debiased", "BC5CDR-chemical", (0.912, 0.931, 0.921, 0.971, 0.828, 0.882)),
    ),
    *_of(
        "conflict_types",
        _TYPES,
        f"{_DIVERGENCE} 2",
        ("Reference model", _PRIMARY, (0.693, 0.253, 0.695, 0.276, 0.401)),
        ("Mistral-7B-Instruct-v0.3", _PRIMARY, (0.5523, 0.1877, 0.5859, 0.1692, 0.3894)),
        ("Reference model", _LEGACY, (0.588, 0.302, 0.659, 0.260, 0.521)),
    ),
    *_of(
        "divergence_axes",
        _AXES,
        f"{_DIVERGENCE} 3",
        ("Reference model", _PRIMARY, (0.195, 0.116, 0.623, 0.195, 0.168, 0.623)),
    ),
    *_of(
        "confounders",
        ("accuracy",),
        f"{_DIVERGENCE} 5",
        ("Most frequent axis", _LEGACY, (0.5524,)),
        ("Mistral-7B-v0.3", _LEGACY, (0.1871,)),
        ("Reference model", _LEGACY, (0.561,)),
    ),
    *_of(
        "reconciliation",
        _TEXTS,
        f"{_DIVERGENCE} 7",
        ("Extractive baseline", _LEGACY, (0.3348, 0.1936, 0.6390, 0.0713)),
        ("Qwen3-8B", _LEGACY, (0.4808, 0.3072, 0.7179, 0.3721)),
        ("Mistral-7B-v0.3", _LEGACY, (0.4421, 0.2574, 0.6882, 0.1998)),
    ),
    *_of(
        "conflict_spans",
        _SPANS,
        f"{_DIVERGENCE} 8",
        ("Lexical span heuristic", _LEGACY, (0.8103, 0.8369, 0.9375, 0.8702)),
        ("BM25 sentence retrieval", _LEGACY, (0.6529, 0.9996, 0.6529, 0.7825)),
        ("Mistral-7B-v0.3", _LEGACY, (0.2162, 0.3593, 0.3584, 0.3457)),
    ),
)
