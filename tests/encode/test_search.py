"""FAISS over unit vectors: exact search against NumPy, approximate search against exact search."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from core.encode.search import LEAST_RECALL, Kind, Searcher


@pytest.fixture(scope="module")
def vectors() -> NDArray[np.float32]:
    """4,000 unit vectors around 200 centres, as names lie around their subjects."""
    rng = np.random.default_rng(7)
    rows = rng.normal(size=(200, 64)).repeat(20, axis=0) + 0.4 * rng.normal(size=(4000, 64))
    unit: NDArray[np.float32] = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return unit


def test_exact_search_is_what_a_full_sort_says(vectors: NDArray[np.float32]) -> None:
    searcher = Searcher(vectors, "auto")
    assert searcher.kind == "exact"
    products, rows = searcher.top(vectors[:50], 7)
    full = vectors[:50] @ vectors.T
    np.testing.assert_array_equal(rows, np.argsort(-full, axis=1, kind="stable")[:, :7])
    np.testing.assert_allclose(products, -np.sort(-full, axis=1)[:, :7], atol=1e-5)
    np.testing.assert_array_equal(searcher.rows(np.array([3, 1])), vectors[[3, 1]])
    assert searcher.top(vectors[:2], 9_999)[1].shape == (2, 4000)


@pytest.mark.parametrize("kind", ["hnsw", "ivf"])
def test_approximate_search_finds_what_it_promises(vectors: NDArray[np.float32], kind: Kind) -> None:
    searcher = Searcher(vectors, kind)
    assert searcher.kind == kind
    queries = searcher.sample(500)
    found, exact = searcher.top(queries, 20)[1], Searcher(vectors, "exact").top(queries, 20)[1]
    shared = sum(len(set(a) & set(b)) for a, b in zip(found.tolist(), exact.tolist(), strict=True))
    assert shared / exact.size >= LEAST_RECALL
    assert searcher.recall(queries) == pytest.approx(shared / exact.size)
    np.testing.assert_array_equal(searcher.rows(np.array([5])), vectors[[5]])


@pytest.mark.parametrize("kind", ["exact", "hnsw", "ivf"])
def test_a_handful_of_names(vectors: NDArray[np.float32], kind: Kind) -> None:
    searcher = Searcher(vectors[:3], kind)
    assert searcher.top(vectors[:1], 5)[1][0, 0] == 0
    assert len(searcher) == 3
