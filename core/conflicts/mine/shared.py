"""The words that claims, or titles, share, weighed by how rare they are in their domain: what both are about.

    weight(w) = -log(df(w) / max(n, 1000)), at most log 5000        claims with the word, of n claims
    mass(a, b) = sum of the weights of the words of both

Words are stems that name a subject (`core.conflicts.finding.terms`).
In a domain of few claims a word counts as if there were a thousand: two claims tell little about rarity.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from core.conflicts.finding.terms import GENERIC, content
from core.conflicts.finding.tried import tried
from core.conflicts.mine.score import Exact, Places, Sets, in_chunks
from core.records import Claim

FEW, RAREST = 1000, 5000
"""Claims that a small domain counts as, and one of how many claims the rarest word is in."""
MOST = 200
"""Claims with a word from which on it leads to no neighbour: it would lead to all of them."""
BLOCK = 128
"""Claims whose neighbours are looked for at once."""
UNIT = 1 << 16
"""Weights are whole numbers of a 65,536th where neighbours are ranked, so that sums are exact."""
_COLUMN, _MASS = 24, 31
"""Bits of a claim's number and of a mass in a key to sort by."""


class Shared:
    """The words of some claims, or of their titles.

    Args:
        words: stems of each; general ones (`GENERIC`) do not count.
        columns: of words, shared with other such sets.
    """

    def __init__(self, words: Iterable[frozenset[str]], columns: dict[str, int] | None = None) -> None:
        self.sets = Sets((some - GENERIC for some in words), columns)
        count = np.bincount(self.sets.members, minlength=len(self.sets.columns))
        self._weights = weights(count, len(self.sets.sizes))

    def mass(self, first: Places, second: Places) -> Exact:
        """Weight of the words that the claims first[i] and second[i] share, at least 0."""
        return in_chunks(self._mass, 1, first, second)[0]

    def _mass(self, first: Places, second: Places) -> tuple[Exact]:
        return (_sums(self.sets.shared(first, second), self._weights, len(first)),)


class Tried:
    """What the studies of some claims tried: words of the claim's intervention and of the article's title.

    Args:
        words: of the claims. What was tried may have words that no claim has.
    """

    def __init__(self, claims: Sequence[Claim], titles: Sequence[str | None], words: Sets[str]) -> None:
        given = (claim.slots.get("intervention") or "" for claim in claims)
        heads = (tried(title or "") for title in titles)
        named = ((content(one) | content(head)) - GENERIC for one, head in zip(given, heads, strict=True))
        self._named = Sets(named, words.columns)
        self._said = words.either(self._named)
        self._weights = weights(np.bincount(words.members, minlength=len(words.columns)), len(claims))
        every = np.arange(len(claims))
        self._mass = _sums(self._named.shared(every, every), self._weights, len(claims))

    def alike(self, first: Places, second: Places) -> Exact:
        """Share, in [0, 1] by weight, of what was tried on one side that the other names, too: the mean of
        both sides; of one side where the other names nothing, and 0.5 where neither does."""
        sums, sides = np.zeros(len(first)), np.zeros(len(first))
        for one, other in ((first, second), (second, first)):
            both = _sums(self._named.shared(one, other, self._said), self._weights, len(one))
            sums += both / np.maximum(self._mass[one], 1e-9)
            sides += self._mass[one] > 0
        return np.where(sides > 0, sums / np.maximum(sides, 1), 0.5)


def _sums(shared: tuple[NDArray[np.int64], NDArray[np.int64]], weight: Exact, size: int) -> Exact:
    """Of each of `size` pairs, the sum of the weights of the columns that both sets hold."""
    pair, column = shared
    return np.bincount(pair, weight[column], minlength=size).astype(np.float64)


class Topics(NamedTuple):
    """What claims are about."""

    words: Shared
    """Of their texts."""
    titles: Shared
    tried: Tried
    about: sparse.csr_array
    """Claims by words: those of a claim's text, of what that leaves open, and of its title."""


def topics(claims: Sequence[Claim], titles: Sequence[str | None] | None) -> Topics:
    """Of claims, and the titles of their articles as far as they have one."""
    columns: dict[str, int] = {}
    words = Shared((content(claim.text) for claim in claims), columns)
    open_ = Shared((content(c.alone) if c.alone != c.text else frozenset() for c in claims), columns)
    titles = titles or [None] * len(claims)
    named = Shared((content(title or "") for title in titles), columns)
    about, *more = (_matrix(one.sets, len(columns)) for one in (words, open_, named))
    return Topics(words, named, Tried(claims, titles, words.sets), sum(more, start=about))


def _matrix(sets: Sets[str], width: int) -> sparse.csr_array:
    ones = np.ones(len(sets.members), dtype=np.int32)
    return sparse.csr_array((ones, sets.members, sets.ends), shape=(len(sets.sizes), width))


def weights(count: NDArray[np.integer], size: int) -> Exact:
    """Of words that so many of `size` claims have."""
    share = count / max(size, FEW)
    return np.minimum(-np.log(np.maximum(share, 1e-12)), math.log(RAREST))


def nearest(about: sparse.csr_array, groups: NDArray[np.int32], k: int) -> NDArray[np.int64]:
    """Pairs of claims of which one is among the k of other groups that share most with the other; of equals
    the first ones. Only by words that at most `MOST` claims have.

    Args:
        about: claims by words.

    Returns:
        first * claims + second of each pair, first < second, ascending.
    """
    size = about.shape[0]
    count = np.bincount(about.indices, minlength=about.shape[1])
    rare = np.flatnonzero((count > 1) & (count <= MOST))
    has = about[:, rare].tocsr()
    has.data[:] = 1
    others = has.T.tocsr()
    has.data = np.round(weights(count[rare], size) * UNIT).astype(np.int32)[has.indices]
    keys = [np.empty(0, dtype=np.int64)]
    for start in range(0, size, BLOCK):
        products = has[start : start + BLOCK] @ others
        row = np.repeat(np.arange(products.shape[0]), np.diff(products.indptr))
        apart = groups[row + start] != groups[products.indices]
        ranked = ((row << _MASS) + ((1 << _MASS) - 1 - products.data) << _COLUMN) + products.indices
        ranked = ranked[apart]
        ranked.sort()
        row = ranked >> _MASS + _COLUMN
        starts = np.searchsorted(row, np.arange(products.shape[0]))
        best = np.arange(len(row)) - starts[row] < k
        row, column = row[best] + start, ranked[best] & (1 << _COLUMN) - 1
        keys.append(np.minimum(row, column) * size + np.maximum(row, column))
    found = np.sort(np.concatenate(keys))
    return found[np.diff(found, prepend=-1) > 0]
