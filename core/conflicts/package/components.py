"""Articles joined by the pairs between them: what a split must not tear (metric-definitions 10.3).

Claims join, too: a claim stands in one article, so this changes nothing unless a file calls two claims of
different articles by one id, which must not leak either.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.conflicts.package.entries import Entry


@dataclass(frozen=True, slots=True)
class Component:
    """Articles joined by pairs, directly or through others, and the pairs between them."""

    articles: tuple[str, ...]
    """Sorted."""
    pairs: tuple[str, ...]
    """Pair ids, sorted."""
    domain: str
    """Of most of its pairs; the first in the alphabet of equals."""
    provisional: bool
    """Whether one of its labels may stand in train only."""


def components(entries: Sequence[Entry]) -> list[Component]:
    """Connected components, largest first, of equals the one with the smallest article uid."""
    joined = _Joined()
    for entry in entries:
        start, *others = nodes(entry)
        for other in others:
            joined.join(start, other)
    held: dict[tuple[str, str], list[Entry]] = {}
    for entry in entries:
        held.setdefault(joined.root(("article", entry.article_a)), []).append(entry)
    found = [
        Component(
            articles=tuple(sorted({uid for e in group for uid in (e.article_a, e.article_b)})),
            pairs=tuple(sorted(e.pair_id for e in group)),
            domain=_majority(e.domain for e in group),
            provisional=any(e.provisional for e in group),
        )
        for group in held.values()
    ]
    return sorted(found, key=lambda c: (-len(c.pairs), c.articles[0]))


def nodes(entry: Entry) -> list[tuple[str, str]]:
    """What a pair joins."""
    articles, claims = (entry.article_a, entry.article_b), (entry.claim_a, entry.claim_b)
    return [*(("article", uid) for uid in articles), *(("claim", claim) for claim in claims)]


def one_place(entries: Sequence[Entry]) -> dict[str, str]:
    """Article -> the smallest of the articles that must stay with it, whatever pairs are left out: those that
    a claim of one id stands in."""
    joined = _Joined()
    for entry in entries:
        joined.join(("article", entry.article_a), ("claim", entry.claim_a))
        joined.join(("article", entry.article_b), ("claim", entry.claim_b))
    return {uid: joined.root(("article", uid))[1] for e in entries for uid in (e.article_a, e.article_b)}


def _majority(domains: Iterable[str]) -> str:
    counts = Counter(domains)
    return min(counts, key=lambda domain: (-counts[domain], domain))


class _Joined:
    """Union-find with path halving; the smaller root wins, so that roots do not depend on the order."""

    def __init__(self) -> None:
        self._up: dict[tuple[str, str], tuple[str, str]] = {}

    def root(self, node: tuple[str, str]) -> tuple[str, str]:
        up = self._up
        up.setdefault(node, node)
        while up[node] != node:
            up[node] = up[up[node]]
            node = up[node]
        return node

    def join(self, a: tuple[str, str], b: tuple[str, str]) -> None:
        first, second = sorted((self.root(a), self.root(b)))
        self._up[second] = first
