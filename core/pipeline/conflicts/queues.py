"""Which pairs a model is asked about first: a pilot, then a development set, then all the rest.

Paper 004 names the queues and the pilot's size (appendix I.1, I.4); how it was stratified it does not say.
Here: each domain has an equal share, in a domain each kind of disagreement signal, and of each kind pairs are
taken at even steps from the best to the worst, so that the pilot shows what the queue after it holds.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.records import Tier

PILOT = 100
"""Pairs of the first queue, over all domains."""
DEVELOPMENT = 400
"""Pairs of the second, over all domains; the paper names no figure."""


def share(left: int, domains: int) -> int:
    """Of `left` places, those of the next of so many domains: a domain that cannot fill its own leaves them
    to the ones after it."""
    return -(-max(left, 0) // max(domains, 1))


def queues(signals: Sequence[tuple[str, ...]], pilot: int, development: int) -> list[Tier]:
    """The queue of each pair of one domain.

    Args:
        signals: `CandidatePair.signals` of each pair, best first.
        pilot, development: places that the domain has in each.
    """
    tiers = [Tier.FULL] * len(signals)
    for tier, places in ((Tier.PILOT, pilot), (Tier.DEVELOPMENT, development)):
        strata: dict[str, list[int]] = {}
        for at, told in enumerate(signals):
            if tiers[at] is Tier.FULL:
                strata.setdefault(signal(told), []).append(at)
        for at in _drawn([strata[name] for name in sorted(strata)], places):
            tiers[at] = tier
    return tiers


def signal(signals: tuple[str, ...]) -> str:
    """The kind of signal that two claims may disagree by: the first word of the first one, `none` without."""
    return signals[0].partition(":")[0].strip() if signals else "none"


def _drawn(strata: list[list[int]], places: int) -> list[int]:
    """Places filled from strata as equally as their sizes allow, at even steps in each."""
    taken = [0] * len(strata)
    while sum(taken) < places:
        open_ = [at for at, stratum in enumerate(strata) if taken[at] < len(stratum)]
        if not open_:
            break
        for at in open_[: places - sum(taken)]:
            taken[at] += 1
    return [
        stratum[(2 * step + 1) * len(stratum) // (2 * many)]
        for stratum, many in zip(strata, taken, strict=True)
        for step in range(many)
    ]
