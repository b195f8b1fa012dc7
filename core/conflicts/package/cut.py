"""Which pairs to leave out, so that a component too large for its split falls apart.

A piece of the component is grown article by article from several starting points; what crosses its border is
left out. Of all pieces seen, the one that costs least for each pair that it holds is cut off. That is greedy:
to leave out the fewest of all is a partition of a graph, for which no quick way is known.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass, field

from core.conflicts.package.components import one_place
from core.conflicts.package.entries import Entry
from core.records import ConflictType

REVIEWED = 1000.0
"""Cost of a pair that people settled: it goes last."""
CONFLICT = 1.5
"""What a sure conflict of a machine costs more than a pair that surely is none, which costs 1: conflicts are
rare, and still the fewest pairs go."""
STARTS = 24
"""Articles from which a piece is grown: those whose pairs cost least, and those spread over the others."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a component that is cut off."""

    held: tuple[str, ...]
    """Pair ids inside it."""
    left_out: tuple[str, ...]
    """Pair ids across its border, and those inside that may not stand where it goes."""
    each: float
    """What is left out costs, for each pair held."""


def cost(entry: Entry) -> float:
    """What leaving a pair out costs: one for the pair, and more the likelier it is a conflict, as mining
    found or as its label says."""
    if entry.reviewed:
        return REVIEWED
    said = entry.confidence or 0.0 if entry.conflict_type != ConflictType.NO_CONFLICT else 0.0
    return 1.0 + CONFLICT * min(max(entry.likelihood, said, 0.0), 1.0)


def cheapest(entries: Sequence[Entry], size: int, share: float, *, allow_heuristic: bool) -> Piece | None:
    """The piece that costs least for each pair it holds, and may stand in dev or test; None where there is
    none that leaves something behind.

    Args:
        entries: of one component.
        size: pairs of its domain.
        share: of them that dev or test is to hold: a piece is no larger once its border is left out.
        allow_heuristic: whether provisional labels may stand in dev and test; otherwise they leave a piece.
    """
    graph = _Graph(entries, allow_heuristic)
    found = [piece for start in graph.starts() if (piece := graph.grown(start, size, share))]
    return min(found, key=lambda one: (one.each, -len(one.held), one.held), default=None)


@dataclass(slots=True)
class _Graph:
    """Articles that go together as nodes, pairs as edges."""

    entries: Sequence[Entry]
    allow: bool
    ends: dict[str, tuple[str, str]] = field(init=False)
    by_id: dict[str, Entry] = field(init=False)
    of: dict[str, list[str]] = field(init=False)
    """Node -> pair ids, sorted."""

    def __post_init__(self) -> None:
        place = one_place(self.entries)
        self.by_id = {e.pair_id: e for e in self.entries}
        self.ends = {e.pair_id: (place[e.article_a], place[e.article_b]) for e in self.entries}
        self.of = {}
        for pair in sorted(self.ends):
            for node in dict.fromkeys(self.ends[pair]):
                self.of.setdefault(node, []).append(pair)

    def starts(self) -> list[str]:
        nodes = sorted(self.of, key=lambda node: (sum(cost(self.by_id[p]) for p in self.of[node]), node))
        spread = max(1, len(nodes) // STARTS)
        return list(dict.fromkeys([*nodes[: STARTS // 2], *nodes[::spread]]))

    def grown(self, start: str, size: int, share: float) -> Piece | None:
        """The cheapest of the pieces around a node, each one article larger than the one before."""
        inside: set[str] = set()
        held: set[str] = set()
        out: set[str] = set()
        """Pairs across the border, and provisional ones inside."""
        total = 0.0
        best: Piece | None = None
        queue = [(0.0, start)]
        while queue:
            _, node = heapq.heappop(queue)
            if node in inside:
                continue
            inside.add(node)
            for pair in self.of[node]:
                entry = self.by_id[pair]
                crosses = not all(end in inside for end in self.ends[pair])
                if crosses or (entry.provisional and not self.allow):
                    total += cost(entry) if pair not in out else 0.0
                    out.add(pair)
                else:
                    total -= cost(entry) if pair in out else 0.0
                    out.discard(pair)
                    held.add(pair)
            if len(held) > max(1.0, share * size) or len(held) + len(out) >= len(self.by_id):
                break
            fits = len(held) <= max(1.0, share * (size - len(out)))
            if held and out and fits and (best is None or total / len(held) < best.each):
                best = Piece(tuple(sorted(held)), tuple(sorted(out)), total / len(held))
            for pair in self.of[node]:
                for end in self.ends[pair]:
                    if end not in inside:
                        heapq.heappush(queue, (self._gain(end, inside), end))
        return best

    def _gain(self, node: str, inside: set[str]) -> float:
        """What taking a node in adds to the cost of the border; less is better."""
        return sum(
            (-1.0 if other in inside else 1.0) * cost(self.by_id[pair])
            for pair in self.of[node]
            for other in self.ends[pair]
            if other != node
        )
