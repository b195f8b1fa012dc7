"""The index over all names and synonyms of concepts: which concept is meant by a name?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from core.encode.encoder import Encoder, Progress
from core.encode.search import Kind, Searcher
from core.errors import InputError
from core.records import Concept, Curie

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DIGITS = 6
"""Scores are rounded to this many decimals: what float32 holds, so that ties are ties on every machine."""


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
    """Names and synonyms of concepts by meaning. Make one with `build`."""

    def __init__(
        self, texts: Sequence[str], owners: Sequence[tuple[Curie, ...]], encoder: Encoder, searcher: Searcher
    ) -> None:
        self._texts, self._owners, self._encoder, self._searcher = texts, owners, encoder, searcher

    @classmethod
    def build(
        cls,
        concepts: Iterable[Concept],
        encoder: Encoder,
        kind: Kind = "auto",
        progress: Progress | None = None,
    ) -> NameIndex:
        """Encode every name and synonym of the live concepts and index them.

        Raises:
            InputError: no live concept, or the encoder cannot be loaded.
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
        return cls(texts, [tuple(found) for found in owners.values()], encoder, searcher)

    def __len__(self) -> int:
        """Number of different names."""
        return len(self._texts)

    def nearest(self, names: Sequence[str], k: int = 1) -> list[list[Match]]:
        """For each name its k nearest concepts, best first, each once, by its nearest name; ties by id.

        A name without a letter or digit has no nearest concept.
        """
        tidy = [" ".join(name.split()) for name in names]
        asked = list(dict.fromkeys(name for name in tidy if any(map(str.isalnum, name))))
        if not asked or k < 1:
            return [[] for _ in names]
        found = dict(zip(asked, self._nearest(self._encoder.encode(asked), k), strict=True))
        return [list(found.get(name, ())) for name in tidy]

    def _nearest(self, queries: NDArray[np.float32], k: int) -> list[list[Match]]:
        """Search ever wider until every query has its k concepts and no tie is cut off."""
        import numpy as np

        results: list[list[Match]] = [[] for _ in queries]
        open_rows, width = np.arange(len(queries)), 4 * k + 16
        while len(open_rows):
            products, rows = self._searcher.top(queries[open_rows], width)
            everything = rows.shape[1] < width or width >= len(self._texts)
            left = []
            for position, scores, hits in zip(open_rows, scored(products), rows, strict=True):
                best = self._once(scores.tolist(), hits.tolist())
                cut = len(best) < k or best[k - 1].score <= scores[-1]
                if cut and not everything:
                    left.append(position)
                else:
                    results[position] = list(best[:k])
            open_rows, width = np.array(left, dtype=np.int64), width * 4
        return results

    def _once(self, scores: list[float], hits: list[int]) -> list[NameMatch]:
        best: dict[Curie, NameMatch] = {}
        for score, hit in zip(scores, hits, strict=True):
            if hit < 0:
                continue
            for concept in self._owners[hit]:
                found = NameMatch(concept, self._texts[hit], score)
                kept = best.get(concept)
                if kept is None or (-score, found.name) < (-kept.score, kept.name):
                    best[concept] = found
        return sorted(best.values(), key=lambda match: (-match.score, match.concept))


def scored(products: NDArray[np.float32]) -> NDArray[np.float64]:
    """s = 1 / (1 + d²) from the inner products of unit vectors, d² = 2 - 2 cos (metric-definitions R48)."""
    import numpy as np

    squared = np.clip(2.0 - 2.0 * products.astype(np.float64), 0.0, 4.0)
    return np.asarray(np.round(1.0 / (1.0 + squared), DIGITS))
