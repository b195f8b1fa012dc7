"""Percentile bootstrap over documents, vectorised.

Resampling documents with replacement is the same as giving each a whole-number weight. So a resample is a row
of counts, and any statistic made of sums over documents is one matrix product: (resamples x documents) @
(documents x columns). The index lists can be injected, so that a result can be reproduced exactly and two
systems compared on the same resamples.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

Draws = npt.NDArray[np.integer]
"""Index lists, shape (resamples, n): row b names the documents of resample b, each in [0, n)."""
Floats = npt.NDArray[np.float64]

BLOCK = 500_000
"""Draws held at once: bounds memory at any number of documents; results do not depend on it."""


def draws(n: int, resamples: int = 1000, seed: int = 13) -> Iterator[Draws]:
    """Blocks of index lists, together `resamples` rows of `n` indices; the same for the same arguments.

    Raises:
        ValueError: `n` or `resamples` is negative.
    """
    if n < 0 or resamples < 0:
        raise ValueError(f"cannot draw {resamples} resamples of {n} documents")
    generator = np.random.default_rng(seed)
    step = max(1, BLOCK // max(n, 1))
    for start in range(0, resamples if n else 0, step):
        yield generator.integers(0, n, size=(min(step, resamples - start), n), dtype=np.int32)


def counts(index_lists: Draws, n: int) -> Floats:
    """How often each of `n` documents occurs in each resample, shape (resamples, n).

    Raises:
        ValueError: a resample is not of size n, or an index is outside [0, n).
    """
    lists = np.atleast_2d(index_lists)
    if lists.shape[1] != n:
        raise ValueError(f"a resample of {n} documents has {n} indices, not {lists.shape[1]}")
    if lists.size and (lists.min() < 0 or lists.max() >= n):
        raise ValueError(f"resample indices must lie in [0, {n})")
    rows = np.arange(len(lists), dtype=np.int64)[:, None] * n
    return np.bincount((lists + rows).ravel(), minlength=len(lists) * n).reshape(-1, n).astype(np.float64)


def resample(
    table: Floats, statistic: Callable[[Floats], Floats], index_lists: Iterable[Draws] | Draws
) -> Floats:
    """The statistics of every resample, shape (resamples, values); NaN marks an undefined one.

    Args:
        table: one row per document, one column per quantity that the statistics sum, shape (n, columns).
        statistic: sums over documents (resamples, columns) -> values (resamples, values).
        index_lists: from `draws`, or injected: one array (resamples, n), blocks of it, or single lists.
    """
    n = len(table)
    blocks = [index_lists] if isinstance(index_lists, np.ndarray) else index_lists
    parts = [statistic(counts(block, n) @ table) for block in blocks]
    return np.concatenate(parts) if parts else statistic(np.zeros((0, table.shape[1])))


def interval(values: Sequence[float] | Floats, level: float = 0.95) -> tuple[float | None, float | None, int]:
    """(low, high, resamples dropped): the central `level` of the resampled values.

    Percentiles by linear interpolation between order statistics, h = (m - 1) q / 100. Undefined (NaN)
    resamples are dropped and counted; (None, None, count) if nothing is left.
    """
    array = np.asarray(values, dtype=np.float64)
    kept = array[~np.isnan(array)]
    dropped = len(array) - len(kept)
    if not len(kept):
        return None, None, dropped
    tail = 50 * (1 - level)
    low, high = np.percentile(kept, [tail, 100 - tail])
    return float(low), float(high), dropped
