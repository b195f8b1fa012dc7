"""What every kind of item says of itself, and what the three there are say of an answer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from core.kinds import KINDS, Kind, concept, error, gold_change, kind_of, pair
from core.records import (
    Action,
    Answer,
    Assertion,
    Axis,
    ConceptClass,
    ConflictType,
    ErrorAnswer,
    ErrorType,
    ItemKind,
    PairAnswer,
    Span,
)

SEIZURE = Answer("HP:0001250", "Seizure", Assertion.AFFIRMED, ConceptClass.EXPLICIT, (Span(2, 9, "seizure"),))
DOSE = PairAnswer(
    "pair-1",
    True,
    ConflictType.CONTEXTUAL_CONTRADICTION,
    (Axis.POPULATION_COHORT, Axis.GEOGRAPHY),
    Axis.GEOGRAPHY,
    "Two countries.",
    (Span(0, 4, "Sale"),),
    (Span(3, 8, "rises"),),
)
ANSWERS: dict[ItemKind, Any] = {
    ItemKind.CONCEPT: SEIZURE,
    ItemKind.PAIR: DOSE,
    ItemKind.GOLD_CHANGE: SEIZURE,
}
SUBJECTS = {
    ItemKind.CONCEPT: "HP:0001250",
    ItemKind.PAIR: "pair-1",
    ItemKind.GOLD_CHANGE: "gold-imported:gsc@1 HP:0001250",
}


def test_every_kind_has_its_row() -> None:
    assert set(KINDS) == set(ItemKind)
    assert all(kind.name == name for name, kind in KINDS.items())


@pytest.mark.parametrize("name", ANSWERS, ids=str)
def test_an_answer_comes_back_from_json_and_its_spans_are_all_framed(name: ItemKind) -> None:
    kind, answer = KINDS[name], ANSWERS[name]
    written = answer.to_json()
    assert kind.form.from_json(written) == answer
    assert {part for part in written if part.startswith("spans")} == set(kind.frames)
    assert kind.refusals(answer, SUBJECTS[name], Action.ACCEPT) == []
    assert kind.refusals(answer, "another", Action.ACCEPT) != []


def taken(kind: Kind) -> set[str]:
    return {action.value for action in Action if kind.refusal(action) is None}


def test_what_can_be_done_with_each_kind() -> None:
    judged = {"accept", "fix", "reject", "unsure", "adjudicate", "note", "undo"}
    assert taken(KINDS[ItemKind.CONCEPT]) == judged | {"add"}
    assert taken(KINDS[ItemKind.PAIR]) == judged
    assert taken(KINDS[ItemKind.PASSAGE]) == {"close", "reopen", "note", "undo"}
    assert taken(KINDS[ItemKind.ERROR]) == {"classify_error", "unsure", "note", "undo"}
    assert taken(KINDS[ItemKind.GOLD_CHANGE]) == {"accept", "reject", "unsure", "note", "undo"}
    assert KINDS[ItemKind.PASSAGE].refusal(Action.ACCEPT) == "'accept' does not apply to a passage."
    assert KINDS[ItemKind.PAIR].refusal(Action.ADD) == "A pair is proposed by a run; there is none to add."


@pytest.mark.parametrize("error", ErrorType)
def test_what_is_wrong_comes_back_from_json(error: ErrorType) -> None:
    written = ErrorAnswer(error).to_json()
    assert written == {"error": error.value}
    assert KINDS[ItemKind.ERROR].form.from_json(written) == ErrorAnswer(error)


@pytest.mark.parametrize("gold", ["imported:gsc@1", "reviewed@12:curator=a b", "corrected@3:gsc@2.0"])
def test_the_subject_of_an_error_names_its_gold_and_its_concept(gold: str) -> None:
    for subject, kind in (
        (error.subject_of(gold, "HP:0001250"), ItemKind.ERROR),
        (gold_change.change_of(gold, "HP:0001250"), ItemKind.GOLD_CHANGE),
    ):
        assert error.spoken_of(subject) == (gold, "HP:0001250")
        assert kind_of(subject).name == kind


def test_the_kind_of_a_subject() -> None:
    assert kind_of(None).name == ItemKind.PASSAGE
    assert kind_of("HP:0001250").name == ItemKind.CONCEPT
    assert kind_of("pair-1").name == ItemKind.PAIR
    assert [kind.name for kind in KINDS.values() if not kind.free] == [ItemKind.PAIR]


def test_only_a_fix_speaks_of_another_concept() -> None:
    refusals = KINDS[ItemKind.CONCEPT].refusals
    assert refusals(SEIZURE, "HP:0001252", Action.FIX) == []
    assert refusals(SEIZURE, "HP:0001252", Action.ADD) == [
        "The item is HP:0001252, the answer speaks of HP:0001250: use fix."
    ]


def test_an_answer_of_a_pair_must_be_consistent() -> None:
    refusals = KINDS[ItemKind.PAIR].refusals
    assert (
        "untick" in refusals(replace(DOSE, conflict_type=ConflictType.NO_CONFLICT), "pair-1", Action.FIX)[0]
    )
    assert "ticked axes" in refusals(replace(DOSE, confounder=Axis.STUDY_DESIGN), "pair-1", Action.FIX)[0]


def test_pairs_agree_whatever_the_words_and_the_order() -> None:
    other = replace(DOSE, axes=DOSE.axes[::-1], reconciliation="In other words.", spans_a=())
    assert pair.said(other) == pair.said(DOSE)
    assert pair.said(replace(DOSE, confounder=Axis.POPULATION_COHORT)) != pair.said(DOSE)
    assert pair.in_order(DOSE.axes[::-1]) == pair.in_order(DOSE.axes)


def test_a_concept_that_is_not_relevant_is_absent() -> None:
    assert concept.status(SEIZURE) is Assertion.AFFIRMED
    assert concept.status(replace(SEIZURE, concept_class=ConceptClass.NOT_RELEVANT)) is None
