"""Who descends from whom: is_a lineage of one ontology, in memory.

Built once from ids and is_a links (compressed adjacency in numpy arrays) and asked many times. Nothing
here recurses, so a chain of any depth is safe, and a cycle ends where it began. A search keeps to plain
lists while its frontier is small and turns to whole arrays where a level is wide.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt

from core.errors import NotFoundError
from core.records import Curie, Ontology

Indices = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

_WIDE = 64
"""From this many nodes in a level on, arrays beat lists."""


class _Links:
    """Neighbours in one direction: `targets[starts[i]:starts[i + 1]]`, and the same as a list of lists."""

    __slots__ = ("lists", "starts", "targets")

    def __init__(self, sources: Indices, targets: Indices, count: int):
        keys = np.sort(sources * count + targets)
        keys = keys[
            np.diff(keys, prepend=-1) > 0
        ]  # without repeats; np.unique would load masked arrays first
        sources, self.targets = np.divmod(keys, max(count, 1))
        self.starts = np.searchsorted(sources, np.arange(count + 1))
        flat, bounds = self.targets.tolist(), self.starts.tolist()
        self.lists: list[list[int]] = list(map(flat.__getitem__, map(slice, bounds, bounds[1:])))

    def of_many(self, nodes: Indices) -> Indices:
        """All neighbours of `nodes`, with repeats."""
        begins = self.starts[nodes]
        counts = self.starts[nodes + 1] - begins
        offsets = np.repeat(begins - (np.cumsum(counts) - counts), counts)
        found: Indices = self.targets[offsets + np.arange(counts.sum())]
        return found


class Lineage:
    """Ancestors, descendants, distances and branches over is_a.

    Concepts are named by id; NotFoundError for an id that is not here (ask with `in`). Links to or from
    unknown ids are ignored. Results in tuples are in the order of ids unless said otherwise.
    """

    __slots__ = ("_down", "_index", "_under", "_up", "curies")

    def __init__(self, curies: Iterable[Curie], is_a: Iterable[tuple[Curie, Curie]]):
        self.curies: tuple[Curie, ...] = tuple(sorted(dict.fromkeys(curies)))
        self._index = {curie: number for number, curie in enumerate(self.curies)}
        find = self._index.get
        links = np.array([find(curie, -1) for link in is_a for curie in link], dtype=np.int64).reshape(-1, 2)
        links = links[(links >= 0).all(axis=1)]
        self._up = _Links(links[:, 0], links[:, 1], len(self.curies))
        self._down = _Links(links[:, 1], links[:, 0], len(self.curies))
        self._under: dict[int, Mask] = {}

    @classmethod
    def of(cls, ontology: Ontology) -> Lineage:
        """All concepts of an ontology, obsolete ones included (they usually stand alone)."""
        concepts = ontology.concepts
        return cls((c.curie for c in concepts), ((c.curie, parent) for c in concepts for parent in c.parents))

    def __contains__(self, curie: object) -> bool:
        return curie in self._index

    def __len__(self) -> int:
        return len(self.curies)

    def index(self, curie: Curie) -> int:
        """Place of a concept in `curies` and in every mask."""
        try:
            return self._index[curie]
        except KeyError:
            raise NotFoundError("concept", curie) from None

    # --- one step ---

    def parents(self, curie: Curie) -> tuple[Curie, ...]:
        return self._names(self._up.lists[self.index(curie)])

    def children(self, curie: Curie) -> tuple[Curie, ...]:
        return self._names(self._down.lists[self.index(curie)])

    def roots(self) -> tuple[Curie, ...]:
        """Concepts without parents, obsolete and lone ones included."""
        return tuple(curie for curie, above in zip(self.curies, self._up.lists, strict=True) if not above)

    # --- all the way ---

    def ancestors(self, curie: Curie, include_self: bool = False) -> frozenset[Curie]:
        return self._reached(self.index(curie), self._up, include_self)

    def descendants(self, curie: Curie, include_self: bool = False) -> frozenset[Curie]:
        return self._reached(self.index(curie), self._down, include_self)

    def under(self, root: Curie) -> Mask:
        """Which of `curies` are `root` or below it: a read-only boolean array, remembered once made."""
        start = self.index(root)
        mask = self._under.get(start)
        if mask is None:
            mask = self._reach(start, self._down).view(np.bool_)
            mask.flags.writeable = False
            if len(self._under) < 64:  # a few roots are asked for again and again
                self._under[start] = mask
        return mask

    # --- between two ---

    def distance(self, a: Curie, b: Curie) -> int | None:
        """Fewest is_a steps between `a` and `b`, whichever is the ancestor; None if neither is."""
        first, second = self.index(a), self.index(b)
        up = self._steps_up(first, second)
        return up if up is not None else self._steps_up(second, first)

    def depth(self, curie: Curie, root: Curie | None = None) -> int | None:
        """Fewest steps up to `root` (None if it is no ancestor), or to any concept without parents."""
        start = self.index(curie)
        if root is not None:
            return self._steps_up(start, self.index(root))
        for steps, level in enumerate(self._levels(start, self._up)):
            if any(not self._up.lists[node] for node in level):
                return steps
        return None  # only in a cycle

    def path(self, curie: Curie, root: Curie) -> tuple[Curie, ...] | None:
        """One shortest way up from `curie` to `root`, both included (ties: the lower id first); None if
        `root` is no ancestor."""
        start, goal = self.index(curie), self.index(root)
        came_from = {start: start}
        for level in self._levels(start, self._up):
            if goal in came_from:
                break
            for node in sorted(level):
                for parent in self._up.lists[node]:
                    came_from.setdefault(parent, node)
        if goal not in came_from:
            return None
        way = [goal]
        while way[-1] != start:
            way.append(came_from[way[-1]])
        return tuple(self.curies[node] for node in reversed(way))

    def branch(self, curie: Curie, root: Curie) -> tuple[Curie, ...]:
        """The children of `root` that are `curie` or above it: several where a concept has several
        parents, none for the root itself or outside it."""
        above = self._nodes(self.index(curie), self._up)
        return self._names([child for child in self._down.lists[self.index(root)] if child in above])

    # --- the search ---

    def _names(self, nodes: Iterable[int]) -> tuple[Curie, ...]:
        return tuple(self.curies[node] for node in nodes)

    def _levels(self, start: int, links: _Links, seen: bytearray | None = None) -> Iterator[list[int]]:
        """Breadth first: the start, then each further step's new nodes. `seen` is marked on the way."""
        seen = bytearray(len(self.curies)) if seen is None else seen
        marks = np.frombuffer(seen, dtype=np.uint8)
        seen[start] = 1
        level = [start]
        while level:
            yield level
            if len(level) < _WIDE:
                new = []
                for node in level:
                    for target in links.lists[node]:
                        if not seen[target]:
                            seen[target] = 1
                            new.append(target)
                level = new
            else:
                fresh = np.zeros_like(marks)
                fresh[links.of_many(np.array(level))] = 1
                found = np.flatnonzero(fresh > marks)
                marks[found] = 1
                level = found.tolist()

    def _reach(self, start: int, links: _Links) -> npt.NDArray[np.uint8]:
        """1 for every node that can be reached, the start included."""
        seen = bytearray(len(self.curies))
        for _ in self._levels(start, links, seen):
            pass
        return np.frombuffer(seen, dtype=np.uint8)

    def _nodes(self, start: int, links: _Links) -> set[int]:
        return {node for level in self._levels(start, links) for node in level}

    def _reached(self, start: int, links: _Links, include_self: bool) -> frozenset[Curie]:
        nodes = [node for level in self._levels(start, links) for node in level]
        curies = self.curies
        return frozenset([curies[node] for node in (nodes if include_self else nodes[1:])])

    def _steps_up(self, start: int, goal: int) -> int | None:
        for steps, level in enumerate(self._levels(start, self._up)):
            if goal in level:
                return steps
        return None
