"""Queues of which a random share is answered by two curators, and by a third where these differ; and a share
that a curator is asked about twice.

    needs = walk.needs(workspace, Filters("ward", overlap=0.1))      # 1, 2 or 3, by item id
    walk.due_again(workspace, Filters("ward", repeats=0.05), order, "ada")   # items to ask about once more

Every curator has the same share of a seed; a larger share holds a smaller one. Which items these are, and
where two differ, no page may tell. Kept up to date by decision number: only answers that have changed are
compared, and only on items of the share that two or more have answered.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.kinds import KINDS
from core.metrics import draw
from core.records import ASSESSING, Action
from core.review.answers import CODES
from core.review.walks.kept import Recent
from core.review.walks.unseen import Unseen
from core.review.walks.walk import C, Ids, Listed, Needs, Show, Walk, again
from core.store import Workspace, queue, repeats
from core.store import overlap as store

SEED = "13"
MOST_SEED = 100
"""Characters."""
APART = 50
"""Answers of a curator that lie between the first and the second one to an item, at least."""
LEAST_APART = 10
"""So many last decisions are shown on the desk."""
SEEDS_KEPT, NEEDS_KEPT = 4, 8


@dataclass(frozen=True, slots=True)
class QueueFilters:
    """What the filters of such a queue say whatever the kind of item. None means any.

    Raises:
        InputError: the shares or the seed cannot be drawn with.
    """

    corpus: str
    run: str | None = None
    passage: int | None = None
    """Id of a passage: only what is in it; of pairs, only those with a claim of it."""
    show: Show = Show.UNDECIDED
    answers: int = 1
    """How many curators should answer each item, at least; it is open until so many have."""
    overlap: float = 0.0
    """Share of the items, in [0, 1], that two curators answer, and a third where they differ."""
    repeats: float = 0.0
    """Share of the items, in [0, 1], that a curator is asked about once more, after so many other answers as
    `apart` says: how well do they agree with themselves?"""
    apart: int = APART
    seed: str = SEED
    """Of the draw of these shares."""
    listed: Listed | None = None
    """Items to walk instead of all that pass the filters above."""

    def __post_init__(self) -> None:
        for share, what in ((self.overlap, "two curators answer"), (self.repeats, "is asked about twice")):
            if not 0 <= share <= 1:
                raise InputError(
                    f"The share that {what} lies between 0 and 1, not at {share}. For a tenth of the items"
                    " give 0.1."
                )
        if self.apart < LEAST_APART:
            raise InputError(
                f"Between two answers to an item lie at least {LEAST_APART} others, not {self.apart}: the"
                " last ones are on the screen."
            )
        if not 0 < len(self.seed) <= MOST_SEED:
            raise InputError(
                f"The seed of the overlap is a text of 1 to {MOST_SEED} characters. Give another."
            )


def chance(seed: str, unit: str, use: str = "overlap") -> float:
    """Draw number of a unit, in (0, 1): it belongs to every share above that. A hash of its own decides for
    each use (`overlap`, `repeat`), so one share says nothing about another, nor about a frame of the seed."""
    return draw.chance(f"{seed}|{use}", unit)


def differ(kind: str, judged: Iterable[store.Judged]) -> bool:
    """Whether curators disagree on an item: they say different things of it, or only some reject it. Who is
    unsure has not answered yet."""
    said: set[object] = set()
    for one in judged:
        if one.action is Action.REJECT:
            said.add(None)
        elif one.answer is not None:
            said.add((KINDS[kind].said(KINDS[kind].form.from_json(one.answer)),))
    return len(said) > 1


class Chances(NamedTuple):
    """Draw numbers under one seed."""

    upto: int
    """Id of the last item that was drawn."""
    of: NDArray[np.float64]
    """Item id -> draw number; 1, which no share reaches, where there is no such item of the kind."""


class Overlapping(Walk[C]):
    """A walk whose filters may ask for an overlap, and of whose items frames may ask some blind."""

    kind: ClassVar[str]
    """Of its items."""

    def __init__(self, columns: Callable[..., C], forms: Sequence[type[np.generic]]) -> None:
        super().__init__(columns, forms)
        self.unseen = Unseen()
        self._chances: OrderedDict[tuple[str, str], Chances] = OrderedDict()
        self._differ = np.zeros(1, np.bool_)
        self._compared = np.zeros(1, np.int64)
        self._needed: Recent[Needs] = Recent(NEEDS_KEPT)

    def refresh(self, workspace: Workspace) -> None:
        with self.lock:
            super().refresh(workspace)
            if self.unseen.refresh(workspace):
                self._orders.clear()

    def _run_names(self, workspace: Workspace) -> list[queue.RunName]:
        return queue.run_names(workspace, self.kind)

    def varies(self, filters: Any) -> bool:
        return bool(filters.overlap)

    def needs(self, workspace: Workspace, filters: Any) -> Needs:
        if not self.varies(filters):
            return super().needs(workspace, filters)
        with self.lock:
            chances = self._drawn(workspace, filters.seed)
            answers = self.answers
            key = (filters.overlap, filters.seed, filters.answers, answers.number, len(chances))

            def counted() -> Needs:
                inside = chances < filters.overlap
                several = inside & (_fit(answers.count(), len(inside), 0) > 1)
                self._compare(workspace, np.flatnonzero(several))
                third = several & _fit(self._differ, len(inside), False)
                needed = 1 + inside.astype(np.int16) + third
                return cast(Needs, np.maximum(filters.answers, needed))

            return self._needed.of(key, counted)

    def due_again(self, workspace: Workspace, filters: Any, order: Ids, curator: str) -> list[int]:
        if not filters.repeats or again(filters):
            return []
        with self.lock:
            drawn = order[self._drawn(workspace, filters.seed, "repeat")[order] < filters.repeats]
            codes = [CODES[action] for action in ASSESSING]  # who was unsure has not answered yet
            answered = drawn[np.isin(self.answers.by(curator)[drawn], codes)]
        return repeats.due(workspace, curator, answered.tolist(), filters.apart)

    def _drawn(self, workspace: Workspace, seed: str, use: str = "overlap") -> NDArray[np.float64]:
        """Item id -> draw number, as long as the answers."""
        upto, of = self._chances.pop((seed, use), Chances(0, np.ones(1)))
        for rows in store.units(workspace, self.kind, upto):
            upto = rows[-1][0]
            of = _fit(of, max(upto + 1, len(of)), 1.0)
            of[[item for item, _ in rows]] = [chance(seed, unit, use) for _, unit in rows]
        of = _fit(of, max(len(self.answers.count()), len(of)), 1.0)
        self._chances[seed, use] = Chances(upto, of)
        while len(self._chances) > SEEDS_KEPT:
            self._chances.popitem(last=False)
        return of

    def _compare(self, workspace: Workspace, several: NDArray[np.intp]) -> None:
        """Say anew where curators differ, on those of these items whose answers have changed."""
        size = len(self.answers.count())
        self._differ, self._compared = _fit(self._differ, size, False), _fit(self._compared, size, 0)
        changed = self.answers.changed()
        stale = several[self._compared[several] < changed[several]]
        if len(stale):
            found = store.judged(workspace, stale.tolist())
            self._differ[stale] = [differ(self.kind, found.get(item, ())) for item in stale.tolist()]
            self._compared[stale] = changed[stale]


def _fit(column: NDArray[Any], size: int, fill: Any) -> NDArray[Any]:
    """A column made as long as that, if it is shorter."""
    short = max(0, size - len(column))
    return np.pad(column, (0, short), constant_values=fill) if short else column
