"""The index over all names and synonyms of concepts: which concept is meant by a name?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from core.encode.encoder import Encoder, Progress
from core.encode.models import threshold
from core.encode.search import Kind, Searcher
from core.encode.words import WordClass, WordView
from core.errors import InputError
from core.records import Concept, Curie

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DIGITS = 6
"""Scores are rounded to this many decimals: what float32 holds, so that ties are ties on every machine."""
WORD_SHARE = 0.8
"""What shared words weigh against the meaning of the whole in a hybrid index."""


class Match(Protocol):
    """One concept near a name."""

    @property
    def concept(self) -> Curie: ...
    @property
    def name(self) -> str:
        """The name or synonym of the concept that was nearest."""
        ...

    @property
    def score(self) -> float:
        """s = 1 / (1 + d²) in [0, 1] over unit vectors (metric-definitions R48)."""
        ...


@dataclass(frozen=True, slots=True)
class NameMatch:
    concept: Curie
    name: str
    score: float


class NameIndex:
    """Names and synonyms of concepts by meaning. Make one with `build`.

    Plain, as in the paper: the vector of a name is its sentence vector. Hybrid, with `word_class`: the
    sentence vector with a vector of word classes beside it, the cosine of two names being
    (cos of sentences + w cos of words) / (1 + w), w = `WORD_SHARE`; the scale of s is another one, and so is
    its threshold.
    """

    def __init__(
        self,
        texts: Sequence[str],
        owners: Sequence[tuple[Curie, ...]],
        encoder: Encoder,
        searcher: Searcher,
        words: WordView | None = None,
    ) -> None:
        self._texts, self._owners, self._encoder = texts, owners, encoder
        self._searcher, self._words = searcher, words

    @classmethod
    def build(
        cls,
        concepts: Iterable[Concept],
        encoder: Encoder,
        kind: Kind = "auto",
        progress: Progress | None = None,
        *,
        word_class: WordClass | None = None,
    ) -> NameIndex:
        """Encode every name and synonym of the live concepts and index them.

        Args:
            word_class: makes the index hybrid: `core.text.normalise.stem`, or the dictionary's
                `core.concepts.lexicon.vocabulary.family`, which also knows "cutaneous" for skin.

        Raises:
            InputError: no live concept, no such kind, or the encoder cannot be loaded.
        """
        owners: dict[str, dict[Curie, None]] = {}
        for concept in concepts:
            if not concept.obsolete:
                for name in (concept.name, *(synonym.text for synonym in concept.synonyms)):
                    if tidy := " ".join(name.split()):
                        owners.setdefault(tidy, {})[concept.curie] = None
        if not owners:
            raise InputError("There is no concept to match names with. Choose another ontology or root.")
        texts = list(owners)
        searcher = Searcher(encoder.encode(texts, progress), kind)
        words = None if word_class is None else WordView(texts, word_class)
        return cls(texts, [tuple(found) for found in owners.values()], encoder, searcher, words)

    def __len__(self) -> int:
        """Number of different names."""
        return len(self._texts)

    @property
    def kind(self) -> Kind:
        """`exact`, `hnsw` or `ivf`."""
        return self._searcher.kind

    @property
    def threshold(self) -> float:
        """Least s at which a name is taken for a concept, calibrated for this encoder and form of index."""
        return threshold(self._encoder.model, hybrid=self._words is not None)

    def nearest(self, names: Sequence[str], k: int = 1) -> list[list[Match]]:
        """For each name its k nearest concepts, best first, each once, by its nearest name; ties by id.

        A name without a letter or digit has no nearest concept.
        """
        tidy = [" ".join(name.split()) for name in names]
        asked = list(dict.fromkeys(name for name in tidy if any(map(str.isalnum, name))))
        if not asked or k < 1:
            return [[] for _ in names]
        found = dict(zip(asked, self._nearest(asked, self._encoder.encode(asked), k), strict=True))
        return [list(found[name]) if name in found else [] for name in tidy]

    def _nearest(self, names: list[str], queries: NDArray[np.float32], k: int) -> list[list[NameMatch]]:
        """Search ever wider until every query has its k concepts and nothing outside can reach them."""
        results: list[list[NameMatch]] = [[] for _ in queries]
        left, width = list(range(len(queries))), 4 * k + 16
        while left:
            found, rows = self._searcher.top(queries[left], width)
            everything, wider = width >= len(self._texts), []
            for position, cosines, hits in zip(left, found, rows, strict=True):
                outside = float(cosines[-1]) if hits[-1] >= 0 else -1.0
                hits, exact, bound = self._around(
                    names[position], queries[position], hits[hits >= 0], outside, width
                )
                best = self._once(similarity(exact).tolist(), hits.tolist(), k)
                if everything or (len(best) == k and best[-1].score > float(similarity(bound))):
                    results[position] = best
                else:
                    wider.append(position)
            left, width = wider, width * 4
        return results

    def _around(
        self, name: str, query: NDArray[np.float32], hits: NDArray[np.int64], outside: float, width: int
    ) -> tuple[NDArray[np.int64], NDArray[np.float64], float]:
        """Rows worth a look, their cosines, and the cosine that no other row exceeds.

        Cosines are taken again in float64, because FAISS rounds otherwise for many queries than for one.
        """
        import numpy as np

        wide = query.astype(np.float64)
        if self._words is None:
            return hits, self._searcher.rows(hits).astype(np.float64) @ wide, outside
        shared = self._words.cosines(name)
        sharing, beyond = np.flatnonzero(shared), 0.0
        if len(sharing) > width:
            sharing = sharing[np.argpartition(-shared[sharing], width)[: width + 1]]
            beyond = float(shared[sharing].min())
        hits = np.union1d(hits, sharing)
        cosines = self._searcher.rows(hits).astype(np.float64) @ wide
        joined = (cosines + WORD_SHARE * shared[hits]) / (1 + WORD_SHARE)
        return hits, joined, (outside + WORD_SHARE * beyond) / (1 + WORD_SHARE)

    def _once(self, scores: list[float], hits: list[int], k: int) -> list[NameMatch]:
        """The k best concepts among some rows, each by its nearest name."""
        best: dict[Curie, tuple[float, str]] = {}
        for score, hit in zip(scores, hits, strict=True):
            found = (-score, self._texts[hit])
            for concept in self._owners[hit]:
                kept = best.get(concept)
                if kept is None or found < kept:
                    best[concept] = found
        order = sorted((score, concept) for concept, (score, _) in best.items())
        return [NameMatch(concept, best[concept][1], -score) for score, concept in order[:k]]


def similarity(cosines: NDArray[np.float64] | float) -> NDArray[np.float64]:
    """s = 1 / (1 + d²) of unit vectors, d² = 2 - 2 cos (metric-definitions R48): 0.2 to 1, 1 for equals."""
    import numpy as np

    return np.round(1.0 / (1.0 + np.clip(2.0 - 2.0 * np.asarray(cosines), 0.0, 4.0)), DIGITS)
