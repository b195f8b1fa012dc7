"""Intervals of agreement: equal to a naive loop over documents on the same draws."""

import math

import numpy as np
import pytest

from core.metrics.agreement import agreement, alpha, fleiss
from core.metrics.agreement_intervals import (
    Bootstrap,
    alpha_estimate,
    distant_alpha,
    f1_estimate,
    fleiss_estimate,
    kappa,
    observed,
)
from core.metrics.bootstrap import draws

HOW = Bootstrap(200, 13, 0.9)
LABELS = ["affirmed", "negated", "absent"]


def tabulate(units):
    """Items x labels, in order of their names: how many raters gave it."""
    rows = [[label for label in unit if label is not None] for unit in units]
    names = sorted({label for row in rows for label in row}, key=str)
    return [[row.count(name) for name in names] for row in rows]


def random_ratings(raters, missing, seed=3):
    """20 documents of 0 to 5 items; a document without items is resampled, too."""
    generator = np.random.default_rng(seed)
    documents = [f"d{i:02}" for i in range(20)]
    ratings = []
    for doc_id in documents:
        for _ in range(generator.integers(0, 6)):
            said = [LABELS[i] for i in generator.integers(0, 3, raters)]
            ratings.append((doc_id, tuple(None if generator.random() < missing else s for s in said)))
    return documents, ratings


def naive(documents, ratings, value):
    """Low, high and dropped of `value` over resamples, one document at a time."""
    held = {d: [unit for doc_id, unit in ratings if doc_id == d] for d in documents}
    found = []
    for block in draws(len(documents), HOW.resamples, HOW.seed):
        for indices in block:
            result = value([unit for i in indices for unit in held[documents[i]]])
            found.append(math.nan if result is None else result)
    kept = [v for v in found if not math.isnan(v)]
    low, high = np.percentile(kept, [5, 95])
    return pytest.approx(low, abs=1e-9), pytest.approx(high, abs=1e-9), len(found) - len(kept)


def test_kappa():
    documents, ratings = random_ratings(2, 0.1)
    found = kappa(ratings, documents, HOW)
    assert found.value == agreement(unit for _, unit in ratings).kappa
    expected = naive(documents, ratings, lambda units: agreement(units).kappa)
    assert (found.low, found.high, found.dropped) == expected
    assert found.n == 20


def test_alpha():
    documents, ratings = random_ratings(3, 0.4)
    found = alpha_estimate(ratings, documents, HOW)
    assert found.value == alpha(unit for _, unit in ratings).value
    assert (found.low, found.high, found.dropped) == naive(documents, ratings, lambda u: alpha(u).value)


def test_fleiss():
    documents, ratings = random_ratings(4, 0)
    found = fleiss_estimate(ratings, documents, HOW)
    assert found.value == fleiss(tabulate(unit for _, unit in ratings)).value
    expected = naive(documents, ratings, lambda units: fleiss(tabulate(units)).value)
    assert (found.low, found.high, found.dropped) == expected


def test_f1():
    documents, ratings = random_ratings(2, 0)
    named = [
        (d, float(a == b == "affirmed"), float((a == "affirmed") + (b == "affirmed")))
        for d, (a, b) in ratings
    ]
    found = f1_estimate(named, documents, HOW)

    def value(units):
        both = sum(a == b == "affirmed" for a, b in units)
        either = sum((a == "affirmed") + (b == "affirmed") for a, b in units)
        return 2 * both / either if either else 1.0

    assert found.value == pytest.approx(value([unit for _, unit in ratings]), abs=1e-9)
    assert (found.low, found.high, found.dropped) == naive(documents, ratings, value)


def test_observed_agreement_counts_items_on_which_all_who_rated_say_the_same():
    documents, ratings = random_ratings(3, 0.3)
    found = observed(ratings, documents, HOW)

    def value(units):
        said = [[label for label in unit if label is not None] for unit in units]
        rated = [labels for labels in said if len(labels) > 1]
        return sum(len(set(labels)) == 1 for labels in rated) / len(rated) if rated else None

    assert found.value == pytest.approx(value([unit for _, unit in ratings]), abs=1e-9)
    assert (found.low, found.high, found.dropped) == naive(documents, ratings, value)
    alone = observed([("d1", ("affirmed", None))], ["d1"], HOW)
    assert (alone.value, alone.low, alone.reason) == (None, None, "No item was rated by two.")


def apart(left, right):
    """Affirmed and negated are half apart, everything else is wholly so."""
    return [0.5 if {a, b} == {"affirmed", "negated"} else 1.0 for a, b in zip(left, right, strict=True)]


def test_alpha_with_a_distance_resamples_documents():
    documents, ratings = random_ratings(3, 0.3)
    found = distant_alpha(ratings, documents, apart, HOW)
    assert found.value == alpha((unit for _, unit in ratings), apart).value
    low, high, dropped = naive(documents, ratings, lambda units: alpha(units, apart).value)
    assert (found.low, found.high, found.dropped) == (pytest.approx(low), pytest.approx(high), dropped)
    one_label = distant_alpha([("d1", ("affirmed", "affirmed"))], ["d1", "d2"], apart, HOW)
    assert (one_label.value, one_label.low) == (None, None)
    assert one_label.reason
    assert distant_alpha([], ["d1"], apart, HOW).reason == "No item was rated by two."


@pytest.mark.parametrize("estimate", [kappa, alpha_estimate, fleiss_estimate])
def test_undefined_says_why_and_has_no_interval(estimate):
    one_label = [("d1", ("absent", "absent")), ("d2", ("absent", "absent"))]
    for ratings, documents in (([], []), ([], ["d1"]), (one_label, ["d1", "d2"])):
        found = estimate(ratings, documents, HOW)
        assert (found.value, found.low, found.high, found.n) == (None, None, None, len(documents))
        assert found.reason


def test_silence_is_agreement_where_somebody_looked():
    assert f1_estimate([], ["d1"], HOW).value == 1  # V1
    nothing = f1_estimate([], [], HOW)
    assert (nothing.value, nothing.reason) == (None, "No document was looked at by both.")


def test_without_resamples_there_is_no_interval():
    documents, ratings = random_ratings(2, 0)
    found = kappa(ratings, documents, Bootstrap(0))
    assert (found.low, found.high, found.dropped) == (None, None, 0)


def test_the_same_seed_gives_the_same_interval_and_another_does_not():
    documents, ratings = random_ratings(2, 0)
    assert kappa(ratings, documents, HOW) == kappa(ratings, documents, HOW)
    assert kappa(ratings, documents, HOW).low != kappa(ratings, documents, HOW._replace(seed=14)).low
