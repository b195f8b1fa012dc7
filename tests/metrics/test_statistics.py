"""Size and breadth of labels, by hand and against the coverage that the paper prints."""

import pytest

from core.metrics.statistics import statistics

LABELS = {"d1": {"X:1", "X:2"}, "d2": {"X:1"}, "d3": set(), "d4": {"X:9"}}


def test_counts_by_hand():
    found = statistics(LABELS, {"X:1", "X:2", "X:3", "X:4"})
    assert (found.passages, found.labelled, found.labels, found.unique) == (4, 3, 4, 3)
    assert (found.concepts, found.outside) == (4, 1)
    assert (found.coverage, found.labels_per_passage, found.reason) == (0.5, 1.0, None)


@pytest.mark.parametrize(
    ("unique", "concepts", "printed"), [(431, 18_354, 2.35), (690, 29_367, 2.35), (12_725, 18_354, 69.33)]
)
def test_coverage_is_the_paper_s(unique, concepts, printed):
    found = statistics({"all": set(range(unique))}, set(range(concepts)))
    assert round(100 * found.coverage, 2) == printed


@pytest.mark.parametrize("concepts", [None, set()])
def test_without_an_ontology_there_is_no_coverage(concepts):
    found = statistics(LABELS, concepts)
    assert (found.coverage, found.labels) == (None, 4)
    assert "ontology" in found.reason


def test_nothing_at_all():
    found = statistics({}, {"X:1"})
    assert (found.passages, found.labels, found.unique, found.coverage) == (0, 0, 0, 0.0)
    assert found.labels_per_passage is None
    assert found.to_json()["labels_per_passage"] is None
