"""How likely it is that two claims disagree: a formula of five parts that anyone can read.

    log odds = 10 s + 4 w + 2 o + 2.4 d - 1 c - 15.6

    s   similarity: cosine of the claims' vectors, at least 0.
    w   rare words that both have: 1 - exp(-mass / 8), see `shared`.
    o   opposed findings: 1 where one claim says more and the other less or no change, as `direction` and
        `negated` were read, else 0.
    d   denial: 0.5 where exactly one claim has "no, not, without, neither, nor", and 0.5 where exactly one
        denies as it was read.
    c   other comparison: 1 where both name an intervention and share no word of it, else 0.

Similarity and words say whether both are about one question, opposition and denial whether they answer it
differently. The weights are ours, rounded, and were tried on HealthVer dev among claims of trials; logistic
regression on half of its questions found no better ones for the other half.
`tests/benchmarks/quality_haystack.py` prints how pairs are ranked, and how far to trust the probability.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.conflicts.finding.words import without_idle_denials
from core.conflicts.mine import disagreement as dis
from core.conflicts.mine.score import Places, Sets
from core.conflicts.mine.shared import Shared
from core.conflicts.stance.words import says_no
from core.records import Claim, Likelihood

Exact = NDArray[np.float64]

WEIGHTS = {
    "similarity": 10.0,
    "shared words": 4.0,
    "opposed findings": 2.0,
    "one side denies": 2.4,
    "other intervention": -1.0,
}
"""Part -> log odds that it adds when it is 1."""
BASE = -15.6
"""Log odds where every part is 0."""
ENOUGH = 8.0
"""Mass of shared words at which w is 0.63."""


CHUNK = 32_768
"""Pairs told of at once."""


class Parts(NamedTuple):
    """Of many pairs: the probability, and the parts it was made of, in the order of `WEIGHTS`; arrays."""

    value: Exact
    parts: tuple[Exact, ...]

    @property
    def worth_a_place(self) -> Exact:
        """What decides which pairs a domain keeps: log odds in which the findings count half, as they are
        read wrongly more often than topics are."""
        halved = ("opposed findings", "one side denies")
        return sum(
            (weight / 2 if name in halved else weight) * part
            for (name, weight), part in zip(WEIGHTS.items(), self.parts, strict=True)
        ) + np.zeros(len(self.value))

    def at(self, place: int) -> Likelihood:
        told = zip(WEIGHTS, self.parts, strict=True)
        return Likelihood(
            round(float(self.value[place]), 6), tuple((name, round(float(x[place]), 6)) for name, x in told)
        )


class Judge:
    """What the formula needs to know of some claims."""

    def __init__(self, claims: Sequence[Claim], shared: Shared) -> None:
        self._shared = shared
        self._stances = np.array([dis.STANCES.index(dis.stance(claim)) for claim in claims], dtype=np.int8)
        self._says_no = np.array(
            [says_no(without_idle_denials(claim.text)) for claim in claims], dtype=np.bool_
        )
        self._denies = np.array([dis.denies(claim) for claim in claims], dtype=np.bool_)
        self._given = Sets(dis.words(claim, "intervention") for claim in claims)

    def ranks(self, first: Places, second: Places, sim: Exact) -> tuple[Exact, Exact]:
        """(probability, `Parts.worth_a_place`) of many pairs, without their parts."""
        value, worth = np.empty(len(sim)), np.empty(len(sim))
        for start in range(0, len(sim), CHUNK):
            part = slice(start, start + CHUNK)
            made = self.of(first[part], second[part], sim[part])
            value[part], worth[part] = made.value, made.worth_a_place
        return value, worth

    def of(self, first: Places, second: Places, sim: Exact) -> Parts:
        """Of the pairs (first[i], second[i]), of which `sim` holds the cosines."""
        said = self._says_no[first] != self._says_no[second]
        read_so = self._denies[first] != self._denies[second]
        opposed = np.asarray(dis.POLARITY)[self._stances[first], self._stances[second]] > 0
        other = self._given.both(first, second) & (self._given.jaccard(first, second) == 0)
        parts = (
            np.clip(sim, 0.0, 1.0),
            1 - np.exp(-self._shared.mass(first, second) / ENOUGH),
            opposed.astype(np.float64),
            (said.astype(np.float64) + read_so) / 2,
            other.astype(np.float64),
        )
        odds = BASE + sum(weight * part for weight, part in zip(WEIGHTS.values(), parts, strict=True))
        return Parts(1 / (1 + np.exp(-odds)), parts)
