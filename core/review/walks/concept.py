"""The queue of concept labels: what there is to judge, and in which order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from core.records import Action, Assertion, ConceptClass, Curie, ItemKind
from core.review.answers import CODES
from core.review.confidence import BOUNDS, Band
from core.review.walks.kept import Walks
from core.review.walks.overlap import Overlapping, QueueFilters
from core.review.walks.unseen import scattered
from core.review.walks.walk import Ids, Needs, grouped
from core.store import Workspace, frames, queue
from core.store.blind import Decoy, decoys


class Order(StrEnum):
    """In each of them, ungrounded quotes and repaired proposals come first. The place of items that frames
    ask blind says nothing of what machines say: they stand first in their passage, or behind all others."""

    DOCUMENT = "document"
    """As they stand in the text; of two at one place the surer one first."""
    CONFIDENCE = "confidence"
    """Least confident first; a confidence nobody stated counts as the least."""
    DISAGREEMENT = "disagreement"
    """Items on which runs differ, then those that only some runs propose, then the least confident."""


@dataclass(frozen=True, slots=True)
class Filters(QueueFilters):
    """What a queue holds. None means any."""

    kind: ClassVar[str] = ItemKind.CONCEPT
    """Of the items that it chooses among."""
    concept_class: ConceptClass | None = None
    branch: Curie | None = None
    """A concept: only its descendants and itself."""
    band: Band | None = None
    assertion: Assertion | None = None
    order: Order = Order.DOCUMENT


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


class Index(Overlapping[Columns]):
    """Proposals and answers of one workspace. Use `index_of`; hold `lock` over calls that belong together."""

    kind: ClassVar[str] = ItemKind.CONCEPT

    def __init__(self) -> None:
        super().__init__(Columns, KINDS)
        self._concepts: dict[Curie, int] = {}
        self._decoys: dict[str, tuple[tuple[int, int], tuple[Decoy, ...]]] = {}

    def _read(self, workspace: Workspace, last: int) -> Iterator[Columns]:
        return map(self._columns, queue.proposal_columns(workspace, last))

    def _columns(self, rows: list[tuple[Any, ...]]) -> Columns:
        *columns, names = zip(*rows, strict=True)
        codes = self._concepts
        columns.append(tuple(codes.setdefault(name, len(codes)) for name in names))
        return Columns(*map(np.array, columns, KINDS))

    def decoys(self, workspace: Workspace, corpus: str) -> tuple[Decoy, ...]:
        """As the store has them: read again when another frame is opened, or when a run has proposed more."""
        with self.lock:
            rests_on = frames.newest(workspace), len(self._rows.id)
            if self._decoys.get(corpus, (None, ()))[0] != rests_on:
                self._decoys[corpus] = rests_on, tuple(decoys(workspace, corpus))
            return self._decoys[corpus][1]

    # --- order --------------------------------------------------------------------------------------------

    def order(
        self,
        filters: Filters,
        branch: Callable[[Curie], frozenset[Curie]],
        beside: tuple[Decoy, ...] = (),
        without: tuple[int, ...] = (),
        wholes: tuple[tuple[int, int], ...] = (),
    ) -> Ids:
        """Every item that passes the filters, answered or not, in queue order.

        Args:
            branch: gives a concept's descendants, itself included; called where a branch is asked for.
            beside: further items that nobody proposed.
            without: passages whose items are left out.
            wholes: passages in order, each with an item that stands for all of it.
        """
        with self.lock:
            here = [r for r in self._runs if r.corpus == filters.corpus]
            chosen = tuple(r.code for r in here if filters.run in (None, r.id))
            done = tuple(r.code for r in here if r.done)
            narrowed = (
                filters.concept_class,
                filters.branch,
                filters.band,
                filters.assertion,
                filters.passage,
            )
            key = (*narrowed, filters.order, chosen, done)
            if not (beside or without or wholes):
                return self._orders.of(
                    key, lambda: self._sort(filters.order, self._passing(filters, chosen, branch), done)
                )
            every = self.order(filters, branch)
            return self._orders.of(
                (*key, beside, without, wholes),
                lambda: self._placed(self._among(every, without, wholes), beside),
            )

    def inside(self, items: Iterable[int], beside: tuple[Decoy, ...]) -> Ids:
        """These items in the order of the documents; of those that nobody proposed, the ones of `beside`."""
        wanted = set(items)
        with self.lock:
            rows = np.flatnonzero(np.isin(self._rows.item, list(wanted)))
            order = self._sort(Order.DOCUMENT, rows, ())
            return self._placed(order, tuple(one for one in beside if one.item_id in wanted))

    def _among(self, order: Ids, without: tuple[int, ...], wholes: tuple[tuple[int, int], ...]) -> Ids:
        """The order without the items of some passages, and with passages that come as a whole: each right
        behind the last item of those before it, so its place says nothing about what is proposed in it."""
        of = np.zeros(int(self._rows.item.max(initial=0)) + 1, np.int64)
        of[self._rows.item] = self._rows.passage
        if without:
            order = order[~np.isin(of[order], without)]
        if not wholes:
            return order
        self.answers.reach(max(item for _, item in wholes))
        by_passage = np.argsort(of[order], kind="stable")
        behind = np.concatenate([[0], np.maximum.accumulate(by_passage) + 1])
        passages, items = zip(*wholes, strict=True)
        places = behind[np.searchsorted(of[order][by_passage], passages)]
        return cast(Ids, np.insert(order, places, items))

    def _placed(self, order: Ids, beside: tuple[Decoy, ...]) -> Ids:
        """The order with more items in it: each stands right before the one that it goes with where its id is
        even, else right behind it, and nowhere if that one is not there."""
        at = {int(item): place for place, item in enumerate(order)} if beside else {}
        found = [(at[other] + item % 2, item) for item, _, other in beside if other in at and item not in at]
        if not found:
            return order
        self.answers.reach(max(item for _, item in found))
        found.sort(key=lambda row: (row[0], row[1] % 2 == 0))  # between two units each beside its own
        places, items = zip(*found, strict=True)
        return cast(Ids, np.insert(order, list(places), list(items)))

    def of_concept(self, order: Ids, item: int, curator: str, needs: Needs) -> Ids:
        """Other items of the order with the concept of this one that this curator may still answer."""
        with self.lock:
            rows = self._rows
            same = rows.item[np.isin(rows.concept, rows.concept[rows.item == item])]
            found = order[np.isin(order, same) & (order != item)]
            mine, count = self.answers.by(curator)[found], self.answers.count()[found]
            return cast(Ids, found[(mine == 0) & (count < needs[found])])

    def passages(self, run: str | None, *, unanswered: bool, without: Iterable[int] = ()) -> Ids:
        """Passages in which a run proposes something, in their order.

        Args:
            run: None: any.
            unanswered: only those with something that nobody has answered.
            without: items that do not count.
        """
        with self.lock:
            rows = self._rows
            wanted = ~np.isin(rows.item, list(without))
            if run is not None:
                wanted &= np.isin(rows.run, [known.code for known in self._runs if known.id == run])
            if unanswered:
                wanted &= self.answers.count()[rows.item] == 0
            return cast(Ids, np.unique(rows.passage[wanted]))

    def decided_passages(self, order: Ids, curator: str) -> dict[int, int]:
        """Passage -> its first item, for the passages of a queue of which this curator has decided all
        that is proposed, and left nothing as unsure."""
        with self.lock:
            rows = self._rows
            mine = self.answers.by(curator)[rows.item]
            decided = (mine != 0) & (mine != CODES[Action.UNSURE])
            by_passage, first = grouped(rows.passage)
            if not len(first):
                return {}
            whole = rows.passage[by_passage][first][np.logical_and.reduceat(decided[by_passage], first)]
            chosen = np.flatnonzero(np.isin(rows.passage, whole) & np.isin(rows.item, order))
            passages, at = np.unique(rows.passage[chosen], return_index=True)
            return dict(zip(passages.tolist(), rows.item[chosen[at]].tolist(), strict=True))

    def _passing(
        self, filters: Filters, runs: tuple[int, ...], branch: Callable[[Curie], frozenset[Curie]]
    ) -> NDArray[np.int64]:
        """Rows of the proposals that pass."""
        all_of = self._rows
        passing = np.isin(all_of.run, runs)
        if filters.concept_class is not None:
            passing &= all_of.kind == queue.CLASSES.index(filters.concept_class)
        if filters.assertion is not None:
            passing &= all_of.assertion == queue.ASSERTIONS.index(filters.assertion)
        if filters.passage is not None:
            passing &= all_of.passage == filters.passage
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
        chosen, least = self._chosen(rows)
        ids = least(chosen.item)
        hidden = np.isin(ids, self.unseen.items)
        offset = np.where(hidden, -2, least(chosen.offset))
        sure = np.where(hidden, np.inf, least(chosen.confidence))
        # the last one counts most; of two at one place the surer one is first
        keys = [scattered(ids, hidden), -sure, offset, least(chosen.passage)]
        if order is not Order.DOCUMENT:
            keys.append(sure)
        if order is Order.DISAGREEMENT:
            keys.append(np.where(hidden, 1, -self._disagreement(ids, done)))
        keys.append(hidden | least(~chosen.flagged))
        return cast(Ids, ids[np.lexsort(keys)])

    def _disagreement(self, ids: Ids, done: tuple[int, ...]) -> NDArray[np.int64]:
        """Per item, over all finished runs of the corpus: 2 where they differ, 1 where some are silent."""
        rows = np.flatnonzero(np.isin(self._rows.run, done))
        if not len(rows):
            return np.zeros(len(ids), np.int64)
        item = self._rows.item[rows]
        by_item, first = grouped(item)
        answer = (self._rows.kind.astype(np.int64) * len(queue.ASSERTIONS) + self._rows.assertion)[
            rows[by_item]
        ]
        differ = np.minimum.reduceat(answer, first) != np.maximum.reduceat(answer, first)
        silent = np.diff(first, append=len(rows)) < len(done)
        level = np.where(differ, 2, np.where(silent, 1, 0))
        known = item[by_item][first]
        at = np.searchsorted(known, ids).clip(max=len(known) - 1)
        return np.where(known[at] == ids, level[at], 0)


walks = Walks(Index)
index_of = walks.of
