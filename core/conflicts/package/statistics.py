"""Counts of a release, row by row (paper 004, Tables 17, 18, 23 and 24), and what they are enough for."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from statistics import fmean, median
from typing import Any

from core.conflicts.package.fit import SPLITS
from core.formats.pairs import PairRow
from core.records import PRIMARY_AXES, Axis, ClaimType, ConflictType

EVALUABLE = 100
"""Test examples of a class for a score that can be reported (paper 004, appendix F.2)."""
AXIS_EVALUABLE = 40
"""Test occurrences of an axis for the same (paper 004, M.3)."""
_TOKENS = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Construction:
    """What a domain was made from (Table 17)."""

    sources: dict[str, int] = field(default_factory=dict)
    """Where its articles came from -> articles."""
    abstracts: int = 0
    claims: int = 0
    candidate_pairs: int = 0


@dataclass(slots=True)
class Tally:
    """Counts of the rows added so far."""

    examples: Counter[tuple[str, str]] = field(default_factory=Counter)
    """(domain, split)"""
    types: Counter[tuple[ConflictType, str]] = field(default_factory=Counter)
    axes: Counter[tuple[Axis, str]] = field(default_factory=Counter)
    confounders: Counter[Axis | None] = field(default_factory=Counter)
    origins: Counter[tuple[str, str]] = field(default_factory=Counter)
    seen: Counter[str] = field(default_factory=Counter)
    repaired: Counter[str] = field(default_factory=Counter)
    per_example: Counter[int] = field(default_factory=Counter)
    claim_lengths: list[int] = field(default_factory=list)
    abstract_lengths: list[int] = field(default_factory=list)
    confidences: dict[tuple[str, ConflictType], list[float]] = field(default_factory=dict)
    """(label origin, type) -> of every label that gives one."""
    _lengths: dict[str, int] = field(default_factory=dict)

    def add(self, split: str, row: PairRow) -> None:
        self.examples[row.domain, split] += 1
        self.types[row.conflict_type, split] += 1
        self.axes.update((axis, split) for axis in row.divergence_axes)
        self.confounders[row.dominant_confounder] += 1
        self.origins[row.label_origin, split] += 1
        self.seen[split] += row.seen_by_person
        self.repaired[split] += row.repaired
        if row.confidence is not None:
            self.confidences.setdefault((row.label_origin, row.conflict_type), []).append(row.confidence)
        self.per_example[len(row.divergence_axes)] += 1
        for text in (row.claim_a_text, row.claim_b_text):
            self.claim_lengths.append(tokens(text))
        for uid, abstract in (
            (row.claim_a_article_uid, row.abstract_a),
            (row.claim_b_article_uid, row.abstract_b),
        ):
            if abstract is not None:
                if uid not in self._lengths:
                    self._lengths[uid] = tokens(abstract)
                self.abstract_lengths.append(self._lengths[uid])

    def sizes(self) -> dict[str, int]:
        """Split -> examples."""
        return {s: sum(n for (_, split), n in self.examples.items() if split == s) for s in SPLITS}

    def evaluable(self) -> list[ConflictType]:
        """Types with enough test examples."""
        return [t for t in ConflictType if self.types[t, "test"] >= EVALUABLE]

    def axes_reached(self) -> list[Axis]:
        """Axes with enough test occurrences."""
        return [a for a in Axis if self.axes[a, "test"] >= AXIS_EVALUABLE]

    def to_json(
        self,
        construction: Mapping[str, Construction],
        claim_types: Mapping[tuple[str, ClaimType], int],
    ) -> dict[str, Any]:
        """All tables.

        Args:
            construction: by domain.
            claim_types: (domain, type) -> claims extracted, whether or not they are in the release.
        """
        domains = sorted({d for d, _ in self.examples} | set(construction))
        total = sum(claim_types.values())
        reached = self.axes_reached()
        return {
            "examples": {**self.sizes(), "total": sum(self.examples.values())},
            "domains": {d: self._domain(d, construction.get(d, Construction())) for d in domains},
            "conflict_types": {t.value: {s: self.types[t, s] for s in SPLITS} for t in ConflictType},
            "divergence_axes": {a.value: {s: self.axes[a, s] for s in SPLITS} for a in Axis},
            "dominant_confounders": {
                (axis.value if axis else "none"): count
                for axis, count in sorted(
                    self.confounders.items(), key=lambda one: (-one[1], one[0] is None, one[0] or "")
                )
            },
            "label_origins": {
                origin: {s: self.origins[origin, s] for s in SPLITS}
                for origin in ("person", "model", "heuristic")
            },
            "seen_by_person": {s: self.seen[s] for s in SPLITS},
            "repaired": {s: self.repaired[s] for s in SPLITS},
            "mean_confidence": {
                origin: {
                    t.value: fmean(held) if (held := self.confidences.get((origin, t))) else None
                    for t in ConflictType
                }
                for origin in ("person", "model", "heuristic")
            },
            "claim_tokens": _length(self.claim_lengths),
            "abstract_tokens": _length(self.abstract_lengths),
            "axes_per_example": self._mean_axes(),
            "claim_types": {
                t.value: {
                    "count": (n := sum(c for (_, of), c in claim_types.items() if of is t)),
                    "share": n / total if total else None,
                }
                for t in ClaimType
            },
            "claims_by_domain": {
                d: sum(n for (of, _), n in claim_types.items() if of == d)
                for d in sorted({d for d, _ in claim_types})
            },
            "evaluable": {
                "least_test_examples": EVALUABLE,
                "classes": [t.value for t in self.evaluable()],
                "exploratory": [t.value for t in ConflictType if t not in self.evaluable()],
                "least_test_axis_occurrences": AXIS_EVALUABLE,
                "primary_axes": [axis.value for axis in PRIMARY_AXES],
                "axes_reached": [axis.value for axis in reached],
                "primary_axes_not_reached": [a.value for a in PRIMARY_AXES if a not in reached],
            },
        }

    def _domain(self, domain: str, made: Construction) -> dict[str, Any]:
        held = {s: self.examples[domain, s] for s in SPLITS}
        return {
            "sources": dict(sorted(made.sources.items())),
            "abstracts": made.abstracts,
            "claims": made.claims,
            "candidate_pairs": made.candidate_pairs,
            "final_pairs": sum(held.values()),
            **held,
        }

    def _mean_axes(self) -> float | None:
        count = sum(self.per_example.values())
        return sum(n * c for n, c in self.per_example.items()) / count if count else None


def tokens(text: str) -> int:
    """Words and signs of a text (metric-definitions 0.7)."""
    return len(_TOKENS.findall(text))


def _length(found: list[int]) -> dict[str, Any]:
    """Mean and median over both sides of all examples; None where there is none."""
    return {
        "mean": fmean(found) if found else None,
        "median": median(found) if found else None,
        "n": len(found),
    }
