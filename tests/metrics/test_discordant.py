"""McNemar's test and the items behind it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import mcnemar as of_statsmodels

from core.metrics.discordant import NOWHERE, discordant, mcnemar
from core.metrics.documents import compare

IDS = st.frozensets(st.integers(0, 5))
SETS = st.dictionaries(st.sampled_from("abcd"), IDS)


def test_by_hand():
    # X ~ Bin(6, 1/2): P(X <= 1) = (1 + 6) / 64
    found = mcnemar(1, 5)
    assert (found.p, found.first, found.second, found.reason) == (
        pytest.approx(14 / 64, abs=1e-9),
        1,
        5,
        None,
    )
    assert mcnemar(0, 1).p == 1
    assert mcnemar(0, 5).p == pytest.approx(2 / 32, abs=1e-9)
    assert mcnemar(4, 4).p == 1


def test_as_statsmodels_has_it_on_300_random_inputs():
    generator = np.random.default_rng(13)
    for _ in range(300):
        top = int(generator.integers(1, 2000))
        both, first, second, neither = (int(n) for n in generator.integers(0, top + 1, 4))
        if first + second:
            expected = of_statsmodels([[both, first], [second, neither]], exact=True).pvalue
            assert mcnemar(first, second).p == pytest.approx(expected, abs=1e-9)


def test_without_a_discordant_item_it_is_undefined():
    assert (mcnemar(0, 0).p, mcnemar(0, 0).reason) == (None, NOWHERE)


def test_items_by_hand():
    gold = {"a": {1, 2}, "b": {3}, "c": set()}
    first = compare(gold, {"a": {1, 8}, "b": {9}, "c": {7}})
    second = compare(gold, {"a": {2, 8}, "b": {3}, "c": set()})
    only_first, only_second = discordant(first, second)
    assert [(i.doc_id, i.id, i.outcome) for i in only_first] == [("a", 1, "fn")]
    assert [(i.doc_id, i.id, i.outcome) for i in only_second] == [
        ("a", 2, "fn"),
        ("b", 3, "fn"),
        ("b", 9, "fp"),
        ("c", 7, "fp"),
    ]


def test_documents_scored_in_one_only_are_out():
    gold = {"a": {1}, "b": {1}}
    first = compare(gold, {"a": {1}, "b": {1}}, complete={"a"})
    assert [i.doc_id for i in discordant(first, compare(gold, {}))[0]] == ["a"]
    silent = compare({"a": set()}, {})
    assert discordant(silent, compare({"a": set()}, {"a": {5}}), "skip") == ([], [])
    assert len(discordant(silent, compare({"a": set()}, {"a": {5}}))[0]) == 1


@given(SETS, SETS, SETS)
def test_it_swaps_with_the_systems_and_counts_who_is_right(gold, one, other):
    a, b = compare(gold, one), compare(gold, other)
    there, back = discordant(a, b), discordant(b, a)
    assert there == back[::-1]
    empty = frozenset()
    right = [
        (
            sum((c in one.get(d, empty)) == (c in gold[d]) for c in range(6)),
            sum((c in other.get(d, empty)) == (c in gold[d]) for c in range(6)),
        )
        for d in gold
    ]
    # concepts that neither names and that are not gold are right for both
    assert len(there[0]) - len(there[1]) == sum(x for x, _ in right) - sum(y for _, y in right)
    p = mcnemar(len(there[0]), len(there[1])).p
    assert p == mcnemar(len(there[1]), len(there[0])).p
    assert p is None or 0 < p <= 1
