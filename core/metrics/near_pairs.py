"""Which predictions may match which gold ids: of every document all pairs that are the same or near.

    near = near_pairs(gold, predicted, kin, least=0.7)     # kin: a `core.ontology.similarity.Similarity`

Whole corpora at once, in columns: every distinct pair of ids is compared once, wherever it occurs. Relaxed
matching and the threshold table are two ways of matching what stands here one to one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from core.metrics.documents import Sets

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


class Kin(Protocol):
    """What is known of how ids relate. Pairs are places in `ids`, which are all different."""

    def between(self, ids: Sequence[Any], first: Integers, second: Integers) -> Floats:
        """Similarity of `ids[first[i]]` and `ids[second[i]]`, symmetric; whoever asks clips it to [0, 1]."""

    def adjacent(self, ids: Sequence[Any], first: Integers, second: Integers) -> Mask:
        """Whether the two are direct is_a parent and child, either way round."""


@dataclass(frozen=True, slots=True)
class Side:
    """The ids of all documents one after the other: an item is a place in it."""

    document: Integers
    """Number of the document of each item."""
    ids: tuple[Any, ...]
    """Id of each item; sorted within a document."""

    def sizes(self, documents: int) -> Floats:
        """Items of each document, shape (documents,)."""
        return np.bincount(self.document, minlength=documents).astype(np.float64)


@dataclass(frozen=True, slots=True)
class NearPairs:
    documents: tuple[str, ...]
    """Every scored document, sorted."""
    gold: Side
    predicted: Side
    prediction: Integers
    """Of each pair the item of `predicted`. All columns of pairs have the shape (pairs,)."""
    golden: Integers
    """The item of `gold`, in the same document."""
    similarity: Floats
    """In [0, 1]; 1 for the same id."""
    exact: Mask
    """The same id."""
    adjacent: Mask
    """Direct parent and child."""

    def document_of(self, pairs: Integers) -> Integers:
        return self.predicted.document[self.prediction[pairs]]


def near_pairs(gold: Sets, predicted: Sets, kin: Kin, least: float) -> NearPairs:
    """All pairs within a document: the same id, at least `least` alike (inclusive), or parent and child.

    A gold document without predictions has none; a predicted document without gold is not scored.
    """
    documents = tuple(sorted(gold))
    sides = _side(documents, gold), _side(documents, predicted)
    prediction, golden = _within_documents(*(s.sizes(len(documents)).astype(np.int64) for s in sides))
    ids = tuple(dict.fromkeys(chain(sides[0].ids, sides[1].ids)))
    codes = {i: code for code, i in enumerate(ids)}
    golds, said = (np.fromiter(map(codes.__getitem__, s.ids), np.int64, len(s.ids)) for s in sides)
    a, b = said[prediction], golds[golden]
    exact = a == b
    similarity, adjacent = exact.astype(np.float64), np.zeros(len(exact), dtype=np.bool_)
    others = np.flatnonzero(~exact)
    low, high = np.minimum(a[others], b[others]), np.maximum(a[others], b[others])
    keys, inverse = np.unique(low * len(ids) + high, return_inverse=True)
    first, second = np.divmod(keys, max(len(ids), 1))
    similarity[others] = np.clip(kin.between(ids, first, second), 0.0, 1.0)[inverse]
    adjacent[others] = kin.adjacent(ids, first, second)[inverse]
    kept = np.flatnonzero(exact | adjacent | (similarity >= least))
    return NearPairs(
        documents, *sides, prediction[kept], golden[kept], similarity[kept], exact[kept], adjacent[kept]
    )


def left(side: Side, taken: Integers) -> Integers:
    """The items of a side that are not among those taken."""
    free = np.ones(len(side.ids), dtype=np.bool_)
    free[taken] = False
    return np.flatnonzero(free)


def _side(documents: Sequence[str], sets: Sets) -> Side:
    nothing: frozenset[Any] = frozenset()
    members = [
        sorted(ids, key=str) if len(ids) > 1 else ids for ids in (sets.get(d, nothing) for d in documents)
    ]
    numbers = np.repeat(np.arange(len(documents)), np.array([len(ids) for ids in members], dtype=np.int64))
    return Side(numbers, tuple(chain.from_iterable(members)))


def _within_documents(golds: Integers, said: Integers) -> tuple[Integers, Integers]:
    """(prediction, gold) of every pair of items of the same document, from the sizes of the documents."""
    first_gold = np.cumsum(golds) - golds
    partners = np.repeat(golds, said)  # of every prediction
    prediction = np.repeat(np.arange(len(partners)), partners)
    document = np.repeat(np.arange(len(said)), said)[prediction]
    begins = (np.cumsum(partners) - partners)[prediction]
    return prediction, first_gold[document] + np.arange(len(prediction)) - begins
