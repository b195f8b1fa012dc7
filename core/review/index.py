"""The review queue in memory: what there is to judge, and in which order.

The order rests on proposals alone, which never change, so it is computed once per (workspace, filters, last
proposal) and holds while people work. Who has answered is kept up to date by decision number. Both are read
incrementally, so a step costs microseconds whatever the size of the workspace.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from core.records import ConceptClass, Curie
from core.review.answers import Answers
from core.review.confidence import BOUNDS, Band
from core.store import Workspace, queue

Ids = NDArray[np.int64]
ORDERS_KEPT, WORKSPACES_KEPT = 32, 8


class Order(StrEnum):
    """In each of them, ungrounded quotes and repaired proposals come first."""

    DOCUMENT = "document"
    CONFIDENCE = "confidence"
    """Least confident first; a confidence nobody stated counts as the least."""
    DISAGREEMENT = "disagreement"
    """Items on which runs differ, then those that only some runs propose, then the least confident."""


class Show(StrEnum):
    UNDECIDED = "undecided"
    UNSURE = "unsure"
    """What this curator left as unsure."""
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Filters:
    """What a queue holds. None means any."""

    corpus: str
    run: str | None = None
    concept_class: ConceptClass | None = None
    branch: Curie | None = None
    """A concept: only its descendants and itself."""
    band: Band | None = None
    show: Show = Show.UNDECIDED
    order: Order = Order.DOCUMENT
    answers: int = 1
    """How many curators should answer each item; an item is open until so many have."""


class Columns(NamedTuple):
    """One row per proposal, in order of id, as `queue.proposal_columns` gives them."""

    id: NDArray[Any]
    item: NDArray[Any]
    passage: NDArray[Any]
    run: NDArray[Any]
    kind: NDArray[Any]
    assertion: NDArray[Any]
    confidence: NDArray[Any]
    flagged: NDArray[Any]
    offset: NDArray[Any]
    concept: NDArray[Any]


KINDS = (
    *(np.int64, np.int64, np.int64, np.int32, np.int8, np.int8),
    *(np.float32, np.bool_, np.int32, np.int32),
)
"""Types of the columns."""


class Index:
    """Proposals and answers of one workspace. Use `index_of`; hold `lock` over calls that belong together."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.answers = Answers()
        self._proposals = Columns(*(np.empty(0, kind) for kind in KINDS))
        self._concepts: dict[Curie, int] = {}
        self._runs: list[queue.RunName] = []
        self._orders: OrderedDict[Any, Ids] = OrderedDict()

    def refresh(self, workspace: Workspace) -> None:
        """Read what was added since the last call. Cheap when nothing was."""
        with self.lock:
            self._runs = queue.run_names(workspace)
            last = int(self._proposals.id[-1]) if len(self._proposals.id) else 0
            if chunks := [self._columns(rows) for rows in queue.proposal_columns(workspace, last)]:
                self._proposals = Columns(*map(np.concatenate, zip(self._proposals, *chunks, strict=True)))
                self.answers.reach(int(self._proposals.item.max()))
                self._orders.clear()
            self.answers.refresh(workspace)

    def _columns(self, rows: list[tuple[Any, ...]]) -> Columns:
        *columns, names = zip(*rows, strict=True)
        codes = self._concepts
        columns.append(tuple(codes.setdefault(name, len(codes)) for name in names))
        return Columns(*map(np.array, columns, KINDS))

    # --- order --------------------------------------------------------------------------------------------

    def order(self, filters: Filters, branch: Callable[[Curie], frozenset[Curie]]) -> Ids:
        """Every item that passes the filters, answered or not, in queue order.

        Args:
            branch: gives a concept's descendants, itself included; called where a branch is asked for.
        """
        with self.lock:
            here = [r for r in self._runs if r.corpus == filters.corpus]
            chosen = tuple(r.code for r in here if filters.run in (None, r.id))
            done = tuple(r.code for r in here if r.done)
            key = (filters.concept_class, filters.branch, filters.band, filters.order, chosen, done)
            if key not in self._orders:
                passing = self._passing(filters, chosen, branch)
                self._orders[key] = self._sort(filters.order, passing, done)
                while len(self._orders) > ORDERS_KEPT:
                    self._orders.popitem(last=False)
            self._orders.move_to_end(key)
            return self._orders[key]

    def _passing(
        self, filters: Filters, runs: tuple[int, ...], branch: Callable[[Curie], frozenset[Curie]]
    ) -> NDArray[np.int64]:
        """Rows of the proposals that pass."""
        all_of = self._proposals
        passing = np.isin(all_of.run, runs)
        if filters.concept_class is not None:
            passing &= all_of.kind == queue.CLASSES.index(filters.concept_class)
        if filters.band is not None:
            low, high = BOUNDS[filters.band]
            passing &= (all_of.confidence >= low) & (all_of.confidence < high)
        if filters.branch is not None:
            inside = [self._concepts[c] for c in branch(filters.branch) if c in self._concepts]
            passing &= np.isin(all_of.concept, inside)
        return np.flatnonzero(passing)

    def _sort(self, order: Order, rows: NDArray[np.int64], done: tuple[int, ...]) -> Ids:
        if not len(rows):
            return np.empty(0, np.int64)
        chosen = Columns(*(column[rows] for column in self._proposals))
        by_item, first = _groups(chosen.item)

        def least(column: NDArray[Any]) -> NDArray[Any]:
            return np.minimum.reduceat(column[by_item], first)

        ids = least(chosen.item)
        keys = [ids, least(chosen.offset), least(chosen.passage)]  # the last one counts most
        if order is not Order.DOCUMENT:
            keys.append(least(chosen.confidence))
        if order is Order.DISAGREEMENT:
            keys.append(-self._disagreement(ids, done))
        keys.append(least(~chosen.flagged))
        return cast(Ids, ids[np.lexsort(keys)])

    def _disagreement(self, ids: Ids, done: tuple[int, ...]) -> NDArray[np.int64]:
        """Per item, over all finished runs of the corpus: 2 where they differ, 1 where some are silent."""
        rows = np.flatnonzero(np.isin(self._proposals.run, done))
        if not len(rows):
            return np.zeros(len(ids), np.int64)
        item = self._proposals.item[rows]
        by_item, first = _groups(item)
        answer = (self._proposals.kind.astype(np.int64) * len(queue.ASSERTIONS) + self._proposals.assertion)[
            rows[by_item]
        ]
        differ = np.minimum.reduceat(answer, first) != np.maximum.reduceat(answer, first)
        silent = np.diff(first, append=len(rows)) < len(done)
        level = np.where(differ, 2, np.where(silent, 1, 0))
        known = item[by_item][first]
        at = np.searchsorted(known, ids).clip(max=len(known) - 1)
        return np.where(known[at] == ids, level[at], 0)

    # --- walking ------------------------------------------------------------------------------------------

    def open_items(
        self, order: Ids, filters: Filters, curator: str, after: int | None
    ) -> Iterator[tuple[int, int]]:
        """(item, how many may hold it at once) of what this curator may be given: from behind `after` to the
        end and then from the start, but for `Show.ALL`, which ends at the end."""
        mine, count = self.answers.by(curator)[order], self.answers.count()[order]
        if filters.show is Show.UNDECIDED:
            wanted = ~mine & (count < filters.answers)
        elif filters.show is Show.UNSURE:
            wanted = np.isin(order, self.answers.unsure(curator))
        else:
            wanted = np.ones(len(order), np.bool_)
        found = np.flatnonzero(order == after)
        behind = int(found[0]) + 1 if len(found) else 0
        positions = np.flatnonzero(wanted)
        cut = int(np.searchsorted(positions, behind))
        rest = positions[:0] if filters.show is Show.ALL else positions[:cut]
        for at in chain(positions[cut:], rest):
            others = int(count[at]) - int(mine[at])
            yield int(order[at]), max(1, filters.answers - others)

    def progress(self, order: Ids, filters: Filters, curator: str) -> tuple[int, int]:
        """(items of the queue that need nothing more from this curator, items in the queue)."""
        with self.lock:
            settled = self.answers.by(curator)[order] | (self.answers.count()[order] >= filters.answers)
            return int(settled.sum()), len(order)


def _groups(item: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(rows sorted by item, where each item begins in them)."""
    by_item = np.argsort(item, kind="stable")
    return by_item, np.flatnonzero(np.diff(item[by_item], prepend=-1))


_indexes: OrderedDict[tuple[str, str, str], Index] = OrderedDict()
_lock = threading.Lock()


def index_of(workspace: Workspace) -> Index:
    """The index of this workspace file, refreshed. One before a restore and one after it never mix."""
    key = workspace.key()
    identity = (str(workspace.path.resolve()), key.uuid, key.restore_nonce)
    with _lock:
        index = _indexes.setdefault(identity, Index())
        _indexes.move_to_end(identity)
        while len(_indexes) > WORKSPACES_KEPT:
            _indexes.popitem(last=False)
    index.refresh(workspace)
    return index
