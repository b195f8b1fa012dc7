"""Stage 4: mine. Pairs of like claims of different articles of a domain that may disagree.

Source: BioDivergence (paper 004), appendix G.4; metric-definitions 10.1 where it is silent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, starmap
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.conflicts.identity import pair_id
from core.conflicts.mine.kept import Kept
from core.conflicts.mine.likelihood import Judge, most_worth
from core.conflicts.mine.neighbours import Near, nearest, products
from core.conflicts.mine.pairs import Pairs
from core.conflicts.mine.score import Scorer, Weights
from core.conflicts.mine.shared import nearest as sharing
from core.conflicts.mine.shared import topics
from core.errors import InputError
from core.records import Claim

Progress = Callable[[int, int], None]
"""Called with (claims searched, claims in all)."""

TOLERANCE = 1e-9
"""Of both thresholds, which are inclusive."""
DECIMALS = 12
"""Of a likelihood: what is beyond is rounding."""
ROWS = 1_024
"""Claims whose candidates are scored at once."""
BATCH = 65_536
"""Pairs, about, that are looked through for articles with room at once."""


@dataclass(frozen=True, slots=True)
class Mining:
    """Settings of the stage.

    Raises:
        InputError: one that cannot be used.
    """

    neighbours: int = 20
    """Claims of other articles, the most similar ones, that each claim is paired with."""
    by_words: int = 20
    """Those, besides, that share most with it: rare words of claims and titles (`shared`). They may lie below
    both thresholds."""
    least_sim: float = 0.20
    least_score: float = -1.0
    cap: int = 50_000
    """Pairs of a domain at most."""
    per_article: int | None = None
    """Pairs an article may be in; None: any number. A release leaves out what joins its splits."""
    order: Literal["likelihood", "score"] = "likelihood"
    """What pairs are ordered by. By likelihood, a domain with more pairs than `cap` keeps those that are most
    worth a place (`likelihood`)."""
    weights: Weights = field(default_factory=Weights)
    year_step: float = 0.01
    """Penalty for each year between two articles."""
    year_most: float = 0.10

    def __post_init__(self) -> None:
        for name, least in (("neighbours", 1), ("by_words", 0), ("cap", 1), ("per_article", 1)):
            value = getattr(self, name)
            if value is not None and value < least:
                said = name.replace("_", " ")
                raise InputError(f"Mining cannot work with {value} {said}. Give {least} or more.")
        for name in ("least_sim", "least_score"):
            if not -1 <= getattr(self, name) <= 1:
                said = name.replace("_", " ")
                raise InputError(f"A {said} of {getattr(self, name)} cannot be. Give a number from -1 to 1.")


PAPER = {"by_words": 0, "least_sim": 0.40, "least_score": 0.25, "cap": 10_000, "order": "score"}
"""Settings of `Mining` that are those of paper 004 (metric-definitions 10.1)."""


@dataclass(frozen=True, slots=True)
class Mined:
    """What became of a domain."""

    pairs: Pairs
    """Best first."""
    counts: dict[str, int]
    """claims, articles; neighbours: pairs of near claims that are like enough; by_words: those found by
    shared words alone; scored: these, and those whose score is high enough; over_article, over_cap: those
    left out because an article, or the domain, had its pairs; pairs: those that stay."""


def run(
    claims: Sequence[Claim],
    vectors: NDArray[np.float32],
    mining: Mining | None = None,
    progress: Progress | None = None,
    titles: Sequence[str | None] | None = None,
) -> Mined:
    """The pairs of one domain: by likelihood or score, then by pair id; whatever the order of the claims.

    Args:
        vectors: a unit row for each claim, shape (claims, dimensions).
        titles: of the claims' articles, as far as they have one.

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
    titled = [titles[place] for place in order] if titles else None
    articles, at = _numbered(ordered), np.array(order, dtype=np.intp)
    near = nearest(vectors, at, articles, mining.neighbours, mining.least_sim - TOLERANCE, progress)
    about = topics(ordered, titled)
    scorer = Scorer(ordered, mining.weights, year_step=mining.year_step, year_most=mining.year_most)
    has_title = np.array([bool(title) for title in titled or [None] * len(ordered)], dtype=np.bool_)
    judge = Judge(ordered, about, scorer, has_title)
    by_words = sharing(about.about, articles, mining.by_words) if mining.by_words else None
    counts = Counter(
        claims=len(claims),
        articles=int(articles[-1]) + 1 if len(articles) else 0,
        neighbours=len(near.sim),
        by_words=0,
        scored=0,
        over_article=0,
        over_cap=0,
        pairs=0,
    )
    kept = Kept(mining.cap if mining.per_article is None else None)
    for some in _blocks(near, by_words, vectors, at):
        counts["by_words"] += int(np.count_nonzero(some.by_words))
        _add(kept, some, mining, scorer, judge)
    found, rank = kept.best()
    counts["scored"] = kept.seen
    counts["over_cap"] = kept.seen - len(rank)
    chosen = np.array(_chosen(ordered, articles, found, rank, mining, counts), dtype=np.intp)
    pairs = found.at(chosen)
    likely = judge.of(*pairs)
    if mining.order == "likelihood":
        value = np.round(likely.value, DECIMALS)
        turned = np.argsort(-value, kind="stable")
        turned = _by_id(ordered, pairs, turned, value[turned])
        pairs, likely = pairs.at(turned), likely.at(turned)
    counts["pairs"] = len(chosen)
    return Mined(Pairs(ordered, pairs, scorer.scores(*pairs), likely), dict(counts))


class _Some(NamedTuple):
    """Some candidates."""

    pairs: Near
    by_words: NDArray[np.bool_]
    """Those that are no neighbours by similarity."""


def _blocks(
    near: Near, by_words: NDArray[np.int64] | None, vectors: NDArray[np.float32], order: NDArray[np.intp]
) -> Iterator[_Some]:
    """Neighbours by similarity and by words, each pair once, those of a few claims at a time."""
    size = len(order)
    for start in range(0, size, ROWS):
        part = slice(*np.searchsorted(near.first, (start, start + ROWS)))
        first, second, sim = near.first[part], near.second[part], near.sim[part]
        if by_words is None:
            yield _Some(Near(first, second, sim), np.zeros(len(sim), dtype=np.bool_))
            continue
        more = by_words[slice(*np.searchsorted(by_words, (start * size, (start + ROWS) * size)))]
        more = more[~np.isin(more, first.astype(np.int64) * size + second, assume_unique=True)]
        low, high = (column.astype(np.int32) for column in np.divmod(more, size))
        pairs = Near(
            np.concatenate((first, low)),
            np.concatenate((second, high)),
            np.concatenate((sim, products(vectors, order, low, high))),
        )
        yield _Some(pairs, np.arange(len(pairs.sim)) >= len(sim))


def _add(kept: Kept, some: _Some, mining: Mining, scorer: Scorer, judge: Judge) -> None:
    """Keep candidates with what they are ordered by."""
    pairs = some.pairs
    if mining.order == "score" or mining.least_score > -1:
        rank = scorer.scores(*pairs).combined
        good = (rank >= mining.least_score - TOLERANCE) | some.by_words
        pairs, rank = pairs.at(good), rank[good]
    kept.seen += len(pairs.sim)
    if mining.order == "likelihood":
        pairs = pairs.at(most_worth(pairs.sim) >= kept.floor)
        rank = np.round(judge.worth(*pairs), DECIMALS)
    kept.add(pairs, rank)


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
    score: NDArray[np.float64],
    mining: Mining,
    counts: Counter[str],
) -> list[int]:
    """Places of the pairs that stay, best first: each unless one of its articles is full, up to the cap.

    Args:
        near: best first, by `score`.
    """
    most = mining.per_article or np.iinfo(np.int32).max
    left = np.full(counts["articles"], most, dtype=np.int32)
    chosen: list[int] = []
    starts = np.flatnonzero(np.diff(score, prepend=np.inf))  # of pairs of equal score
    ends = np.append(starts, len(score))
    cuts = [0, *ends[np.searchsorted(ends, range(BATCH, len(score), BATCH))].tolist(), len(score)]
    for batch in starmap(slice, pairwise(cuts)):
        if len(chosen) == mining.cap:
            counts["over_cap"] += batch.stop - batch.start
            continue
        first, second = articles[near.first[batch]], articles[near.second[batch]]
        free = batch.start + np.flatnonzero((left[first] > 0) & (left[second] > 0))
        counts["over_article"] += len(first) - len(free)
        for place in _by_id(ordered, near, free, score[free]).tolist():
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
) -> NDArray[np.intp]:
    """Places of descending score; those of equal score by pair id."""
    turned = places.copy()
    starts = np.flatnonzero(np.diff(score, prepend=np.inf))
    ends = np.append(starts[1:], len(places))
    several = ends - starts > 1
    for start, end in zip(starts[several].tolist(), ends[several].tolist(), strict=True):
        tied = places[start:end].tolist()
        tied.sort(key=lambda at: pair_id(ordered[int(near.first[at])], ordered[int(near.second[at])]))
        turned[start:end] = tied
    return turned
