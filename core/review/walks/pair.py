"""The queue of claim pairs: what there is to judge, and in which order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from core.records import ConflictType, ItemKind, Origin, Tier
from core.review.walks.kept import Walks
from core.review.walks.overlap import Overlapping, QueueFilters
from core.review.walks.spread import spread
from core.review.walks.unseen import scattered
from core.review.walks.walk import Ids, grouped
from core.store import Workspace, pairs

ORIGINS, TYPES, TIERS = (
    {str(value): code for code, value in enumerate(values)} for values in (Origin, ConflictType, Tier)
)
"""Words of the store -> the numbers that stand for them."""


class PairOrder(StrEnum):
    """In each of them, repaired labels and quotes that are not in the text come first, and of 50 pairs that
    follow each other at most 5 hold the same claim (`spread`). The place of pairs that frames ask blind says
    nothing of what machines say: they stand behind the others, of their tier or of all."""

    LIKELIHOOD = "likelihood"
    """The likeliest conflict first; then pairs of runs that told none, tier by tier and by score."""
    TIER = "tier"
    """By tier (pilot, development, full), then as before."""
    SCORE = "score"
    """By score, best first."""
    CONFIDENCE = "confidence"
    """Least confident first; a confidence nobody stated counts as the least."""
    DISAGREEMENT = "disagreement"
    """Pairs on whose type annotators differ, then those on whose axes or confounder they do."""


@dataclass(frozen=True, slots=True)
class PairFilters(QueueFilters):
    """What a queue holds. None means any. Type and origin are those of the silver label: the model's, or a
    person's that came in with a file; the heuristic's where there is neither."""

    kind: ClassVar[str] = ItemKind.PAIR
    """Of the items that it chooses among."""
    domain: str | None = None
    conflict_type: ConflictType | None = None
    tier: Tier | None = None
    origin: Origin | None = None
    order: PairOrder = PairOrder.LIKELIHOOD


class Columns(NamedTuple):
    """One row per label, in order of id, after `pairs.label_columns`; words are kept as numbers."""

    id: NDArray[Any]
    item: NDArray[Any]
    run: NDArray[Any]
    pair: NDArray[Any]
    origin: NDArray[Any]
    type: NDArray[Any]
    rest: NDArray[Any]
    """Stands for axes and confounder."""
    confidence: NDArray[Any]
    flagged: NDArray[Any]
    domain: NDArray[Any]
    tier: NDArray[Any]
    score: NDArray[Any]
    likelihood: NDArray[Any]
    """-1 where none was told."""
    claim_a: NDArray[Any]
    claim_b: NDArray[Any]


FORMS = (
    *(np.int64, np.int64, np.int32, np.int64, np.int8, np.int8, np.int32),
    *(np.float32, np.bool_, np.int32, np.int8, np.float64, np.float32, np.int64, np.int64),
)
"""Types of the columns."""


class PairIndex(Overlapping[Columns]):
    """Labels and answers of one workspace. Use `index_of`; hold `lock` over calls that belong together."""

    kind: ClassVar[str] = ItemKind.PAIR

    def __init__(self) -> None:
        super().__init__(Columns, FORMS)
        self._domains: dict[str, int] = {}
        self._rests: dict[tuple[str, str | None], int] = {}

    def _read(self, workspace: Workspace, last: int) -> Iterator[Columns]:
        return map(self._columns, pairs.label_columns(workspace, last))

    def _columns(self, rows: list[tuple[Any, ...]]) -> Columns:
        label, item, run, pair, origin, kind, axes, confounder, sure, flagged, domain, tier, *rest = zip(
            *rows, strict=True
        )
        rests, domains = self._rests, self._domains
        values = (
            *(label, item, run, pair, [ORIGINS[o] for o in origin], [TYPES[t] for t in kind]),
            [rests.setdefault(key, len(rests)) for key in zip(axes, confounder, strict=True)],
            *(sure, flagged, [domains.setdefault(name, len(domains)) for name in domain]),
            *([TIERS[one] for one in tier], *rest),
        )
        return Columns(*map(np.array, values, FORMS))

    def domains(self, corpus: str) -> list[str]:
        """Domains of the labelled pairs of a corpus, by name."""
        with self.lock:
            runs = [r.code for r in self._runs if r.corpus == corpus]
            here = set(np.unique(self._rows.domain[np.isin(self._rows.run, runs)]).tolist())
            return sorted(name for name, code in self._domains.items() if code in here)

    # --- order --------------------------------------------------------------------------------------------

    def order(self, filters: PairFilters, inside: tuple[int, ...] = ()) -> Ids:
        """Every item that passes the filters, answered or not, in queue order.

        Args:
            inside: items of the passage, where the filters name one.
        """
        with self.lock:
            here = [r for r in self._runs if r.corpus == filters.corpus]
            runs = tuple(r.code for r in here if filters.run in (None, r.id))
            key = (
                *(filters.domain, filters.conflict_type, filters.tier, filters.origin, filters.order),
                *(runs, filters.corpus, filters.passage, inside),
            )
            return self._orders.of(
                key, lambda: self._sort(filters.order, self._passing(filters, runs, inside))
            )

    def _passing(
        self, filters: PairFilters, runs: tuple[int, ...], inside: tuple[int, ...]
    ) -> NDArray[np.int64]:
        """Rows of the silver labels that pass."""
        all_of = self._rows
        first = all_of.origin != ORIGINS[Origin.HEURISTIC]
        passing = (first | ~np.isin(all_of.pair, all_of.pair[first])) & np.isin(all_of.run, runs)
        if filters.origin is not None:
            passing &= all_of.origin == ORIGINS[filters.origin]
        if filters.conflict_type is not None:
            passing &= all_of.type == TYPES[filters.conflict_type]
        if filters.passage is not None:
            passing &= np.isin(all_of.item, inside)
        if filters.tier is not None:
            passing &= all_of.tier == TIERS[filters.tier]
        if filters.domain is not None:
            passing &= all_of.domain == self._domains.get(filters.domain, -1)
        return np.flatnonzero(passing)

    def _sort(self, order: PairOrder, rows: NDArray[np.int64]) -> Ids:
        if not len(rows):
            return np.empty(0, np.int64)
        chosen, least = self._chosen(rows)
        ids = least(chosen.item)
        hidden = np.isin(ids, self.unseen.items)
        score = np.where(hidden, np.inf, least(-chosen.score))
        likelihood = np.where(hidden, np.inf, least(-chosen.likelihood))
        keys = [scattered(ids, hidden), score]  # the last one counts most
        if order is not PairOrder.SCORE:
            keys += [least(chosen.tier), likelihood]
        if order is PairOrder.TIER:
            keys.append(least(chosen.tier))
        if order is PairOrder.CONFIDENCE:
            keys.append(np.where(hidden, np.inf, least(chosen.confidence)))
        if order is PairOrder.DISAGREEMENT:
            keys.append(np.where(hidden, 1, -self._disagreement(ids)))
        keys.append(hidden | least(~chosen.flagged))
        ranked = np.lexsort(keys)
        return cast(Ids, ids[ranked][spread(least(chosen.claim_a)[ranked], least(chosen.claim_b)[ranked])])

    def _disagreement(self, ids: Ids) -> NDArray[np.int64]:
        """Per item, over all its labels: 2 where types differ, 1 where axes or confounder do."""
        rows = np.flatnonzero(np.isin(self._rows.item, ids))
        by_item, first = grouped(self._rows.item[rows])

        def differ(column: NDArray[Any]) -> NDArray[np.bool_]:
            values = column[rows][by_item]
            return cast(
                NDArray[np.bool_],
                np.minimum.reduceat(values, first) != np.maximum.reduceat(values, first),
            )

        return np.where(differ(self._rows.type), 2, np.where(differ(self._rows.rest), 1, 0))


walks = Walks(PairIndex)
index_of = walks.of
