"""How often words that say a concept were right: counts of documents, and the confidence that follows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import numpy as np

from core.ontology.lineage import Lineage
from core.records import Curie
from core.records.learned import Known

Key = tuple[Curie, str]
"""(concept, words by `form`)"""
Count = tuple[int, int]
"""Documents where the concept was kept, documents where it was judged."""

WEIGHT = 2.0
"""Documents that the annotator's own confidence weighs as much as."""
NEW = 0.6
"""Confidence in a learned name before it was seen anywhere else."""
LEAST = 0.35
"""Words that were judged and have a smaller confidence say nothing any more: three rejections without an
acceptance silence a single word, four a longer name. About half the F1 that the annotator reaches, which is
the best threshold for F1; on three corpora every value from 0.25 to 0.4 does as well
(tests/benchmarks/quality_learning.py). A head, where there is one, has its own."""
_SUREST = 0.94
"""Prior of a name that is said word for word (`core.concepts.lexicon.grounds`)."""
NONE: Count = (0, 0)


class Counts:
    """What was seen of words and concepts."""

    def __init__(self, known: Iterable[Known]) -> None:
        self._of: dict[Key, Count] = {}
        self._concepts: dict[Curie, Count] = {}
        for one in known:
            self._of[one.concept, one.words] = one.kept, one.seen
            kept, seen = self._concepts.get(one.concept, NONE)
            self._concepts[one.concept] = kept + one.kept, seen + one.seen

    def of(self, key: Key) -> Count:
        """Counts of words for a concept."""
        return self._of.get(key, NONE)

    def of_concept(self, concept: Curie) -> Count:
        """Sums over all words for a concept."""
        return self._concepts.get(concept, NONE)

    def concepts(self) -> Iterator[tuple[Curie, float]]:
        """Concepts that were judged, each with the share that was kept."""
        for concept, (kept, seen) in self._concepts.items():
            yield concept, kept / seen


class LikeIds:
    """How often concepts with like ids were kept. An ontology numbers new concepts in blocks, so that this
    tells whether gold knows concepts as new as one."""

    WIDTH = 0.02
    """Share of all ids over which a concept tells a third as much."""

    def __init__(self, lineage: Lineage, counts: Counts) -> None:
        self._lineage = lineage
        judged = {curie: share for curie, share in counts.concepts() if curie in lineage}
        self._judged = np.array([lineage.index(curie) for curie in judged])
        self._shares = np.array(list(judged.values()))
        self._mean = float(self._shares.mean()) if judged else 0.5
        self._width = max(1.0, self.WIDTH * len(lineage))

    def share(self, concept: Curie) -> float:
        """In [0, 1]: shares of the other concepts that were judged, the nearer by id the more; drawn to the
        mean of all by `WEIGHT` concepts."""
        away = np.abs(self._judged - self._lineage.index(concept))
        near = np.where(away, np.exp(-away / self._width), 0.0)
        return float((near @ self._shares + WEIGHT * self._mean) / (near.sum() + WEIGHT))


def sure(count: Count, prior: float) -> float:
    """The mean of a beta-binomial with a prior of `WEIGHT` documents, in (0, 1)."""
    kept, seen = count
    return (kept + WEIGHT * prior) / (seen + WEIGHT)


def is_silenced(known: Known) -> bool:
    """Whether words were wrong so often that even a name said word for word is no longer proposed."""
    return sure((known.kept, known.seen), _SUREST) < LEAST


def log_odds(chance: float) -> float:
    """Of a chance, cut at 0.02 and 0.98."""
    chance = min(0.98, max(0.02, chance))
    return math.log(chance / (1 - chance))
