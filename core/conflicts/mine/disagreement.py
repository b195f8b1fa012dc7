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
from functools import lru_cache

from core.records import Axis, Claim, Direction
from core.text.normalise import stem

POLARITY_WEIGHT, NEGATION_WEIGHT, ENTITY_WEIGHT, CUE_WEIGHT = 0.8, 0.5, 0.3, 0.3
AGAINST_UNCHANGED = 0.75
OTHER_OUTCOME = 0.5
SAME_INTERVENTION = 0.5
ENOUGH_AXES = 2
"""Axes that differ from which on c is 1."""

AXES = tuple(Axis)
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


def values(claim: Claim) -> set[tuple[Axis, str, str]]:
    """(axis, kind, value) of the claim's cues. A value without a kind cannot differ from another."""
    split = ((cue.axis, *cue.value.partition(": ")) for cue in claim.cues)
    return {(axis, kind, value) for axis, kind, colon, value in split if colon}


def told(claim: Claim) -> int:
    """Direction and negation in three bits."""
    return STANCES.index(claim.direction) | claim.negated << 2


@lru_cache(maxsize=4_096)
def signals(code: int) -> tuple[str, ...]:
    """What a disagreement rests on, in words.

    Args:
        code: three bits each for `told` of both sides, from the lowest ones on b, a; a bit each for negation,
            polarity, other population and other outcome; then one for each of `AXES` on which cues differ.
    """
    sides = (code >> 3) & 7, code & 7
    said = []
    if code >> 7 & 1:
        said.append(f"direction: {' / '.join(map(_direction, sides))}")
    if code >> 6 & 1:
        said.append(f"negation: {' / '.join(map(_denial, sides))}")
    if other := [slot for slot, bit in (("outcome", 9), ("population", 8)) if code >> bit & 1]:
        said.append(f"entities: same intervention, other {' and '.join(other)}")
    if axes := [axis.value for at, axis in enumerate(AXES) if code >> 10 + at & 1]:
        said.append(f"cues: {', '.join(axes)}")
    return tuple(said)


def _direction(side: int) -> str:
    direction = STANCES[side & 3]
    return f"not {direction.value}" if side & 4 and direction in CHANGES else direction.value


def _denial(side: int) -> str:
    return "denied" if side & 4 or STANCES[side & 3] is Direction.UNCHANGED else "affirmed"
