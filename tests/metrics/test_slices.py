"""Slices by concept and by document, worked out by hand."""

import random
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.metrics.documents import compare
from core.metrics.proportion import wilson
from core.metrics.slices import Judged, by_concept, by_document, cut_points, quarter, tokens

BRANCHES = {"a": ["x"], "b": ["x", "y"], "c": ["y"], "root": []}


def branches(concept):
    return BRANCHES[concept] or [None]


def test_a_concept_under_two_branches_counts_in_each_once():
    """d1: a right, b spurious, c missed. d2: b right, the root spurious.

    x: TP a, b; FP b.            P 2/3, R 2/2, F1 4/5; d1: F1 2/3, d2: 1
    y: TP b; FP b; FN c.         P 1/2, R 1/2, F1 2/4; d1: F1 0, d2: 1
    none: FP root.               P 0,   R 0 (Z0)
    """
    found = by_concept([Judged("d1", ("a",), ("b",), ("c",)), Judged("d2", ("b",), ("root",), ())], branches)
    x, y, none = found["x"], found["y"], found[None]
    assert (x.tp, x.fp, x.fn, x.documents) == (2, 1, 0, 2)
    assert (x.precision.value, x.recall.value, x.f1.value) == pytest.approx((2 / 3, 1, 4 / 5), abs=1e-9)
    assert (x.macro_f1.value, x.macro_f1.n) == (pytest.approx(5 / 6, abs=1e-9), 2)
    assert (y.precision.value, y.recall.value, y.f1.value) == pytest.approx((1 / 2, 1 / 2, 1 / 2), abs=1e-9)
    assert y.macro_f1.value == pytest.approx(0.5, abs=1e-9)
    assert (none.precision.value, none.recall.value, none.f1.value, none.macro_f1.value) == (0, 0, 0, 0)
    assert sum(s.items for s in found.values()) - 5 == 2, "b counts twice in either document"


def test_intervals_are_those_of_wilson_over_items():
    """8 of 10: the interval that statsmodels gives, as tests of `proportion` show."""
    halves = [
        Judged(doc_id, *([f"{kind}{i}" for i in range(n)] for kind, n in (("r", 4), ("w", 1), ("m", 4))))
        for doc_id in ("d", "e")
    ]
    found = by_concept(halves, lambda _: ["x"])["x"]
    assert (found.precision.low, found.precision.high, found.precision.n) == (*wilson(8, 10), 10)
    assert (found.recall.low, found.recall.high, found.recall.n) == (*wilson(8, 16), 16)
    assert found.f1.low is None


def test_a_branch_that_neither_side_holds_is_no_slice():
    assert by_concept([Judged("d", (), (), ())], branches) == {}
    assert by_concept([], branches) == {}


def test_documents_are_in_one_slice_each():
    """short: d1 (TP 1, FN 1) and d2 (FP 1); long: d3 with nothing at all; huge: no document."""
    documents = [Judged("d1", ("a",), (), ("b",)), Judged("d2", (), ("a",), ()), Judged("d3", (), (), ())]
    lengths = {"d1": "short", "d2": "short", "d3": "long"}
    found = by_document(documents, ["short", "long", "huge"], lengths.__getitem__)
    short, long, huge = found.values()
    assert (short.precision.value, short.recall.value, short.f1.value) == (0.5, 0.5, 0.5)
    assert short.macro_f1.value == pytest.approx((2 / 3 + 0) / 2, abs=1e-9)
    assert (long.precision.value, long.f1.value, long.macro_f1.value) == (1, 1, 1), "rule V1"
    assert (huge.precision.value, huge.macro_f1.value, huge.documents) == (None, None, 0)
    assert huge.precision.reason


@pytest.mark.parametrize(("vacuous", "value"), [("one", 1.0), ("zero", 0.0), ("skip", None)])
def test_vacuous_documents_follow_the_rule(vacuous, value):
    found = by_document([Judged("d", (), (), ())], ["x"], lambda _: "x", vacuous)["x"]
    assert (found.f1.value, found.macro_f1.value) == (value, value)


# --- length -------------------------------------------------------------------------------------------------


def test_tokens_are_words_and_signs():
    assert tokens("No fever (38.2 °C), Grün_Blau!") == 12  # No fever ( 38 . 2 ° C ) , Grün_Blau !
    assert tokens("  \n") == 0


@settings(deadline=None)
@given(st.text(st.characters(max_codepoint=127)) | st.text())
def test_tokens_are_those_of_the_expression_of_the_specification(text):
    assert tokens(text) == len(re.findall(r"\w+|[^\w\s]", text))


def test_a_length_at_a_cut_is_in_the_lower_quarter():
    cuts = cut_points([1, 2, 3, 4, 5])
    assert cuts == (2, 3, 4)
    assert [quarter(n, cuts) for n in (1, 2, 2.5, 3, 4, 4.1, 99)] == [0, 0, 1, 1, 2, 3, 3]


def test_equal_lengths_are_all_in_the_first_quarter():
    cuts = cut_points([7, 7, 7])
    assert cuts == (7, 7, 7)
    assert {quarter(7, cuts)} == {0}


def test_nothing_has_no_cut_points():
    assert cut_points([]) is None


@settings(deadline=None)
@given(st.lists(st.integers(0, 5000), min_size=1, max_size=60))
def test_cut_points_are_numpys_quartiles(lengths):
    assert cut_points(lengths) == pytest.approx(np.percentile(lengths, [25, 50, 75]), abs=1e-9)


# --- properties ---------------------------------------------------------------------------------------------

ids = st.frozensets(st.sampled_from("abc"))
sides = st.dictionaries(st.sampled_from(["d1", "d2", "d3"]), st.tuples(ids, ids), min_size=1)


def judged(made):
    gold, said = ({d: pair[at] for d, pair in made.items()} for at in (0, 1))
    return [Judged(o.doc_id, o.tp, o.fp, o.fn) for o in compare(gold, said)]


@settings(deadline=None)
@given(sides, st.integers(0, 99))
def test_slices_ignore_order_lie_in_range_and_add_up_to_the_surplus(made, seed):
    documents = judged(made)
    found = by_concept(documents, branches)
    mixed = documents[:]
    random.Random(seed).shuffle(mixed)
    again = by_concept(mixed, branches)
    assert found.keys() == again.keys()
    for name, one in found.items():
        assert (one.tp, one.fp, one.fn) == (again[name].tp, again[name].fp, again[name].fn)
        assert one.macro_f1.value == pytest.approx(again[name].macro_f1.value, abs=1e-9)
        for value in (one.precision, one.recall, one.f1, one.macro_f1):
            assert 0 <= value.value <= 1
    twice = sum(c == "b" for d in documents for part in d[1:] for c in part)
    total = sum(len(part) for d in documents for part in d[1:])
    assert sum(s.items for s in found.values()) == total + twice


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from(["d1", "d2"]), ids.filter(bool), min_size=1))
def test_a_perfect_prediction_has_the_best_values_in_every_slice(gold):
    for one in by_concept(judged({d: (held, held) for d, held in gold.items()}), branches).values():
        assert [v.value for v in (one.precision, one.recall, one.f1, one.macro_f1)] == [1, 1, 1, 1]
