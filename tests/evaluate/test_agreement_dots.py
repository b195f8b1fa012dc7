"""Items of two curators one by one, and in groups: planted answers, counted by hand."""

import pytest

from core.evaluate.curators import Ratings
from core.evaluate.tables.agreement_dots import MOST, STATES, items_of_two, state
from core.metrics.near_agreement import ABSENT

PEOPLE = {"a": "Alpha", "b": "Beta"}


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        (("affirmed", "affirmed"), "both yes"),
        (("negated", "negated"), "both yes"),
        ((ABSENT, ABSENT), "both no"),
        (("rejected", "rejected"), "both no"),
        (("affirmed", ABSENT), "split"),
        (("affirmed", "negated"), "split"),
        (("affirmed", None), "one missing"),
        ((None, ABSENT), "one missing"),
    ],
)
def test_what_two_say_of_an_item(labels, said):
    assert state(labels) == said


def planted(number):
    """Item n of document n: alike, both reject, split, only alpha, and so on in turn."""
    answers = (("affirmed", "affirmed"), (ABSENT, ABSENT), ("affirmed", ABSENT), ("affirmed", None))
    labels = {"a": {}, "b": {}}
    for n in range(number):
        for curator, label in zip("ab", answers[n % 4], strict=True):
            if label:
                labels[curator][f"d{n:03}"] = {n: label}
    return Ratings("ward", "concepts", ("a", "b"), labels, people=PEOPLE, names={0: "Fever"})


def test_a_dot_for_each_item():
    found = items_of_two(planted(MOST), "a", "b", lambda unit: True)
    assert found.columns == ("item", "answers", "document", "concept", "Alpha", "Beta")
    assert [row[1] for row in found.rows] == [name for name in STATES for _ in range(MOST // 4)]
    assert found.rows[0] == (1, "both yes", "d000", "0 (Fever)", "affirmed", "affirmed")
    assert found.chart.groups == STATES
    last = found.items[found.key_at(MOST - 1, 0)]()
    assert [(i.doc_id, i.id, i.detail) for i in last] == [("d399", 399, "Alpha: affirmed; Beta: –")]


def test_more_are_counted_in_groups_of_equally_many():
    found = items_of_two(planted(MOST + 4), "a", "b", lambda unit: True)
    assert found.columns == ("items", *STATES)
    assert (found.rows[0][0], found.rows[-1][0]) == ("1 to 34", "371 to 404")
    assert [sum(row[k] for row in found.rows) for k in range(1, 5)] == [101] * 4
    assert {sum(row[1:]) for row in found.rows} == {33, 34}
    assert len({key for row in found.opens for key in row if key}) == 12 * 4
    assert [i.doc_id for i in found.items[found.key_at(0, 2)]()] == [f"d{n:03}" for n in range(1, 34, 4)]


def test_what_one_may_not_see_is_left_out_and_counted():
    found = items_of_two(planted(8), "a", "b", lambda unit: None not in unit[2])
    assert len(found.rows) == 6
    assert "Left out are 2 that you have not settled yet." in found.note
    assert "Left out" not in items_of_two(planted(8), "a", "b", lambda unit: True).note
