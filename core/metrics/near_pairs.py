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
    ids, ((right, golds), (proposed, said)) = _sides(documents, gold, predicted)
    sizes = (side.sizes(len(documents)).astype(np.int64) for side in (right, proposed))
    prediction, golden = _within_documents(*sizes)
    a, b = said[prediction], golds[golden]
    exact = a == b
    similarity, adjacent = exact.astype(np.float64), np.zeros(len(exact), dtype=np.bool_)
    others = np.flatnonzero(~exact)
    low, high = np.minimum(a[others], b[others]), np.maximum(a[others], b[others])
    keys, inverse = np.unique(low * len(ids) + high, return_inverse=True)
    first, second = np.divmod(keys, max(len(ids), 1))
    between = np.clip(kin.between(ids, first, second), 0.0, 1.0)
    if np.isnan(between).any():
        raise ValueError("a similarity of two concepts is no number (NaN)")
    similarity[others] = between[inverse]
    adjacent[others] = kin.adjacent(ids, first, second)[inverse]
    kept = np.flatnonzero(exact | adjacent | (similarity >= least))
    prediction, golden = prediction[kept], golden[kept]
    return NearPairs(
        documents, right, proposed, prediction, golden, similarity[kept], exact[kept], adjacent[kept]
    )


def left(side: Side, taken: Integers) -> Integers:
    """The items of a side that are not among those taken."""
    free = np.ones(len(side.ids), dtype=np.bool_)
    free[taken] = False
    return np.flatnonzero(free)


def _sides(documents: Sequence[str], *sides: Sets) -> tuple[tuple[Any, ...], list[tuple[Side, Integers]]]:
    """Ids of all sides, sorted; each side, and of its items the places among these ids."""
    nothing: frozenset[Any] = frozenset()
    held = [[sets.get(d, nothing) for d in documents] for sets in sides]
    members = [list(chain.from_iterable(sets)) for sets in held]
    ids = tuple(sorted(set().union(*members), key=str))
    places = {i: place for place, i in enumerate(ids)}
    found = []
    for sets, flat in zip(held, members, strict=True):
        sizes = np.array([len(of) for of in sets], dtype=np.int64)
        document = np.repeat(np.arange(len(sets)), sizes)
        codes = np.fromiter(map(places.__getitem__, flat), dtype=np.int64, count=len(flat))
        codes = np.sort(document * max(len(ids), 1) + codes) % max(len(ids), 1)
        found.append((Side(document, tuple(map(ids.__getitem__, codes.tolist()))), codes))
    return ids, found


def _within_documents(golds: Integers, said: Integers) -> tuple[Integers, Integers]:
    """(prediction, gold) of every pair of items of the same document, from the sizes of the documents."""
    first_gold = np.cumsum(golds) - golds
    partners = np.repeat(golds, said)  # of every prediction
    prediction = np.repeat(np.arange(len(partners)), partners)
    document = np.repeat(np.arange(len(said)), said)[prediction]
    begins = (np.cumsum(partners) - partners)[prediction]
    return prediction, first_gold[document] + np.arange(len(prediction)) - begins
