"""Label trees: every concept at one leaf, addressed by the path from the root (metric-definitions 1.1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Index = tuple[int, ...]
"""Sibling numbers from the root down."""


@dataclass(frozen=True, slots=True)
class LabelTree:
    indices: Mapping[str, Index]
    """Concept id -> its index."""
    name: str = ""
    """What the tree is called in results: closeness is compared within one tree only."""
