"""Figures hold the numbers they are given."""

import pytest

from core.charts import (
    BINS,
    Flow,
    Interval,
    bin_name,
    bin_of,
    distribution,
    figure_html,
    funnel,
    in_bins,
    intervals,
)


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


def test_distribution_counts_documents_and_leaves_undefined_out():
    figure = distribution({"before review": [0.0, 0.05, 1.0, None, 0.5], "after review": [1.0]})
    assert list(figure.data[0].y) == [2, 0, 0, 0, 0, 1, 0, 0, 0, 1]
    assert list(figure.data[1].y) == [0] * 9 + [1]
    assert figure.layout.legend.y == -0.3
    assert figure.layout.margin.t == 8


def test_intervals_reach_exactly_from_low_to_high():
    figure = intervals(
        {"proposals": [Interval("F1", 0.5, 0.0, 0.75), Interval("Recall", None), Interval("P", 1.0)]}
    )
    (dots,) = figure.data
    assert list(dots.x) == [0.5, 1.0]
    assert list(dots.error_x.array) == [0.25, 0]
    assert list(dots.error_x.arrayminus) == [0.5, 0]
    assert list(figure.layout.yaxis.ticktext) == ["F1", "Recall", "P"]


def test_a_funnel_has_one_bar_per_stage_whose_parts_add_up():
    figure = funnel([Flow("Generate", 0, 5, 0), Flow("Classify", 3, 0, 2)])
    assert {bar.name: list(bar.x) for bar in figure.data} == {
        "Kept": [0, 3],
        "Added": [5, 0],
        "Dropped": [0, 2],
    }
    assert list(figure.data[0].y) == ["Generate", "Classify"]
    assert figure.layout.yaxis.autorange == "reversed"  # the first stage on top
    assert [bar.text[0] for bar in figure.data] == ["", "5", ""]  # no zeros in the bars


def test_a_fragment_brings_its_library_once_and_asks_for_nothing_else():
    figure = distribution({"proposals": [0.5]})
    alone = figure_html(figure, with_library=False)
    assert "cdn." not in alone
    assert len(alone) < 20_000
    assert len(figure_html(figure)) > 1_000_000
