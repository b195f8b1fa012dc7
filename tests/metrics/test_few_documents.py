"""No interval and no test from fewer than two documents; fewer than ten are marked."""

import numpy as np
import pytest

from core.metrics.agreement_intervals import Bootstrap, alpha_estimate, f1_estimate, kappa
from core.metrics.bootstrap import bounded, draws
from core.metrics.conflict_types import score as score_types
from core.metrics.corpus import score
from core.metrics.differences import over_seeds
from core.metrics.discordant import mcnemar
from core.metrics.documents import compare
from core.metrics.paired import corpus_differences, t_test, wilcoxon
from core.metrics.proportion import share
from core.metrics.slices import made


def outcomes(n, said):
    gold = {f"d{i}": {"A", "B", "C"} for i in range(n)}
    return compare(gold, dict.fromkeys(gold, said))


@pytest.mark.parametrize(("n", "bounded", "few"), [(1, False, True), (2, True, True), (9, True, True)])
def test_corpus_values_of_few_documents(n, bounded, few):
    found = score(outcomes(n, {"A"}), index_lists=draws(n)).estimates["macro_f1"]
    assert found.value == pytest.approx(0.5)
    assert (found.low is not None, found.few) == (bounded, few)
    assert bool(found.interval_reason) is not bounded
    said = found.to_json()
    assert (said["few"], said["interval_reason"] is None) == (few, bounded)


def test_ten_documents_are_not_few():
    assert not score(outcomes(10, {"A"}), index_lists=draws(10)).estimates["macro_f1"].few


def test_paired_differences_of_one_document_are_no_test():
    first, second = outcomes(1, {"A"}), outcomes(1, {"A", "B", "C"})
    found = corpus_differences(first, second)["macro_f1"]
    assert found.estimate.value == pytest.approx(0.5)
    assert (found.estimate.low, found.estimate.high, found.p) == (None, None, None)
    assert "at least 2 documents" in found.estimate.interval_reason
    assert corpus_differences(outcomes(2, {"A"}), outcomes(2, {"A", "B", "C"}))["macro_f1"].p is not None


@pytest.mark.parametrize("test", [t_test, wilcoxon])
def test_tests_over_one_document_have_no_p(test):
    assert test([0.5], "two-sided").p is None


def test_items_of_one_document_are_no_sample():
    assert mcnemar(0, 12, documents=1).p is None
    assert "at least 2 documents" in mcnemar(0, 12, documents=1).reason
    assert mcnemar(0, 12, documents=2).p == mcnemar(0, 12).p == pytest.approx(2 / 2**12)


def test_agreement_on_one_document_has_no_interval():
    rated = [("a", ("x", "x")), ("a", ("x", "y")), ("a", ("y", "y"))]
    for found in (
        kappa(rated, ["a"], Bootstrap(200)),
        alpha_estimate(rated, ["a"], Bootstrap(200)),
        f1_estimate([("a", 1.0, 3.0)], ["a"], Bootstrap(200)),
    ):
        assert found.value is not None
        assert (found.low, found.high) == (None, None)
        assert found.interval_reason


def test_one_pair_of_claims_has_no_interval():
    found = score_types(["no_conflict"], ["no_conflict"], index_lists=draws(1)).estimates["accuracy"]
    assert (found.value, found.low, found.few) == (1.0, None, True)


def test_shares_of_items_in_one_document_have_no_wilson_interval():
    assert share(3, 8).low is not None
    alone = share(3, 8, documents=1)
    assert (alone.value, alone.n, alone.low, alone.few) == (3 / 8, 8, None, True)
    assert share(1, 1).low is None
    assert share(3, 80, documents=4).few
    assert not share(3, 80, documents=12).few
    cut = made("branch", 3, 1, 1, 1, (1, 0.75))
    assert (cut.precision.value, cut.precision.low) == (3 / 4, None)
    assert made("branch", 3, 1, 1, 2, (2, 1.5)).precision.low is not None


def test_a_mean_over_runs_is_marked_by_its_documents_and_not_by_its_runs():
    assert over_seeds([0.5, 0.6], documents=4).few
    assert not over_seeds([0.5, 0.6], documents=40).few


def test_why_there_is_no_interval():
    assert bounded(0.5, 20, []).interval_reason == "No resamples were drawn."
    assert bounded(0.5, 20, np.full(5, np.nan)).interval_reason == "No resample has a value."
    fine = bounded(0.5, 20, np.linspace(0, 1, 101))
    assert (fine.low, fine.high, fine.interval_reason) == (pytest.approx(0.025), pytest.approx(0.975), None)


def test_items_are_counted_and_their_documents_decide():
    """40 mentions in one document: no interval."""
    found = bounded(0.5, 40, [0.5] * 100, documents=1)
    assert (found.n, found.low, found.few) == (40, None, True)
    assert not bounded(0.5, 40, [0.5] * 100, documents=12).few
