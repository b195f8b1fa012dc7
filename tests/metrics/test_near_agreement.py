"""Agreement where a close relative is not a whole disagreement: by hand, and as the plain one at 0 or 1."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.metrics.agreement import alpha, pairwise_f1
from core.metrics.agreement_intervals import Bootstrap
from core.metrics.near_agreement import ABSENT, Aligned, align
from core.metrics.near_agreement import hierarchy_f1 as f1_estimated
from core.metrics.near_alpha import crossed
from core.metrics.near_alpha import hierarchy_alpha as estimated

YES, NO = "affirmed", "negated"
ALIKE = {
    frozenset(("seizure", "focal")): 0.8,
    frozenset(("seizure", "tonic")): 0.75,
    frozenset(("focal", "tonic")): 0.6,
}


def similar(left, right):
    return [1.0 if a == b else ALIKE.get(frozenset((a, b)), 0.0) for a, b in zip(left, right, strict=True)]


def never(left, right):
    return [float(a == b) for a, b in zip(left, right, strict=True)]


def hierarchy_alpha(items, similar):
    return estimated(items, sorted({i.doc_id for i in items}), crossed(similar), Bootstrap(0))


def hierarchy_f1(items, documents):
    return f1_estimated(items, sorted(documents), Bootstrap(0)).value


A = {"d1": {"seizure": YES, "cough": YES, "focal": ABSENT}, "d2": {"fever": NO}, "d3": {"cough": YES}}
B = {"d1": {"focal": YES, "cough": YES, "seizure": ABSENT}, "d2": {"fever": YES}}
# d1: cough is named by both, seizure and focal are paired; d2: another status; d3: not judged by B


def test_alignment_pairs_what_is_alike():
    assert align(A, B, similar, 0.7) == [
        Aligned("d1", ("cough", YES), ("cough", YES), 1.0),
        Aligned("d1", ("seizure", YES), ("focal", YES), 0.8),
        Aligned("d2", ("fever", NO), ("fever", YES), 1.0),
    ]


def test_below_the_threshold_nothing_is_paired():
    items = align(A, B, similar, 0.85)
    assert [(i.a, i.b) for i in items if i.doc_id == "d1"] == [
        (("cough", YES), ("cough", YES)),
        (None, ("focal", YES)),
        (("seizure", YES), None),
    ]


def test_the_matching_has_the_largest_total_similarity():
    table = {("x1", "y1"): 0.9, ("x1", "y2"): 0.8, ("x2", "y1"): 0.8}

    def cross(left, right):
        return [table.get((a, b), 0.0) for a, b in zip(left, right, strict=True)]

    a = {"d": {"x1": YES, "x2": YES, "y1": ABSENT, "y2": ABSENT}}
    b = {"d": {"y1": YES, "y2": YES, "x1": ABSENT, "x2": ABSENT}}
    # greedy: 0.9; the optimum: x1-y2 and x2-y1, 1.6
    assert sum(i.similarity for i in align(a, b, cross, 0.5)) == pytest.approx(1.6, abs=1e-9)


def test_values_by_hand():
    items = align(A, B, similar, 0.7)
    # F1: 2 (1 + 0.8 + 1) / (3 + 3)
    assert hierarchy_f1(items, A.keys() & B.keys()) == pytest.approx(2 * 2.8 / 6, abs=1e-9)
    # alpha over (cough, cough), (seizure, focal), (fever no, fever yes): n = 6
    # D_o = 1/6 (2·0.2 + 2·1) = 0.4
    # D_e: labels cough 2, seizure 1, focal 1, fever no 1, fever yes 1; all pairs at 1 but seizure-focal 0.2:
    # ordered pairs of different labels 36 - (4 + 1 + 1 + 1 + 1) = 28, less 2·0.8: 26.4; / 30 = 0.88
    found = hierarchy_alpha(items, similar)
    assert found.value == pytest.approx(1 - 0.4 / 0.88, abs=1e-9)


def test_absent_is_far_from_everything():
    items = align({"d": {"x": YES}}, {"d": {"x": ABSENT}}, similar, 0.7)
    assert items == [Aligned("d", ("x", YES), None, 0.0)]
    assert hierarchy_f1(items, ["d"]) == 0
    assert hierarchy_alpha(items, similar).value == 0  # two ratings, both different: D_o = D_e = 1


def test_silence_and_nothing():
    assert align({"d": {"x": ABSENT}}, {"d": {"x": ABSENT}}, similar, 0.7) == []
    assert hierarchy_f1([], ["d"]) == 1  # V1
    assert hierarchy_f1([], []) is None  # N0
    assert hierarchy_alpha([], similar).value is None


def test_the_only_label_of_all_is_undefined():
    items = align({"d": {"x": YES}}, {"d": {"x": YES}}, similar, 0.7)
    assert hierarchy_alpha(items, similar).value is None
    assert hierarchy_f1(items, ["d"]) == 1


LABELS = st.dictionaries(
    st.sampled_from(["seizure", "focal", "tonic", "cough"]), st.sampled_from([YES, NO, ABSENT]), max_size=4
)
SIDES = st.dictionaries(st.sampled_from(["d1", "d2", "d3"]), LABELS, max_size=3)


@settings(deadline=None)
@given(SIDES, SIDES)
def test_the_same_either_way_round(a, b):
    documents = a.keys() & b.keys()
    there, back = align(a, b, similar, 0.7), align(b, a, similar, 0.7)
    assert hierarchy_f1(there, documents) == pytest.approx(hierarchy_f1(back, documents))
    one, other = hierarchy_alpha(there, similar).value, hierarchy_alpha(back, similar).value
    assert one == (None if other is None else pytest.approx(other, abs=1e-9))


@settings(deadline=None)
@given(SIDES, SIDES)
def test_at_similarity_0_or_1_it_is_the_plain_one(a, b):
    items = align(a, b, never, 0.7)
    both = {d: a[d].keys() & b[d].keys() for d in a.keys() & b.keys()}
    sets = [{d: {c for c in both[d] if side[d][c] != ABSENT} for d in both} for side in (a, b)]
    assert hierarchy_f1(items, both) == pairwise_f1(*sets)
    union = [
        tuple(ABSENT if side[d][c] == ABSENT else (c, side[d][c]) for side in (a, b))
        for d in both
        for c in both[d]
        if (a[d][c], b[d][c]) != (ABSENT, ABSENT)
    ]
    plain, near = alpha(union).value, hierarchy_alpha(items, never).value
    assert near == (None if plain is None else pytest.approx(plain, abs=1e-9))


@settings(deadline=None)
@given(SIDES, SIDES)
def test_relatives_never_lower_f1_and_each_concept_stands_once(a, b):
    documents = a.keys() & b.keys()
    near, plain = align(a, b, similar, 0.7), align(a, b, never, 0.7)
    if documents:
        assert 0 <= hierarchy_f1(plain, documents) <= hierarchy_f1(near, documents) + 1e-12
        assert hierarchy_f1(near, documents) <= 1
    for side in ("a", "b"):
        named = [(i.doc_id, getattr(i, side)[0]) for i in near if getattr(i, side)]
        assert len(named) == len(set(named))
        assert set(named) == {(i.doc_id, getattr(i, side)[0]) for i in plain if getattr(i, side)}


def test_similarities_may_be_arrays():
    assert align(A, B, lambda x, y: np.array(similar(x, y)), 0.7) == align(A, B, similar, 0.7)
