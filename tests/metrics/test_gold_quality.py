"""Figures of a gold standard by hand, and their intervals against a naive loop."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.metrics.bootstrap import draws
from core.metrics.gold_quality import NO_DOCUMENTS, NO_TOKENS, density, per_document


def test_density_is_pooled_over_documents():
    # 3 annotations in 40 + 10 tokens: 6 per 100; the mean of the documents would be (2.5 + 20)/2
    found = density([1, 2], [40, 10])
    assert (found.value, found.n) == (pytest.approx(6, abs=1e-9), 2)


def test_density_without_text_is_undefined():
    assert (density([], []).value, density([], []).reason) == (None, NO_DOCUMENTS)
    assert (density([1], [0]).value, density([1], [0]).reason) == (None, NO_TOKENS)
    assert density([0], [10]).value == 0


def test_intervals_equal_a_naive_loop_on_the_same_draws():
    marked, lengths = [1, 0, 4, 2, 0], [30, 0, 25, 60, 10]
    (lists,) = draws(5, 300, 3)
    found = density(marked, lengths, lists, 0.9)
    values = [
        100 * sum(marked[i] for i in picked) / length
        for picked in lists
        if (length := sum(lengths[i] for i in picked))
    ]
    assert (found.low, found.high) == pytest.approx(np.percentile(values, [5, 95]), abs=1e-9)
    assert found.dropped == 300 - len(values)
    mean = per_document(marked, lists, 0.9)
    means = [sum(marked[i] for i in picked) / 5 for picked in lists]
    assert (mean.low, mean.high) == pytest.approx(np.percentile(means, [5, 95]), abs=1e-9)


def test_concepts_per_document_with_the_population_deviation():
    # 0, 1, 5: mean 2, squared deviations 4, 1, 9: √(14/3)
    found = per_document([0, 1, 5])
    assert (found.value, found.std) == (pytest.approx(2), pytest.approx((14 / 3) ** 0.5, abs=1e-9))
    assert per_document([]).reason == NO_DOCUMENTS
    assert per_document([3]).std == 0


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 99)), min_size=1), st.randoms())
def test_order_of_documents_does_not_matter(rows, random):
    mixed = random.sample(rows, len(rows))
    one, other = (density(*zip(*side, strict=True)) for side in (rows, mixed))
    assert one.value == other.value
