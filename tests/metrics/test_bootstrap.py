"""Percentile bootstrap over documents: draws, percentiles, and equality with a plain loop."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.metrics import bootstrap
from core.metrics.bootstrap import counts, draws, interval, resample, summed
from core.metrics.corpus import VALUES, score
from core.metrics.documents import compare


def test_percentiles_interpolate_between_order_statistics():
    # m = 5, h = 4 * 0.025 = 0.1 -> 0.1; h = 4 * 0.975 = 3.9 -> 3.9
    low, high, dropped = interval([4.0, 0.0, 3.0, 1.0, 2.0])
    assert (low, high, dropped) == (pytest.approx(0.1), pytest.approx(3.9), 0)


def test_undefined_resamples_are_dropped_and_counted():
    assert interval([np.nan, 1.0, 1.0, np.nan]) == (1.0, 1.0, 2)
    assert interval([np.nan]) == (None, None, 1)
    assert interval([]) == (None, None, 0)


def test_counts_are_how_often_each_document_was_drawn():
    found = counts(np.array([[0, 0, 2], [1, 2, 0]]), 3)
    assert found.tolist() == [[2, 0, 1], [1, 1, 1]]


@pytest.mark.parametrize("lists", [[[0, 3, 1]], [[0, -1, 1]], [[0, 1]]])
def test_index_lists_that_do_not_fit_are_refused(lists):
    with pytest.raises(ValueError, match="indices"):
        counts(np.array(lists), 3)


def test_draws_are_reproducible_and_depend_on_the_seed():
    once, again, other = (np.concatenate(list(draws(9, 40, seed))) for seed in (5, 5, 6))
    assert once.shape == (40, 9)
    assert (once == again).all()
    assert (once != other).any()
    assert once.min() == 0
    assert once.max() == 8


def test_draws_do_not_depend_on_the_block_size(monkeypatch):
    whole = np.concatenate(list(draws(7, 100)))
    monkeypatch.setattr(bootstrap, "BLOCK", 21)
    blocks = list(draws(7, 100))
    assert len(blocks) == 34
    assert (np.concatenate(blocks) == whole).all()


def test_impossible_numbers_of_draws_are_refused():
    with pytest.raises(ValueError, match="cannot draw"):
        draws(-1, 10)


def test_lists_can_be_gone_through_again():
    drawn = draws(6, 30)
    assert (np.concatenate(list(drawn)) == np.concatenate(list(drawn))).all()


@pytest.mark.parametrize("remembered", [0, 10_000])
def test_remembered_counts_give_what_the_lists_give(monkeypatch, remembered):
    monkeypatch.setattr(bootstrap, "REMEMBERED", remembered)
    bootstrap.forget()
    table = np.random.default_rng(1).random((13, 4))
    lists = np.concatenate(list(draws(13, 50, 3)))
    by_hand = np.array([table[indices].sum(axis=0) for indices in lists])
    for _ in range(2):  # made, then remembered
        found = resample(table, lambda sums: sums, draws(13, 50, 3))
        np.testing.assert_allclose(found, by_hand, rtol=0, atol=1e-12)
    other = resample(table, lambda sums: sums, draws(13, 50, 4))
    assert (other != by_hand).any()


def test_draws_for_another_number_of_documents_are_refused():
    with pytest.raises(ValueError, match="indices"):
        resample(np.ones((3, 1)), lambda sums: sums, draws(4, 10))


def test_injected_lists_by_hand():
    outcomes = compare({"a": {1}, "b": {2}}, {"a": {1}, "b": {3}})  # F1 1 and 0
    found = score(outcomes, index_lists=np.array([[0, 0], [1, 1], [0, 1]]))
    assert found.resampled["macro_f1"].tolist() == [1.0, 0.0, 0.5]
    estimate = found.estimates["macro_f1"]
    assert (estimate.value, estimate.low, estimate.high) == (0.5, pytest.approx(0.025), pytest.approx(0.975))


def test_lists_may_come_one_by_one():
    outcomes = compare({"a": {1}, "b": {2}}, {"a": {1}, "b": {3}})
    whole = score(outcomes, index_lists=np.array([[0, 0], [0, 1]]))
    single = score(outcomes, index_lists=[[0, 0], [0, 1]])
    for name in VALUES:
        assert np.array_equal(whole.resampled[name], single.resampled[name], equal_nan=True), name


def plain_loop(outcomes, vacuous, index_lists):
    """Every statistic of every resample, straight from the definitions, one document after the other."""
    silent = {"one": 1.0, "zero": 0.0, "skip": None}[vacuous]

    def ratio(top, bottom):
        return top / bottom if bottom else 0.0

    def prf(tp, fp, fn):
        if tp + fp + fn == 0:
            return silent, silent, silent
        p, r = ratio(tp, tp + fp), ratio(tp, tp + fn)
        return p, r, ratio(2 * p * r, p + r)

    def mean(pairs):
        pairs = [(w, v) for w, v in pairs if v is not None]
        total = sum(w for w, _ in pairs)
        return sum(w * v for w, v in pairs) / total if total else None

    rows = []
    for indices in index_lists:
        drawn = [outcomes[i] for i in indices]
        judged = [o for o in drawn if o.complete or o.tp or o.fp]
        whole = [o for o in drawn if o.complete]
        scores = {id(o): prf(len(o.tp), len(o.fp), len(o.fn)) for o in drawn}

        def pooled(documents):
            return [sum(len(getattr(o, kind)) for o in documents) for kind in ("tp", "fp", "fn")]

        row = [
            prf(*pooled(judged))[0] if judged else None,
            prf(*pooled(whole))[1] if whole else None,
            prf(*pooled(whole))[2] if whole else None,
            *(mean([(1, scores[id(o)][k]) for o in (whole if k else judged)]) for k in range(3)),
            *(mean([(len(o.tp) + len(o.fn), scores[id(o)][k]) for o in whole]) for k in range(3)),
        ]
        rows.append([np.nan if v is None else v for v in row])
    return np.array(rows)


ids = st.frozensets(st.integers(0, 6), max_size=5)
documents = st.dictionaries(st.sampled_from("abcdef"), ids, min_size=1, max_size=6)


@given(documents, documents, documents, st.frozensets(st.sampled_from("abcdef")), st.booleans(), st.data())
@settings(max_examples=120, deadline=None)
def test_equal_to_a_plain_loop_on_shared_draws(gold, predicted, rejected, complete, is_open, data):
    vacuous = data.draw(st.sampled_from(["one", "zero", "skip"]))
    outcomes = compare(
        gold, predicted, decided=rejected if is_open else None, complete=complete if is_open else None
    )
    lists = np.concatenate(list(draws(len(outcomes), 25, seed=data.draw(st.integers(0, 99)))))
    found = score(outcomes, vacuous=vacuous, index_lists=lists).resampled
    ours = np.column_stack([found[name] for name in VALUES])
    assert np.allclose(ours, plain_loop(outcomes, vacuous, lists), atol=1e-9, rtol=0, equal_nan=True)


@given(documents, documents)
@settings(max_examples=30, deadline=None)
def test_the_draw_that_takes_each_document_once_is_the_point_estimate(gold, predicted):
    outcomes = compare(gold, predicted)
    found = score(outcomes, index_lists=np.arange(len(outcomes))[None, :])
    for name in VALUES:
        value, expected = found.resampled[name][0], found.estimates[name].value
        assert (expected is None and np.isnan(value)) or value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("remembered", [0, bootstrap.REMEMBERED])
def test_a_table_that_differs_in_few_rows_is_summed_from_the_one_before(monkeypatch, remembered):
    monkeypatch.setattr(bootstrap, "REMEMBERED", remembered)
    drawn, chance = draws(40, 30, 5), np.random.default_rng(2)
    first = chance.random((40, 3))
    second = first.copy()
    second[[3, 17]] = chance.random((2, 3))
    before = summed(first, drawn)
    found = summed(second, drawn, before)
    drawn_anew = np.vstack([np.vstack(list(drawn))[i] for i in range(30)])
    expected = np.array([second[row].sum(axis=0) for row in drawn_anew])
    np.testing.assert_allclose(found.sums, expected, rtol=1e-12)
    assert not np.allclose(found.sums, before.sums), "the rows count"
    assert summed(first, drawn, before).sums is before.sums


def test_what_was_summed_of_other_resamples_or_documents_is_not_used():
    chance = np.random.default_rng(2)
    table = chance.random((40, 3))
    expected = summed(table, draws(40, 30, 5)).sums
    for other in (draws(40, 30, 6), draws(40, 31, 5)):
        near = summed(chance.random((40, 3)), other)
        assert np.array_equal(summed(table, draws(40, 30, 5), near).sums, expected)
    near = summed(chance.random((41, 3)), draws(41, 30, 5))
    assert np.array_equal(summed(table, draws(40, 30, 5), near).sums, expected)
