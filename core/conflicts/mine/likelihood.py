"""How likely it is that two claims disagree: a formula of eight parts that anyone can read.

    log odds = 14 s + 4 w + 2 o + 2.4 d - 2 n + 1 k - 1 c - 3 t - 18

    s   similarity: cosine of the claims' vectors, at least 0.
    w   rare words that both claims have: 1 - exp(-mass / 8), see `shared`.
    o   opposed findings: 1 where one claim says more and the other less or no change, as `direction` and
        `negated` were read, else 0.
    d   denial: 0.5 where exactly one claim has "no, not, without, neither, nor", and 0.5 where exactly one
        denies as it was read.
    n   nothing opposed: 1 where o and d are 0, else 0: two claims in the same words say the same.
    k   tried alike: share of what one study tried that the other names, too, by the claims' interventions
        and the titles, see `shared.Tried`; 0.5 where neither names any.
    c   other intervention: 1 where both name one and share no word of it, else 0.
    t   other titles: exp(-mass / 8) of the rare words of both titles, 0 where a title is missing.

Similarity, words, what was tried and titles say whether both are about one question, opposition and denial
whether they answer it differently. The weights are ours, rounded. They were chosen on HealthVer dev among
claims of trials, all of its questions looked at; logistic regression on half of them found nothing for the
other half but that claims of HealthVer have no titles. For k, 100 pairs of trials were read besides, none on
diabetes, obesity or insulin.
`tests/benchmarks/quality_haystack.py` prints how pairs are ranked, and how far to trust the probability.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.conflicts.finding import stated
from core.conflicts.finding.words import without_idle_denials
from core.conflicts.mine import disagreement as dis
from core.conflicts.mine.score import Exact, Places, Scorer, in_chunks
from core.conflicts.mine.shared import Topics
from core.conflicts.stance.words import says_no
from core.records import Claim

WEIGHTS = {
    "similarity": 14.0,
    "shared words": 4.0,
    "opposed findings": 2.0,
    "one side denies": 2.4,
    "nothing opposed": -2.0,
    "tried alike": 1.0,
    "other intervention": -1.0,
    "other titles": -3.0,
}
"""Part -> log odds that it adds when it is 1."""
BASE = -18.0
"""Log odds where every part is 0."""
ENOUGH = 8.0
"""Mass of shared words at which w is 0.63, and t 0.37."""

_WORTH = {
    name: WEIGHTS[name] * (0.5 if name in ("opposed findings", "one side denies") else 1)
    for name in WEIGHTS
    if name not in ("nothing opposed", "tried alike")
}


def most_worth(sim: Exact) -> Exact:
    """What `Judge.worth` can be at most, of pairs of given cosines."""
    return _WORTH["similarity"] * np.clip(sim, 0.0, 1.0) + sum(
        max(0.0, weight) for name, weight in _WORTH.items() if name != "similarity"
    )


class Parts(NamedTuple):
    """Of many pairs: the probability, and the parts it was made of, in the order of `WEIGHTS`; arrays."""

    value: Exact
    parts: tuple[Exact, ...]

    def at(self, places: NDArray[np.intp]) -> Parts:
        """Those of some of the pairs."""
        return Parts(self.value[places], tuple(part[places] for part in self.parts))


class Judge:
    """What the formula needs to know of some claims.

    Args:
        scorer: of the same claims.
        titled: whether a claim's article has a title.
    """

    def __init__(
        self, claims: Sequence[Claim], topics: Topics, scorer: Scorer, titled: NDArray[np.bool_]
    ) -> None:
        self._topics, self._scorer, self._titled = topics, scorer, titled
        self._says_no = np.fromiter((_says_no(claim.text) for claim in claims), dtype=np.bool_)

    def of(self, first: Places, second: Places, sim: Exact) -> Parts:
        """Of the pairs (first[i], second[i]), of which `sim` holds the cosines."""
        value, *parts = in_chunks(self._of, 1 + len(WEIGHTS), first, second, sim)
        return Parts(value, tuple(parts))

    def worth(self, first: Places, second: Places, sim: Exact) -> Exact:
        """What decides which pairs a domain keeps: log odds in which the findings count half, as they are
        read wrongly more often than topics are, and n and k not at all. At most `most_worth`."""
        return in_chunks(self._worth, 1, first, second, sim)[0]

    def _of(self, first: Places, second: Places, sim: Exact) -> tuple[Exact, ...]:
        found = self._read(first, second, sim)
        against = found["opposed findings"] + found["one side denies"]
        found["nothing opposed"] = (against == 0).astype(np.float64)
        found["tried alike"] = self._topics.tried.alike(first, second)
        odds = BASE + sum(weight * found[name] for name, weight in WEIGHTS.items())
        return 1 / (1 + np.exp(-odds)), *(found[name] for name in WEIGHTS)

    def _worth(self, first: Places, second: Places, sim: Exact) -> tuple[Exact]:
        found = self._read(first, second, sim)
        return (sum((weight * found[name] for name, weight in _WORTH.items()), np.zeros(len(sim))),)

    def _read(self, first: Places, second: Places, sim: Exact) -> dict[str, Exact]:
        """The parts that decide which pairs are kept."""
        known = self._scorer
        said = self._says_no[first] != self._says_no[second]
        read_so = known.denies[first] != known.denies[second]
        opposed = np.asarray(dis.POLARITY)[known.stances[first], known.stances[second]] > 0
        given = known.interventions
        other = given.both(first, second) & (given.jaccard(first, second) == 0)
        titles = np.zeros(len(sim))
        both = self._titled[first] & self._titled[second]
        titles[both] = np.exp(-self._topics.titles.mass(first[both], second[both]) / ENOUGH)
        return {
            "similarity": np.clip(sim, 0.0, 1.0),
            "shared words": 1 - np.exp(-self._topics.words.mass(first, second) / ENOUGH),
            "opposed findings": opposed.astype(np.float64),
            "one side denies": (said.astype(np.float64) + read_so) / 2,
            "other intervention": other.astype(np.float64),
            "other titles": titles,
        }


def _says_no(text: str) -> bool:
    """Whether a finding has one of the five words. Most texts have none, and to read one takes longer."""
    return says_no(text) and says_no(without_idle_denials(stated(text)))
