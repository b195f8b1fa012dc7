"""An order in which no claim comes too often within a screenful of pairs."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from heapq import heappop, heappush
from typing import Any

import numpy as np
from numpy.typing import NDArray

MOST, NEXT = 5, 50
"""Pairs with one claim, at most, of so many that follow each other."""


def spread(
    first: NDArray[Any], second: NDArray[Any], most: int = MOST, window: int = NEXT
) -> NDArray[np.int64]:
    """Places of pairs in an order like the one given, in which a pair waits while one of its claims has been
    in `most` of the last pairs. Where only such pairs are left, they follow in their order.

    Args:
        first, second: the claims of each pair, as numbers.
    """
    size = len(first)
    if not _crowded(first, second, most, window):
        return np.arange(size)
    claims = list(zip(first.tolist(), second.tolist(), strict=True))
    upcoming, ready = 0, list[int]()
    """The next pair of the order given, and places of those that waited and may come now."""
    waiting: defaultdict[int, deque[int]] = defaultdict(deque)
    """Claim -> places of the pairs that wait for it."""
    last: deque[int] = deque()
    seen: Counter[int] = Counter()
    found: list[int] = []
    while len(found) < size:
        place = -1
        while place < 0 and (ready or upcoming < size):
            if ready and ready[0] < upcoming:
                at = heappop(ready)
            else:
                at, upcoming = upcoming, upcoming + 1
            full = next((claim for claim in claims[at] if seen[claim] >= most), None)
            if full is None:
                place = at
            else:
                waiting[full].append(at)
        if place < 0:  # only pairs of claims that came too often are left
            return np.array([*found, *sorted(at for held in waiting.values() for at in held)])
        found.append(place)
        last.append(place)
        seen.update(claims[place])
        if len(last) == window:
            for claim in claims[last.popleft()]:
                seen[claim] -= 1
                for at in waiting.pop(claim, ()):
                    heappush(ready, at)
    return np.array(found)


def _crowded(first: NDArray[Any], second: NDArray[Any], most: int, window: int) -> bool:
    """Whether any claim is in more than `most` of `window` pairs that follow each other."""
    claims = np.concatenate((first, second))
    places = np.tile(np.arange(len(first)), 2)
    order = np.lexsort((places, claims))
    claims, places = claims[order], places[order]
    again = claims[most:] == claims[:-most]
    return bool(np.any(again & (places[most:] - places[:-most] < window)))
