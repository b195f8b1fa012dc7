"""Ratings by the model-asking form of stage 5. Answers were written by hand."""

from __future__ import annotations

from typing import Any

import pytest

from core.concepts import select
from core.llm import ReplyFailure
from core.records import Assertion, Quality, Verdict
from tests.concepts.scripted import CATARACT, FEBRILE, kept, labelled, records, scene

TEXT = "He had febrile seizures and no cataract."


def rating(quality: object) -> Any:
    return lambda data: {"explanation": "Two of two are there.", "quality": quality}


@pytest.mark.parametrize(
    ("written", "meant", "retained", "repaired"),
    [
        ("very_poor", Quality.VERY_POOR, False, False),
        ("Very poor", Quality.VERY_POOR, False, False),
        ("poor", Quality.POOR, False, False),
        ("average", Quality.AVERAGE, True, False),
        ("Good.", Quality.GOOD, True, False),
        ("excellent", Quality.EXCELLENT, True, False),
        ("fair", Quality.AVERAGE, True, True),
        (2, Quality.POOR, False, True),
    ],
)
def test_five_tiers(written: object, meant: Quality, retained: bool, repaired: bool) -> None:
    with scene(rating(written)) as on:
        made = on.ask(select.ask, labelled(TEXT, FEBRILE, CATARACT))
        assert (made.quality, made.retained) == (meant, retained)
        assert kept(made) == [FEBRILE, CATARACT]
        assert {c.repaired for c in made.candidates} == {repaired}
        (record,) = made.records
        assert (record.verdict, record.concept, record.call_id) == (Verdict.RATED, None, 1)
        assert record.reason == "Two of two are there."
        assert record.payload["quality"] == meant.value
        assert record.payload["retained"] is retained
        assert ("notes" in record.payload) == repaired


def test_the_model_sees_the_status_of_each_label() -> None:
    with scene(rating("good")) as on:
        on.ask(select.ask, labelled(TEXT, FEBRILE, CATARACT, assertion=Assertion.NEGATED))
        assert [concept["status"] for concept in on.data()["concepts"]] == ["negated", "negated"]


@pytest.mark.parametrize("written", ["splendid", "", None, "good or poor", "6"])
def test_a_rating_is_never_guessed(written: object) -> None:
    with scene(rating(written)) as on:
        with pytest.raises(ReplyFailure):
            on.ask(select.ask, labelled(TEXT, FEBRILE))
        assert 2 <= len(on.server.requests) <= 3


def test_a_second_answer_may_set_it_right() -> None:
    answers = iter(["splendid", "good"])
    with scene(lambda data: {"explanation": "", "quality": next(answers)}) as on:
        made = on.ask(select.ask, labelled(TEXT, FEBRILE))
        assert made.quality is Quality.GOOD
        assert made.records[0].call_id == 2


def test_no_labels_no_call() -> None:
    with scene(rating("good")) as on:
        made = on.ask(select.ask, labelled(TEXT))
        assert (made.quality, made.retained, on.server.requests) == (None, True, [])
        (record,) = records(made, Verdict.RATED)
        assert record.payload == {"quality": None, "retained": True}
