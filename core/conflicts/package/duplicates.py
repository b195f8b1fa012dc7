"""One row a pair id (metric-definitions 10.2; paper 004, M.1)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from core.conflicts.package.entries import Entry

_ORIGINS = ("person", "model", "heuristic")
"""Whose label stays."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """Rows without duplicates, and what there was."""

    entries: tuple[Entry, ...]
    """In the order in which their ids first came."""
    positions: tuple[int, ...]
    """Where each of them stood among the rows given."""
    duplicated: int
    """Pair ids that occurred more than once."""
    surplus: int
    """Rows removed."""
    conflicting: int
    """Duplicated ids whose conflict types differ."""


def resolve(entries: Iterable[Entry]) -> Resolved:
    """Of the rows with one pair id keep a person's label before a model's before a heuristic's, then the
    more confident, then the first."""
    groups: dict[str, list[tuple[int, Entry]]] = {}
    for position, entry in enumerate(entries):
        groups.setdefault(entry.pair_id, []).append((position, entry))
    kept = [min(group, key=_rank) for group in groups.values()]
    several = [group for group in groups.values() if len(group) > 1]
    return Resolved(
        entries=tuple(entry for _, entry in kept),
        positions=tuple(position for position, _ in kept),
        duplicated=len(several),
        surplus=sum(len(group) - 1 for group in several),
        conflicting=sum(len({entry.conflict_type for _, entry in group}) > 1 for group in several),
    )


def _rank(placed: tuple[int, Entry]) -> tuple[int, float, int]:
    position, entry = placed
    return (
        _ORIGINS.index(entry.origin),
        -(entry.confidence if entry.confidence is not None else -1.0),
        position,
    )
