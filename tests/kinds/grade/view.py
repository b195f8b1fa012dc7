"""Grades on the desk."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from core.kinds.grade import Grade, ProposedGrade
from numpy.typing import NDArray

from core.records import Decision
from core.review.events import Said, Strict, no_answer
from core.review.views.view import View, own_words
from core.review.walks.kept import Walks
from core.review.walks.walk import Ids, Listed, Show, Walk
from core.store import Workspace, queue
from core.store.queue import ItemRow


@dataclass(frozen=True, slots=True)
class GradeFilters:
    kind: ClassVar[str] = "grade"
    corpus: str
    show: Show = Show.UNDECIDED
    answers: int = 1
    listed: Listed | None = None


class Columns(NamedTuple):
    id: NDArray[Any]
    item: NDArray[Any]


class GradeWalk(Walk[Columns]):
    def __init__(self) -> None:
        super().__init__(Columns, (np.int64, np.int64))

    def _run_names(self, workspace: Workspace) -> list[queue.RunName]:
        return []

    def _read(self, workspace: Workspace, last: int) -> Iterator[Columns]:
        rows = workspace.db.execute(
            "SELECT p.id, p.item_id FROM proposals p JOIN items i ON i.id = p.item_id"
            " WHERE i.kind = 'grade' AND p.id > ? ORDER BY p.id",
            (last,),
        ).fetchall()
        if rows:
            yield Columns(*map(np.array, zip(*map(tuple, rows), strict=True)))

    def order(self) -> Ids:
        return np.unique(self._rows.item)


index_of = Walks(GradeWalk).of


class AnswerSent(Strict):
    grade: int


class Event(Said):
    answer: AnswerSent | None = None


class GradeView(View):
    kind: ClassVar[str] = "grade"
    told: ClassVar[tuple[str, ...]] = ("grade",)
    Event: ClassVar[type[Said]] = Event

    def walk(self, workspace: Workspace) -> GradeWalk:
        return index_of(workspace)

    def order(self, workspace: Workspace, walk: GradeWalk, filters: GradeFilters, curator: str) -> Ids:
        return walk.order()

    def items_of(self, workspace: Workspace, passage: int) -> list[int]:
        return []

    def views(self, workspace: Workspace, curator: str, sheets: list[int]) -> list[dict[str, Any]]:
        mine, held = own_words(workspace, curator, sheets), self.held(workspace, sheets)
        rows = queue.items(workspace, sheets, self.kind)
        return [
            {
                "id": item,
                "items": [
                    {
                        "id": item,
                        "passage": rows[item].passage_id,
                        "concept": rows[item].subject,
                        "proposals": [{"id": p.id, "grade": p.grade.grade} for p in held[item]],
                        "mine": mine.get(item, []),
                    }
                ],
            }
            for item in sheets
        ]

    def named(self, workspace: Workspace, last: list[Decision]) -> dict[int, str]:
        return {d.item_id: str(d.subject) for d in last}

    def said(self, decision: Decision, held: list[ProposedGrade]) -> dict[str, Any]:
        return {"label": str(held[0].grade.grade)}

    def proposed(self, workspace: Workspace, chosen: ProposedGrade) -> Grade:
        return chosen.grade

    def given(self, workspace: Workspace, event: Any, row: ItemRow | None, shown: Mapping[int, Any]) -> Grade:
        if row is None or event.answer is None:
            raise no_answer(event)
        return Grade(row.subject, event.answer.grade)
