"""The words that claims share, weighed by how rare they are in their domain: what two claims are about.

    weight(w) = -log(df(w) / max(n, 1000)), at most log 5000        claims with the word, of n claims
    mass(a, b) = sum of the weights of the words of both

Words are stems that name a subject (`core.conflicts.finding.terms`), those of an article's title among them.
In a domain of few claims a word counts as if there were a thousand: two claims tell little about rarity.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from core.conflicts.finding.terms import GENERIC, content
from core.records import Claim

FEW, RAREST = 1000, 5000
"""Claims that a small domain counts as, and one of how many claims the rarest word is in."""
MOST = 200
"""Claims with a word from which on it leads to no neighbour: it would lead to all of them."""
BLOCK = 2_048

Places = NDArray[np.int32]


class Shared:
    """The words of some claims.

    Args:
        titles: of the claims' articles; None where there is none.
    """

    def __init__(self, claims: Sequence[Claim], titles: Sequence[str | None] | None = None) -> None:
        about = titles or [None] * len(claims)
        held = [
            sorted((content(claim.alone) | content(title or "")) - GENERIC)
            for claim, title in zip(claims, about, strict=True)
        ]
        columns = {word: at for at, word in enumerate(sorted({word for words in held for word in words}))}
        ends = np.cumsum([0, *map(len, held)])
        indices = np.array([columns[word] for words in held for word in words], dtype=np.int32)
        shape = (len(claims), len(columns))
        self._has = sparse.csr_array((np.ones(len(indices)), indices, ends), shape=shape)
        self._count = np.bincount(indices, minlength=len(columns))
        share = self._count / max(len(claims), FEW)
        self._weights = np.minimum(-np.log(np.maximum(share, 1e-12)), math.log(RAREST))

    def mass(self, first: NDArray[np.integer], second: NDArray[np.integer]) -> NDArray[np.float64]:
        """Weight of the words that the claims first[i] and second[i] share, at least 0."""
        found = np.zeros(len(first))
        for start in range(0, len(first), 16 * BLOCK):
            part = slice(start, start + 16 * BLOCK)
            both = self._has[first[part]].multiply(self._has[second[part]])
            found[part] = both @ self._weights
        return found

    def nearest(self, groups: NDArray[np.int32], k: int) -> tuple[Places, Places]:
        """Pairs, first < second, of which one claim is among the k of other groups that share most with the
        other; of equals the first ones. Only by words that at most `MOST` claims have."""
        rare = (self._count > 1) & (self._count <= MOST)
        has = self._has[:, np.flatnonzero(rare)].tocsr()
        weighed = (has * self._weights[rare]).tocsr()
        others = has.T.tocsr()
        keys = [np.empty(0, dtype=np.int64)]
        for start in range(0, has.shape[0], BLOCK):
            products = (weighed[start : start + BLOCK] @ others).tocoo()
            row, column = products.row.astype(np.int64) + start, products.col.astype(np.int64)
            apart = groups[row] != groups[column]
            row, column, mass = row[apart], column[apart], np.round(products.data[apart], 9)
            ranked = np.lexsort((column, -mass, row))
            row, column = row[ranked], column[ranked]
            starts = np.flatnonzero(np.diff(row, prepend=-1))
            place = np.arange(len(row)) - np.repeat(starts, np.diff(starts, append=len(row)))
            row, column = row[place < k], column[place < k]
            keys.append(np.minimum(row, column) * has.shape[0] + np.maximum(row, column))
        first, second = np.divmod(np.unique(np.concatenate(keys)), max(1, has.shape[0]))
        return first.astype(np.int32), second.astype(np.int32)
