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
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

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


def is_plain(gold: Mapping[Any, Sequence[Place]], proposed: Mapping[Any, Sequence[Place]]) -> bool:
    """Whether the numbers of pairs are the same wherever sentences end: no concept has several places on a
    side, and where both sides have one it begins alike. Spares most documents the search for sentences."""
    return all(
        len(a) < 2 and len(b) < 2 and (not a or not b or a[0][0] == b[0][0])
        for concept in gold.keys() | proposed.keys()
        for a, b in ((gold.get(concept, ()), proposed.get(concept, ())),)
    )
