"""Each value in [0, 1] belongs to one bar."""

import pytest

from core.charts import BINS, bin_name, bin_of, draw, in_bins, spread


@pytest.mark.parametrize(
    ("value", "index"), [(0, 0), (0.0999, 0), (0.1, 1), (0.3, 3), (0.7, 7), (0.6, 6), (0.999, 9), (1, 9)]
)
def test_each_value_falls_into_the_bar_its_label_says(value, index):
    assert bin_of(value) == index


def test_every_tenth_falls_into_its_own_bar_also_as_a_quotient():
    for k in range(BINS):
        assert bin_of(k / 10) == k
        assert bin_of((2 * k) / 20) == bin_of(1 - (10 - k) / 10) == k
    assert bin_name(3) == "0.3 to 0.4"


def test_undefined_belongs_to_no_bar():
    assert in_bins(0.35, {3})
    assert not in_bins(0.35, {2})
    assert not in_bins(None, set(range(BINS)))


def test_a_spread_counts_documents_and_leaves_undefined_out():
    table = spread({"before review": [0.0, 0.05, 1.0, None, 0.5], "after review": [1.0]})
    assert [row[1] for row in table.rows] == [2, 0, 0, 0, 0, 1, 0, 0, 0, 1]
    assert [row[2] for row in table.rows] == [0] * 9 + [1]
    before, after = draw(table).data
    assert [list(bar.y) for bar in (before, after)] == [[row[at] for row in table.rows] for at in (1, 2)]
