"""How likely it is that two claims disagree: a formula of five parts that anyone can read.

    log odds = 10 s + 4 w + 2 o + 2.4 d - 1 c - 15.6

    s   similarity: cosine of the claims' vectors, at least 0.
    w   rare words that both have: 1 - exp(-mass / 8), `shared`.
    o   opposed findings: 1 where one side tells an effect and the other none, or where the effects are
        opposite (more and less, better and worse); else 0. Read by `core.conflicts.finding`.
    d   denial: 0.5 where exactly one claim has "no, not, without, neither, nor", and 0.5 where exactly one
        denies as its direction was read.
    c   other comparison: 1 where one side compares groups with each other, the other with themselves.

Similarity and words say whether both are about one question, opposition and denial whether they answer it
differently. The weights are ours, rounded; they were tried on HealthVer dev among claims of trials.
`tests/benchmarks/quality_haystack.py` prints how pairs are ranked, and how far to trust the probability.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.conflicts.finding import Effect, read
from core.conflicts.mine.disagreement import denies
from core.conflicts.mine.shared import Shared
from core.records import Claim, Likelihood

Exact = NDArray[np.float64]
Places = NDArray[np.integer]

WEIGHTS = {
    "similarity": 10.0,
    "shared words": 4.0,
    "opposed findings": 2.0,
    "one side denies": 2.4,
    "other comparison": -1.0,
}
"""Part -> log odds that it adds when it is 1."""
BASE = -15.6
"""Log odds where every part is 0."""
ENOUGH = 8.0
"""Mass of shared words at which w is 0.63."""
LIKELY, POSSIBLE = 0.5, 0.2
"""Least probability for each word."""
_DENIAL = re.compile(r"\b(?:no|not|without|neither|nor)\b", re.IGNORECASE)
_EFFECTS = (*Effect, None)
_NONE = _EFFECTS.index(Effect.NONE)
_OPPOSITES = ((Effect.UP, Effect.DOWN), (Effect.GOOD, Effect.BAD))


def in_words(value: float) -> Literal["likely", "possible", "unlikely"]:
    """A probability as a card shows it."""
    return "likely" if value >= LIKELY else "possible" if value >= POSSIBLE else "unlikely"


class Parts(NamedTuple):
    """Of many pairs: the probability, and the parts it was made of, in the order of `WEIGHTS`; arrays."""

    value: Exact
    parts: tuple[Exact, ...]

    def at(self, place: int) -> Likelihood:
        told = zip(WEIGHTS, self.parts, strict=True)
        return Likelihood(
            round(float(self.value[place]), 6), tuple((name, round(float(x[place]), 6)) for name, x in told)
        )


class Judge:
    """What the formula needs to know of some claims."""

    def __init__(self, claims: Sequence[Claim], shared: Shared) -> None:
        self._shared = shared
        found = [read(claim.text) for claim in claims]
        self._effects = np.array([_EFFECTS.index(one.effect) for one in found], dtype=np.int8)
        self._worth = np.array([one.worth for one in found], dtype=np.int8)
        self._within = np.array([one.within for one in found], dtype=np.bool_)
        self._says_no = np.array([bool(_DENIAL.search(claim.text)) for claim in claims], dtype=np.bool_)
        self._denies = np.array([denies(claim) for claim in claims], dtype=np.bool_)

    def of(self, first: Places, second: Places, sim: Exact) -> Parts:
        """Of the pairs (first[i], second[i]), of which `sim` holds the cosines."""
        said = self._says_no[first] != self._says_no[second]
        read_so = self._denies[first] != self._denies[second]
        parts = (
            np.clip(sim, 0.0, 1.0),
            1 - np.exp(-self._shared.mass(first, second) / ENOUGH),
            self._opposed(first, second).astype(np.float64),
            (said.astype(np.float64) + read_so) / 2,
            (self._within[first] != self._within[second]).astype(np.float64),
        )
        odds = BASE + sum(weight * part for weight, part in zip(WEIGHTS.values(), parts, strict=True))
        return Parts(1 / (1 + np.exp(-odds)), parts)

    def _opposed(self, first: Places, second: Places) -> NDArray[np.bool_]:
        a, b = self._effects[first], self._effects[second]
        told = (a < len(Effect)) & (b < len(Effect))
        opposed = told & ((a == _NONE) != (b == _NONE))
        for one, other in _OPPOSITES:
            x, y = _EFFECTS.index(one), _EFFECTS.index(other)
            opposed |= ((a == x) & (b == y)) | ((a == y) & (b == x))
        opposed |= self._worth[first] * self._worth[second] < 0
        return np.asarray(opposed)
