"""Capacity packing with refinement: the graph of concepts becomes a label tree, from the leaves up.

A round packs the items that belong together into bins of at most 10, and each bin is one item of the next
round; rounds end when 10 items or fewer are left, which are the children of the root. A round:

1. A maximum spanning forest of the items (ties by place), each tree rooted at the item with most links.
2. Bins, from the leaves of the forest up: an item gathers the open groups of its children, largest first,
   into the first bin with room, `CAPACITY` a bin; what fits into one bin stays open for the item above.
3. Refinement, at most `PASSES` times: an item moves to the bin that it has most weight to, or, where that one
   is full, changes places with one of its members, or tries the next best bin.

Every round has fewer bins than items, moves only add weight inside bins, and passes are bounded, so it always
ends; nothing is random. Ours; it stands in for the recursive Louvain and METIS cuts of HI-ALD, section 3.3.
"""

from __future__ import annotations

from collections.abc import Iterable

from core.index.graph import Graph
from core.index.tree import MOST_CHILDREN, Index

CAPACITY = 9
"""Items of a bin as it is packed: one place is left for refinement."""
PASSES = 12

Links = list[dict[int, float]]
"""Of each item: another item -> weight."""
Nested = int | list["Nested"]
"""A place among the concepts, or the children of a node."""


def pack(graph: Graph) -> dict[str, Index]:
    """Concept -> index, with at most 10 children a node; a lone concept has the index (0,)."""
    links = links_of(graph)
    nodes: list[Nested] = list(range(len(links)))
    while len(nodes) > MOST_CHILDREN:
        bins = _refined(_packed(_forest(links), len(links)), links)
        nodes = [nodes[b[0]] if len(b) == 1 else [nodes[item] for item in b] for b in bins]
        links = contracted(bins, links)
    return {graph.concepts[place]: index for place, index in numbered(nodes)}


def links_of(graph: Graph) -> Links:
    """The links of each concept, both ways, by its place."""
    links: Links = [{} for _ in graph.concepts]
    for (a, b), weight in graph.links.items():
        links[a][b] = links[b][a] = weight
    return links


def numbered(children: list[Nested]) -> Iterable[tuple[int, Index]]:
    """(place, index) of every leaf; children are numbered in their order."""
    waiting: list[tuple[Nested, Index]] = [(c, (n,)) for n, c in enumerate(children)]
    while waiting:
        node, index = waiting.pop()
        if isinstance(node, int):
            yield node, index
        else:
            waiting.extend((child, (*index, n)) for n, child in enumerate(node))


# --- the forest ---------------------------------------------------------------------------------------------


def _forest(links: Links) -> list[list[tuple[int, int | None]]]:
    """Trees of a maximum spanning forest, by least item, each as (item, item above) from its root down."""
    ordered = sorted((-w, a, b) for a, near in enumerate(links) for b, w in near.items() if a < b)
    head = list(range(len(links)))

    def find(item: int) -> int:
        while head[item] != item:
            head[item] = head[head[item]]
            item = head[item]
        return item

    near: list[list[int]] = [[] for _ in links]
    for _, a, b in ordered:
        one, other = find(a), find(b)
        if one != other:
            head[max(one, other)] = min(one, other)  # the least item stands for its tree
            near[a].append(b)
            near[b].append(a)
    roots: dict[int, int] = {}
    for item in range(len(links)):
        best = roots.setdefault(find(item), item)
        if len(links[item]) > len(links[best]):
            roots[find(item)] = item
    return [_downwards(root, near) for root in roots.values()]


def _downwards(root: int, near: list[list[int]]) -> list[tuple[int, int | None]]:
    order: list[tuple[int, int | None]] = []
    waiting: list[tuple[int, int | None]] = [(root, None)]
    while waiting:
        item, above = waiting.pop()
        order.append((item, above))
        waiting.extend((other, item) for other in near[item] if other != above)
    return order


# --- the bins -----------------------------------------------------------------------------------------------


def _packed(forest: list[list[tuple[int, int | None]]], items: int) -> list[list[int]]:
    """All bins, each of at most `CAPACITY` items."""
    closed: list[list[int]] = []
    left: list[list[int]] = []
    open_below: list[list[list[int]]] = [[] for _ in range(items)]
    for tree in forest:
        for item, above in reversed(tree):
            bins = _first_fit([item], open_below[item])
            if len(bins) > 1 or len(bins[0]) == CAPACITY:
                closed += bins
            elif above is None:
                left += bins
            else:
                open_below[above] += bins
            open_below[item] = []
    return closed + _first_fit([], left)


def _first_fit(first: list[int], groups: list[list[int]]) -> list[list[int]]:
    """Groups, largest first, each into the first bin with room; `first`, if any, opens the first bin."""
    bins = [first] if first else []
    begin = [0] * (CAPACITY + 1)
    """Size of a group -> the first bin that may have room for it: bins only fill up."""
    for group in sorted(groups, key=lambda group: (-len(group), min(group))):
        at = begin[len(group)]
        while at < len(bins) and len(bins[at]) + len(group) > CAPACITY:
            at += 1
        begin[len(group)] = at
        if at == len(bins):
            bins.append([])
        bins[at] += group
    return bins


# --- refinement ---------------------------------------------------------------------------------------------


def _refined(bins: list[list[int]], links: Links) -> list[list[int]]:
    """The same items in bins with at least as much weight inside; bins by their least item."""
    held = [set(b) for b in bins]
    of = {item: number for number, b in enumerate(bins) for item in b}
    for _ in range(PASSES):
        if not sum(_improve(item, held, of, links) for item in range(len(links))):
            break
    return sorted(sorted(b) for b in held if b)


def _improve(item: int, held: list[set[int]], of: dict[int, int], links: Links) -> bool:
    """Move an item to the bin that it gains most by, or change places with a member of it; whether it did."""
    here = of[item]
    weights: dict[int, float] = {}
    for other, weight in links[item].items():
        weights[of[other]] = weights.get(of[other], 0.0) + weight
    own = weights.pop(here, 0.0)
    better = [(own - weight, there) for there, weight in weights.items() if weight - own > _LEAST]
    for loss, there in sorted(better):
        if len(held[there]) == MOST_CHILDREN:
            member = _best_swap(item, -loss, held[here] - {item}, held[there], links)
            if member is None:
                continue
            held[there].remove(member)
            held[here].add(member)
            of[member] = here
        held[here].remove(item)
        held[there].add(item)
        of[item] = there
        return True
    return False


def _best_swap(item: int, gain: float, rest: set[int], full: set[int], links: Links) -> int | None:
    """The member of a full bin whose place the item had best take, the member joining the item's `rest`; None
    where every swap loses more than the item's own gain."""
    best, found = _LEAST, None
    for member in sorted(full):
        back = _weight(member, rest, links) - _weight(member, full, links)
        total = gain + back - links[item].get(member, 0.0)
        if total > best:
            best, found = total, member
    return found


_LEAST = 1e-9
"""Gains below are rounding."""


def _weight(item: int, others: Iterable[int], links: Links) -> float:
    near = links[item]
    return sum(near[other] for other in sorted(others) if other in near)


def contracted(bins: list[list[int]], links: Links) -> Links:
    """Each bin as one item, weights between two added up in the order of items."""
    of = {item: number for number, b in enumerate(bins) for item in b}
    found: Links = [{} for _ in bins]
    for number, b in enumerate(bins):
        for item in b:
            for other, weight in links[item].items():
                there = of[other]
                if number < there:  # added up once, so that both directions agree to the last digit
                    found[number][there] = found[there][number] = found[number].get(there, 0.0) + weight
    return found
