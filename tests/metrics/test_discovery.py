"""NIL discovery by hand, by the figures of the paper, and by property (metric-definitions 3.2)."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.metrics import BESIDE
from core.metrics.discovery import NIL, Case, discover, units

STRATA = ("nil", "in_kb", "in_kb_detection")


def cases(*pairs):
    return [Case("d", f"m{i}", gold, predicted) for i, (gold, predicted) in enumerate(pairs)]


def values(found, stratum):
    return tuple(found.estimates[f"{stratum}_{m}"].value for m in ("precision", "recall", "f1"))


WORKED = cases(
    (NIL, NIL),  # TP_out
    (NIL, "X:1"),  # a concept for a new one: in the denominator of in-KB precision
    (NIL, None),
    ("X:1", "X:1"),  # TP_in
    ("X:2", "X:1"),  # the wrong concept is no true positive, but known it is
    ("X:3", NIL),
    ("X:4", None),
    ("X:5", "X:5"),
)
"""Gold: 3 NIL, 5 concepts. Predicted: 2 NIL, 4 concepts, 2 none."""


def test_worked_example():
    found = discover(WORKED)
    assert found.estimates["accuracy"].value == pytest.approx(3 / 8, abs=1e-9)
    assert values(found, "nil") == pytest.approx((1 / 2, 1 / 3, 2 / 5), abs=1e-9)
    assert values(found, "in_kb") == pytest.approx((2 / 4, 2 / 5, 4 / 9), abs=1e-9)
    assert values(found, "in_kb_detection") == pytest.approx((3 / 4, 3 / 5, 2 / 3), abs=1e-9)
    assert {e.n for e in found.estimates.values()} == {8}
    assert found.counts == {
        "n": 8,
        "unpredicted": 2,
        "nil_gold": 3,
        "nil_predicted": 2,
        "nil_tp": 1,
        "in_kb_gold": 5,
        "in_kb_predicted": 4,
        "in_kb_tp": 2,
        "in_kb_detection_gold": 5,
        "in_kb_detection_predicted": 4,
        "in_kb_detection_tp": 3,
    }


def test_figures_of_the_paper():
    # 3,970 known and 115 new mentions, R_in 56.2 % and R_out 47.0 %: accuracy 55.9 %, as its table 3 prints
    known, new = 2231, 54
    assert (round(known / 3970, 3), round(new / 115, 3)) == (0.562, 0.470)
    found = discover(
        [
            *cases(*[("X:1", "X:1")] * known, *[("X:1", None)] * (3970 - known)),
            *cases(*[(NIL, NIL)] * new, *[(NIL, None)] * (115 - new)),
        ]
    )
    assert found.estimates["accuracy"].n == 4085
    assert round(found.estimates["accuracy"].value, 3) == 0.559
    assert found.estimates["accuracy"].value == pytest.approx(2285 / 4085, abs=1e-9)


def test_one_mention_of_two_concepts_is_two_items():
    found = discover([Case("d", "m", "X:1", "X:1"), Case("d", "m", "X:2", "X:1")])
    assert found.estimates["accuracy"].value == 0.5


def test_no_items_every_value_is_undefined():
    found = discover([])
    assert {(e.value, e.n, e.reason) for e in found.estimates.values()} == {
        (None, 0, "There are no mentions to judge.")
    }


def test_a_stratum_absent_from_both_sides_is_undefined_and_the_other_is_not():
    found = discover(cases(("X:1", "X:1"), ("X:2", None)))
    assert values(found, "nil") == (None, None, None)
    assert found.estimates["nil_f1"].reason == "No mention is NIL in the gold, and none was called so."
    assert values(found, "in_kb") == pytest.approx((1.0, 0.5, 2 / 3), abs=1e-9)
    only_nil = discover(cases((NIL, NIL), (NIL, None)))
    assert values(only_nil, "in_kb") == values(only_nil, "in_kb_detection") == (None, None, None)


@pytest.mark.parametrize("pair", [("X:1", NIL), (NIL, None), (NIL, "X:1")])
def test_inside_a_stratum_of_one_side_a_zero_denominator_gives_zero(pair):
    assert values(discover(cases(pair)), "nil") == (0.0, 0.0, 0.0)


def test_every_value_opens_what_it_counts():
    found = discover(WORKED)
    for stratum in STRATA:
        for count in ("gold", "predicted", "tp"):
            assert len(found.items(f"{stratum}_{count}")) == found.counts[f"{stratum}_{count}"]
        precision, recall = (found.items(f"{stratum}_{m}") for m in ("precision", "recall"))
        assert len(precision) == found.counts[f"{stratum}_predicted"]
        assert len(recall) == found.counts[f"{stratum}_gold"]
    assert [i.id for i in found.items("unpredicted")] == ["m2", "m6"]
    assert len(found.items("accuracy")) == 8
    wrong = [i for i in found.items("in_kb_f1") if i.id == "m4"]
    assert [(i.outcome, i.detail) for i in wrong] == [
        ("fp", "gold X:2, predicted X:1"),
        ("fn", "gold X:2, predicted X:1"),
    ]
    with pytest.raises(KeyError):
        found.items("elsewhere_f1")


PREDICTED = st.sampled_from([NIL, None, "X:1", "X:2"])
PAIRS = st.lists(st.tuples(st.sampled_from([NIL, "X:1", "X:2"]), PREDICTED), max_size=12)


@settings(max_examples=60, deadline=None)
@given(PAIRS, st.randoms(use_true_random=False))
def test_order_does_not_matter_values_stay_in_range_and_linking_never_beats_detection(pairs, generator):
    given_ = cases(*pairs)
    found = discover(given_)
    assert discover(generator.sample(given_, len(given_))) == found
    assert all(e.value is None or 0 <= e.value <= 1 for e in found.estimates.values())
    if values(found, "in_kb")[0] is not None:
        assert values(found, "in_kb")[2] <= values(found, "in_kb_detection")[2]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from([NIL, "X:1", "X:2"]), min_size=1))
def test_a_perfect_prediction_scores_one_wherever_it_is_defined(gold):
    found = discover(cases(*zip(gold, gold, strict=True)))
    assert found.estimates["accuracy"].value == 1.0
    assert {e.value for e in found.estimates.values()} <= {1.0, None}


def test_every_value_is_registered():
    assert set(discover(WORKED).estimates) == set(BESIDE["discovery"].metrics)


def test_intervals_resample_documents_and_mentions_that_name_none_stand_alone():
    rows = [Case("d1", "m1", NIL, NIL), Case("d1", "m2", "X:1", "X:2"), Case("d2", "m3", "X:1", "X:1")]
    assert units([*rows, Case("", "m4", NIL, None)]) == ("d1", "d2", "m4")
    # d1 twice: 1 of 2 right; d2 twice: 1 of 1, and no NIL; both: 2 of 3
    lists = np.array([[0, 0], [1, 1], [0, 1]])
    found = discover(rows, index_lists=lists, level=0.5)
    assert found.resampled["accuracy"].tolist() == pytest.approx([1 / 2, 1, 2 / 3], abs=1e-9)
    assert found.resampled["in_kb_recall"].tolist() == pytest.approx([0, 1, 1 / 2], abs=1e-9)
    assert np.isnan(found.resampled["nil_f1"]).tolist() == [False, True, False]
    accuracy = found.estimates["accuracy"]
    assert (accuracy.low, accuracy.high) == pytest.approx((7 / 12, 5 / 6), abs=1e-9)
    assert found.estimates["nil_f1"].dropped == 1
