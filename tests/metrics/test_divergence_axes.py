"""Task 2, divergence axes (metric-definitions 9.3)."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, precision_recall_fscore_support

from core.metrics.bootstrap import draws
from core.metrics.divergence_axes import MEASURES, OVERALL, score
from core.metrics.pair_labels import AXES, SPACES
from core.records import PRIMARY_AXES, Axis

NEAR = 1e-9
GEO, STUDY, DOSE, SUBTYPE = (
    Axis.GEOGRAPHY,
    Axis.STUDY_DESIGN,
    Axis.DOSAGE_INTERVENTION,
    Axis.DISEASE_SUBTYPE,
)


def values(gold, predicted, space=AXES):
    return {name: e.value for name, e in score(gold, predicted, space).estimates.items()}


def test_check_the_frequency_baseline_of_the_paper():
    """Test counts of Table 18: 502 disease_subtype among 1,299 axes of 2,500 pairs. Always predicting it:
    micro-P 502/2500 = 0.2008, micro-R 502/1299 = 0.3865, micro-F1 2 * 502 / (2500 + 1299) = 0.2643; the
    axis' own F1 is 2 * 502 / (2500 + 502) and all others are 0, so macro-F1 is a 13th of it, 0.0257; all as
    Table 5 prints. Exact match there is 0.0076: 19 pairs with that axis alone."""
    counts = [168, 68, 71, 62, 47, 3, 502, 202, 5, 121, 1, 46, 3]  # in the order of the axes
    assert sum(counts) == 1299
    gold = [set() for _ in range(2500)]
    for axis, count in zip(AXES, counts, strict=True):  # only the counts are known, not who goes with whom
        for i in range(count):
            gold[i].add(axis)
    found = values(gold, [{SUBTYPE}] * 2500)
    assert found["micro_precision"] == pytest.approx(502 / 2500, abs=NEAR)
    assert found["micro_recall"] == pytest.approx(502 / 1299, abs=NEAR)
    assert found["micro_f1"] == pytest.approx(1004 / 3799, abs=NEAR)
    assert found["macro_f1"] == pytest.approx(1004 / 3002 / 13, abs=NEAR)
    names = ("micro_f1", "macro_f1", "micro_precision", "micro_recall")
    assert [f"{found[name]:.4f}" for name in names] == ["0.2643", "0.0257", "0.2008", "0.3865"]


def test_by_hand():
    """Three pairs: {geography, study} against {geography}; {} against {}; {dose} against {study}.
    TP 1, FP 1, FN 2: P 1/2, R 1/3, F1 2/5. Per axis: geography 1, study TP 0 (FP 1, FN 1) 0, dose (FN 1) 0.
    Macro over 13: P 1/13, R 1/13, F1 1/13. Exact: the second pair alone, 1/3."""
    found = values([{GEO, STUDY}, set(), {DOSE}], [{GEO}, set(), {STUDY}])
    assert found["micro_precision"] == pytest.approx(1 / 2, abs=NEAR)
    assert found["micro_recall"] == pytest.approx(1 / 3, abs=NEAR)
    assert found["micro_f1"] == pytest.approx(2 / 5, abs=NEAR)
    for measure in MEASURES:
        assert found[f"macro_{measure}"] == pytest.approx(1 / 13, abs=NEAR)
        assert found[f"{measure}:geography"] == 1.0
        assert found[f"{measure}:study_design"] == 0.0
        assert found[f"{measure}:dosage_intervention"] == 0.0
    assert found["exact_match"] == pytest.approx(1 / 3, abs=NEAR)


def test_the_primary_view_drops_axes_on_both_sides_and_keeps_every_pair():
    """The third pair loses its gold and keeps its wrong prediction: FP 1. The fourth becomes empty on both
    sides, which is an exact match. TP 1, FP 1, FN 1; exact 2/4."""
    gold = [{GEO, STUDY}, set(), {DOSE}, {DOSE}]
    said = [{GEO}, set(), {STUDY}, {DOSE, Axis.SAMPLE_SOURCE}]
    found = score(gold, said, SPACES["primary"]).estimates
    assert found["exact_match"].value == pytest.approx(2 / 4, abs=NEAR)
    assert found["exact_match"].n == 4
    assert found["micro_f1"].value == pytest.approx(2 / 4, abs=NEAR)
    assert found["macro_f1"].value == pytest.approx(1 / 9, abs=NEAR)
    assert "f1:dosage_intervention" not in found


def test_an_axis_that_never_occurs_contributes_zero():
    found = values([{GEO}], [{GEO}])
    assert found["f1:endpoint_definition"] == 0.0
    assert found["macro_f1"] == pytest.approx(1 / 13, abs=NEAR)
    assert values([{GEO}], [{GEO}], PRIMARY_AXES)["macro_f1"] == pytest.approx(1 / 9, abs=NEAR)


def test_pairs_without_any_axis():
    """Nothing to find and nothing found: micro 1 (rule V1), exact 1; macro 0, as no axis occurs."""
    found = values([set(), set()], [set(), set()])
    assert [found[f"micro_{m}"] for m in MEASURES] == [1.0, 1.0, 1.0]
    assert [found[f"macro_{m}"] for m in MEASURES] == [0.0, 0.0, 0.0]
    assert found["exact_match"] == 1.0


@pytest.mark.parametrize(("gold", "said"), [([{GEO}], [set()]), ([set()], [{GEO}])])
def test_silence_against_something_is_zero(gold, said):
    found = values(gold, said)
    assert {found[name] for name in OVERALL} == {0.0}


def test_without_pairs_everything_is_undefined():
    for estimate in score([], []).estimates.values():
        assert (estimate.value, estimate.n) == (None, 0)
        assert estimate.reason


def test_duplicates_count_once():
    assert values([[GEO, GEO]], [[GEO, STUDY, STUDY]]) == values([{GEO}], [{GEO, STUDY}])


def test_off_schema_axes_are_refused():
    """R39: the reader drops and counts them (`pair_labels.repaired`); a score never sees one."""
    with pytest.raises(ValueError, match="diet"):
        score([{GEO}], [{"diet"}])


def test_equal_to_scikit_learn_on_300_random_inputs():
    rng = random.Random(7)
    for _ in range(300):
        n, share = rng.randint(1, 25), rng.uniform(0.02, 0.5)
        space = rng.choice([AXES, PRIMARY_AXES])
        gold, said = ([{axis for axis in AXES if rng.random() < share} for _ in range(n)] for _ in range(2))
        y, z = (
            np.array([[axis in row for axis in space] for row in side], dtype=int) for side in (gold, said)
        )
        found = values(gold, said, space)
        if y.any() or z.any():  # else scikit-learn says 0 where rule V1 says 1
            expected = precision_recall_fscore_support(y, z, average="micro", zero_division=0)[:3]
            assert [found[f"micro_{measure}"] for measure in MEASURES] == pytest.approx(expected, abs=NEAR)
        assert found["exact_match"] == pytest.approx(accuracy_score(y, z), abs=NEAR)
        per_axis = precision_recall_fscore_support(y, z, average=None, zero_division=0)
        for measure, row in zip(MEASURES, per_axis, strict=False):
            assert found[f"macro_{measure}"] == pytest.approx(row.mean(), abs=NEAR)
            assert [found[f"{measure}:{axis.value}"] for axis in space] == pytest.approx(row, abs=NEAR)


SETS = st.sets(st.sampled_from(AXES), max_size=4)
PAIRS = st.lists(st.tuples(SETS, SETS), min_size=1, max_size=12)


@settings(max_examples=40)
@given(PAIRS, st.randoms())
def test_order_does_not_matter_and_sides_mirror(pairs, rng):
    gold, said = zip(*pairs, strict=True)
    found = values(gold, said)
    shuffled = rng.sample(pairs, len(pairs))
    assert values(*zip(*shuffled, strict=True)) == pytest.approx(found, abs=NEAR)
    mirrored = values(said, gold)
    for name in ("micro_f1", "macro_f1", "exact_match"):
        assert mirrored[name] == pytest.approx(found[name], abs=NEAR)
    assert mirrored["micro_precision"] == pytest.approx(found["micro_recall"], abs=NEAR)
    assert all(0 <= value <= 1 for value in found.values())


@settings(max_examples=40)
@given(st.lists(SETS, min_size=1, max_size=12))
def test_a_perfect_prediction_has_the_best_values(gold):
    found = values(gold, gold)
    assert found["micro_f1"] == found["exact_match"] == 1.0
    assert found["macro_f1"] == pytest.approx(len(set().union(*gold)) / 13, abs=NEAR)


def test_resamples_equal_a_naive_loop():
    rng = random.Random(11)
    gold, said = ([set(rng.sample(AXES, rng.randint(0, 2))) for _ in range(9)] for _ in range(2))
    lists = next(iter(draws(9, 25, seed=2)))
    found = score(gold, said, index_lists=lists)
    for name in OVERALL:
        naive = [values([gold[i] for i in row], [said[i] for i in row])[name] for row in lists]
        assert found.resampled[name] == pytest.approx(naive, abs=NEAR)
