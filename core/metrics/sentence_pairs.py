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


def local_pairs(
    gold: Mapping[Any, Sequence[Place]],
    proposed: Mapping[Any, Sequence[Place]],
    apart: Callable[[int, int], bool],
) -> Pairs:
    """The same pairs, with sentences numbered for each concept by itself: the same counts, and most documents
    need no search for sentences.

    Args:
        apart: whether a sentence begins behind the first offset and up to the second, inclusive.
    """
    found: tuple[set[tuple[int, Any]], set[tuple[int, Any]]] = set(), set()
    for concept in gold.keys() | proposed.keys():
        number, before = 0, None
        sides = (gold.get(concept, ()), proposed.get(concept, ()))
        for start, at in sorted((start, at) for at, held in enumerate(sides) for start, _ in held):
            if before is not None and start > before:
                number += apart(before, start)
            before = start
            found[at].add((number, concept))
    return Pairs(frozenset(found[0]), frozenset(found[1]))
