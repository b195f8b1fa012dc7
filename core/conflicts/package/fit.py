"""Components into splits, each of a size that its split can take; what is too large is cut (`cut`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import ceil, floor

from core.conflicts.package.components import Component, components, nodes
from core.conflicts.package.cut import cheapest, cost
from core.conflicts.package.entries import Entry

SPLITS = ("train", "dev", "test")
SHARES = {"train": 0.70, "dev": 0.15, "test": 0.15}
"""By pairs, in each domain: a wish, while the invariants are not (paper 004, appendix M)."""
SLACKS = (1.0, 0.8)
"""Tried, and the split is taken that leaves out the least and lacks the least in dev and test."""
TOLERANCE = 1e-9


Fitted = tuple["Placing", tuple[Entry, ...]]


def fitted(entries: Sequence[Entry], allow: bool, shares: Mapping[str, float]) -> Fitted:
    """Where every pair goes, and what is left out for that, by pair id."""

    def worth(one: Fitted) -> tuple[bool, int, float]:
        return (bool(one[0].too_large), -one[0].filled(), sum(map(cost, one[1])) + one[0].short())

    return min((_fitted(entries, allow, shares, slack) for slack in SLACKS), key=worth)


def _fitted(entries: Sequence[Entry], allow: bool, shares: Mapping[str, float], slack: float) -> Fitted:
    """Components that fit their splits, and what was left out for that, by pair id.

    Args:
        slack: how much of what dev or test is to hold a piece may have: later cuts make that smaller, and a
            piece is to fit then, too.
    """
    left_out: set[str] = set()
    share = slack * min(shares["dev"], shares["test"])

    def kept() -> list[Entry]:
        return [e for e in entries if e.pair_id not in left_out]

    def placed() -> Placing:
        return Placing(components(kept()), allow, shares)

    def cut(components: Sequence[Component]) -> bool:
        """Cut the first that can be."""
        held = kept()
        for component in components:
            size, wanted = sum(e.domain == component.domain for e in held), set(component.pairs)
            inside = [e for e in held if e.pair_id in wanted]
            if piece := cheapest(inside, size, share, allow_heuristic=allow):
                left_out.update(piece.left_out)
                return True
        return False

    while (found := placed()).too_large and cut(found.too_large):
        pass
    while not all(found.sizes().values()):
        before = set(left_out)
        if not cut(found.in_train()):
            break
        if (tried := placed()).filled() <= found.filled():  # nothing was gained
            left_out = before
            break
        found = tried
    found.take_back([e for e in entries if e.pair_id in left_out], kept())
    gone = (e for e in entries if e.pair_id not in found.place)
    return found, tuple(sorted(gone, key=lambda e: e.pair_id))


class Placing:
    """Components on their way into splits."""

    def __init__(self, found: Sequence[Component], allow: bool, shares: Mapping[str, float]) -> None:
        self.components = found
        self._allow = allow
        self.place: dict[str, str] = {}
        """Pair id -> split."""
        self._wished, self._shares = Counter[str](), shares
        for one in found:
            self._wished[one.domain] += len(one.pairs)
        self.too_large = [one for one in found if len(one.pairs) > self._most(one.domain, "train")]
        self._filled: Counter[tuple[str, str]] = Counter()
        eligible = []
        for component in found:
            barred = component.provisional and not allow
            if barred or len(component.pairs) > min(self._most(component.domain, s) for s in SPLITS):
                self._put(component, "train")
            else:
                eligible.append(component)
        for component in eligible:
            self._put(component, max(SPLITS, key=lambda s: self._lacking(component.domain, s)))
        # where too few pairs are there for the shares to reach dev or test, the smallest go there
        for name in ("dev", "test"):
            spare = [c for c in eligible if self.place[c.pairs[0]] == "train"]
            if spare and not self.sizes()[name] and self.sizes()["train"] > len(spare[-1].pairs):
                self._put(spare[-1], name)

    def _most(self, domain: str, name: str) -> int:
        """Pairs of a component in a split, of a domain; one pair fits everywhere."""
        wished = self._shares[name] * self._wished[domain]
        return max(1, ceil(wished - TOLERANCE) if name == "train" else floor(wished + TOLERANCE))

    def sizes(self) -> dict[str, int]:
        """Split -> pairs."""
        return {s: sum(n for (_, name), n in self._filled.items() if name == s) for s in SPLITS}

    def filled(self) -> int:
        """Splits that hold anything."""
        return sum(map(bool, self.sizes().values()))

    def short(self) -> float:
        """Pairs that dev and test lack."""
        sizes = self.sizes()
        return sum(max(0.0, self._shares[s] * sum(sizes.values()) - sizes[s]) for s in ("dev", "test"))

    def in_train(self) -> list[Component]:
        """Largest first."""
        return [one for one in self.components if self.place[one.pairs[0]] == "train"]

    def take_back(self, left_out: Sequence[Entry], kept: Sequence[Entry]) -> None:
        """Put pairs back whose articles came into one split after all, the dearest first, where the component
        that they join still fits."""
        group: dict[tuple[str, str], str] = {}
        """Article or claim -> the first pair of its component."""
        held = {c.pairs[0]: (c.domain, len(c.pairs)) for c in self.components}
        first = {pair: c.pairs[0] for c in self.components for pair in c.pairs}
        for entry in kept:
            group |= dict.fromkeys(nodes(entry), first[entry.pair_id])
        for entry in sorted(left_out, key=lambda e: (-cost(e), e.pair_id)):
            ends = sorted({group[node] for node in nodes(entry) if node in group})
            names = {self.place[end] for end in ends}
            if len(names) != 1 or (entry.provisional and not self._allow and names != {"train"}):
                continue
            (name,), (into, *others) = names, ends
            domain, size = held[into][0], 1 + sum(held[end][1] for end in ends)
            if size > self._most(domain, name):
                continue
            held[into] = (domain, size)
            group |= {node: into for node, of in group.items() if of in others}
            group |= dict.fromkeys(nodes(entry), into)
            self.place[entry.pair_id] = name
            self._filled[domain, name] += 1

    def _lacking(self, domain: str, name: str) -> float:
        return self._shares[name] * self._wished[domain] - self._filled[domain, name]

    def _put(self, component: Component, name: str) -> None:
        if earlier := self.place.get(component.pairs[0]):
            self._filled[component.domain, earlier] -= len(component.pairs)
        self._filled[component.domain, name] += len(component.pairs)
        self.place.update(dict.fromkeys(component.pairs, name))
