"""Task 1, conflict types (metric-definitions 9.2)."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import (
    accuracy_score,
    cohen_kappa_score,
    f1_score,
    precision_recall_fscore_support,
)

from core.metrics.bootstrap import draws
from core.metrics.conflict_types import NAMES, OVERALL, score
from core.metrics.pair_labels import CLASSES

NO, DIRECT, CONTEXT, UNDER, INSUFFICIENT, UNRESOLVED = CLASSES
NEAR = 1e-9
LABELS = [c.value for c in CLASSES]


def values(gold, predicted):
    return {name: e.value for name, e in score(gold, predicted).estimates.items()}


def test_check_the_majority_baseline_of_the_paper():
    """Table 18 of BioDivergence holds 1,782 no-conflict pairs among 2,500, and no evidence_insufficiency.
    Always predicting the majority: precision 1782/2500, recall 1, F1 = 2 * 1782 / (2500 + 1782) = 0.8323.
    Table 4 prints accuracy 0.7128, macro-F1 0.1665, weighted F1 0.5933, kappa 0: a mean over five classes
    (R29); over six it is 0.1387."""
    gold = [NO] * 1782 + [DIRECT] * 7 + [CONTEXT] * 676 + [UNDER] * 11 + [UNRESOLVED] * 24
    found = values(gold, [NO] * 2500)
    f1 = 3564 / 4282
    assert found["f1:no_conflict"] == pytest.approx(f1, abs=NEAR)
    assert found["accuracy"] == pytest.approx(0.7128, abs=NEAR)
    assert found["macro_f1"] == pytest.approx(f1 / 6, abs=NEAR)
    assert found["macro_f1_observed"] == pytest.approx(f1 / 5, abs=NEAR)
    assert found["weighted_f1"] == pytest.approx(0.7128 * f1, abs=NEAR)
    assert found["kappa"] == 0.0
    assert found["f1:contextual_contradiction"] == 0.0  # Ctx F1
    assert found["f1:direct_contradiction"] == 0.0  # Dir F1
    printed = {name: f"{found[name]:.4f}" for name in ("macro_f1_observed", "weighted_f1", "macro_f1")}
    assert printed == {"macro_f1_observed": "0.1665", "weighted_f1": "0.5933", "macro_f1": "0.1387"}


def test_unresolved_pairs_are_counted_as_table_18_has_them():
    """R30: M.5 lists unresolved_scientific_controversy among classes with n <= 7; Table 18 has 24, and the
    split sums to 2,500 only with that."""
    assert 1782 + 7 + 676 + 11 + 0 + 24 == 2500


def test_by_hand():
    """Three pairs. no_conflict: TP 1, FP 1, FN 0: P 1/2, R 1, F1 2/3. contextual: TP 0, FN 1 (and FP 0): 0.
    direct: TP 1: 1. Six-class mean (2/3 + 0 + 1) / 6; observed (2/3 + 0 + 1) / 3; weighted the same, as each
    has one gold pair. p_o = 2/3; p_e = 1/3 * 2/3 + 1/3 * 0 + 1/3 * 1/3 = 1/3; kappa = 1/2."""
    found = values([NO, CONTEXT, DIRECT], [NO, NO, DIRECT])
    assert found["precision:no_conflict"] == pytest.approx(1 / 2, abs=NEAR)
    assert found["recall:no_conflict"] == 1.0
    assert found["f1:no_conflict"] == pytest.approx(2 / 3, abs=NEAR)
    assert found["f1:contextual_contradiction"] == 0.0
    assert found["macro_f1"] == pytest.approx(5 / 18, abs=NEAR)
    assert found["macro_f1_observed"] == pytest.approx(5 / 9, abs=NEAR)
    assert found["weighted_f1"] == pytest.approx(5 / 9, abs=NEAR)
    assert found["accuracy"] == pytest.approx(2 / 3, abs=NEAR)
    assert found["kappa"] == pytest.approx(1 / 2, abs=NEAR)


def test_a_class_that_neither_side_knows_scores_zero():
    """Rule Z0 for classes; it counts among the six, not among the observed."""
    found = values([NO], [NO])
    assert found["f1:evidence_insufficiency"] == 0.0
    assert found["macro_f1"] == pytest.approx(1 / 6, abs=NEAR)
    assert found["macro_f1_observed"] == 1.0


def test_a_class_that_is_only_predicted_is_observed():
    """F1 of no_conflict: TP 1, FN 1: 2/3; of direct: FP 1: 0."""
    assert values([NO, NO], [NO, DIRECT])["macro_f1_observed"] == pytest.approx(1 / 3, abs=NEAR)


def test_without_pairs_everything_is_undefined():
    found = score([], []).estimates
    assert set(found) == set(NAMES)
    for estimate in found.values():
        assert (estimate.value, estimate.n) == (None, 0)
        assert estimate.reason


def test_kappa_is_undefined_where_both_know_one_type_only():
    found = score([CONTEXT] * 3, [CONTEXT] * 3).estimates
    assert found["kappa"].value is None
    assert "one and the same type" in found["kappa"].reason
    assert found["accuracy"].value == 1.0


def test_kappa_is_zero_where_one_side_is_constant():
    assert values([NO, DIRECT], [NO, NO])["kappa"] == 0.0


def test_labels_outside_the_schema_are_refused():
    with pytest.raises(ValueError, match="contextual"):
        score([NO], ["contextual"])
    with pytest.raises(ValueError, match="shorter"):
        score([NO], [])


def test_equal_to_scikit_learn_on_300_random_inputs():
    rng = random.Random(5)
    for _ in range(300):
        n, k = rng.randint(1, 40), rng.randint(1, 6)
        classes = rng.sample(range(6), k)  # scikit-learn is quicker with numbers
        y, z = ([rng.choice(classes) for _ in range(n)] for _ in range(2))
        found = values([CLASSES[i] for i in y], [CLASSES[i] for i in z])
        six = precision_recall_fscore_support(y, z, labels=range(6), zero_division=0)
        for row, measure in enumerate(("precision", "recall", "f1")):
            assert [found[f"{measure}:{c}"] for c in LABELS] == pytest.approx(six[row], abs=NEAR)
        assert found["macro_f1"] == pytest.approx(float(np.mean(six[2])), abs=NEAR)
        assert found["weighted_f1"] == pytest.approx(np.average(six[2], weights=six[3]), abs=NEAR)
        observed = f1_score(y, z, average="macro", zero_division=0)
        assert found["macro_f1_observed"] == pytest.approx(observed, abs=NEAR)
        assert found["accuracy"] == pytest.approx(accuracy_score(y, z), abs=NEAR)
        if len({*y, *z}) == 1:
            assert found["kappa"] is None
        else:
            assert found["kappa"] == pytest.approx(cohen_kappa_score(y, z), abs=NEAR)


PAIRS = st.lists(st.tuples(st.sampled_from(CLASSES), st.sampled_from(CLASSES)), min_size=1, max_size=20)


@settings(max_examples=50)
@given(PAIRS, st.randoms())
def test_order_of_pairs_does_not_matter(pairs, rng):
    shuffled = rng.sample(pairs, len(pairs))
    assert values(*zip(*pairs, strict=True)) == pytest.approx(values(*zip(*shuffled, strict=True)), abs=NEAR)


@settings(max_examples=50)
@given(PAIRS)
def test_range_and_symmetry(pairs):
    gold, said = zip(*pairs, strict=True)
    found, mirrored = values(gold, said), values(said, gold)
    for name, value in found.items():
        low = -1 if name == "kappa" else 0
        assert value is None or low - NEAR <= value <= 1 + NEAR
    for name in ("macro_f1", "macro_f1_observed", "accuracy", "kappa"):
        assert found[name] == pytest.approx(mirrored[name], abs=NEAR)
    for c in LABELS:
        assert found[f"precision:{c}"] == mirrored[f"recall:{c}"]


@given(st.lists(st.sampled_from(CLASSES), min_size=1, max_size=20))
def test_a_perfect_prediction_has_the_best_values(gold):
    found = values(gold, gold)
    for name in ("macro_f1_observed", "accuracy", "weighted_f1"):
        assert found[name] == pytest.approx(1.0, abs=NEAR)
    assert found["kappa"] in (None, pytest.approx(1.0, abs=NEAR))
    assert found["macro_f1"] == pytest.approx(len(set(gold)) / 6, abs=NEAR)


def test_resamples_are_reproducible_and_equal_a_naive_loop():
    rng = random.Random(3)
    gold, said = ([rng.choice(CLASSES) for _ in range(12)] for _ in range(2))
    lists = next(iter(draws(12, 20, seed=4)))
    found = score(gold, said, index_lists=lists)
    again = score(gold, said, index_lists=draws(12, 20, seed=4))
    for name in OVERALL:
        naive = [values([gold[i] for i in row], [said[i] for i in row])[name] for row in lists]
        assert found.resampled[name] == pytest.approx(naive, abs=NEAR)
        assert found.estimates[name] == again.estimates[name]
        assert found.estimates[name].low == pytest.approx(float(np.percentile(naive, 2.5)), abs=NEAR)
