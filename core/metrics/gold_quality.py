"""How good a gold standard is to measure with: how much of it there is, how dense and how complete it is.

metric-definitions has no entry; the definitions in its style. They speak of the documents whose gold is
complete, of the statuses that count, and say nothing about any system.

**Annotation density** = 100 · Σ annotations / Σ tokens, over documents. An annotation is a place in a text
that the gold marks, distinct by (document, start, end, concept), where it marks places; else a concept of a
document. Tokens are words and signs (0.7). Unit: annotations per 100 tokens, from 0 up. No document, or no
token: undefined (N0). Interval: bootstrap over documents.

**Concepts per document** = arithmetic mean over documents of the number of gold concepts, with the population
standard deviation. No document: undefined (N0).

**Completeness** = documents whose gold is complete / documents with gold, with a Wilson interval. Imported
gold is complete in every document; of reviewed gold those are that a person has closed. Whether a set is
marked exhaustively annotated is a statement of its makers and stands beside it: if it is not, precision has
bounds (metric-definitions 6.2).

Agreement of those who made it is Krippendorff's alpha (`core.metrics.agreement`), as it holds for any number
of curators; their confidence is the share of judged items that they did not mark unsure, since nobody is
asked for a number.

Source: Full-Text HPO Extraction Benchmarking Framework, section 4.2, which names the figures and no formula.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from core.metrics.bootstrap import Draws, Floats, bounded, resample
from core.metrics.definition import Estimate, Family, Metric
from core.metrics.sums import checked_counts

_SOURCE = "Full-Text HPO Extraction Benchmarking Framework, section 4.2; the formulas are ours"

FAMILY = Family(
    title="Quality of the gold standard",
    item="an annotation of the gold, or a document",
    source=_SOURCE,
    metrics={
        "documents": Metric(
            "Complete documents",
            "On how many documents can recall be measured?",
            "documents whose gold is complete; below 100, small differences are noise",
            range="[0, ∞), documents",
            undefined="Never: none is 0.",
        ),
        "density": Metric(
            "Annotation density",
            "How many annotations stand in a text of 100 tokens?",
            "100·Σ annotations / Σ tokens over complete documents; tokens are words and signs",
            range="[0, ∞), annotations per 100 tokens",
            direction="none",
            undefined="The texts are not known, or hold no token.",
        ),
        "concepts": Metric(
            "Concepts per document",
            "How much is there to find in a document?",
            "mean over complete documents of the number of gold concepts",
            range="[0, ∞), concepts",
            direction="none",
            undefined="No complete document.",
        ),
        "completeness": Metric(
            "Completeness",
            "In which share of the documents is nothing missing any more?",
            "documents whose gold is complete / documents with gold",
            undefined="No document.",
        ),
        "agreement": Metric(
            "Agreement of its curators",
            "How far did those who made the gold agree above chance?",
            "Krippendorff's α over (document, concept) named by any of them; label: status or absent",
            range="[-1, 1]",
            source=_SOURCE + "; metric-definitions, section 8",
            undefined="Imported gold does not carry its makers' answers; fewer than two curators; nothing"
            " rated twice.",
        ),
        "confidence": Metric(
            "Curators' confidence",
            "Of what curators judged, which share were they sure of?",
            "1 - items marked unsure / items judged, over all curators",
            source=_SOURCE + ", where it is self-reported",
            undefined="Imported gold does not say, or nobody has judged anything.",
        ),
    },
)

FEW_DOCUMENTS = 100
"""Below, a test set says that it is small."""
NO_DOCUMENTS = "No document has complete gold."
NO_TOKENS = "The complete documents hold no token."


def density(
    annotations: Sequence[int],
    tokens: Sequence[int],
    index_lists: Iterable[Draws] | Draws = (),
    level: float = 0.95,
) -> Estimate:
    """Annotations per 100 tokens, pooled over documents.

    Args:
        annotations, tokens: of each document, in the same order, which is that of the index lists.

    Raises:
        ValueError: a count is negative or no number.
    """
    table = checked_counts(np.array([annotations, tokens], dtype=np.float64).T.reshape(-1, 2))
    n = len(table)
    marked, length = table.sum(axis=0)
    if not length:
        return Estimate(None, n, reason=NO_TOKENS if n else NO_DOCUMENTS)

    def statistic(sums: Floats) -> Floats:
        found: Floats = np.full(len(sums), np.nan)
        np.divide(100 * sums[:, 0], sums[:, 1], out=found, where=sums[:, 1] > 0)
        return found[:, None]

    resampled = resample(table, statistic, index_lists)[:, 0]
    return bounded(100 * float(marked) / float(length), n, resampled, level)


def per_document(
    counts: Sequence[int], index_lists: Iterable[Draws] | Draws = (), level: float = 0.95
) -> Estimate:
    """Mean and population standard deviation of a count over documents.

    Raises:
        ValueError: a count is negative or no number.
    """
    n = len(counts)
    if not n:
        return Estimate(None, 0, reason=NO_DOCUMENTS)
    table = checked_counts(np.array([counts], dtype=np.float64).T)
    resampled = resample(table, lambda sums: sums / n, index_lists)[:, 0]
    return bounded(float(table.mean()), n, resampled, level, std=float(table.std()))
