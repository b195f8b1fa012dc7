"""The pool: as many pairs of every domain as are wanted, the best labelled first (paper 004, section 5.1).

Reviewed labels come first, then those of models, then those of models that had to be repaired. Where they do
not suffice, heuristic labels of enough confidence top a domain up, the conflict types by turns, so that
the many without a conflict do not crowd out the few with one. Within each of these groups the choice is by
chance, and the same for the same seed, whatever the order of the input.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from core.conflicts.package.entries import Entry
from core.records import ConflictType

PER_DOMAIN = 2500
"""Pairs of a domain (paper 004, Table 17)."""
LEAST_CONFIDENCE = 0.45
"""Of a heuristic label that says no_conflict, inclusive (paper 004, section 5.1)."""
LEAST_OF_CONFLICTS = round(1 / len(ConflictType), 3)
"""Of a heuristic label that says how claims conflict: what a guess among the six types would earn. Conflicts
are rare, so that a calibrated confidence in one hardly reaches `LEAST_CONFIDENCE`, and a release that held
them to it would hold none."""
_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class Pool:
    """What was chosen."""

    entries: tuple[Entry, ...]
    """By pair id."""
    candidates: dict[str, int]
    """Domain -> labelled pairs there were."""
    unsure: dict[str, int]
    """Domain -> heuristic labels left out for too little confidence."""
    surplus: dict[str, int]
    """Domain -> pairs left out because the domain had enough."""


def select(
    entries: Iterable[Entry],
    *,
    per_domain: int = PER_DOMAIN,
    seed: int = 13,
) -> Pool:
    """Choose at most `per_domain` pairs of every domain."""
    candidates: Counter[str] = Counter()
    unsure: Counter[str] = Counter()
    domains: dict[str, list[Entry]] = {}
    for entry in entries:
        candidates[entry.domain] += 1
        confidence = -1.0 if entry.confidence is None else entry.confidence
        if entry.origin == "heuristic" and confidence < least(entry.conflict_type) - _TOLERANCE:
            unsure[entry.domain] += 1
        else:
            domains.setdefault(entry.domain, []).append(entry)
    chosen: list[Entry] = []
    surplus: dict[str, int] = {}
    for domain, held in domains.items():
        held.sort(key=lambda entry: (_group(entry), chance(seed, "select", entry.pair_id), entry))
        chosen += _by_turns(held)[:per_domain]
        if len(held) > per_domain:
            surplus[domain] = len(held) - per_domain
    return Pool(
        entries=tuple(sorted(chosen, key=lambda entry: entry.pair_id)),
        candidates=dict(sorted(candidates.items())),
        unsure=dict(sorted(unsure.items())),
        surplus=dict(sorted(surplus.items())),
    )


def least(conflict_type: str) -> float:
    """Confidence from which a heuristic label of a type is taken."""
    return LEAST_CONFIDENCE if conflict_type == ConflictType.NO_CONFLICT else LEAST_OF_CONFLICTS


def _by_turns(held: list[Entry]) -> list[Entry]:
    """Heuristic labels at the end, one of each conflict type at a time."""
    turn: Counter[str] = Counter()
    placed = []
    for at, entry in enumerate(held):
        rule = entry.origin == "heuristic"
        placed.append((rule, turn[entry.conflict_type] if rule else 0, at, entry))
        turn[entry.conflict_type] += rule
    return [row[3] for row in sorted(placed, key=lambda row: row[:3])]


def _group(entry: Entry) -> int:
    if entry.reviewed:
        return 0
    if entry.origin == "heuristic":
        return 3
    return 2 if entry.repaired else 1


def chance(seed: int, purpose: str, pair_id: str) -> bytes:
    """A place in an order by chance that depends on nothing but these three."""
    return hashlib.sha256(f"{seed}\0{purpose}\0{pair_id}".encode("utf-8", "surrogatepass")).digest()
