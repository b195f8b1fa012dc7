"""A learning curve in tables and sentences. Every figure is written here by hand."""

from __future__ import annotations

from core.concepts.learned.curve import Curve, Kind, Point
from core.evaluate.tables.learning import DECISIONS, DOCUMENTS, MINUTES, learning_tables, told
from core.metrics.definition import Estimate
from core.records import Action

BEFORE, AFTER = Estimate(0.5, 12, low=0.4, high=0.6), Estimate(0.58, 12, low=0.5, high=0.66)
GAIN = Estimate(0.0214, 12, low=-0.004, high=0.05)
LOSS = Estimate(0.012, 12, low=0.002, high=0.03)


def curve(*, decisions: float = 0.0, minutes: float | None = None, further: Estimate = GAIN) -> Curve:
    points = (
        Point(0, 0, None if minutes is None else 0.0, BEFORE, BEFORE),
        Point(9.6, decisions, minutes, AFTER, BEFORE),
    )
    kinds = (Kind(Action.ADD, 31, GAIN, LOSS),) if decisions else ()
    return Curve(12, points, kinds, further, LOSS, further_with_head=LOSS, wrong_with_head=GAIN)


def test_it_is_drawn_along_what_is_known_of_the_review() -> None:
    for given, along in (
        (curve(), [DOCUMENTS]),
        (curve(decisions=120), [DECISIONS]),
        (curve(decisions=120, minutes=34.56), [DECISIONS, MINUTES]),
    ):
        drawn = [table for table in learning_tables(given) if table.name.startswith("curve")]
        assert [table.columns[0] for table in drawn] == along
    by_minutes = learning_tables(curve(decisions=120, minutes=34.56))[1]
    assert [tuple(row) for row in by_minutes.rows] == [(0.0, BEFORE, BEFORE), (34.6, AFTER, BEFORE)]


def test_what_each_kind_brings_is_told_of_names_and_with_a_head() -> None:
    table = learning_tables(curve(decisions=120))[-1]
    assert table.columns[2:] == ("gain, learned names", "gain, names and head")
    assert [tuple(row) for row in table.rows] == [("add", 31, GAIN, LOSS)]
    assert all(table.name != "kinds" for table in learning_tables(curve()))


def test_more_documents_and_mistakes_are_told_with_their_signs() -> None:
    more, wrong, how = told(curve(decisions=120))
    assert more == (
        "50 more documents: about +0.021 (95 % interval -0.004 to +0.050) with learned names, "
        "+0.012 (95 % interval +0.002 to +0.030) with a head, too."
    )
    assert wrong == (
        "If 5 % of the decisions were wrong: -0.012 (95 % interval -0.030 to -0.002) with learned names, "
        "-0.021 (95 % interval -0.050 to +0.004) with a head, too."
    )
    assert how.startswith("Measured on 12 documents in ten splits")


def test_what_cannot_be_told_is_said_with_its_reason() -> None:
    unknown = Estimate(None, 12, reason="the curve does not rise")
    assert next(iter(told(curve(further=unknown)))) == (
        "What 50 more documents bring cannot be told: the curve does not rise"
    )
