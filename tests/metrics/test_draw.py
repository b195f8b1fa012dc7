"""The draw: permanent, reproducible, and unbiased wherever one stops."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from core.metrics import draw


def test_draw_numbers_are_the_first_53_bits_of_the_hash() -> None:
    bits = int(hashlib.sha256(b"7|cases/d1/HP:0001250").hexdigest(), 16) >> (256 - 53)
    assert draw.chance("7", "cases/d1/HP:0001250") == bits / 2**53
    assert draw.chance("8", "cases/d1/HP:0001250") != bits / 2**53
    assert (
        draw.chance("7", "Fälle/d1/HP:0001250")
        == (int(hashlib.sha256("7|Fälle/d1/HP:0001250".encode()).hexdigest(), 16) >> 203) / 2**53
    )


def test_blind_ones_are_drawn_by_a_hash_of_their_own() -> None:
    units = [f"cases/d{n}/HP:0001250" for n in range(4_000)]
    blind = np.array([draw.is_blind("13", unit, 0.25) for unit in units])
    u = np.array([draw.chance("13", unit) for unit in units])
    assert blind[0] == (draw.chance("13|blind", units[0]) < 0.25)
    assert blind.mean() == pytest.approx(0.25, abs=0.03)
    assert abs(np.corrcoef(blind, u)[0, 1]) < 0.05
    assert not any(draw.is_blind("13", unit, 0.0) for unit in units)
    assert all(draw.is_blind("13", unit, 1.0) for unit in units)


def test_the_worked_example_of_unequal_chances() -> None:
    u, q = np.array([0.5, 0.3, 0.9]), np.array([1.0, 2.0, 4.0])
    queue = draw.order(["1", "2", "3"], u, q)
    assert queue.tolist() == [1, 2, 0]
    assert draw.inclusion(u[queue], q[queue], 1, 3) == pytest.approx([0.45], abs=1e-12)


def test_equal_chances_are_the_share_and_a_census_is_certain() -> None:
    u, q = np.array([0.1, 0.2, 0.3, 0.4]), np.ones(4)
    assert draw.inclusion(u, q, 3, 4, equal=True).tolist() == [0.75] * 3
    assert draw.inclusion(u, q, 4, 4, equal=True).tolist() == [1.0] * 4
    assert draw.inclusion(u, q, 0, 4, equal=True).tolist() == []


def test_ties_go_by_id_and_the_order_of_the_input_changes_nothing() -> None:
    u, q = np.array([0.4, 0.2, 0.4, 0.1]), np.array([1.0, 0.5, 1.0, 1.0])
    units = ["d", "c", "b", "a"]
    assert [units[at] for at in draw.order(units, u, q)] == ["a", "b", "c", "d"]
    turned = [2, 0, 3, 1]
    again = draw.order([units[at] for at in turned], u[turned], q[turned])
    assert [units[turned[at]] for at in again] == ["a", "b", "c", "d"]


def test_chances_by_doubt_and_by_size() -> None:
    q = draw.by_doubt(np.array([0.5, 0.99, 0.95, 0.0]))
    scores = np.sqrt([0.25, 0.0475, 0.0475, 0.0475])
    assert q == pytest.approx((scores / scores.mean() + 1) / 2, abs=1e-12)
    assert q.mean() == pytest.approx(1.0, abs=1e-12)
    assert q.min() >= 0.5
    sizes = draw.by_size(np.array([0, 3, 8]))
    assert sizes == pytest.approx((np.array([1, 2, 3]) / 2 + 1) / 2, abs=1e-12)


def test_chances_by_stratum_worked_by_hand() -> None:
    """Eight a, two b. No pilot: scores 0.8 * 0.5 and 0.2 * 0.5, their mean over the ten units 0.34; so
    (0.4 / 0.34 + 1) / 2 = 37/34 and (0.1 / 0.34 + 1) / 2 = 11/17. With a pilot, p_a = 0.9 and p_b = 0.2:
    scores 0.8 * 0.3 = 0.24 and 0.2 * 0.4 = 0.08, mean 0.208; so 14/13 and 9/13."""
    strata = ["a", "a", "b", "a", "a", "a", "b", "a", "a", "a"]
    for right, a, b in (({}, 37 / 34, 11 / 17), ({"a": 0.9, "b": 0.2}, 14 / 13, 9 / 13)):
        q = draw.by_stratum(strata, right)
        assert q == pytest.approx([b if one == "b" else a for one in strata], abs=1e-12)
        assert q.mean() == pytest.approx(1.0, abs=1e-12)
    assert draw.by_stratum(["a", "b"], {"a": 1.0, "b": 0.0}).tolist() == [1.0, 1.0]  # nothing is in doubt
    assert draw.by_stratum(["a"] * 3, {}).tolist() == [1.0] * 3
    assert draw.by_stratum([], {}).tolist() == []


@pytest.mark.parametrize(
    "q",
    [
        np.array([0.6, 0.8, 1.0, 1.2, 1.4, 0.5, 1.5]),
        draw.by_stratum(["a", "b", "a", "a", "c", "b", "a"], {"a": 0.9, "c": 0.3}),
    ],
    ids=["any", "strata"],
)
def test_totals_are_unbiased_over_40_000_draws(q: draw.Floats) -> None:
    """The spread of the mean over draws says how near it must come: four standard errors."""
    rng = np.random.default_rng(5)
    y = np.array([1, 0, 1, 1, 0, 1, 0])
    names, totals = [str(at) for at in range(7)], np.empty(40_000)
    for at, u in enumerate(rng.random((40_000, 7))):
        queue = draw.order(names, u, q)
        pi = draw.inclusion(u[queue], q[queue], 3, 7)
        totals[at] = (y[queue[:3]] / pi).sum()
    error = totals.std() / np.sqrt(len(totals))
    assert abs(totals.mean() - y.sum()) < 4 * error < 0.1


def test_every_beginning_holds_each_stratum_in_proportion() -> None:
    """By hand: six a and two b. Shares (rank - 0.5) / size: a 1/12, 3/12, 5/12, 7/12, 9/12, 11/12; b 3/12 and
    9/12, where the smaller u comes first."""
    strata = ["b", "a", "a", "a", "a", "b", "a", "a"]
    u = np.arange(1, 9) / 10
    found = [strata[place] for place in draw.proportional(strata, u)]
    assert found == ["a", "b", "a", "a", "a", "b", "a", "a"]
    assert draw.proportional(strata, u).tolist() == [1, 0, 2, 3, 4, 5, 6, 7]
    assert draw.proportional(["a"] * 3, u[:3]).tolist() == [0, 1, 2]
    assert draw.proportional([], u[:0]).tolist() == []
