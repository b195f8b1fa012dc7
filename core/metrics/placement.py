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
from dataclasses import dataclass, field

import numpy as np

from core.metrics.bootstrap import Draws, Floats
from core.metrics.definition import Estimate, Family, Metric
from core.metrics.documents import Item
from core.metrics.sums import divide, scored

Edge = tuple[str, str | None]
"""(parent id, child id); None: no child, the concept is placed as a leaf."""

CUTS = (1, 5, 10, 50)
"""k of the headline values."""
SCALE = 10
"""Ranks that share a value in the scaled variant."""

_SOURCE = "Ontology enrichment from texts, section 5.1; metric-definitions 3.4, "
_UNDEFINED = "No mention with a gold edge."
_OF_N = _UNDEFINED + " A gold edge is unranked and N is not known."

FAMILY = Family(
    title="Placement of new concepts",
    item="a gold edge of a mention",
    source=_SOURCE + "R12",
    undefined=_UNDEFINED,
    metrics={
        "precision": Metric(
            "P@k",
            "Of the k best edges, which share is right?",
            "gold edges with rank ≤ k / (k · |M|); the divisor is k even where fewer edges were ranked",
            source=_SOURCE + "R13",
        ),
        "recall": Metric(
            "R@k",
            "Of all gold edges, which share is among the k best?",
            "gold edges with rank ≤ k / |G|, pooled over mentions",
            source=_SOURCE + "R13",
        ),
        "f1": Metric(
            "F1@k",
            "How good are the k best edges?",
            "2PR / (P + R) of P@k and R@k",
            source=_SOURCE + "R13",
            undefined=_UNDEFINED + " P + R = 0: 0.",
        ),
        "mr": Metric(
            "Mean rank (MR)",
            "How far down does a gold edge stand?",
            "mean of r over G; an unranked gold edge has rank N",
            range="[1, N]",
            direction="lower",
            undefined=_OF_N,
        ),
        "mrr": Metric(
            "Mean reciprocal rank (MRR)",
            "How near the top does a gold edge stand?",
            "mean of 1 / r over G; unranked: 0; not scaled",
        ),
        "mr_macro": Metric(
            "Mean rank, per mention",
            "How far down do the gold edges of a typical mention stand?",
            "mean over M of the mean rank of the mention's gold edges; unranked: N",
            range="[1, N]",
            direction="lower",
            undefined=_OF_N,
        ),
        "mrr_first": Metric(
            "Reciprocal rank of the first",
            "How near the top does the first gold edge of a mention stand?",
            "mean over M of 1 / (best rank); no gold edge ranked: 0",
        ),
        "mrr_scaled": Metric(
            "Reciprocal rank in tens",
            "How near the top does a gold edge stand, ranks taken ten at a time?",
            "mean of 1 / ⌈r / 10⌉ over G; an unranked gold edge has rank N",
            source=_SOURCE + "R12: the variant of taxonomy completion",
            undefined=_OF_N,
        ),
    },
)

_NO_MENTION = "No mention has a gold edge."
_NO_SIZE = "A gold edge was not ranked, and the number of edges in the catalogue is not known."
_RANKED = ("mr", "mrr", "mr_macro", "mrr_first", "mrr_scaled")


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
    edges: int | None
    """N; None: not known."""
    resampled: dict[str, Floats] = field(default_factory=dict, compare=False)
    """Estimate -> its value in each resample, NaN: undefined."""

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
    """Edges by score, the highest first; equal scores by (parent id, child id).

    Raises:
        ValueError: a score is no number.
    """
    pairs = list(scores.items() if isinstance(scores, Mapping) else scores)
    if any(score != score for _, score in pairs):
        raise ValueError("the score of an edge is no number (NaN)")
    return [edge for edge, _ in sorted(pairs, key=lambda p: (-p[1], in_order(p[0])))]


def units(
    gold: Mapping[str, AbstractSet[Edge]], documents: Mapping[str, str] | None = None
) -> tuple[str, ...]:
    """What is resampled, in the order that `index_lists` count in: documents of the mentions with gold edges,
    or those mentions themselves."""
    return tuple(
        sorted({(documents or {}).get(mention, mention) for mention, right in gold.items() if right})
    )


def place(
    rankings: Mapping[str, Sequence[Edge]],
    gold: Mapping[str, AbstractSet[Edge]],
    edges: int | None,
    cuts: Sequence[int] = CUTS,
    documents: Mapping[str, str] | None = None,
    *,
    index_lists: Iterable[Draws] | Draws = (),
    level: float = 0.95,
) -> Placement:
    """Rank the gold edges of every mention. One without gold edges is not scored, one without ranking has
    all its gold edges unranked.

    Args:
        rankings: mention -> edges, best first.
        edges: N, the number of edges in the catalogue, each of which might have been ranked; None: not known.
        cuts: values of k, each at least 1.
        documents: mention -> what it stands in, for resampling; a mention that is not in it stands alone.
        index_lists: resamples over `units`, for intervals (see `bootstrap.draws`).

    Raises:
        ValueError: a k below 1, or a mention with more distinct edges than the catalogue holds.
    """
    if any(k < 1 for k in cuts):
        raise ValueError(f"k counts edges from 1, not {min(cuts)}")
    places = {unit: at for at, unit in enumerate(units(gold, documents))}
    table = np.zeros((len(places), len(cuts) + 2 + len(_RANKED)))
    found: list[Placed] = []
    placeable = sorted(mention for mention, right in gold.items() if right)
    for mention in placeable:
        ranks: dict[Edge, int] = {}
        for edge in rankings.get(mention, ()):
            ranks.setdefault(edge, len(ranks) + 1)
        if edges is not None and len(ranks.keys() | gold[mention]) > edges:
            raise ValueError(f"mention {mention!r} names more edges than the {edges} of the catalogue")
        mine = [Placed(mention, e, ranks.get(e)) for e in sorted(gold[mention], key=in_order)]
        found += mine
        table[places[(documents or {}).get(mention, mention)]] += _summed(mine, edges, cuts)
    without = len(gold.keys() | rankings.keys()) - len(placeable)
    names = [*(f"{m}:{k}" for k in cuts for m in ("precision", "recall", "f1")), *_RANKED]
    estimates, resampled = scored(
        table,
        lambda sums: _statistic(sums, cuts),
        names,
        n=lambda name: len(placeable),
        reason=lambda name: _NO_SIZE if placeable else _NO_MENTION,
        index_lists=index_lists,
        level=level,
    )
    return Placement(
        tuple(found),
        estimates,
        {k: int(table[:, at].sum()) for at, k in enumerate(cuts)},
        len(placeable),
        without,
        edges,
        resampled,
    )


def _summed(placed: Sequence[Placed], edges: int | None, cuts: Sequence[int]) -> list[float]:
    """What one mention adds: gold edges up to each k, 1, gold edges, and its part of each of `_RANKED`."""
    last = math.nan if edges is None else float(edges)
    ranks = [last if p.rank is None else float(p.rank) for p in placed]
    inverse = [1 / p.rank if p.rank else 0.0 for p in placed]
    return [
        *(sum(p.rank is not None and p.rank <= k for p in placed) for k in cuts),
        1.0,
        len(placed),
        sum(ranks),
        sum(inverse),
        sum(ranks) / len(ranks),
        max(inverse),
        sum(1 / np.ceil(rank / SCALE) for rank in ranks),
    ]


def _statistic(sums: Floats, cuts: Sequence[int]) -> Floats:
    """Sums of `_summed` -> P, R and F1 at each k, then `_RANKED`, one row per row of sums."""
    mentions, gold = sums[:, len(cuts)], sums[:, len(cuts) + 1]
    columns = []
    for at, k in enumerate(cuts):
        hits = sums[:, at]
        columns += [divide(hits, k * mentions), divide(hits, gold), divide(2 * hits, k * mentions + gold)]
    for name, part in zip(_RANKED, sums[:, len(cuts) + 2 :].T, strict=True):
        columns.append(divide(part, mentions if name in ("mr_macro", "mrr_first") else gold))
    return np.column_stack(columns)
