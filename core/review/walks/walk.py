"""Walking a queue in memory: what is open to whom, how far it has come. Of whichever kind of item.

The order rests on proposals alone, which never change, so it is computed once per (workspace, filters, last
proposal) and holds while people work. Who has answered is kept up to date by decision number. Both are read
incrementally, so a step costs microseconds whatever the size of the workspace.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.metrics.definition import Estimate
from core.metrics.proportion import share
from core.records import ASSESSING, Action
from core.review.answers import CODES, Answers
from core.review.walks.kept import Recent
from core.store import Workspace, queue

Ids = NDArray[np.int64]
Needs = NDArray[np.signedinteger[Any]]
"""Item id -> how many curators should answer it."""
ORDERS_KEPT = 32
MOST_LISTED = 1000
ANYBODY = 100
"""How many curators may look at an item of a list at once: a list is shared as it is."""


class Show(StrEnum):
    """Which items are walked, by this curator's own answers; nobody is led by what others answered."""

    UNDECIDED = "undecided"
    DECIDED = "decided"
    ACCEPTED = "accepted"
    FIXED = "fixed"
    REJECTED = "rejected"
    UNSURE = "unsure"
    ADDED = "added"
    ALL = "all"


_ACTION = {
    Show.ACCEPTED: Action.ACCEPT,
    Show.FIXED: Action.FIX,
    Show.REJECTED: Action.REJECT,
    Show.UNSURE: Action.UNSURE,
    Show.ADDED: Action.ADD,
}


@dataclass(frozen=True, slots=True)
class Listed:
    """Items to look at in the order given, answered or not; or passages to decide and close.

    Raises:
        InputError: there are none, or more than `MOST_LISTED`.
    """

    name: str
    """What the list is about, for the curator. From outside: text, never markup."""
    ids: tuple[int, ...]
    of: str = "items"
    """What these are ids of: `items`, or `passages`."""

    def __post_init__(self) -> None:
        if not 0 < len(self.ids) <= MOST_LISTED:
            said = f"1 to {MOST_LISTED} {self.of}, not {len(self.ids)}"
            raise InputError(f"A list to review holds {said}. Open it in parts.")


class Progress(NamedTuple):
    """How far a queue has come. Of others' answers it tells how many there are, never what they say."""

    done: int
    """Items that need nothing more from this curator."""
    total: int
    mine: int
    """Items that this curator has answered, unsure ones among them."""
    settled: int
    """Items with as many answers as they should have, whoever gave them."""
    unsure: int
    """Items that this curator left as unsure."""


class Walked(Protocol):
    """What a queue's filters say whatever the kind of item."""

    @property
    def show(self) -> Show: ...

    @property
    def answers(self) -> int:
        """How many curators should answer each item; an item is open until so many have."""

    @property
    def listed(self) -> Listed | None:
        """Items to walk instead of all that the other filters let through."""


class Columns(Protocol):
    """What machines said, one row each, in order of id: a named tuple of columns."""

    @property
    def id(self) -> NDArray[Any]: ...

    @property
    def item(self) -> NDArray[Any]: ...

    def __iter__(self) -> Iterator[NDArray[Any]]: ...


C = TypeVar("C", bound=Columns)


class Walk(Generic[C]):
    """Rows, answers and orders of one workspace. Use `Walks.of`; hold `lock` over calls that belong
    together."""

    def __init__(self, columns: Callable[..., C], forms: Sequence[type[np.generic]]) -> None:
        """
        Args:
            columns: makes the rows of their columns.
            forms: type of each column.
        """
        self.lock = threading.RLock()
        self.answers = Answers()
        self._orders: Recent[Ids] = Recent(ORDERS_KEPT)
        self._made = columns
        self._rows = columns(*(np.empty(0, form) for form in forms))
        self._runs: list[queue.RunName] = []

    def refresh(self, workspace: Workspace) -> None:
        """Read what was added since the last call. Cheap when nothing was."""
        with self.lock:
            self._runs = self._run_names(workspace)
            last = int(self._rows.id[-1]) if len(self._rows.id) else 0
            if chunks := list(self._read(workspace, last)):
                self._rows = self._made(*map(np.concatenate, zip(self._rows, *chunks, strict=True)))
                self.answers.reach(int(self._rows.item.max()))
                self._orders.clear()
            self.answers.refresh(workspace)

    def _run_names(self, workspace: Workspace) -> list[queue.RunName]:
        """The runs whose rows are read."""
        raise NotImplementedError

    def _read(self, workspace: Workspace, last: int) -> Iterator[C]:
        """The rows behind the one with this id, in chunks."""
        raise NotImplementedError

    def _chosen(self, rows: NDArray[np.int64]) -> tuple[C, Callable[[NDArray[Any]], NDArray[Any]]]:
        """Some rows, and the least value of a column of theirs for each item, in order of item."""
        chosen = self._made(*(column[rows] for column in self._rows))
        by_item, first = grouped(chosen.item)
        return chosen, lambda column: np.minimum.reduceat(column[by_item], first)

    def needs(self, workspace: Workspace, filters: Any) -> Needs:
        """How many curators should answer each item, as far as decisions up to the last call of `refresh`
        tell."""
        return self._even(filters)

    def varies(self, filters: Any) -> bool:
        """Whether a queue's items need different numbers of answers, which nothing may tell apart."""
        return False

    def due_again(self, workspace: Workspace, filters: Any, order: Ids, curator: str) -> list[int]:
        """Items of a queue that a curator has answered and is to be asked about once more, longest answered
        first."""
        return []

    def _even(self, filters: Walked) -> Needs:
        """As many for every item."""
        return np.broadcast_to(np.int64(filters.answers), self.answers.count().shape)

    def open_items(
        self,
        order: Ids,
        filters: Walked,
        curator: str,
        after: int | None,
        start: int | None = None,
        needs: Needs | None = None,
    ) -> Iterator[tuple[int, int]]:
        """(item, how many may hold it at once) of what this curator may be given: behind `after`, or else
        from `start` on, to the end. What is undecided goes on from the beginning then, since others may have
        given items back; what is looked at again comes once. An item is open until it has the answers it
        needs; None: as many as the filters say."""
        mine, count = self.answers.by(curator)[order], self.answers.count()[order]
        needed = (self._even(filters) if needs is None else needs)[order]
        if filters.listed is not None or filters.show is Show.ALL:
            wanted = np.ones(len(order), np.bool_)
        elif filters.show is Show.UNDECIDED:
            wanted = (mine == 0) & (count < needed)
        elif filters.show is Show.DECIDED:
            wanted = mine != 0
        else:
            wanted = mine == CODES[_ACTION[filters.show]]
        found = np.flatnonzero(order == (start if after is None else after))
        first = int(found[0]) + int(after is not None) if len(found) else 0
        positions = np.flatnonzero(wanted)
        cut = int(np.searchsorted(positions, first))
        for at in chain(positions[cut:], positions[: 0 if again(filters) else cut]):
            others = int(count[at]) - int(mine[at] != 0)
            yield int(order[at]), _room(filters, int(needed[at]) - others)

    def room(self, item: int, filters: Walked, curator: str, needs: Needs) -> int:
        """How many curators may hold an item at once; 0 where others have answered it as often as it needs
        and this curator has not."""
        if not item < len(needs):
            return _room(filters, filters.answers)
        mine = self.answers.by(curator)[item] != 0
        lacking = int(needs[item]) - int(self.answers.count()[item]) + int(mine)
        return 0 if lacking <= 0 and not mine and not again(filters) else _room(filters, lacking)

    def right(self, order: Ids, curator: str, without: Iterable[int] = ()) -> Estimate:
        """Share of a queue's items that a curator accepted, of those accepted, fixed or rejected.

        Args:
            without: items that are left out.
        """
        with self.lock:
            proposed = np.isin(order, self._rows.item) & ~np.isin(order, list(without))
            mine = self.answers.by(curator)[order[proposed]]
            said = Counter(mine[np.isin(mine, [CODES[action] for action in ASSESSING])].tolist())
            return share(said[CODES[Action.ACCEPT]], said.total())

    def progress(self, order: Ids, filters: Walked, curator: str, needs: Needs | None = None) -> Progress:
        with self.lock:
            mine = self.answers.by(curator)[order]
            settled = self.answers.count()[order] >= (self._even(filters) if needs is None else needs)[order]
            return Progress(
                int(((mine != 0) | settled).sum()),
                len(order),
                int((mine != 0).sum()),
                int(settled.sum()),
                int((mine == CODES[Action.UNSURE]).sum()),
            )


def _room(filters: Walked, lacking: int) -> int:
    """How many curators may hold an item at once that lacks so many answers."""
    return max(1, lacking) if filters.listed is None else ANYBODY


def again(filters: Walked) -> bool:
    """Whether items are walked that are answered already."""
    return filters.listed is not None or filters.show is not Show.UNDECIDED


def grouped(item: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(rows sorted by item, where each item begins in them)."""
    by_item = np.argsort(item, kind="stable")
    return by_item, np.flatnonzero(np.diff(item[by_item], prepend=-1))
