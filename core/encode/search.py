"""FAISS over unit vectors: exact, or approximate above a size where exact search is too slow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from core.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Kind = Literal["exact", "hnsw", "ivf", "auto"]

APPROXIMATE_ABOVE = 200_000
"""Vectors up to which `auto` searches exactly: 2 ms a query on one core there; building an HNSW index pays
from 70,000 queries on only (`tests/benchmarks/bench_encode.py --sizes`)."""
LEAST_RECALL = 0.99
"""Share of the exact neighbours of a sample that an approximate index must find, or it searches wider."""
SAMPLE = 1_000
SAMPLE_K = 20
WIDEST = 2_048


class Searcher:
    """Inner-product search over the rows of a matrix of unit vectors, float32, shape (n, dimensions).

    Args:
        kind: `auto` is exact up to `APPROXIMATE_ABOVE` rows and HNSW above. An approximate index widens its
            search until it finds `LEAST_RECALL` of the exact neighbours of a sample.

    Raises:
        InputError: no such kind.
    """

    def __init__(self, vectors: NDArray[np.float32], kind: Kind = "auto") -> None:
        if kind not in ("exact", "hnsw", "ivf", "auto"):
            raise InputError(f"There is no index kind {kind!r}. Choose exact, hnsw, ivf or auto.")
        if kind == "auto":
            kind = "exact" if len(vectors) <= APPROXIMATE_ABOVE else "hnsw"
        self.kind: Kind = kind
        self._size = len(vectors)
        self._index: Any = _MAKE[kind](vectors)
        self._index.add(vectors)
        if kind == "ivf":
            self._index.make_direct_map()
        if kind != "exact":
            self._widen()

    def __len__(self) -> int:
        return self._size

    def top(self, queries: NDArray[np.float32], k: int) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """Inner products and row numbers of the k nearest rows of each query, best first; -1: none."""
        products, rows = self._index.search(queries, min(k, self._size))
        return products, rows

    def rows(self, numbers: NDArray[np.int64]) -> NDArray[np.float32]:
        """The vectors of some rows, shape (rows, dimensions)."""
        taken: NDArray[np.float32] = self._index.reconstruct_batch(numbers)
        return taken

    def recall(self, queries: NDArray[np.float32], k: int = SAMPLE_K) -> float:
        """Share in [0, 1] of the exact k nearest rows of the queries that this index finds; 1.0 if exact."""
        if self.kind == "exact":
            return 1.0
        import faiss

        vectors = self._index.reconstruct_n(0, self._size)
        exact = faiss.IndexFlatIP(vectors.shape[1])
        exact.add(vectors)
        k = min(k, self._size)
        return _shared(exact.search(queries, k)[1], self._index.search(queries, k)[1])

    def sample(self, size: int = SAMPLE) -> NDArray[np.float32]:
        """Some of the rows, spread evenly: queries to measure with."""
        import numpy as np

        return self.rows(np.unique(np.linspace(0, self._size - 1, min(size, self._size), dtype=np.int64)))

    def _widen(self) -> None:
        queries, width = self.sample(), 64
        while True:
            if self.kind == "hnsw":
                self._index.hnsw.efSearch = width
            else:
                self._index.nprobe = min(width // 4, self._index.nlist)
            if width >= WIDEST or self.recall(queries) >= LEAST_RECALL:
                return
            width *= 2


def _exact(vectors: NDArray[np.float32]) -> Any:
    import faiss

    # FAISS 1.15 takes matrix products for many hundreds of queries only; from a few on they are 4 to 9 times
    # faster. This is what earlier versions did.
    faiss.cvar.distance_compute_blas_threshold = 20
    return faiss.IndexFlatIP(vectors.shape[1])


def _hnsw(vectors: NDArray[np.float32]) -> Any:
    import faiss

    index = faiss.IndexHNSWFlat(vectors.shape[1], 32, faiss.METRIC_INNER_PRODUCT)
    index.hnsw.efConstruction = 200
    return index


def _ivf(vectors: NDArray[np.float32]) -> Any:
    import faiss

    lists = max(1, min(int(4 * len(vectors) ** 0.5), len(vectors) // 39))  # FAISS wants 39 rows a list
    index = faiss.IndexIVFFlat(
        faiss.IndexFlatIP(vectors.shape[1]), vectors.shape[1], lists, faiss.METRIC_INNER_PRODUCT
    )
    index.train(vectors)
    return index


_MAKE = {"exact": _exact, "hnsw": _hnsw, "ivf": _ivf}


def _shared(expected: NDArray[np.int64], found: NDArray[np.int64]) -> float:
    hits = sum(len(set(a) & set(b)) for a, b in zip(expected.tolist(), found.tolist(), strict=True))
    return float(hits / expected.size)
