"""Which pairs are asked about first: counted by hand on made-up pairs."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from core.pipeline.conflicts.queues import queues, share, signal
from core.records import Tier


def test_the_signal_is_the_first_word_of_the_first_one() -> None:
    assert signal(("direction: increased / unchanged", "negation: no")) == "direction"
    assert signal(()) == "none"


def test_domains_share_what_is_left_and_leave_what_they_cannot_fill() -> None:
    assert [share(100, 5), share(100, 3), share(0, 2), share(-4, 2)] == [20, 34, 0, 0]


def test_each_kind_of_signal_has_an_equal_part_at_even_steps() -> None:
    found: list[tuple[str, ...]] = [("direction: a / b",)] * 8 + [()] * 2
    tiers = queues(found, pilot=4, development=3)
    at = {tier: [n for n, each in enumerate(tiers) if each is tier] for tier in Tier}
    assert at[Tier.PILOT] == [2, 6, 8, 9], "the second and the sixth of eight, and both without a signal"
    assert at[Tier.DEVELOPMENT] == [1, 4, 7], "of the six that are left"
    assert at[Tier.FULL] == [0, 3, 5]


@given(
    st.lists(st.sampled_from(["direction", "negation", "none"]), max_size=60),
    st.integers(0, 40),
    st.integers(0, 40),
)
def test_queues_hold_as_many_as_they_may(signals: list[str], pilot: int, development: int) -> None:
    tiers = queues([(s,) for s in signals], pilot, development)
    counts = Counter(tiers)
    assert len(tiers) == len(signals)
    assert counts[Tier.PILOT] == min(pilot, len(signals))
    assert counts[Tier.DEVELOPMENT] == min(development, len(signals) - counts[Tier.PILOT])
