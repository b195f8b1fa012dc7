"""Names split by a coordination: "palmar and plantar pits", "hypoplasia of the radius or ulna".

Around each "and", "or" or slash stand conjuncts: the words after it, and before it pieces parted by commas.
Conjuncts share what stands at the far end: the last one's end belongs to all ("branchial, otic and renal
*anomalies*"), or the first one's beginning does ("*parathyroid* adenoma or hyperplasia").
"""

from __future__ import annotations

from collections.abc import Container, Iterable

from core.concepts.lexicon.index import Index
from core.concepts.lexicon.sequence import COMMA, SLASH, Sequence
from core.concepts.lexicon.vocabulary import alternatives, family
from core.text.normalise import singular
from core.text.spans import Words, where

_REACH = 8
"""Words of one conjunct, and conjuncts before the coordinator, that are looked at."""
_SKIPPED = 2
"""Words that weigh and are left out between what is shared and what is not: parallel conjuncts are short."""
_ITEM = 3
"""Words that weigh in a conjunct, beyond which nothing is shared across it."""
_PREPOSITIONS = frozenset(("of", "in", "on", "to", "at", "for", "from", "with"))
_HEADS = frozenset(("abnormality", "anomaly", *alternatives()[family("abnormality")][1]))
"""Nouns that are never modifiers."""
_DIRECTIONS = frozenset(
    (
        *("decrease", "decreases", "drop", "elevation", "elevations", "fall", "increase", "increases"),
        *("lowering", "reduction", "reductions", "rise", "rises"),
    )
)
"""Nouns whose "in" or "of" says what changes: "haemoglobin and marked increase in reticulocytes"."""
_DETERMINERS = frozenset(("a", "an", "the", "his", "her", "their", "its", "this", "these"))

_Piece = tuple[list[int], list[int]]


def split_names(found: Words, sequence: Sequence, index: Index) -> list[list[int]]:
    """Word indices of every split name, ascending."""
    weights, marks = sequence.weights, sequence.marks
    coordinator = index.vocabulary.coordinator
    places = [(k - 1, k + 1) for k in where(weights, coordinator) if k]
    if SLASH in marks.values():
        places += [(i - 1, i) for i, mark in marks.items() if mark == SLASH]
    pieces: list[_Piece] = []
    commas = set(sequence.commas)
    ends = len(weights)
    for before, after in places:
        listed = not commas.isdisjoint(range(before - 2, before + 2))
        if not listed and weights[before] <= 0 and (after >= ends or weights[after] < 0):
            continue
        beginning, end = _promising(sequence, before, after, index.pairs, commas if listed else ())
        if not (beginning or end):
            continue
        right = _right(sequence, after, coordinator)
        lefts = _lefts(sequence, before, after, coordinator) if right else []
        if lefts and end and found.words[right[0]] not in _DETERMINERS:  # "an anomaly and a flat face"
            pieces += _shared_end(found, weights, right, lefts, index)
        if lefts and beginning:
            pieces += _shared_beginning(weights, right, lefts, index)
    return [[i for e in (*left, *rest) for i in range(sequence.begin(e), e + 1)] for left, rest in pieces]


def _promising(
    sequence: Sequence, before: int, after: int, pairs: Container[int], commas: Container[int]
) -> tuple[bool, bool]:
    """Whether conjuncts could share their beginning, their end: do words that would meet share a name?

    Args:
        commas: places of commas, where one is near.
    """
    weights = sequence.weights
    head, tail = weights[after] if after < len(weights) else -1, weights[before]
    if not head:
        head = _first(weights[after : after + _REACH])
    heads, tails, reach = [head], [tail], 5
    if commas:
        places = [i for i in range(max(1, before - 3 * _ITEM), before + 1) if i in commas]
        heads += [_first(weights[i : before + 1]) for i in places]
        tails += [weights[i - 1] for i in places]
        reach = 3 * _ITEM + 5
    elif head < 0 and tail <= 0:
        return False, False
    return (
        _meet(heads, weights[max(0, before - reach) : before], pairs),
        _meet(tails, weights[after + 1 : after + 6], pairs),
    )


def _meet(some: list[int], others: list[int], pairs: Container[int]) -> bool:
    """Whether any two known words, one of each, go together in a name."""
    for one in some:
        if one > 0:
            for other in others:
                if other > 0 and one + other in pairs:
                    return True
    return False


def _first(weights: Iterable[int]) -> int:
    """The first of these weights that is not 0; negative if it is of no known word, or there is none."""
    for weight in weights:
        if weight:
            return weight
    return -1


def _right(sequence: Sequence, start: int, coordinator: int) -> list[int]:
    """Words of the conjunct after a coordinator."""
    weights, marks = sequence.weights, sequence.marks
    end = start
    for end in range(start, min(len(weights), start + _REACH) + 1):
        if end == len(weights) or weights[end] == coordinator:
            break
        if end in marks and (end > start or marks[end] != SLASH):
            break
    return list(range(start, end))


def _lefts(sequence: Sequence, end: int, after: int, coordinator: int) -> list[list[int]]:
    """Words of the conjuncts before a coordinator, the nearest first."""
    weights, marks = sequence.weights, sequence.marks
    if end + 1 < after and marks.get(end + 1, COMMA) != COMMA:
        return []
    conjuncts: list[list[int]] = []
    last = end
    for e in range(end, -1, -1):
        if weights[e] == coordinator or last - e > _REACH:
            break
        mark = marks.get(e)
        if mark or not e:
            conjuncts.append(list(range(e, last + 1)))
            if mark != COMMA or len(conjuncts) == _REACH or _size(weights[e : last + 1]) > _ITEM:
                return conjuncts
            last = e - 1
    else:
        return conjuncts
    if e < last:
        conjuncts.append(list(range(e + 1, last + 1)))
    return conjuncts


def _size(weights: list[int]) -> int:
    """How many words weigh."""
    return len(weights) - weights.count(0)


def _shared_end(
    found: Words, weights: list[int], right: list[int], lefts: list[list[int]], index: Index
) -> list[_Piece]:
    """The end of an earlier conjunct with the end of the last one, unless the former is a name by itself.

    Without a preposition the earlier conjunct is a modifier ("palmar"), and those have no plural in English.
    """
    names, pairs = index.names, index.pairs
    pieces: list[_Piece] = []
    if _PREPOSITIONS.isdisjoint(found.words[right[0] : right[-1] + 1]):
        lefts = [c for c in lefts if singular(found.words[c[-1]]) == found.words[c[-1]] not in _HEADS]
    tails = [(c, tail) for c in lefts if (tail := _first(weights[e] for e in reversed(c))) > 0]
    for c in right[1:] if tails else ():
        if _size(weights[right[0] : c]) > _SKIPPED:
            break
        if found.words[c] in _DIRECTIONS and found.words[c + 1 : c + 2] in (["in"], ["of"]):
            continue
        fitting = [conjunct for conjunct, tail in tails if weights[c] > 0 and tail + weights[c] in pairs]
        if not fitting:
            continue
        for end, total in _ends(weights, list(range(c, right[-1] + 1)), pairs):
            for conjunct in fitting:
                own = 0
                for a in reversed(conjunct):
                    if weights[a] < 0:
                        break
                    own += weights[a]
                    if weights[a] and own + total in names and own not in names:
                        pieces.append((list(range(a, conjunct[-1] + 1)), list(range(c, end + 1))))
    return pieces


def _shared_beginning(
    weights: list[int], right: list[int], lefts: list[list[int]], index: Index
) -> list[_Piece]:
    """The beginning of the first conjunct with that of a later one, which in a list must be no name."""
    names, pairs = index.names, index.pairs
    first = lefts[-1]
    pieces: list[_Piece] = []
    heads = [(c, head) for c in (right, *lefts[:-1]) if (head := _first(weights[e] for e in c)) > 0]
    for b in reversed(first[:-1]) if heads else ():
        if _size(weights[b + 1 : first[-1] + 1]) > _SKIPPED:
            break
        if weights[b] <= 0 or not any(weights[b + 1 : first[-1] + 1]):
            continue
        for conjunct in [conjunct for conjunct, head in heads if weights[b] + head in pairs]:
            ends = _ends(weights, conjunct, pairs)
            shared = 0
            for a in range(b, first[0] - 1, -1):
                if weights[a] < 0:
                    break
                shared += weights[a]
                for end, own in ends if weights[a] else ():
                    if shared + own in names and (len(lefts) == 1 or own not in names):
                        pieces.append((list(range(a, b + 1)), list(range(conjunct[0], end + 1))))
    return pieces


def _ends(weights: list[int], words: list[int], pairs: Container[int]) -> list[tuple[int, int]]:
    """Where a phrase at the beginning of `words` may end, with its weight: not inside a pair of some name."""
    total = 0
    ends: list[tuple[int, int]] = []
    for e in words:
        weight = weights[e]
        if weight < 0:
            break
        total += weight
        if weight and (e == words[-1] or weights[e + 1] <= 0 or weight + weights[e + 1] not in pairs):
            ends.append((e, total))
    return ends
