"""Scores of many pairs at once (metric-definitions 10.1; BioDivergence, paper 004, appendix G.4).

    s = 0.35 sim + 0.35 dis + 0.15 ent + 0.10 type - p_year

sim: cosine of the claims' vectors. dis: `disagreement`. ent: Jaccard of the entity sets, 0 for two empty
ones. type: `TYPE_FIT`. Each clipped to [0, 1]. p_year: 0.01 for each year between the articles, at most 0.10;
0 where a year is missing. s is neither clipped nor scaled, and may be negative.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.conflicts.mine import disagreement as dis
from core.records import Axis, Claim, ClaimType

Exact = NDArray[np.float64]
Places = NDArray[np.integer[Any]]


@dataclass(frozen=True, slots=True)
class Weights:
    """Of the parts of a score."""

    sim: float = 0.35
    dis: float = 0.35
    ent: float = 0.15
    type: float = 0.10


TYPE_ORDER = tuple(ClaimType)
TYPE_FIT = (
    # fact effi prog corr prev caus mech reco
    (1.0, 0.5, 0.5, 0.5, 0.6, 0.5, 0.5, 0.3),  # factual
    (0.5, 1.0, 0.5, 0.5, 0.2, 0.8, 0.4, 0.6),  # efficacy
    (0.5, 0.5, 1.0, 0.8, 0.4, 0.6, 0.4, 0.3),  # prognostic
    (0.5, 0.5, 0.8, 1.0, 0.5, 0.8, 0.5, 0.2),  # correlational
    (0.6, 0.2, 0.4, 0.5, 1.0, 0.3, 0.1, 0.1),  # prevalence
    (0.5, 0.8, 0.6, 0.8, 0.3, 1.0, 0.8, 0.4),  # causal
    (0.5, 0.4, 0.4, 0.5, 0.1, 0.8, 1.0, 0.2),  # mechanistic
    (0.3, 0.6, 0.3, 0.2, 0.1, 0.4, 0.2, 1.0),  # recommendation
)
"""How well claims of two types can be held against each other, in the order of `ClaimType`; symmetric. The
paper gives no figures. Ours: 1 for the same type; 0.8 where both say that one thing bears on another, with
more or less cause in it; 0.5 and around for a plain fact against anything; little where one counts cases and
the other explains or advises."""

DECIMALS = 12
"""Of a score: what is beyond is rounding, and would order pairs that are equal."""
CHUNK = 8_192
"""Pairs scored at once."""


class Parts(NamedTuple):
    """Parts of scores, an array each, and the scores."""

    sim: Exact
    dis: Exact
    ent: Exact
    type: Exact
    year: Exact
    combined: Exact
    signals: NDArray[np.int64]
    """What the disagreement rests on, as `disagreement.signals` reads it."""


class Scorer:
    """What scores need to know of some claims, in arrays.

    Args:
        year_step: penalty for a year between two articles.
        year_most: the most it comes to.
    """

    def __init__(
        self, claims: Sequence[Claim], weights: Weights, *, year_step: float, year_most: float
    ) -> None:
        self._weights, self._step, self._most = weights, year_step, year_most
        self._types = _codes(TYPE_ORDER.index(claim.claim_type) for claim in claims)
        self.stances = _codes(dis.STANCES.index(dis.stance(claim)) for claim in claims)
        self.denies = np.fromiter((dis.denies(claim) for claim in claims), dtype=np.bool_)
        self._told = _codes(dis.told(claim) for claim in claims)
        self._years = np.fromiter((claim.year or 0 for claim in claims), dtype=np.int32)
        self._entities = Sets(claim.entities for claim in claims)
        self.interventions, self._outcomes, self._populations = (
            Sets(dis.words(claim, slot) for claim in claims)
            for slot in ("intervention", "outcome", "population")
        )
        self._values = Sets(dis.values(claim) for claim in claims)
        kinds: dict[tuple[Axis, str], int] = {}
        columns = [kinds.setdefault(value[:2], len(kinds)) for value in self._values.columns]
        self._kind_of = np.array(columns, dtype=np.int64)
        self._axis_of = np.array([dis.AXES.index(axis) for axis, _ in kinds], dtype=np.int64)
        self._kinds = self._values.grouped(self._kind_of, kinds)

    def scores(self, first: Places, second: Places, sim: Exact) -> Parts:
        """Scores of the pairs (first[i], second[i]), of which `sim` holds the cosines."""
        return Parts(*in_chunks(self._scores, len(Parts._fields), first, second, sim))

    def _scores(self, first: Places, second: Places, sim: Exact) -> tuple[NDArray[Any], ...]:
        sim = np.clip(sim, 0.0, 1.0)
        signal, code = self._disagreement(first, second)
        entities = self._entities.jaccard(first, second)
        fit = np.asarray(TYPE_FIT)[self._types[first], self._types[second]]
        years = self._years[first], self._years[second]
        known = (years[0] > 0) & (years[1] > 0)
        year = np.where(known, np.minimum(self._most, self._step * np.abs(years[0] - years[1])), 0.0)
        w = self._weights
        combined = w.sim * sim + w.dis * signal + w.ent * entities + w.type * fit - year
        return sim, signal, entities, fit, year, np.round(combined, DECIMALS), code

    def _disagreement(self, first: Places, second: Places) -> tuple[Exact, NDArray[np.int64]]:
        """(dis, what it rests on) of many pairs, by the formula of `disagreement`."""
        a, b = self.stances[first], self.stances[second]
        polarity = np.asarray(dis.POLARITY)[a, b]
        negation = ((a == 0) | (b == 0)) & (self.denies[first] != self.denies[second])
        same = self.interventions.jaccard(first, second) >= dis.SAME_INTERVENTION
        outcome, population = np.zeros(len(first)), np.zeros(len(first))
        one, two = first[same], second[same]
        for distance, held in ((outcome, self._outcomes), (population, self._populations)):
            distance[same] = np.where(held.both(one, two), 1 - held.jaccard(one, two), 0.0)
        other = self._outcomes.both(first, second) & (self._outcomes.jaccard(first, second) == 0)
        topic = np.where(other, dis.OTHER_OUTCOME, 1.0)
        axes = self._axes_apart(first, second)
        cues = np.minimum(1.0, np.bitwise_count(axes) / dis.ENOUGH_AXES)
        code = axes
        for part in (outcome > 0, population > 0, polarity > 0, negation):
            code = code << 1 | part
        for side in (first, second):
            code = code << 3 | np.where((polarity > 0) | negation, self._told[side], 0)
        reversal = (1 - dis.POLARITY_WEIGHT * polarity * topic) * (1 - dis.NEGATION_WEIGHT * negation * topic)
        entities = 1 - dis.ENTITY_WEIGHT * np.maximum(outcome, population)
        return 1 - reversal * (entities * (1 - dis.CUE_WEIGHT * cues)), code

    def _axes_apart(self, first: Places, second: Places) -> NDArray[np.int64]:
        """A bit for each axis on which the cues of a pair differ."""
        agree = np.zeros((len(first), len(self._axis_of)), dtype=np.bool_)
        pair, value = self._values.shared(first, second)
        agree[pair, self._kind_of[value]] = True
        pair, kind = self._kinds.shared(first, second)
        differ = ~agree[pair, kind]
        apart = np.zeros(len(first), dtype=np.int64)
        np.bitwise_or.at(apart, pair[differ], np.int64(1) << self._axis_of[kind[differ]])
        return apart


def in_chunks(
    work: Callable[..., tuple[NDArray[Any], ...]], count: int, first: Places, *others: NDArray[Any]
) -> tuple[NDArray[Any], ...]:
    """The `count` arrays that `work` makes of pairs, made of a few pairs at a time."""
    given = (first, *others)
    made = [work(*(one[at : at + CHUNK] for one in given)) for at in range(0, len(first), CHUNK)]
    if not made:
        return tuple(np.empty(0) for _ in range(count))
    return tuple(np.concatenate(parts) for parts in zip(*made, strict=True))


Member = TypeVar("Member", bound=Hashable)


class Sets(Generic[Member]):
    """A set for each claim: the columns of its members, one after another."""

    def __init__(self, sets: Iterable[Iterable[Member]], columns: dict[Member, int] | None = None) -> None:
        from array import array

        self.columns = {} if columns is None else columns
        """Column of each member, in the order in which they came; where given, that of other sets, too."""
        members, ends = array("i"), array("q", [0])
        for held in sets:
            members.extend(sorted({self.columns.setdefault(one, len(self.columns)) for one in held}))
            ends.append(len(members))
        self.ends = np.frombuffer(ends, dtype=np.int64)
        self.members = np.frombuffer(members, dtype=np.int32) if members else np.empty(0, dtype=np.int32)
        self.sizes = np.diff(self.ends).astype(np.int32)

    def grouped(self, group: NDArray[np.int64], columns: dict[Any, int]) -> Sets[Any]:
        """The groups that members of each set belong to.

        Args:
            group: of each column.
            columns: of the groups.
        """
        keys = np.repeat(np.arange(len(self.sizes)), self.sizes) * max(1, len(columns)) + group[self.members]
        return _of_keys(keys, len(self.sizes), columns)

    def either(self, other: Sets[Member]) -> Sets[Member]:
        """What one of the two sets of each claim holds; both count the same columns."""
        every = np.arange(len(self.sizes))
        keys = np.concatenate((self._keys(every), other._keys(every)))
        return _of_keys(keys, len(every), self.columns)

    def shared(
        self, first: Places, second: Places, other: Sets[Member] | None = None
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """(pair, column) of what both sets of a pair hold, ascending.

        Args:
            other: of the same columns, where the second set of each pair is looked up.
        """
        every = np.concatenate((self._keys(first), (other or self)._keys(second)))
        every.sort(kind="stable")  # merges what is in order already
        pair, column = np.divmod(every[1:][every[1:] == every[:-1]], max(1, len(self.columns)))
        return pair, column

    def jaccard(self, first: Places, second: Places) -> Exact:
        """Shared of all, in [0, 1]; 0 for two empty sets."""
        pair, _ = self.shared(first, second)
        shared = np.bincount(pair, minlength=len(first))
        every = self.sizes[first] + self.sizes[second] - shared
        return np.asarray(shared / np.maximum(every, 1), dtype=np.float64)

    def both(self, first: Places, second: Places) -> NDArray[np.bool_]:
        """Whether neither set of a pair is empty."""
        return np.asarray((self.sizes[first] > 0) & (self.sizes[second] > 0))

    def _keys(self, numbers: Places) -> NDArray[np.int64]:
        """A number for each member of each set: by its place in `numbers`, then by column, ascending."""
        sizes = self.sizes[numbers]
        ends = np.cumsum(sizes, dtype=np.int64)
        # members of a set are those from its start on: count up within each
        place = np.arange(sizes.sum()) + np.repeat(self.ends[numbers] - (ends - sizes), sizes)
        firsts = np.arange(len(numbers), dtype=np.int64) * len(self.columns)
        return np.asarray(np.repeat(firsts, sizes) + self.members[place], dtype=np.int64)


def _of_keys(keys: NDArray[np.int64], size: int, columns: dict[Any, int]) -> Sets[Any]:
    """`size` sets from a number for each member of each, in any order: set times columns, and the column."""
    keys.sort()
    places, members = np.divmod(keys[np.diff(keys, prepend=-1) > 0], max(1, len(columns)))
    made = Sets[Any]((), columns)
    made.members = members.astype(np.int32)
    made.sizes = np.bincount(places, minlength=size).astype(np.int32)
    made.ends = np.concatenate(([0], np.cumsum(made.sizes, dtype=np.int64)))
    return made


def _codes(values: Iterable[int], dtype: Any = np.int8) -> NDArray[Any]:
    return np.fromiter(values, dtype=dtype)
