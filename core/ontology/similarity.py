"""How alike two concepts are, from where they stand in one ontology.

    kin = Similarity(lineage, "lin")
    kin("HP:0002373", "HP:0002069")                   # one pair
    kin.of_pairs(first, second)                       # many at once: HPO, 200,000 pairs, well under a second

Every similarity lies in [0, 1], is symmetric, and is 1 for a concept and itself, the root included (R49). Two
concepts without a common ancestor, or one that the ontology does not hold and any other, have similarity 0.

Notation: x and y are different concepts; A(x) is x and all its ancestors, D(x) is x and all its descendants,
each concept once however many ways lead to it; C = A(x) ∩ A(y); w(d) = 1 for information from structure, and
1 + the number of documents that hold d for information from a corpus; m(x) = Σ w(d) over D(x);
M(x) = the largest m among A(x), which in an ontology with one root is that of the root.

### Information content IC(x), in [0, 1]

    IC(x) = 1 - ln m(x) / ln M(x)          0 where M(x) = 1 or m(x) = M(x): a root says nothing

That is -ln p(x) as a share of the most that a concept can say, p = m / M. From structure it depends on the
number of descendants alone, and a leaf has 1; from a corpus, the 1 in w keeps concepts finite that no
document holds, and without any document the two are the same. It never falls on the way down. Source: Seco,
Veale and Hayes (2004), An intrinsic information content metric; for corpora Resnik (1995), add-one counts.

### Resnik, an information content and no similarity (R49), in [0, 1]

    resnik(x, y) = max over c in C of IC(c)         resnik(x, x) = IC(x), below 1 for most; C = ∅: undefined

Where there are several lowest common ancestors the most informative one counts, so ties need no rule.

### Lin, in [0, 1]

    lin(x, y) = 2 · resnik(x, y) / (IC(x) + IC(y))  0 where the denominator is 0

Source: Lin (1998), An information-theoretic definition of similarity.

### Jiang-Conrath, in [0, 1]

    jiang_conrath(x, y) = 1 / (1 + IC(x) + IC(y) - 2 · resnik(x, y))        C = ∅: 0

The distance lies in [0, 2], so that two concepts which share nothing but the root reach 1/3: a threshold that
suits Lin need not suit this one. Source: Jiang and Conrath (1997); as a similarity, metric-definitions R49.

### Lineage hybrid, in [0, 1]

    lineage(x, y) = max over c in C of  2 · depth(c) / (2 · depth(c) + path(x, c) + path(y, c))

depth = fewest is_a steps up to a concept without parents, path = fewest steps up to c. The deeper the common
ancestor and the shorter the way over it, the more alike; only the root in common: 0. Source: Wu and Palmer
(1994), for the hybrid of depth and path of the Full-Text HPO Extraction Benchmarking Framework, section 5.2.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from core.ontology.closure import closure, expand, holds, links_of
from core.ontology.lineage import Indices, Lineage, Mask
from core.records import Curie

Floats = npt.NDArray[np.float64]
Measure = Literal["lin", "jiang_conrath", "lineage"]

_CELLS = 2_000_000
"""Of the table of steps held at once, two bytes each: bounds memory at any size of ontology."""
_PAIRS = 50_000
"""Pairs worked on at once."""
_COLUMNS = 128
"""Concepts whose similarity to all others is worked out at once."""
_DIGITS = 12
"""A similarity is rounded to this many decimals: one that is a threshold as a fraction reaches it."""


class Similarity:
    """One measure on one ontology. Immutable; building it costs one walk over all lineages."""

    def __init__(
        self, lineage: Lineage, measure: Measure = "lin", documents: Mapping[Curie, int] | None = None
    ):
        """
        Args:
            documents: concept -> number of documents that hold it, for information from a corpus. None:
                information from structure. Ids that the ontology does not hold are ignored.

        Raises:
            ValueError: no such measure.
        """
        if measure not in ("lin", "jiang_conrath", "lineage"):
            raise ValueError(f"{measure!r} is no similarity of concepts")
        self.measure = measure
        self._lineage = lineage
        self._links = links_of(lineage)
        self._starts, self._above, self._steps = closure(*self._links)
        self._information = self._contents(documents or {})
        self._depths = self._fewest_steps()

    # --- one concept, one pair ---

    def __call__(self, first: Curie, second: Curie) -> float:
        """In [0, 1]."""
        return float(self.of_pairs([first], [second])[0])

    def information(self, curie: Curie) -> float:
        """IC, in [0, 1].

        Raises:
            NotFoundError: the ontology holds no such concept.
        """
        return float(self._information[self._lineage.index(curie)])

    def resnik(self, first: Curie, second: Curie) -> float | None:
        """IC of the most informative common ancestor, in [0, 1]; None where there is none.

        Raises:
            NotFoundError: the ontology does not hold one of the two.
        """
        pair = (np.array([self._lineage.index(curie)]) for curie in (first, second))
        found = float(self._over_common(*pair, by_depth=False)[0])
        return found if found >= 0 else None

    # --- many pairs ---

    def of_pairs(self, first: Sequence[Curie], second: Sequence[Curie]) -> Floats:
        """Similarity of `first[i]` and `second[i]`, each in [0, 1], of shape (pairs,).

        Raises:
            ValueError: the two are not of the same length.
        """
        ids = tuple(dict.fromkeys((*first, *second)))
        codes = {curie: code for code, curie in enumerate(ids)}
        a, b = (np.fromiter(map(codes.__getitem__, side), np.int64, len(side)) for side in (first, second))
        if len(a) != len(b):
            raise ValueError(f"{len(a)} first concepts and {len(b)} second ones are no pairs")
        return self.between(ids, a, b)

    def between(self, ids: Sequence[Curie], first: Indices, second: Indices) -> Floats:
        """Similarity of `ids[first[i]]` and `ids[second[i]]`; `ids` are all different."""
        places = self._places(ids)
        a, b = places[first], places[second]
        same: Mask = first == second
        found: Floats = same.astype(np.float64)
        rest = np.flatnonzero(~same & (a >= 0) & (b >= 0))
        found[rest] = self._different(a[rest], b[rest])
        return found

    def across(self, first: Sequence[Curie], second: Sequence[Curie]) -> Floats:
        """Similarity of each of `first` and each of `second`, each in [0, 1], of shape (first, second).

        For many of both: the best that a concept has in common with another is itself or the best that one
        of its parents has, so all lineages are climbed once. Steps cannot be shared so, nor can cycles.
        """
        levels = self._levels()
        if self.measure == "lineage" or levels is None or not len(self._lineage):
            pairs = self.of_pairs([x for x in first for _ in second], list(second) * len(first))
            return pairs.reshape(len(first), len(second))
        a, b = self._places(first), self._places(second)
        codes = {curie: code for code, curie in enumerate(dict.fromkeys((*first, *second)))}
        x, y = (np.fromiter(map(codes.__getitem__, side), np.int64, len(side)) for side in (first, second))
        # ranks of information, 0 for none, since narrow whole numbers climb fastest
        contents, rank = np.unique(self._information, return_inverse=True)
        worth = np.concatenate(([-1.0], contents))
        held = np.empty((len(self._lineage), _COLUMNS), dtype=np.min_scalar_type(len(worth)))
        found = np.empty((len(a), len(b)))
        for start in range(0, len(b), _COLUMNS):
            columns = slice(start, start + _COLUMNS)
            best = self._climbed(np.maximum(b[columns], 0), levels, rank + 1, held)[a]
            best[a < 0] = 0
            best[:, b[columns] < 0] = 0
            both = np.add.outer(self._information[a], self._information[b[columns]])
            found[:, columns] = self._of_common(worth[best], both)
            found[:, columns][np.equal.outer(x, y[columns])] = 1.0
        return found

    def adjacent(self, ids: Sequence[Curie], first: Indices, second: Indices) -> Mask:
        """Whether `ids[first[i]]` and `ids[second[i]]` are direct is_a parent and child, either way round."""
        places, size = self._places(ids), len(self._lineage)
        a, b = places[first], places[second]
        starts, parents = self._links
        children = np.repeat(np.arange(size), np.diff(starts))
        known = np.sort(children * size + parents)
        found: Mask = (a >= 0) & (b >= 0) & (holds(known, a * size + b) | holds(known, b * size + a))
        return found

    def _places(self, curies: Sequence[Curie]) -> Indices:
        """Places in the lineage; -1 for what it does not hold."""
        lineage = self._lineage
        return np.array([lineage.index(c) if c in lineage else -1 for c in curies], dtype=np.int64)

    def _different(self, a: Indices, b: Indices) -> Floats:
        """The measure of pairs of two different concepts."""
        shared = self._over_common(a, b, by_depth=self.measure == "lineage")
        found = self._of_common(shared, self._information[a] + self._information[b])
        rounded: Floats = np.round(found, _DIGITS)
        return rounded

    def _of_common(self, shared: Floats, both: Floats) -> Floats:
        """The measure, from the best that a common ancestor has to say and IC(x) + IC(y)."""
        common = np.maximum(shared, 0.0)
        if self.measure == "lin":
            found = 2 * common / np.maximum(both, np.finfo(np.float64).tiny)
        elif self.measure == "jiang_conrath":
            found = np.where(shared >= 0, 1 / (1 + np.maximum(both - 2 * common, 0.0)), 0.0)
        else:
            found = common
        return np.minimum(found, 1.0)

    def _levels(self) -> list[tuple[Indices, Indices]] | None:
        """All links as (children, parents) in rounds, in each every child once, parents before their
        children; None where a cycle leaves no such order."""
        sizes, (starts, parents) = np.diff(self._starts), self._links
        number = np.diff(starts)
        children = np.repeat(np.arange(len(number)), number)
        # what is below has the ancestors of what is above, and itself
        if (sizes[children] <= sizes[parents]).any():
            return None
        nth = np.arange(len(parents)) - starts[children]
        order = np.lexsort((nth, sizes[children]))
        cuts = np.flatnonzero((np.diff(sizes[children[order]]) != 0) | (np.diff(nth[order]) != 0)) + 1
        return [(children[links], parents[links]) for links in np.split(order, cuts) if len(links)]

    def _climbed(
        self, b: Indices, levels: list[tuple[Indices, Indices]], rank: Indices, held: npt.NDArray[Any]
    ) -> npt.NDArray[Any]:
        """Rank of the most informative common ancestor of every concept and each of `b`, 0 where there is
        none, of shape (concepts of the ontology, b); `held` is where it is worked out."""
        found = held[:, : len(b)]
        found[:] = 0
        places, bounds = expand(self._starts, b)
        above = self._above[places]
        columns = np.repeat(np.arange(len(b)), np.diff(np.append(bounds, len(places))))
        found[above, columns] = rank[above]
        for children, parents in levels:
            found[children] = np.maximum(found[children], found[parents])
        return found

    def _over_common(self, a: Indices, b: Indices, *, by_depth: bool) -> Floats:
        """The best that a common ancestor has to say, -1 where there is none: its information content, or the
        depth of it against the path over it."""
        found = np.empty(len(a))
        for chosen, rows, table in self._blocks(b):
            sources = a[chosen]
            places, bounds = expand(self._starts, sources)
            above = self._above[places]
            lengths = np.diff(np.append(bounds, len(places)))
            other = table[np.repeat(rows, lengths), above]
            if by_depth:
                depths = 2.0 * self._depths[above]
                whole = depths + self._steps[places] + other - 1
                worth = np.divide(depths, whole, out=np.zeros_like(depths), where=whole > 0)
            else:
                worth = self._information[above]
            found[chosen] = np.maximum.reduceat(np.where(other > 0, worth, -1.0), bounds)
        return found

    def _blocks(self, b: Indices) -> Iterator[tuple[Indices, Indices, npt.NDArray[np.int16]]]:
        """Pairs in blocks: their numbers, and the row of a table that holds, for the second of each, the
        steps up to every concept plus 1 (0: no ancestor)."""
        if not len(b):
            return
        size = len(self._lineage)
        order = np.argsort(b, kind="stable")
        distinct, rank = np.unique(b[order], return_inverse=True)
        height = max(1, _CELLS // size)
        block = rank // height * (len(b) // _PAIRS + 1) + np.arange(len(b)) // _PAIRS
        cuts = np.flatnonzero(np.diff(block, prepend=-1))
        for begin, end in zip(cuts, np.append(cuts[1:], len(b)), strict=True):
            low, high = rank[begin], rank[end - 1] + 1
            places, bounds = expand(self._starts, distinct[low:high])
            table = np.zeros((high - low, size), dtype=np.int16)
            lengths = np.diff(np.append(bounds, len(places)))
            table[np.repeat(np.arange(high - low), lengths), self._above[places]] = self._steps[places] + 1
            yield order[begin:end], rank[begin:end] - low, table

    # --- of every concept, once ---

    def _contents(self, documents: Mapping[Curie, int]) -> Floats:
        weights = np.array([1.0 + documents.get(curie, 0) for curie in self._lineage.curies])
        if not len(weights):
            return weights
        below = np.repeat(weights, np.diff(self._starts))
        masses = np.bincount(self._above, weights=below, minlength=len(weights))
        most = np.maximum.reduceat(masses[self._above], self._starts[:-1])
        ceiling = np.log(np.where(masses < most, most, np.e))
        return np.where(masses < most, 1 - np.log(masses) / ceiling, 0.0)

    def _fewest_steps(self) -> Indices:
        """Depth of every concept; 0 in a cycle that no root is above."""
        starts, _ = self._links
        if len(starts) == 1:
            return np.zeros(0, dtype=np.int64)
        rootless = np.iinfo(np.int64).max
        to_root = np.where(np.diff(starts)[self._above] == 0, self._steps, rootless)
        depths = np.minimum.reduceat(to_root, self._starts[:-1])
        return np.where(depths == rootless, 0, depths)
