"""How far two claims seem to disagree: the signal `dis` of a pair's score.

BioDivergence (paper 004, section 3 and appendix G.4) names the signals (polarity reversal, negation, entity
mismatch, contextual cues) and gives no formula. Ours:

    dis = 1 - (1 - 0.8 p t) (1 - 0.5 n t) (1 - 0.3 e) (1 - 0.3 c)                   in [0, 0.902]

    p   polarity: 1 for increased against decreased, 0.75 for either against unchanged, else 0. Increased or
        decreased, but negated, counts as unchanged: "did not increase".
    n   negation: 1 where exactly one side denies (it is negated, or says unchanged) and a direction is
        unclear, so that p is 0; else 0.
    t   0.5 where both sides name an outcome and the outcomes share no word, else 1: more pain and less fever
        are no reversal.
    e   entity mismatch: where the interventions are the same, the larger of the distances (1 - Jaccard) of
        the outcomes and of the populations, each where both sides name it; else 0. Compared by word stems;
        interventions are the same from a Jaccard of 0.5 on.
    c   cues: half the number of axes on which the claims' cues differ, at most 1. An axis differs if both
        sides have values of one kind ("dose: 20 mg", "dose: 40 mg") and share none.

Each signal alone gives its weight; more of them never give less. Polarity weighs most, as it alone says that
two findings cannot both hold as they stand; e and c are weak, as they more often explain a difference than
make one.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache

from core.records import Axis, Claim, Direction
from core.text.normalise import stem

POLARITY_WEIGHT, NEGATION_WEIGHT, ENTITY_WEIGHT, CUE_WEIGHT = 0.8, 0.5, 0.3, 0.3
AGAINST_UNCHANGED = 0.75
OTHER_OUTCOME = 0.5
SAME_INTERVENTION = 0.5
ENOUGH_AXES = 2
"""Axes that differ from which on c is 1."""

CHANGES = (Direction.INCREASED, Direction.DECREASED)
STANCES = (Direction.UNCLEAR, *CHANGES, Direction.UNCHANGED)
"""What a claim comes down to, negation counted in; a stance's code is its place here."""
POLARITY = (
    (0.0, 0.0, 0.0, 0.0),
    (0.0, 0.0, 1.0, AGAINST_UNCHANGED),
    (0.0, 1.0, 0.0, AGAINST_UNCHANGED),
    (0.0, AGAINST_UNCHANGED, AGAINST_UNCHANGED, 0.0),
)
"""p of two stances, by their codes."""

_WORD = re.compile(r"\w+")
_EMPTY_WORDS = frozenset(
    {"a", "an", "the", "of", "in", "with", "and", "or", "to", "for", "on", "at", "by", "from"}
)


def stance(claim: Claim) -> Direction:
    """Its direction; unchanged for a change that is negated."""
    return Direction.UNCHANGED if claim.negated and claim.direction in CHANGES else claim.direction


def denies(claim: Claim) -> bool:
    """Whether a claim says that something is not so, or makes no difference."""
    return claim.negated or claim.direction is Direction.UNCHANGED


def words(claim: Claim, slot: str) -> frozenset[str]:
    """Stems of what a slot holds; none where it is empty."""
    held = claim.slots.get(slot)
    return _words(held) if isinstance(held, str) else frozenset()


@lru_cache(maxsize=20_000)
def _words(held: str) -> frozenset[str]:
    return frozenset(_stem(word) for word in _WORD.findall(held.casefold()) if word not in _EMPTY_WORDS)


@lru_cache(maxsize=100_000)
def _stem(word: str) -> str:
    return stem(word)


def kinds(claim: Claim) -> dict[tuple[Axis, str], set[str]]:
    """Values of the claim's cues by axis and kind. A value without a kind cannot differ from another."""
    found: dict[tuple[Axis, str], set[str]] = defaultdict(set)
    for cue in claim.cues:
        kind, colon, value = cue.value.partition(": ")
        if colon:
            found[cue.axis, kind].add(value)
    return found


def jaccard(a: frozenset[str], b: frozenset[str]) -> float:
    """Shared of all, in [0, 1]; 0 for two empty sets."""
    return len(a & b) / len(a | b) if a or b else 0.0


def disagreement(a: Claim, b: Claim) -> tuple[float, tuple[str, ...]]:
    """(dis, what it rests on, in words) of one pair."""
    told: list[str] = []
    p = POLARITY[STANCES.index(stance(a))][STANCES.index(stance(b))]
    if p:
        told.append(f"direction: {_direction(a)} / {_direction(b)}")
    n = float(Direction.UNCLEAR in (stance(a), stance(b)) and denies(a) != denies(b))
    if n:
        told.append(f"negation: {_denial(a)} / {_denial(b)}")
    e = 0.0
    if jaccard(words(a, "intervention"), words(b, "intervention")) >= SAME_INTERVENTION:
        apart = {
            slot: 1 - jaccard(words(a, slot), words(b, slot))
            for slot in ("outcome", "population")
            if words(a, slot) and words(b, slot)
        }
        e = max(apart.values(), default=0.0)
        other = " and ".join(slot for slot, distance in apart.items() if distance > 0)
        if other:
            told.append(f"entities: same intervention, other {other}")
    outcomes = words(a, "outcome"), words(b, "outcome")
    t = OTHER_OUTCOME if all(outcomes) and outcomes[0].isdisjoint(outcomes[1]) else 1.0
    axes = _axes(kinds(a), kinds(b))
    if axes:
        told.append(f"cues: {', '.join(axis.value for axis in axes)}")
    c = min(1.0, len(axes) / ENOUGH_AXES)
    reversal = (1 - POLARITY_WEIGHT * p * t) * (1 - NEGATION_WEIGHT * n * t)
    return 1 - reversal * ((1 - ENTITY_WEIGHT * e) * (1 - CUE_WEIGHT * c)), tuple(told)


def _axes(a: Mapping[tuple[Axis, str], set[str]], b: Mapping[tuple[Axis, str], set[str]]) -> Sequence[Axis]:
    differ = {axis for axis, kind in a.keys() & b.keys() if not a[axis, kind] & b[axis, kind]}
    return [axis for axis in Axis if axis in differ]


def _direction(claim: Claim) -> str:
    return f"not {claim.direction.value}" if stance(claim) is not claim.direction else claim.direction.value


def _denial(claim: Claim) -> str:
    return "denied" if denies(claim) else "affirmed"
