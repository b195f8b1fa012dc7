"""Training sets of growing size that leave part of the test concepts unseen.

    split = split_unseen(gold, pool, seeds=(0, 1, 2))
    split.training(seed=0, size=400)      # ids of 400 passages: the core, then a prefix of a random order

In this order: gold into dev and test; passages of the pool whose text is in the gold dropped; test concepts
chosen that stay unseen, and every passage of the pool with one of them dropped; the core chosen, whose
concepts are distributed as those of dev are; sizes 200, 400, 800 and on, up to the pool. Source: HI-ALD
(paper 000), section 4.1 and table 7, which names no formula for the core and no check for duplicates: both
are ours.
"""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.errors import InputError
from core.records import Curie

LEAST = 200
"""Passages of the smallest training set."""
CORE = 100
UNSEEN = 0.30
"""Least share of distinct test concepts that no passage of the pool holds."""
DEV = 0.20
Floats = npt.NDArray[np.float64]


class Labelled(NamedTuple):
    """A passage with its concepts."""

    id: str
    text: str
    concepts: frozenset[Curie]


class Size(NamedTuple):
    """One row of the source's table 7."""

    seed: int
    passages: int
    concepts: int
    coverage: float | None
    """Share of the ontology's concepts; None: their number is not known."""
    test_concepts: int
    unseen: int
    seen: float
    """1 - unseen / test concepts."""


@dataclass(frozen=True)
class UnseenSplit:
    dev: tuple[str, ...]
    test: tuple[str, ...]
    unseen: frozenset[Curie]
    """Test concepts that no passage of the filtered pool holds: unseen at the largest size, and so at each.
    Closeness to this fixed set alone may be compared between sizes."""
    chosen: tuple[Curie, ...]
    """Those of them that were made unseen by dropping passages, in the order of choice."""
    duplicates: int
    """Passages of the pool that were dropped because their text is in the gold."""
    dropped: int
    """Passages of the pool that were dropped with the chosen concepts."""
    core: tuple[str, ...]
    divergence: float
    """Jensen-Shannon divergence of the core's and dev's distributions of concepts, base 2, in [0, 1]."""
    orders: Mapping[int, tuple[str, ...]]
    """Seed -> the other passages of the pool, in random order."""
    sizes: tuple[int, ...]
    rows: tuple[Size, ...]

    def training(self, seed: int, size: int) -> tuple[str, ...]:
        """Ids of a training set: of one seed, each holds all smaller ones."""
        return (*self.core, *self.orders[seed])[:size]


def split_unseen(
    gold: Sequence[Labelled],
    pool: Sequence[Labelled],
    *,
    ontology: Collection[Curie] | None = None,
    seeds: Sequence[int] = (0, 1, 2),
    share: float = UNSEEN,
    dev_share: float = DEV,
    cheapest: bool = False,
) -> UnseenSplit:
    """Split gold and pool.

    Args:
        ontology: its concepts, of which the coverage is counted.
        share: least share of distinct test concepts that are unseen, in [0, 1].
        cheapest: make those concepts unseen that cost fewest passages, not random ones. Unseen then means
            rare.

    Raises:
        InputError: an id stands twice, the gold is too small, or less than `LEAST` passages would be left.
    """
    for what, passages in (("gold", gold), ("pool", pool)):
        twice = [one for one, count in Counter(p.id for p in passages).items() if count > 1]
        if twice:
            raise InputError(f"The {what} holds the passage {twice[0]!r} twice. Give each an id of its own.")
    ordered = sorted(gold, key=lambda p: _hash(seeds[0], p.id))
    n_dev = int(len(gold) * dev_share)
    dev, test = sorted(ordered[:n_dev]), sorted(ordered[n_dev:])
    wanted = frozenset().union(*(p.concepts for p in test)) if test else frozenset()
    if not n_dev or not wanted:
        raise InputError(
            f"The gold has {len(gold)} passages: too few for a dev set of {dev_share:.0%} and a test set with"
            " concepts. Add gold, or change --dev-share."
        )
    texts = {_plain(p.text) for p in gold}
    others = sorted(p for p in pool if _plain(p.text) not in texts)
    chosen, kept = _unseen(wanted, others, share, seeds[0], cheapest)
    core, divergence = _core(kept, dev)
    orders = {seed: _order(seed, kept, core) for seed in seeds}
    sizes = _sizes(len(kept))
    held = {p.id: p.concepts for p in kept}
    every = frozenset().union(*held.values())
    rows = [
        _row(seed, [held[one] for one in (*core, *orders[seed])[:size]], wanted, ontology)
        for size in sizes
        for seed in (seeds if size < len(kept) else seeds[:1])
    ]
    return UnseenSplit(
        tuple(p.id for p in dev),
        tuple(p.id for p in test),
        wanted - every,
        chosen,
        len(pool) - len(others),
        len(others) - len(kept),
        core,
        divergence,
        orders,
        sizes,
        tuple(rows),
    )


def _hash(seed: int, text: str) -> str:
    return hashlib.sha256(f"{seed}\0{text}".encode("utf-8", "surrogatepass")).hexdigest()


def _plain(text: str) -> str:
    """For the comparison of texts: without case and without differences of white space."""
    return " ".join(text.casefold().split())


def _sizes(pool: int) -> tuple[int, ...]:
    found, size = [], LEAST
    while size < pool:
        found.append(size)
        size *= 2
    return (*found, pool)


def _row(
    seed: int,
    passages: Iterable[frozenset[Curie]],
    wanted: frozenset[Curie],
    ontology: Collection[Curie] | None,
) -> Size:
    held = list(passages)
    concepts: frozenset[Curie] = frozenset().union(*held)
    inside = None if not ontology else len(concepts & frozenset(ontology)) / len(ontology)
    unseen = len(wanted - concepts)
    return Size(seed, len(held), len(concepts), inside, len(wanted), unseen, 1 - unseen / len(wanted))


def _unseen(
    wanted: frozenset[Curie], pool: Sequence[Labelled], share: float, seed: int, cheapest: bool
) -> tuple[tuple[Curie, ...], list[Labelled]]:
    """(concepts made unseen, passages that are left)."""
    chosen, left, reached = _drop(wanted, pool, share, seed, cheapest)
    if reached and len(left) >= LEAST:
        return chosen, left
    possible = _largest(wanted, pool, seed)
    said = "no share at all" if possible is None else f"{possible:.0%}, by --cheapest"
    raise InputError(
        f"To leave {share:.0%} of {len(wanted):,} test concepts unseen, {len(left):,} of {len(pool):,}"
        f" passages would be left, and at least {LEAST} are needed. The largest share that is possible:"
        f" {said}. Add passages to the pool, or ask for a smaller --share."
    )


def _drop(
    wanted: frozenset[Curie], pool: Sequence[Labelled], share: float, seed: int, cheapest: bool
) -> tuple[tuple[Curie, ...], list[Labelled], bool]:
    """Drop passages of one concept after the other; and whether the share was reached."""
    left = {p.id: p for p in pool}
    having: dict[Curie, set[str]] = {}
    for p in pool:
        for concept in p.concepts & wanted:
            having.setdefault(concept, set()).add(p.id)
    waiting = sorted(having, key=lambda concept: _hash(seed, concept))
    chosen: list[Curie] = []
    while (len(wanted) - len(having)) / len(wanted) < share - 1e-12 and waiting:
        if cheapest:
            waiting = sorted((c for c in waiting if c in having), key=lambda c: len(having[c]))
        concept = waiting.pop(0)
        if concept not in having:
            continue  # its last passage went with another concept
        chosen.append(concept)
        for one in list(having[concept]):
            for other in left.pop(one).concepts & wanted:
                having[other].discard(one)
                if not having[other]:
                    del having[other]
    reached = (len(wanted) - len(having)) / len(wanted) >= share - 1e-12
    return tuple(chosen), [p for p in pool if p.id in left], reached


def _largest(wanted: frozenset[Curie], pool: Sequence[Labelled], seed: int) -> float | None:
    """The largest share of unseen concepts that leaves enough passages, found by the cheapest way."""
    best: float | None = None
    low, high = 0, len(wanted)
    while low <= high:
        middle = (low + high) // 2
        _, left, reached = _drop(wanted, pool, middle / len(wanted), seed, True)
        if reached and len(left) >= LEAST:
            best, low = middle / len(wanted), middle + 1
        else:
            high = middle - 1
    return best


def _order(seed: int, passages: Sequence[Labelled], core: Collection[str]) -> tuple[str, ...]:
    inside = frozenset(core)
    others = [p.id for p in passages if p.id not in inside]
    random.Random(seed).shuffle(others)  # noqa: S311 - a draw that must be repeatable, nothing secret
    return tuple(others)


def _core(pool: Sequence[Labelled], dev: Sequence[Labelled]) -> tuple[tuple[str, ...], float]:
    """The passages that bring the distribution of concepts nearest to dev's, each the best after those before
    it; those without concepts come last, and the first by id where several are as good."""
    named = [p for p in pool if p.concepts]
    concepts = sorted({c for p in (*named, *dev) for c in p.concepts})
    number = {concept: place for place, concept in enumerate(concepts)}
    target = np.zeros(len(concepts))
    for p in dev:
        for concept in p.concepts:
            target[number[concept]] += 1
    target /= max(target.sum(), 1)
    lengths = np.array([len(p.concepts) for p in named], dtype=np.int64)
    flat = np.array([number[c] for p in named for c in sorted(p.concepts)], dtype=np.int64)
    starts = np.concatenate(([0], np.cumsum(lengths)[:-1])).astype(np.int64)
    counts = np.zeros(len(concepts))
    free = np.ones(len(named), dtype=np.bool_)
    core: list[str] = []
    while len(core) < min(CORE, len(named)):
        scores = np.full(len(named), np.inf)
        for length in np.unique(lengths[free]).tolist():
            total = counts.sum() + length
            gain = _terms((counts + 1) / total, target) - _terms(counts / total, target)
            rows = np.flatnonzero(free & (lengths == length))
            places = flat[starts[rows][:, None] + np.arange(length)]
            scores[rows] = _terms(counts / total, target).sum() + gain[places].sum(axis=1)
        best = int(np.argmin(np.round(scores, 12)))
        free[best] = False
        counts[flat[starts[best] : starts[best] + lengths[best]]] += 1
        core.append(named[best].id)
    core += [p.id for p in pool if not p.concepts][: max(CORE - len(core), 0)]
    return tuple(core), float(_terms(counts / max(counts.sum(), 1), target).sum())


def _terms(p: Floats, q: Floats) -> Floats:
    """What each concept adds to the Jensen-Shannon divergence of two distributions, base 2."""
    middle = (p + q) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        of_p = np.where(p > 0, p * np.log2(p / middle), 0.0)
        of_q = np.where(q > 0, q * np.log2(q / middle), 0.0)
    found: Floats = (of_p + of_q) / 2
    return found
