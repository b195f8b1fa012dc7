"""FAISS over unit vectors: exact, or approximate above a size where exact search is too slow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Kind = Literal["exact", "hnsw", "ivf", "auto"]

APPROXIMATE_ABOVE = 200_000
"""Vectors up to which `auto` searches exactly."""


class Searcher:
    """Inner-product search over the rows of a matrix of unit vectors, float32, shape (n, dimensions)."""

    def __init__(self, vectors: NDArray[np.float32], kind: Kind = "auto") -> None:
        import faiss

        self.kind: Kind = kind
        if kind == "auto":
            self.kind = "exact" if len(vectors) <= APPROXIMATE_ABOVE else "hnsw"
        self.vectors = vectors
        size = vectors.shape[1]
        index: Any
        if self.kind == "hnsw":
            index = faiss.IndexHNSWFlat(size, 32, faiss.METRIC_INNER_PRODUCT)
            index.hnsw.efConstruction, index.hnsw.efSearch = 200, 256
        elif self.kind == "ivf":
            lists = max(1, min(int(4 * len(vectors) ** 0.5), len(vectors) // 39))
            index = faiss.IndexIVFFlat(faiss.IndexFlatIP(size), size, lists, faiss.METRIC_INNER_PRODUCT)
            index.nprobe = max(1, lists // 8)
            index.train(vectors)
        else:
            index = faiss.IndexFlatIP(size)
        index.add(vectors)
        self._index = index

    def top(self, queries: NDArray[np.float32], k: int) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """Inner products and row numbers of the k nearest rows of each query, best first; -1: none."""
        products, rows = self._index.search(queries, min(k, len(self.vectors)))
        return products, rows
