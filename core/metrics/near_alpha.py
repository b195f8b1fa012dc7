"""Hierarchy-aware alpha of aligned items (core.metrics.near_agreement), with an interval over documents.

    hierarchy_alpha(align(a, b, similar, 0.7), documents, crossed(similar), Bootstrap(1000))

Every resample has its own chance: how far apart any two of its ratings are. With n_c ratings of label c among
n, and S the similarities of labels (those of their concepts where the statuses are equal, else 0; absent is
like itself alone), the ordered pairs of ratings are Σ δ = n² - Σ_c Σ_d n_c n_d S(c, d) apart. S is worked out
once, a block of concepts at a time, and multiplied with the counts of all resamples.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
import numpy.typing as npt

from core.metrics.agreement import ALL_ALIKE, NONE_TWICE
from core.metrics.agreement_intervals import Bootstrap
from core.metrics.bootstrap import Floats, bounded, counted, draws
from core.metrics.definition import Estimate
from core.metrics.near_agreement import Aligned, Concept, Label, Similarity

Across = Callable[[Sequence[Concept], Sequence[Concept]], Floats]
"""Concepts, concepts -> how alike each of the first and each of the second are, in [0, 1]; 1 for the same."""

_CONCEPTS = 512
"""Columns of the table of similarities that are held at once: bounds memory, changes no result."""
_NOTHING = 1e-12
"""As a share of n²: chance disagreement below it is rounding, and there is none."""


def crossed(similar: Similarity) -> Across:
    """Every pair of two lists, from a similarity of pairs."""

    def across(first: Sequence[Concept], second: Sequence[Concept]) -> Floats:
        pairs = similar([a for a in first for _ in second], list(second) * len(first))
        return np.asarray(pairs, dtype=np.float64).reshape(len(first), len(second))

    return across


def hierarchy_alpha(
    items: Sequence[Aligned], documents: Sequence[str], across: Across, how: Bootstrap
) -> Estimate:
    """Krippendorff's alpha over aligned items, of one pair of raters or of several pairs pooled.

    Args:
        documents: every document that two have looked at, those without an item included: what is resampled.
    """
    if not items:
        return Estimate(None, len(documents), reason=NONE_TWICE)
    place = {doc_id: at for at, doc_id in enumerate(documents)}
    at = np.array([place[item.doc_id] for item in items], dtype=np.int64)
    named = [label for item in items for label in (item.a, item.b)]
    labels = sorted(
        {label for label in named if label is not None}, key=lambda label: (label[1], str(label[0]))
    )
    column = {label: k for k, label in enumerate(labels)} | {None: len(labels)}
    given = np.array([column[label] for label in named], dtype=np.int64)
    sums = np.zeros((len(documents), 2))
    np.add.at(sums, at, [(2.0, 2 * _distance(item)) for item in items])
    # the corpus as it is, then its resamples: ratings and distances within items, and ratings by label
    lists = draws(len(documents), how.resamples, how.seed)
    both, ratings = _summed(sums, np.repeat(at, 2), given, len(labels) + 1, counted(lists, len(documents)))
    n, apart = both
    alike = ratings[-1] ** 2 + _alike(labels, ratings, across)
    chance = n**2 - alike
    values = np.full(len(n), np.nan)
    some = chance > _NOTHING * n**2
    values[some] = 1 - apart[some] * (n[some] - 1) / chance[some]
    if np.isnan(values[0]):
        return Estimate(None, len(documents), reason=ALL_ALIKE)
    return bounded(float(values[0]), len(documents), values[1:], how.level)


def _distance(item: Aligned) -> float:
    """In [0, 1]: how far apart the two labels of an item are."""
    if item.a is None or item.b is None or item.a[1] != item.b[1]:
        return 1.0
    return 1.0 - item.similarity


def _summed(
    sums: Floats,
    at: npt.NDArray[np.int64],
    given: npt.NDArray[np.int64],
    width: int,
    resamples: Iterable[Floats],
) -> tuple[Floats, Floats]:
    """Sums over documents, and how often each label is given, in the corpus and in each resample: shapes
    (columns, 1 + resamples) and (labels, 1 + resamples).

    Args:
        at, given: document and label of every rating.
    """
    from scipy.sparse import csr_array

    of_labels = csr_array((np.ones(len(at)), (given, at)), shape=(width, len(sums)))
    blocks = [np.ones((1, len(sums))), *resamples]
    both = np.hstack([sums.T @ block.T for block in blocks])
    return both, np.hstack([of_labels @ np.ascontiguousarray(block.T) for block in blocks])


def _alike(labels: Sequence[Label], ratings: Floats, across: Across) -> Floats:
    """Σ_c Σ_d n_c n_d S(c, d) over labels of one status, for each column of `ratings`.

    Args:
        labels: in order of status, then concept.
        ratings: n_c, a row per label.
    """
    concepts = sorted({concept for concept, _ in labels}, key=str)
    place = {concept: at for at, concept in enumerate(concepts)}
    rows: dict[str, list[int]] = {}
    for row, (_, status) in enumerate(labels):
        rows.setdefault(status, []).append(row)
    sides = [(np.array([place[labels[k][0]] for k in held]), ratings[held[0] :]) for held in rows.values()]
    found = np.zeros(ratings.shape[1])
    for start in range(0, len(concepts), _CONCEPTS):
        table = across(concepts[: start + _CONCEPTS], concepts[start : start + _CONCEPTS])
        table[:start] *= 2  # either way round
        for at, given in sides:
            first, last = np.searchsorted(at, (start, start + _CONCEPTS))
            if first < last:
                part = table[np.ix_(at[:last], at[first:last] - start)]
                found += np.einsum("ij,ij->j", part.T @ given[:last], given[first:last])
    return found
