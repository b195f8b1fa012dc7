"""The pairs of a domain as arrays, and as records where somebody asks for one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import overload

import numpy as np

from core.conflicts.identity import pair_id
from core.conflicts.mine import disagreement, likelihood, score
from core.conflicts.mine.neighbours import Near
from core.records import CandidatePair, Claim, Likelihood, Scores

BATCH = 2_048
"""Records made at once."""


class Pairs(Sequence[CandidatePair]):
    """Pairs in their order. A record is made each time that it is asked for, as all of a domain at once would
    take more memory than all that mining needs.

    Args:
        claims: those that `pairs` count.
    """

    def __init__(
        self,
        claims: Sequence[Claim],
        pairs: Near,
        scores: score.Parts,
        likely: likelihood.Parts,
    ) -> None:
        self._claims, self._pairs = claims, pairs
        self._scores, self._likely = scores, likely

    def __len__(self) -> int:
        return len(self._pairs.sim)

    def __iter__(self) -> Iterator[CandidatePair]:
        for start in range(0, len(self), BATCH):
            yield from self._made(slice(start, start + BATCH))

    @overload
    def __getitem__(self, at: int) -> CandidatePair: ...
    @overload
    def __getitem__(self, at: slice) -> list[CandidatePair]: ...
    def __getitem__(self, at: int | slice) -> CandidatePair | list[CandidatePair]:
        if isinstance(at, slice):
            return list(self._made(at))
        place = range(len(self))[at]
        return next(self._made(slice(place, place + 1)))

    def signals(self) -> list[tuple[str, ...]]:
        """`CandidatePair.signals` of each."""
        return [disagreement.signals(code) for code in self._scores.signals.tolist()]

    def _made(self, some: slice) -> Iterator[CandidatePair]:
        scores = zip(*(part[some].tolist() for part in self._scores[:-1]), strict=True)
        likely = (self._likely.value, *self._likely.parts)
        value, *parts = (np.round(part[some], 6).tolist() for part in likely)
        names = tuple(likelihood.WEIGHTS)
        told = zip(*parts, strict=True)
        sides = zip(self._pairs.first[some].tolist(), self._pairs.second[some].tolist(), strict=True)
        codes = self._scores.signals[some].tolist()
        for (i, j), held, code, chance, each in zip(sides, scores, codes, value, told, strict=True):
            a, b = self._claims[i], self._claims[j]
            yield CandidatePair(
                *(pair_id(a, b), a.domain, a, b, Scores(*held), disagreement.signals(code)),
                likelihood=Likelihood(chance, tuple(zip(names, each, strict=True))),
            )
