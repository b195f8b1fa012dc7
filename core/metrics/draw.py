"""One draw behind every sample: a permanent order of units, of which any beginning is a valid sample.

    u = [chance("7", unit) for unit in units]               # the same seed draws the same
    queue = order(units, u, q)                              # decide in this order, stop anywhere
    pi = inclusion(u[queue], q[queue], 40, len(u))          # how likely each of these was to be there

A unit with a larger relative chance q tends to come earlier; its weight 1 / pi makes up for that, so totals
are exactly unbiased (priority sampling; Duffield, Lund and Thorup 2007). Source: review-budget, section 2.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
BITS = 53
UNSURE_LEAST, UNSURE_MOST = 0.05, 0.95
"""Confidences are taken to lie between these: nobody is surer than that."""


def chance(seed: str, unit: str) -> float:
    """The draw number u of a unit, in (0, 1): the first 53 bits of sha256 of `SEED|UNIT`, UTF-8, 0 counting
    as the least. It never changes."""
    digest = hashlib.sha256(f"{seed}|{unit}".encode()).digest()
    bits = int.from_bytes(digest[:7], "big") >> (56 - BITS)
    return float(max(bits, 1) / 2**BITS)


def is_blind(seed: str, unit: str, share: float) -> bool:
    """Whether a unit belongs to the share, in [0, 1], that is answered before any machine answer is seen. A
    hash of its own decides, so the blind ones are a sample of every beginning of the order."""
    return chance(f"{seed}|blind", unit) < share


def by_doubt(f: Floats) -> Floats:
    """Relative chances by the machine's doubt, shape (units,), mean 1, each at least 0.5: half is uniform,
    which bounds every weight by 2.

    Args:
        f: probability that each unit is right, in [0, 1].
    """
    sure = np.clip(f, UNSURE_LEAST, UNSURE_MOST)
    return _half(np.sqrt(sure * (1 - sure)))


def by_size(sizes: npt.NDArray[np.int64]) -> Floats:
    """Relative chances of passages by what is proposed in them, shape (passages,), mean 1, each at least
    0.5."""
    return _half(np.sqrt(1.0 + sizes))


def by_stratum(strata: Sequence[str], right: Mapping[str, float]) -> Floats:
    """Relative chances by stratum, shape (units,), mean 1, each at least 0.5: of every unit of stratum h the
    score W_h sqrt(p_h (1 - p_h)), brought to mean 1 over the units, half of it uniform.

    W_h is the share of the units that lie in h. So units of a large stratum are drawn oftener, and where all
    p_h are alike nothing else tells strata apart; the uniform half bounds every weight by 2.

    Args:
        strata: of each unit.
        right: p_h in [0, 1], the share of right units as a pilot found it; of a stratum that is not named,
            0.5.
    """
    sizes = Counter(strata)
    share = np.array([sizes[h] / len(strata) for h in strata], dtype=np.float64)
    p = np.array([right.get(h, 0.5) for h in strata], dtype=np.float64)
    return _half(share * np.sqrt(p * (1 - p)))


def _half(score: Floats) -> Floats:
    """Scores, at least 0, brought to mean 1 and mixed half and half with 1; all 0 tell units apart as little
    as all alike."""
    return (score / score.mean() + 1) / 2 if score.any() else np.ones(len(score))


def order(units: Sequence[str], u: Floats, q: Floats) -> npt.NDArray[np.intp]:
    """Places of the units in the order of the draw: xi = u / q ascending, ties by id."""
    by_id = np.argsort(np.array(units, dtype=object), kind="stable")
    return by_id[np.argsort((u / q)[by_id], kind="stable")]


def proportional(strata: Sequence[str], u: Floats) -> npt.NDArray[np.intp]:
    """Places of units that are in the order of their draw, in an order of which every beginning holds each
    stratum in proportion to its size: (rank within the stratum - 0.5) / size of the stratum, ties by u.

    Args:
        strata: of each unit.
        u: draw number of each unit, ascending.
    """
    sizes = Counter(strata)
    seen: Counter[str] = Counter()
    share = np.empty(len(strata))
    for place, stratum in enumerate(strata):
        seen[stratum] += 1
        share[place] = (seen[stratum] - 0.5) / sizes[stratum]
    return np.lexsort((u, share))


def inclusion(u: Floats, q: Floats, n: int, size: int, equal: bool = False) -> Floats:
    """How likely each of the first n units was to be among them, shape (n,), in (0, 1].

    Args:
        u: draw numbers of the first n units and of the next one, in the order of the draw; more may follow.
        q: their relative chances, in the same order.
        n: how many are counted, in [0, size].
        size: units that were drawn from.
        equal: whether all of these have the same chance.
    """
    if n == size:
        return np.ones(n)
    if equal:
        return np.full(n, n / size)
    pi: Floats = np.minimum(1.0, u[n] / q[n] * q[:n])
    return pi
