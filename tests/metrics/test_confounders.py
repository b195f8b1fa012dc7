"""Task 3, dominant confounder (metric-definitions 9.4, R31)."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score

from core.metrics.bootstrap import draws
from core.metrics.confounders import score, spurious
from core.metrics.pair_labels import AXES
from core.records import Axis

NEAR = 1e-9
GEO, STUDY, DOSE = Axis.GEOGRAPHY, Axis.STUDY_DESIGN, Axis.DOSAGE_INTERVENTION


def test_by_hand():
    """Gold geography, geography, study, none, none; predicted geography, none, dose, dose, none.
    Three pairs have a gold confounder, one is right: 1/3. One of the others was given one."""
    sides = [GEO, GEO, STUDY, None, None], [GEO, None, DOSE, DOSE, None]
    found = score(*sides)
    accuracy = found.estimates["accuracy"]
    assert accuracy.value == pytest.approx(1 / 3, abs=NEAR)
    assert accuracy.n == 3
    assert spurious(*sides) == 1
    of = {a: found.estimates[f"accuracy:{a.value}"] for a in (GEO, STUDY, DOSE)}
    assert [(of[a].value, of[a].n) for a in of] == [(0.5, 2), (0.0, 1), (None, 0)]
    assert of[DOSE].reason


def test_without_a_gold_confounder_it_is_undefined():
    found = score([None, None], [GEO, None])
    accuracy = found.estimates["accuracy"]
    assert (accuracy.value, accuracy.n) == (None, 0)
    assert "names a dominant confounder" in accuracy.reason
    assert spurious([None, None], [GEO, None]) == 1


def test_without_pairs_it_is_undefined():
    found = score([], [])
    assert found.estimates["accuracy"].value is None
    assert found.estimates["accuracy"].reason == "There is no pair to score."
    assert spurious([], []) == 0


def test_a_confounder_need_not_be_a_predicted_axis():
    """Nothing but the confounder itself is compared."""
    assert score([GEO], [GEO]).estimates["accuracy"].value == 1.0


def test_labels_outside_the_schema_are_refused():
    with pytest.raises(ValueError, match="diet"):
        score([GEO], ["diet"])


def test_equal_to_scikit_learn_on_300_random_inputs():
    rng = random.Random(13)
    for _ in range(300):
        n = rng.randint(1, 30)
        gold, said = ([rng.choice([None, *AXES[:4]]) for _ in range(n)] for _ in range(2))
        kept = [(str(g), str(p)) for g, p in zip(gold, said, strict=True) if g is not None]
        found = score(gold, said).estimates["accuracy"]
        if kept:
            assert found.value == pytest.approx(accuracy_score(*zip(*kept, strict=True)), abs=NEAR)
        else:
            assert found.value is None


SOME = st.sampled_from([None, *AXES])


@settings(max_examples=50)
@given(st.lists(st.tuples(SOME, SOME), min_size=1, max_size=15), st.randoms())
def test_order_does_not_matter_and_pairs_without_gold_neither(pairs, rng):
    found = score(*zip(*pairs, strict=True)).estimates["accuracy"]
    shuffled = [*rng.sample(pairs, len(pairs)), (None, None)]
    again = score(*zip(*shuffled, strict=True)).estimates["accuracy"]
    assert (again.value, again.n) == (found.value, found.n)
    assert found.value is None or 0 <= found.value <= 1


@settings(max_examples=50)
@given(st.lists(st.sampled_from(AXES), min_size=1, max_size=15))
def test_a_perfect_prediction_is_one(gold):
    assert score(gold, gold).estimates["accuracy"].value == 1.0


def test_resamples_without_a_gold_confounder_are_dropped_and_counted():
    """Three pairs, two with a confounder. A resample that draws the other one alone has no value."""
    lists = [[0, 0, 1], [0, 1, 2], [2, 2, 2], [1, 0, 2]]
    found = score([GEO, GEO, None], [GEO, GEO, None], index_lists=np.array(lists))
    assert found.estimates["accuracy"].dropped == 1
    assert found.estimates["accuracy"].low == 1.0


def test_intervals_are_reproducible():
    gold, said = [GEO, STUDY, None, DOSE] * 5, [GEO, None, None, GEO] * 5
    first, second = (score(gold, said, index_lists=draws(20, 200, seed=9)).estimates for _ in range(2))
    assert first == second
