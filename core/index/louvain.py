"""Recursive Louvain communities, as HI-ALD (section 3.3) cuts its trees: for comparison, not for use.

At each node the resolution is bisected for a cut into 9 or 10 parts; of all cuts that were tried the one with
most parts, up to 10, is taken. Where the graph falls into more parts at every resolution the smallest are
joined, and where it does not fall apart at all its concepts are dealt out evenly in their order: so it always
ends, which the released scripts do not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.index.graph import Graph
from core.index.packing import Nested, numbered
from core.index.tree import MOST_CHILDREN, Index

if TYPE_CHECKING:
    from networkx import Graph as Network

SEED = 13
WIDEST = 5.0
"""Of the resolutions between 0 and this one the paper's scripts look for theirs."""
TRIES = 6
WANTED = 9
"""Parts from which on no better resolution is looked for."""


def louvain(graph: Graph, seed: int = SEED) -> dict[str, Index]:
    """Concept -> index; the same for the same seed, whatever the order of the input."""
    import networkx

    network = networkx.Graph()
    network.add_nodes_from(range(len(graph.concepts)))
    network.add_weighted_edges_from((a, b, weight) for (a, b), weight in graph.links.items())
    root: list[Nested] = []
    waiting: list[tuple[list[int], list[Nested]]] = [(list(range(len(graph.concepts))), root)]
    while waiting:
        places, children = waiting.pop()
        if len(places) <= MOST_CHILDREN:
            children += places
            continue
        for part in _parts(network, places, seed):
            if len(part) == 1:
                children.append(part[0])
            else:
                below: list[Nested] = []
                children.append(below)
                waiting.append((part, below))
    return {graph.concepts[place]: index for place, index in numbered(root)}


def _parts(network: Network, places: list[int], seed: int) -> list[list[int]]:
    """2 to 10 parts of more than 10 places, each sorted, by their least place."""
    from networkx.algorithms.community import louvain_communities

    inside = network.subgraph(places)
    subgraph = type(network)()  # in the order of places, on which the cut depends
    subgraph.add_nodes_from(places)
    subgraph.add_edges_from(
        (min(link), max(link), data)
        for *link, data in sorted(inside.edges(data=True), key=lambda edge: (min(edge[:2]), max(edge[:2])))
    )
    low, high, best = 0.0, WIDEST, []
    resolution = 1.0
    for _ in range(TRIES if subgraph.number_of_edges() else 0):
        cut = [sorted(part) for part in louvain_communities(subgraph, resolution=resolution, seed=seed)]
        if not best or _worth(cut) > _worth(best):
            best = cut
        if WANTED <= len(cut) <= MOST_CHILDREN:
            break
        low, high = (resolution, high) if len(cut) < WANTED else (low, resolution)
        resolution = (low + high) / 2
    if len(best) < 2:
        size = -(-len(places) // MOST_CHILDREN)
        best = [places[start : start + size] for start in range(0, len(places), size)]
    return sorted(_joined(best))


def _worth(cut: list[list[int]]) -> int:
    """Most parts up to the limit; above it the fewest."""
    return len(cut) if len(cut) <= MOST_CHILDREN else -len(cut) if len(cut) > 1 else 0


def _joined(parts: list[list[int]]) -> list[list[int]]:
    """At most 10 parts: the two smallest, by their least place, become one, again and again."""
    import heapq

    heap = [(len(part), part) for part in parts]
    heapq.heapify(heap)
    while len(heap) > MOST_CHILDREN:
        (_, one), (_, other) = heapq.heappop(heap), heapq.heappop(heap)
        joined = sorted(one + other)
        heapq.heappush(heap, (len(joined), joined))
    return [part for _, part in heap]
