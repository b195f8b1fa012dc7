"""Stage 4: mine. Pairs of like claims of different articles of a domain that may disagree.

Source: BioDivergence (paper 004), appendix G.4; metric-definitions 10.1 where it is silent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, starmap

import numpy as np
from numpy.typing import NDArray

from core.conflicts.identity import pair_id
from core.conflicts.mine.disagreement import disagreement
from core.conflicts.mine.neighbours import Near, nearest
from core.conflicts.mine.score import Scorer, Weights
from core.errors import InputError
from core.records import CandidatePair, Claim

Progress = Callable[[int, int], None]
"""Called with (claims searched, claims in all)."""

TOLERANCE = 1e-9
"""Of both thresholds, which are inclusive."""
BATCH = 65_536
"""Pairs, about, that are looked through for articles with room at once."""


@dataclass(frozen=True, slots=True)
class Mining:
    """Settings of the stage.

    Raises:
        InputError: one that cannot be used.
    """

    neighbours: int = 20
    """Nearest claims of other articles that each claim is paired with."""
    least_sim: float = 0.40
    least_score: float = 0.25
    cap: int = 10_000
    """Pairs of a domain at most."""
    per_article: int = 2
    """Pairs an article may be in. Articles that hang together by pairs go into one split, and without a limit
    nearly all do: of the pairs of 2,717 trial abstracts the largest such group held 4 % with 2 pairs for an
    article, 99 % with 3, all with 8. Two is the most that leaves anything to split."""
    weights: Weights = field(default_factory=Weights)
    year_step: float = 0.01
    """Penalty for each year between two articles."""
    year_most: float = 0.10

    def __post_init__(self) -> None:
        for name in ("neighbours", "cap", "per_article"):
            if getattr(self, name) < 1:
                said = name.replace("_", " ")
                raise InputError(f"Mining cannot work with {getattr(self, name)} {said}. Give 1 or more.")
        for name in ("least_sim", "least_score"):
            if not -1 <= getattr(self, name) <= 1:
                said = name.replace("_", " ")
                raise InputError(f"A {said} of {getattr(self, name)} cannot be. Give a number from -1 to 1.")


@dataclass(frozen=True, slots=True)
class Mined:
    """What became of a domain."""

    pairs: list[CandidatePair]
    """Best first."""
    counts: dict[str, int]
    """claims, articles; neighbours: pairs of near claims that are like enough; scored: those whose score is
    high enough; over_article, over_cap: those left out because an article, or the domain, had its pairs;
    pairs: those that stay."""


def run(
    claims: Sequence[Claim],
    vectors: NDArray[np.float32],
    mining: Mining | None = None,
    progress: Progress | None = None,
) -> Mined:
    """The pairs of one domain: by score, then by pair id; whatever the order of the claims.

    Args:
        vectors: a unit row for each claim, shape (claims, dimensions).

    Raises:
        InputError: claims and vectors are not of one length.
    """
    mining = mining or Mining()
    if len(claims) != len(vectors):
        raise InputError(
            f"There are {len(claims)} claims and {len(vectors)} vectors. Encode each claim once, in order."
        )
    order = sorted(range(len(claims)), key=lambda place: (claims[place].key(), claims[place].claim_id))
    ordered = [claims[place] for place in order]
    articles = _numbered(ordered)
    near = nearest(
        vectors,
        np.array(order, dtype=np.intp),
        articles,
        mining.neighbours,
        mining.least_sim - TOLERANCE,
        progress,
    )
    scorer = Scorer(ordered, mining.weights, year_step=mining.year_step, year_most=mining.year_most)
    counts = Counter(
        claims=len(claims),
        articles=int(articles[-1]) + 1 if len(articles) else 0,
        neighbours=len(near.sim),
        scored=0,
        over_article=0,
        over_cap=0,
        pairs=0,
    )
    score = scorer.scores(near.first, near.second, near.sim).combined
    good = np.flatnonzero(score >= mining.least_score - TOLERANCE)
    counts["scored"] = len(good)
    good = good[np.argsort(-score[good], kind="stable")]
    chosen = _chosen(ordered, articles, near, good, score[good], mining, counts)
    counts["pairs"] = len(chosen)
    return Mined(_pairs(ordered, near, np.array(chosen, dtype=np.intp), scorer), dict(counts))


def _numbered(ordered: Sequence[Claim]) -> NDArray[np.int32]:
    """A number for each claim's article; claims are sorted by article."""
    numbers = np.zeros(len(ordered), dtype=np.int32)
    for place in range(1, len(ordered)):
        changes = ordered[place].article_uid != ordered[place - 1].article_uid
        numbers[place] = numbers[place - 1] + changes
    return numbers


def _chosen(
    ordered: Sequence[Claim],
    articles: NDArray[np.int32],
    near: Near,
    good: NDArray[np.intp],
    score: NDArray[np.float64],
    mining: Mining,
    counts: Counter[str],
) -> list[int]:
    """Places of the pairs that stay, best first: each unless one of its articles is full, up to the cap."""
    left = np.full(counts["articles"], mining.per_article, dtype=np.int32)
    chosen: list[int] = []
    starts = np.flatnonzero(np.diff(score, prepend=np.inf))  # of pairs of equal score
    ends = np.append(starts, len(good))
    cuts = [0, *ends[np.searchsorted(ends, range(BATCH, len(good), BATCH))].tolist(), len(good)]
    for batch in starmap(slice, pairwise(cuts)):
        if len(chosen) == mining.cap:
            counts["over_cap"] += len(good[batch])
            continue
        first, second = articles[near.first[good[batch]]], articles[near.second[good[batch]]]
        free = np.flatnonzero((left[first] > 0) & (left[second] > 0))
        counts["over_article"] += len(first) - len(free)
        for place in _by_id(ordered, near, good[batch][free], score[batch][free]):
            one, other = articles[near.first[place]], articles[near.second[place]]
            if len(chosen) == mining.cap:
                counts["over_cap"] += 1
            elif left[one] > 0 and left[other] > 0:
                left[one] -= 1
                left[other] -= 1
                chosen.append(place)
            else:
                counts["over_article"] += 1
    return chosen


def _by_id(
    ordered: Sequence[Claim], near: Near, places: NDArray[np.intp], score: NDArray[np.float64]
) -> Iterator[int]:
    """Places of descending score; those of equal score by pair id."""
    starts = np.flatnonzero(np.diff(score, prepend=np.inf)).tolist()
    for start, end in pairwise([*starts, len(places)]):
        tied = places[start:end].tolist()
        if len(tied) > 1:
            tied.sort(key=lambda at: pair_id(ordered[int(near.first[at])], ordered[int(near.second[at])]))
        yield from tied


def _pairs(
    ordered: Sequence[Claim], near: Near, chosen: NDArray[np.intp], scorer: Scorer
) -> list[CandidatePair]:
    first, second = near.first[chosen], near.second[chosen]
    parts = scorer.scores(first, second, near.sim[chosen])
    found = []
    for place, (i, j) in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
        a, b = ordered[i], ordered[j]
        _, signals = disagreement(a, b)
        found.append(CandidatePair(pair_id(a, b), a.domain, a, b, parts.at(place), signals))
    return found
