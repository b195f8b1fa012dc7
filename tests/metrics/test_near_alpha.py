"""Hierarchy-aware alpha: by hand, and its interval as a naive loop over resampled documents gives it."""

import numpy as np
import pytest

from core.metrics.agreement import ALL_ALIKE, NONE_TWICE, alpha
from core.metrics.agreement_intervals import Bootstrap
from core.metrics.bootstrap import draws
from core.metrics.near_agreement import ABSENT, Aligned, align
from core.metrics.near_alpha import crossed, hierarchy_alpha

YES, NO = "affirmed", "negated"
PLACES = {"seizure": 0.0, "focal": 0.2, "tonic": 0.25, "cough": 3.0, "wheeze": 3.5}


def similar(left, right):
    return [max(0.0, 1 - abs(PLACES[a] - PLACES[b])) for a, b in zip(left, right, strict=True)]


def test_by_hand():
    items = [
        Aligned("d1", ("cough", YES), ("cough", YES), 1.0),
        Aligned("d1", ("seizure", YES), ("focal", YES), 0.8),
        Aligned("d2", ("tonic", NO), ("tonic", YES), 1.0),
        Aligned("d2", None, ("cough", NO), 0.0),
    ]
    found = hierarchy_alpha(items, ["d1", "d2", "d3"], crossed(similar), Bootstrap(0))
    # D_o over 8 ratings: (2·0 + 2·0.2 + 2·1 + 2·1) / 8 = 0.55
    # ordered pairs of different labels: 64 - (4 + 6) = 54 (cough affirmed twice, six single ones), less what
    # affirmed seizure, focal (0.8) and tonic (0.75 and 0.95) have in common: 54 - 2 (0.8 + 0.75 + 0.95) = 49
    assert found.value == pytest.approx(1 - 0.55 / (49 / 56), abs=1e-9)
    assert (found.n, found.low, found.std) == (3, None, None)


def test_interval_is_that_of_a_naive_loop():
    generator = np.random.default_rng(11)
    names, statuses = sorted(PLACES), [YES, YES, NO, ABSENT]
    sides = [
        {
            f"{d:02}": {c: statuses[generator.integers(4)] for c in names if generator.random() < 0.7}
            for d in range(9)
        }
        for _ in range(2)
    ]
    items = align(*sides, similar, 0.7)
    documents = [f"{d:02}" for d in range(9)]
    found = hierarchy_alpha(items, documents, crossed(similar), Bootstrap(80, 3, 0.9))

    def distance(left, right):
        return [
            1 - similar([a], [b])[0] if x == y and ABSENT not in (x, y) else 1.0
            for (a, x), (b, y) in zip(left, right, strict=True)
        ]

    def plain(chosen):
        absent = (None, ABSENT)
        units = [(i.a or absent, i.b or absent) for d in chosen for i in items if i.doc_id == documents[d]]
        return alpha(units, distance).value

    (lists,) = draws(9, 80, 3)
    rows = [plain(drawn) for drawn in lists.tolist()]
    kept = [value for value in rows if value is not None]
    assert found.value == pytest.approx(plain(range(9)), abs=1e-9)
    assert [found.low, found.high] == pytest.approx(np.percentile(kept, [5, 95]), abs=1e-9)
    assert found.dropped == len(rows) - len(kept)


def test_undefined_says_why():
    nothing = hierarchy_alpha([], ["d1"], crossed(similar), Bootstrap(10))
    assert (nothing.value, nothing.reason) == (None, NONE_TWICE)
    same = [Aligned(d, ("cough", YES), ("cough", YES), 1.0) for d in ("d1", "d2")]
    alike = hierarchy_alpha(same, ["d1", "d2"], crossed(similar), Bootstrap(10))
    assert (alike.value, alike.reason, alike.low) == (None, ALL_ALIKE, None)
