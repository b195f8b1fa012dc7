"""(sentence, concept) pairs: what is found before sentences are merged into documents.

The unit is (sentence, concept): the sentence that a mention begins in, by `core.text.sentences`, and a
concept of the document's counted set of that side. Several mentions of a concept in one sentence are one
pair. Only documents in which at least one gold mention has a place are counted; what is proposed there
without a place has no sentence and is in no pair. Merging makes one (document, concept) of all pairs, so the
precision it loses is precision per sentence - precision per document, over those documents. Source:
Full-Text HPO Extraction Benchmarking Framework, section 7.2 (per-chunk recall, aggregation precision), with
the sentence as the chunk.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
Place = tuple[int, int]
"""(start, end), code points, end exclusive."""


class Pairs(NamedTuple):
    """Pairs of one document; sentences are numbered from 0."""

    gold: frozenset[tuple[int, Any]]
    proposed: frozenset[tuple[int, Any]]


def sentence_pairs(
    gold: Mapping[Any, Sequence[Place]], proposed: Mapping[Any, Sequence[Place]], starts: Sequence[int]
) -> Pairs:
    """Pairs of one document.

    Args:
        gold, proposed: concept -> places of its mentions.
        starts: where sentences begin, in order. What stands before the first is in the first; empty: all is
            one sentence.
    """

    def of(side: Mapping[Any, Sequence[Place]]) -> frozenset[tuple[int, Any]]:
        return frozenset(
            (max(bisect_right(starts, start) - 1, 0), concept)
            for concept, held in side.items()
            for start, _ in held
        )

    return Pairs(of(gold), of(proposed))


def pair_counts(
    documents: int,
    document: Integers,
    concept: Integers,
    start: Integers,
    proposed: Mask,
    apart: Callable[[int, int, int], bool],
) -> Integers:
    """How many pairs each document has: of gold, proposed, both; shape (documents, 3).

    Sentences are numbered for each concept of a document by itself, which counts the same, and most documents
    need no search for sentences.

    Args:
        document, concept, start, proposed: of each mention, arrays of one length: which document in
            [0, documents), a number for its concept, where it begins, and whether it is the proposals'.
        apart: whether in a document a sentence begins behind the first offset and up to the second,
            inclusive.
    """
    order = np.lexsort((start, concept, document))
    document, concept, start = document[order], concept[order], start[order]
    proposed = proposed[order]
    new = np.ones(len(order), dtype=np.bool_)
    new[1:] = (document[1:] != document[:-1]) | (concept[1:] != concept[:-1])
    later = ~new
    later[1:] &= start[1:] > start[:-1]
    for i in np.flatnonzero(later):
        new[i] = apart(int(document[i]), int(start[i - 1]), int(start[i]))
    begins = np.flatnonzero(new)
    if not len(begins):
        return np.zeros((documents, 3), dtype=np.int64)
    sides = [np.logical_or.reduceat(side, begins) for side in (~proposed, proposed)]
    found = [
        np.bincount(document[begins][held], minlength=documents) for held in (*sides, sides[0] & sides[1])
    ]
    return np.stack(found, axis=1)
