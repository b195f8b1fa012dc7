"""Names split by a coordination: "palmar and plantar pits", "hypoplasia of the radius or ulna".

Around each "and", "or" or slash stand conjuncts: the words after it, and before it one or more pieces parted by commas.
Conjuncts share what stands at the far end: the last one's end belongs to all ("branchial, otic and renal
*anomalies*"), or the first one's beginning does ("*parathyroid* adenoma or hyperplasia").
"""

from __future__ import annotations

from collections.abc import Container, Iterator

from core.concepts.lexicon.sequence import BREAK, COMMA, Sequence
from core.text.spans import Words

_REACH = 6
"""Words of one conjunct, and conjuncts before the coordinator, that are looked at."""
_DETERMINERS = frozenset("a an the his her their its this these".split())


def split_names(
    found: Words, sequence: Sequence, names: Container[int], coordinator: int
) -> Iterator[list[int]]:
    """Word indices of every split name, ascending."""
    weights = sequence.weights
    for k, value in enumerate(weights):
        if value != coordinator:
            continue
        right = _right(weights, k, coordinator)
        before = _left(weights, k, coordinator)
        if not right or not before:
            continue
        pieces: list[tuple[list[int], list[int]]] = []
        if (
            found.words[sequence.firsts[right[0]]] not in _DETERMINERS
        ):  # "an anomaly and a flat face" shares nothing
            pieces += _shared_end(weights, right, before, names)
        pieces += _shared_beginning(weights, right, before, names)
        for left, rest in pieces:
            yield [i for e in (*left, *rest) for i in range(sequence.firsts[e], sequence.lasts[e] + 1)]


def _right(weights: list[int], k: int, coordinator: int) -> list[int]:
    """Elements of the conjunct after the coordinator at k."""
    right = []
    for e in range(k + 1, min(len(weights), k + 1 + _REACH)):
        if weights[e] in (BREAK, COMMA, coordinator):
            break
        right.append(e)
    return right


def _left(weights: list[int], k: int, coordinator: int) -> list[list[int]]:
    """Elements of the conjuncts before the coordinator at k, the nearest first."""
    conjuncts: list[list[int]] = []
    current: list[int] = []
    for e in range(k - 1, -1, -1):
        value = weights[e]
        if value == COMMA:
            if current:
                conjuncts.append(current[::-1])
                if len(current) > 4 or len(conjuncts) >= _REACH:
                    return conjuncts
                current = []
        elif value == BREAK or value == coordinator or len(current) > _REACH:
            break
        else:
            current.append(e)
    if current:
        conjuncts.append(current[::-1])
    return conjuncts


def _shared_end(
    weights: list[int], right: list[int], before: list[list[int]], names: Container[int]
) -> Iterator[tuple[list[int], list[int]]]:
    """The end of an earlier conjunct with the end of the last one, unless the former is a name by itself."""
    for c in range(1, len(right)):
        if weights[right[c]] <= 0:
            continue
        end = c
        while end < len(right) and weights[right[end]] >= 0:
            end += 1
        shared = right[c:end]
        while weights[shared[-1]] == 0:
            shared.pop()
        total = sum(weights[e] for e in shared)
        for conjunct in before:
            own = 0
            for a in range(len(conjunct) - 1, -1, -1):
                value = weights[conjunct[a]]
                if value < 0:
                    break
                own += value
                if value and own + total in names and own not in names:
                    yield conjunct[a:], shared


def _shared_beginning(
    weights: list[int], right: list[int], before: list[list[int]], names: Container[int]
) -> Iterator[tuple[list[int], list[int]]]:
    """The beginning of the first conjunct with that of a later one, which in a list must not be a name by itself."""
    first = before[-1]
    for b in range(len(first) - 1):
        shared = 0
        for a in range(b, -1, -1):
            if weights[first[a]] < 0:
                break
            shared += weights[first[a]]
            if not weights[first[a]]:
                continue
            for conjunct in (right, *before[:-1]):
                own = 0
                for z, e in enumerate(conjunct):
                    if weights[e] < 0:
                        break
                    own += weights[e]
                    last = z + 1 == len(conjunct) or weights[conjunct[z + 1]] <= 0
                    if (
                        weights[e]
                        and last
                        and shared + own in names
                        and (len(before) == 1 or own not in names)
                    ):
                        yield first[a : b + 1], conjunct[: z + 1]
