"""How often one claim comes within a screenful of pairs."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from core.review.walks.spread import spread


def most_in_a_row(claims: list[tuple[int, int]], window: int) -> int:
    starts = range(max(1, len(claims) - window + 1))
    return max(max(Counter(c for pair in claims[at : at + window] for c in pair).values()) for at in starts)


def test_nothing_moves_where_no_claim_comes_too_often() -> None:
    places = np.arange(40)
    assert spread(places, places + 100).tolist() == list(range(40))
    assert spread(places[:0], places[:0]).tolist() == []


def test_the_sixth_pair_of_a_claim_waits_until_the_first_is_fifty_pairs_back() -> None:
    """Pairs 0 to 6 hold claim 1, the others are strangers: five stay, two come as soon as they may."""
    first = np.array([1] * 7 + list(range(1000, 1100)))
    second = np.array(list(range(2000, 2107)))
    found = spread(first, second).tolist()
    assert found[:5] == [0, 1, 2, 3, 4]
    assert found[5:50] == list(range(7, 52))
    assert found[50:52] == [5, 6]
    assert sorted(found) == list(range(107))


def test_where_only_pairs_of_one_claim_are_left_they_keep_their_order() -> None:
    assert spread(np.ones(9, int), np.arange(10, 19)).tolist() == list(range(9))


@pytest.mark.parametrize("seed", range(5))
def test_no_window_holds_a_claim_more_than_five_times(seed: int) -> None:
    """Two busy claims among many: there are strangers enough, so the limit holds everywhere."""
    rng = random.Random(seed)
    pairs = [(rng.choice((1, 2, *range(10, 400))), 1000 + n) for n in range(600)]
    pairs[:20] = [(1, 2000 + n) for n in range(20)]
    first, second = (np.array(side) for side in zip(*pairs, strict=True))
    found = spread(first, second).tolist()
    assert sorted(found) == list(range(600))
    assert most_in_a_row([pairs[at] for at in found], 50) <= 5
    assert most_in_a_row(pairs, 50) > 5
