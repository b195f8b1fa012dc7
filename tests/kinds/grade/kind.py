"""How well a passage is written, from 1 to 5. Its subject is `grade-` and a criterion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from core.kinds.kind import Kind
from core.records import JUDGEMENTS, Action, Origin, Stated


@dataclass(frozen=True, slots=True)
class Grade:
    criterion: str
    grade: int

    def to_json(self) -> dict[str, Any]:
        return {"criterion": self.criterion, "grade": self.grade}

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> Grade:
        return cls(str(value["criterion"]), int(value["grade"]))


@dataclass(frozen=True, slots=True)
class ProposedGrade:
    id: int
    item_id: int
    grade: Grade


def _refusals(answer: Grade, subject: str, action: Action) -> list[str]:
    return [] if 1 <= answer.grade <= 5 else ["A grade lies between 1 and 5."]


KIND = Kind(
    "grade",
    actions=frozenset(JUDGEMENTS) - {Action.ADD},
    form=Grade,
    refusals=_refusals,
    stated=lambda grade: Stated(Origin.HEURISTIC, grade.to_json(), stage="graded"),
    proposal=lambda kept: ProposedGrade(kept.id, kept.item_id, Grade.from_json(kept.said.answer)),
    said=lambda answer: answer.grade,
    prefix="grade-",
)
