"""Recursive Louvain communities, as HI-ALD (section 3.3) cuts its trees: for comparison, not for use.

At each node the resolution is bisected for a cut into 9 or 10 parts; of all cuts that were tried the one with
most parts, up to 10, is taken. Where the graph falls into more parts at every resolution the smallest are
joined, and where it does not fall apart at all its concepts are dealt out evenly in their order.

It always ends, since passes are bounded and a move must gain more than rounding. Neither holds of the
released scripts nor of networkx, which did not end in ten minutes on the Gene Ontology of 2011: there a
concept can change places for ever, for a gain of the last digit.
"""

from __future__ import annotations

import heapq
import random

from core.index.graph import Graph
from core.index.packing import Links, Nested, contracted, links_of, numbered
from core.index.tree import MOST_CHILDREN, Index

SEED = 13
WIDEST = 5.0
"""Of the resolutions between 0 and this one the paper's scripts look for theirs."""
TRIES = 6
WANTED = 9
"""Parts from which on no better resolution is looked for."""
LEVELS, PASSES = 20, 50
"""At most, of one cut: how often communities become items, and how often all items are asked at one level."""
LEAST = 1e-9
"""Gains below, as a share of a link's weight, are rounding."""


def louvain(graph: Graph, seed: int = SEED) -> dict[str, Index]:
    """Concept -> index; the same for the same seed, whatever the order of the input."""
    links = links_of(graph)
    root: list[Nested] = []
    waiting: list[tuple[list[int], list[Nested]]] = [(list(range(len(links))), root)]
    while waiting:
        places, children = waiting.pop()
        if len(places) <= MOST_CHILDREN:
            children += places
            continue
        for part in _parts(links, places, seed):
            if len(part) == 1:
                children.append(part[0])
            else:
                below: list[Nested] = []
                children.append(below)
                waiting.append((part, below))
    return {graph.concepts[place]: index for place, index in numbered(root)}


def _parts(links: Links, places: list[int], seed: int) -> list[list[int]]:
    """2 to 10 parts of more than 10 places, each sorted, by their least place."""
    number = {place: n for n, place in enumerate(places)}
    inside = [{number[b]: w for b, w in links[a].items() if b in number} for a in places]
    low, high, resolution = 0.0, WIDEST, 1.0
    best: list[list[int]] = []
    for _ in range(TRIES if any(inside) else 0):
        cut = communities(inside, resolution, random.Random(seed))  # noqa: S311 - no secret
        if not best or _worth(cut) > _worth(best):
            best = cut
        if WANTED <= len(cut) <= MOST_CHILDREN:
            break
        low, high = (resolution, high) if len(cut) < WANTED else (low, resolution)
        resolution = (low + high) / 2
    if len(best) < 2:
        size = -(-len(places) // MOST_CHILDREN)
        best = [list(range(start, min(start + size, len(places)))) for start in range(0, len(places), size)]
    return sorted([places[n] for n in part] for part in _joined(best))


def communities(links: Links, resolution: float, chance: random.Random) -> list[list[int]]:
    """Louvain's communities of items (Blondel et al. 2008), each sorted, by their least item.

    Args:
        links: of each item, both ways.
        resolution: the higher, the smaller the communities.
    """
    members = [[item] for item in range(len(links))]
    inside = [0.0] * len(links)
    for _ in range(LEVELS):
        of = _level(links, inside, resolution, chance)
        found: dict[int, list[int]] = {}
        for item, community in enumerate(of):
            found.setdefault(community, []).append(item)
        if len(found) == len(links):
            break
        bins = list(found.values())
        within = [sum(w for a in b for c, w in links[a].items() if of[c] == of[a]) for b in bins]
        inside = [w + sum(inside[a] for a in b) for w, b in zip(within, bins, strict=True)]
        members = [sorted(one for item in b for one in members[item]) for b in bins]
        links = contracted(bins, links)
    return sorted(members)


def _level(links: Links, inside: list[float], resolution: float, chance: random.Random) -> list[int]:
    """Community of each item once none gains by a move, or every pass is spent.

    Args:
        inside: twice the weight within each item, which may be a community itself.
    """
    degree = [sum(near.values()) + own for near, own in zip(links, inside, strict=True)]
    whole = sum(degree)
    of, total = list(range(len(links))), list(degree)
    order = [item for item, near in enumerate(links) if near]
    chance.shuffle(order)
    for _ in range(PASSES):
        moves = 0
        for item in order:
            weights: dict[int, float] = {}
            for other, weight in links[item].items():
                weights[of[other]] = weights.get(of[other], 0.0) + weight
            here = of[item]
            total[here] -= degree[item]
            cost = resolution * degree[item] / whole
            best, gain = here, weights.get(here, 0.0) - cost * total[here] + LEAST
            for there, weight in weights.items():
                if weight - cost * total[there] > gain:
                    best, gain = there, weight - cost * total[there]
            total[best] += degree[item]
            of[item] = best
            moves += best != here
        if not moves:
            break
    return of


def _worth(cut: list[list[int]]) -> int:
    """Most parts up to the limit; above it the fewest."""
    return len(cut) if len(cut) <= MOST_CHILDREN else -len(cut) if len(cut) > 1 else 0


def _joined(parts: list[list[int]]) -> list[list[int]]:
    """At most 10 parts: the two smallest, by their least place, become one, again and again."""
    heap = [(len(part), part) for part in parts]
    heapq.heapify(heap)
    while len(heap) > MOST_CHILDREN:
        (_, one), (_, other) = heapq.heappop(heap), heapq.heappop(heap)
        joined = sorted(one + other)
        heapq.heappush(heap, (len(joined), joined))
    return [part for _, part in heap]
