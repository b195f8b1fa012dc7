"""Gold against predictions per document: lists, zero rules, open gold."""

import pytest

from core.metrics.documents import BEHIND, Item, Outcome, Ratios, compare, items_behind, ratios


@pytest.mark.parametrize(
    ("tp", "fp", "fn", "expected"),
    [
        (0, 0, 0, (1.0, 1.0, 1.0)),  # V1: rightly silent
        (0, 0, 3, (0.0, 0.0, 0.0)),  # Z0: empty prediction, non-empty gold
        (0, 2, 0, (0.0, 0.0, 0.0)),  # Z0: non-empty prediction, empty gold
        (0, 2, 3, (0.0, 0.0, 0.0)),
        (2, 1, 1, (2 / 3, 2 / 3, 2 / 3)),
        (4, 6, 1, (0.4, 0.8, 8 / 15)),
        (2, 0, 6, (1.0, 0.25, 0.4)),
    ],
)
def test_ratios_of_one_document(tp, fp, fn, expected):
    assert ratios(tp, fp, fn) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("vacuous", "value"), [("one", 1.0), ("zero", 0.0), ("skip", None)])
def test_the_vacuous_switch_touches_vacuous_documents_only(vacuous, value):
    assert ratios(0, 0, 0, vacuous) == (value, value, value)
    assert ratios(0, 1, 0, vacuous) == (0.0, 0.0, 0.0)
    assert ratios(0, 0, 1, vacuous) == (0.0, 0.0, 0.0)


def test_compare_lists_the_ids_behind_each_count_in_order():
    found = compare({"b": {"HP:3", "HP:1"}, "a": set()}, {"b": {"HP:1", "HP:9", "HP:2"}, "z": {"HP:1"}})
    assert found == (
        Outcome("a", tp=(), fp=(), fn=()),
        Outcome("b", tp=("HP:1",), fp=("HP:2", "HP:9"), fn=("HP:3",)),
    )


def test_a_gold_document_nobody_predicted_is_an_empty_prediction():
    (only,) = compare({"a": {"HP:1"}}, {})
    assert only == Outcome("a", tp=(), fp=(), fn=("HP:1",))


def open_gold():
    """X is closed; Y has decided items; in Z a person added one, and nothing the machine said is decided."""
    return compare(
        {"X": {1, 2}, "Y": {4}, "Z": {8}},
        {"X": {1, 3, 9}, "Y": {4, 5, 6, 7}, "Z": {7}},
        decided={"X": {1, 2, 3}, "Y": {5, 6}},
        complete={"X"},
    )


def test_open_gold_sets_undecided_predictions_aside_and_knows_no_misses():
    assert open_gold() == (
        Outcome("X", tp=(1,), fp=(3,), fn=(2,), undecided=(9,), complete=True),
        Outcome("Y", tp=(4,), fp=(5, 6), fn=(), undecided=(7,), complete=False),
        Outcome("Z", tp=(), fp=(), fn=(), undecided=(7,), complete=False),
    )


def test_an_open_document_has_precision_only_if_something_is_decided():
    x, y, z = open_gold()
    assert x.ratios() == Ratios(0.5, 0.5, 0.5)
    assert y.ratios() == Ratios(pytest.approx(1 / 3), None, None)
    assert z.ratios() == Ratios(None, None, None)


def test_a_closed_document_without_gold_enters_although_nothing_names_it_but_the_closing():
    (only,) = compare({}, {}, decided={}, complete={"X"})
    assert only == Outcome("X", tp=(), fp=(), fn=())
    assert only.ratios() == (1.0, 1.0, 1.0)


def test_a_document_known_only_by_its_rejections_enters_precision():
    (only,) = compare({}, {"X": {1}}, decided={"X": {1}}, complete=set())
    assert only.fp == (1,)
    assert only.ratios().precision == 0.0


def test_items_behind_each_measure_add_up_to_its_denominator():
    outcomes = open_gold()
    assert items_behind(outcomes, "precision") == [
        Item("X", 1, "tp"),
        Item("X", 3, "fp"),
        Item("Y", 4, "tp"),
        Item("Y", 5, "fp"),
        Item("Y", 6, "fp"),
    ]
    assert items_behind(outcomes, "recall", complete_only=True) == [Item("X", 1, "tp"), Item("X", 2, "fn")]
    assert items_behind(outcomes, "undecided") == [
        Item("X", 9, "undecided"),
        Item("Y", 7, "undecided"),
        Item("Z", 7, "undecided"),
    ]
    assert set(BEHIND) == {"precision", "recall", "f1", "tp", "fp", "fn", "undecided"}
