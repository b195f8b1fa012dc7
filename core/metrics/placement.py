"""Placement: does a ranked list of edges hold the places of a new concept near its top?

    found = place({"m1": [("X:1", "X:2"), ("X:1", None)]}, {"m1": {("X:1", None)}}, edges=300)
    found.estimates["mrr"].value                     # 0.5

An edge is (parent, child), directed; child None: a leaf is added below the parent. Per mention there is a
ranked list of distinct edges (of repeats the first counts) and a set of gold edges; r is the 1-based rank of
a gold edge. M are the mentions with a gold edge, G all their gold edges, N the edges of the catalogue
(metric-definitions 3.4, R12, R13). Values pool gold edges unless their name says otherwise; an unranked gold
edge has rank N, and 0 where 1 / r is averaged.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from core.metrics.definition import Estimate, Family, Metric
from core.metrics.documents import Item

Edge = tuple[str, str | None]
"""(parent id, child id); None: no child, the concept is placed as a leaf."""

CUTS = (1, 5, 10, 50)
"""k of the headline values."""
SCALE = 10
"""Ranks that share a value in the scaled variant."""

_SOURCE = "Ontology enrichment from texts, section 5.1; metric-definitions 3.4, "
_UNDEFINED = "No mention with a gold edge."

FAMILY = Family(
    title="Placement of new concepts",
    item="a gold edge of a mention",
    metrics={
        "precision": Metric(
            "P@k",
            "Of the k best edges, which share is right?",
            "gold edges with rank ≤ k / (k · |M|); the divisor is k even where fewer edges were ranked",
            "[0, 1]",
            "higher",
            _SOURCE + "R13",
            _UNDEFINED,
        ),
        "recall": Metric(
            "R@k",
            "Of all gold edges, which share is among the k best?",
            "gold edges with rank ≤ k / |G|, pooled over mentions",
            "[0, 1]",
            "higher",
            _SOURCE + "R13",
            _UNDEFINED,
        ),
        "f1": Metric(
            "F1@k",
            "How good are the k best edges?",
            "2PR / (P + R) of P@k and R@k",
            "[0, 1]",
            "higher",
            _SOURCE + "R13",
            _UNDEFINED + " P + R = 0: 0.",
        ),
        "mr": Metric(
            "Mean rank (MR)",
            "How far down does a gold edge stand?",
            "mean of r over G; an unranked gold edge has rank N",
            "[1, N]",
            "lower",
            _SOURCE + "R12",
            _UNDEFINED,
        ),
        "mrr": Metric(
            "Mean reciprocal rank (MRR)",
            "How near the top does a gold edge stand?",
            "mean of 1 / r over G; unranked: 0; not scaled",
            "[0, 1]",
            "higher",
            _SOURCE + "R12",
            _UNDEFINED,
        ),
        "mr_macro": Metric(
            "Mean rank, per mention",
            "How far down do the gold edges of a typical mention stand?",
            "mean over M of the mean rank of the mention's gold edges; unranked: N",
            "[1, N]",
            "lower",
            _SOURCE + "R12",
            _UNDEFINED,
        ),
        "mrr_first": Metric(
            "Reciprocal rank of the first",
            "How near the top does the first gold edge of a mention stand?",
            "mean over M of 1 / (best rank); no gold edge ranked: 0",
            "[0, 1]",
            "higher",
            _SOURCE + "R12",
            _UNDEFINED,
        ),
        "mrr_scaled": Metric(
            "Reciprocal rank in tens",
            "How near the top does a gold edge stand, ranks taken ten at a time?",
            "mean of 1 / ⌈r / 10⌉ over G; an unranked gold edge has rank N",
            "[0, 1]",
            "higher",
            _SOURCE + "R12: the variant of taxonomy completion",
            _UNDEFINED,
        ),
    },
)

_NO_MENTION = "No mention has a gold edge."


@dataclass(frozen=True, slots=True)
class Placed:
    """One gold edge."""

    mention: str
    edge: Edge
    rank: int | None
    """1-based; None: not in the ranking."""


@dataclass(frozen=True, slots=True)
class Placement:
    gold: tuple[Placed, ...]
    """In order of mention and edge."""
    estimates: dict[str, Estimate]
    """Every metric, the first three as `precision:k`; `n` counts mentions with a gold edge."""
    hits: dict[int, int]
    """k -> gold edges with rank up to k."""
    mentions: int
    """|M|."""
    without_gold: int
    """Mentions left out because they have no gold edge."""
    edges: int
    """N."""

    def items(self, name: str) -> list[Item]:
        """The gold edges behind a value: within the k best (tp) or not (fn), or ranked or not. As doc_id
        stands the mention, as id the edge.

        Raises:
            KeyError: no value has that name.
        """
        if name not in self.estimates:
            raise KeyError(name)
        _, _, k = name.partition(":")
        return [
            Item(
                placed.mention,
                edge_name(placed.edge),
                "tp" if placed.rank is not None and (not k or placed.rank <= int(k)) else "fn",
                f"rank {placed.rank}" if placed.rank is not None else "not ranked",
            )
            for placed in self.gold
        ]


def edge_name(edge: Edge) -> str:
    """`X:1 > X:2`, or `X:1 > NULL` where there is no child."""
    return f"{edge[0]} > {edge[1] or 'NULL'}"


def in_order(edge: Edge) -> tuple[str, str]:
    """Key that sorts edges by parent and child, the one without a child first."""
    return edge[0], edge[1] or ""


def ranked(scores: Mapping[Edge, float] | Iterable[tuple[Edge, float]]) -> list[Edge]:
    """Edges by score, the highest first; equal scores by (parent id, child id)."""
    pairs = scores.items() if isinstance(scores, Mapping) else scores
    return [edge for edge, _ in sorted(pairs, key=lambda p: (-p[1], in_order(p[0])))]


def place(
    rankings: Mapping[str, Sequence[Edge]],
    gold: Mapping[str, AbstractSet[Edge]],
    edges: int,
    cuts: Sequence[int] = CUTS,
) -> Placement:
    """Rank the gold edges of every mention. One without gold edges is not scored, one without ranking has
    all its gold edges unranked.

    Args:
        rankings: mention -> edges, best first.
        edges: N, the number of edges in the catalogue, each of which might have been ranked.
        cuts: values of k, each at least 1.

    Raises:
        ValueError: a k below 1, or a mention with more distinct edges than the catalogue holds.
    """
    if any(k < 1 for k in cuts):
        raise ValueError(f"k counts edges from 1, not {min(cuts)}")
    scored = sorted(mention for mention, right in gold.items() if right)
    found: list[Placed] = []
    for mention in scored:
        ranks: dict[Edge, int] = {}
        for edge in rankings.get(mention, ()):
            ranks.setdefault(edge, len(ranks) + 1)
        if len(ranks.keys() | gold[mention]) > edges:
            raise ValueError(f"mention {mention!r} names more edges than the {edges} of the catalogue")
        found += [Placed(mention, e, ranks.get(e)) for e in sorted(gold[mention], key=in_order)]
    hits = {k: sum(p.rank is not None and p.rank <= k for p in found) for k in cuts}
    without = len(gold.keys() | rankings.keys()) - len(scored)
    n = len(scored)
    estimates = {
        name: Estimate(value, n, reason=None if n else _NO_MENTION)
        for name, value in _values(found, hits, n, edges).items()
    }
    return Placement(tuple(found), estimates, hits, n, without, edges)


def _values(found: Sequence[Placed], hits: Mapping[int, int], n: int, edges: int) -> dict[str, float | None]:
    values: dict[str, float | None] = {}
    for k, hit in hits.items():
        precision, recall = (hit / (k * n), hit / len(found)) if n else (None, None)
        values[f"precision:{k}"], values[f"recall:{k}"] = precision, recall
        values[f"f1:{k}"] = 2 * hit / (k * n + len(found)) if n else None
    per_mention: dict[str, list[int | None]] = {}
    for placed in found:
        per_mention.setdefault(placed.mention, []).append(placed.rank)
    ranks = [edges if p.rank is None else p.rank for p in found]
    means = [_mean([edges if r is None else r for r in held]) for held in per_mention.values()]
    firsts = [max(1 / r if r else 0.0 for r in held) for held in per_mention.values()]
    return values | {
        "mr": _mean(ranks),
        "mrr": _mean([1 / p.rank if p.rank else 0.0 for p in found]),
        "mr_macro": _mean([mean for mean in means if mean is not None]),
        "mrr_first": _mean(firsts),
        "mrr_scaled": _mean([1 / math.ceil(r / SCALE) for r in ranks]),
    }


def _mean(values: Sequence[float]) -> float | None:
    return math.fsum(values) / len(values) if values else None
