"""Task 5 of BioDivergence: which words of the two claims carry the label (metric-definitions 9.6).

Tokens are `\\w+|[^\\w\\s]` of the claim's text. A token belongs to a span if they share a character. Gold and
predicted tokens of a pair are sets of (side, token number), the union over all spans of both sides: a side is
an article, and where both claims are of one article they are still told apart.

    IoU = |g ∩ p| / |g ∪ p|     P = |g ∩ p| / |p|     R = |g ∩ p| / |g|     F1 harmonic, rule Z0

Values are means over pairs with at least one gold token; the others are skipped and counted. An empty
prediction scores 0. Mean F1 is the mean of the pairs' F1. No such pair: undefined (rule N0).

A predicted quote without offsets is looked for in the claim: its first exact occurrence, then the first that
differs in case. If one quote of a pair is not found, the whole pair is scored with bags: lower-cased words
(`\\w+`) with how often they occur, ∩ the smaller and ∪ the larger of both counts. What stands in the claims
gives the words of its tokens, each place once; a quote that was not found adds its own words. Pairs scored
with bags are flagged, and the means of both kinds stand beside the mean of all (R34).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from operator import itemgetter
from typing import Any, Literal, NamedTuple

import numpy as np

from core.metrics.bootstrap import Floats
from core.metrics.definition import Family, Metric
from core.metrics.pair_scores import NO_PAIRS, Lists
from core.metrics.sums import Scored, formulas, mean


def _mean(measure: str, s: Any) -> Floats:
    """Over all pairs, shape (rows,)."""
    at, both = MEASURES.index(measure), s.places + s.bags
    return mean(both[:, at], both[:, -1])


def _of_way(measure: str, s: Any) -> Floats:
    """Over the pairs of each way, shape (rows, ways)."""
    at = MEASURES.index(measure)
    return np.column_stack([mean(sums[:, at], sums[:, -1]) for sums in (s.places, s.bags)])


def _formulas(measure: str) -> dict[str, Any]:
    return {"of": partial(_of_way, measure), "whole": partial(_mean, measure), "per": "way"}


FAMILY = Family(
    title="Evidence spans (task 5)",
    item="a claim pair with at least one gold token",
    source="BioDivergence (paper 004), section 7.1 and K.1; metric-definitions 9.6, R34",
    undefined="No pair with gold tokens: undefined. An empty prediction scores 0; any other denominator of"
    " 0: 0.",
    metrics={
        "iou": Metric(
            "Token IoU",
            "How far do the marked words cover each other?",
            "mean over pairs of |g ∩ p| / |g ∪ p|, tokens of both claims together",
            **_formulas("iou"),
        ),
        "f1": Metric(
            "Token F1",
            "How well are the words found that carry the label?",
            "mean over pairs of the pair's F1, 2|g ∩ p| / (|g| + |p|)",
            **_formulas("f1"),
        ),
        "precision": Metric(
            "Token precision",
            "Of the words marked, which share carries the label?",
            "mean over pairs of |g ∩ p| / |p|",
            **_formulas("precision"),
        ),
        "recall": Metric(
            "Token recall",
            "Of the words that carry the label, which share was marked?",
            "mean over pairs of |g ∩ p| / |g|",
            **_formulas("recall"),
        ),
        "n_without_gold": Metric(
            "Pairs without gold evidence",
            "How many pairs are in no value because no word of their claims is marked in the gold?",
            "pairs whose gold spans share no character with a token of the claims; a count",
            range="[0, pairs]",
            direction="none",
            undefined="Never: a count.",
        ),
        "n_bags": Metric(
            "Pairs scored with bags of words",
            "How many pairs were scored without places, because a quote does not stand in its claim?",
            "pairs with gold tokens and a predicted quote that was not found; a count",
            range="[0, pairs]",
            direction="lower",
            undefined="Never: a count.",
        ),
    },
)
MEASURES = ("iou", "f1", "precision", "recall")
WAYS = ("places", "bags")
"""How a pair is scored; `iou:places` is the mean over those alone."""
NAMES = (*MEASURES, *(f"{measure}:{way}" for way in WAYS for measure in MEASURES))
NO_GOLD = "No pair has a gold span on its claims."
_NO_WAY = {
    "places": "Every pair was scored with bags of words.",
    "bags": "No pair was scored with bags of words.",
}
_TOKEN = re.compile(r"\w+|[^\w\s]")
_WORD = re.compile(r"\w+")

Side = Literal["a", "b"]
Token = tuple[Side, int]


class Marked(NamedTuple):
    """A span on a claim."""

    side: Side | None
    """None: not said; it is looked for in both claims, A first."""
    start: int | None
    """In the text of the claim, in code points; may lie outside. None: only the quote is known."""
    end: int | None
    """Exclusive."""
    text: str = ""


class Claims(NamedTuple):
    """The two texts that spans stand on."""

    a: str
    b: str


class SpanScore(NamedTuple):
    """Of one pair, each in [0, 1]."""

    iou: float
    f1: float
    precision: float
    recall: float
    way: str
    """One of `WAYS`."""


@dataclass(frozen=True, slots=True)
class SpanScores:
    scores: Scored
    pairs: tuple[SpanScore | None, ...]
    """Of every pair given; None: it has no gold token."""

    @property
    def without_gold(self) -> int:
        return self.pairs.count(None)

    @property
    def bags(self) -> int:
        return sum(one is not None and one.way == "bags" for one in self.pairs)


def score(
    pairs: Sequence[tuple[Claims, Sequence[Marked], Sequence[Marked]]],
    *,
    index_lists: Lists = (),
    level: float = 0.95,
) -> SpanScores:
    """Values of `NAMES`.

    Args:
        pairs: (claims, gold spans, predicted spans). Gold spans without offsets mark nothing.
    """
    found = tuple(score_pair(*pair) for pair in pairs)
    table = np.zeros((len(found), 2 * (len(MEASURES) + 1)))
    for row, one in enumerate(found):
        if one is not None:
            block = WAYS.index(one.way) * (len(MEASURES) + 1)
            table[row, block : block + len(MEASURES) + 1] = (*one[: len(MEASURES)], 1.0)
    kept = [one for one in found if one is not None]
    of = {"": kept, **{way: [one for one in kept if one.way == way] for way in WAYS}}
    std = {
        name: float(np.std([getattr(one, measure) for one in of[way]])) if of[way] else None
        for name in NAMES
        for measure, _, way in [name.partition(":")]
    }

    def reason(name: str) -> str:
        return NO_PAIRS if not found else NO_GOLD if not kept else _NO_WAY[name.partition(":")[2]]

    width = len(MEASURES) + 1
    estimates, resampled = formulas(
        FAMILY,
        {way: table[:, i * width : (i + 1) * width] for i, way in enumerate(WAYS)},
        strata=WAYS,
        n=lambda name: len(of[name.partition(":")[2]]),
        reason=reason,
        std=std,
        index_lists=index_lists,
        level=level,
    )
    return SpanScores(Scored({n: estimates[n] for n in NAMES}, {n: resampled[n] for n in NAMES}), found)


def score_pair(claims: Claims, gold: Sequence[Marked], predicted: Sequence[Marked]) -> SpanScore | None:
    """Values of one pair; None where no gold span marks a token of the claims."""
    places = {side: [match.span() for match in _TOKEN.finditer(text)] for side, text in _sides(claims)}
    right = set().union(*(_tokens(span, places) for span in gold)) if gold else set()
    if not right:
        return None
    said: set[Token] = set()
    lost: set[str] = set()
    for span in predicted:
        placed = _located(span, claims)
        if placed is not None:
            said |= _tokens(placed, places)
        elif span.text.strip():
            lost.add(span.text)  # identical ones collapse
    if not lost:
        return SpanScore(*_ratios(len(right & said), len(right), len(said)), "places")
    g = _bag(right, claims, places)
    p = _bag(said, claims, places)
    for text in lost:
        p.update(_WORD.findall(text.lower()))
    return SpanScore(*_ratios((g & p).total(), g.total(), p.total()), "bags")


def _sides(claims: Claims) -> tuple[tuple[Side, str], tuple[Side, str]]:
    return ("a", claims.a), ("b", claims.b)


def _tokens(span: Marked, places: dict[Side, list[tuple[int, int]]]) -> set[Token]:
    """Tokens that share a character with a span; none where it has no place."""
    if span.side is None or span.start is None or span.end is None or span.start >= span.end:
        return set()
    found = places[span.side]  # in order, and apart: those that a span touches stand in a row
    first = bisect_right(found, span.start, key=itemgetter(1))
    last = bisect_left(found, span.end, key=itemgetter(0))
    return {(span.side, i) for i in range(first, last)}


def _located(span: Marked, claims: Claims) -> Marked | None:
    """The span with its place: as given, else where its words first stand; None where they do not."""
    if span.side is not None and span.start is not None and span.end is not None:
        return span
    if not span.text.strip():
        return None
    sides = [(side, text) for side, text in _sides(claims) if span.side in (None, side)]
    exact = re.compile(re.escape(span.text))
    alike = re.compile(re.escape(span.text), re.IGNORECASE)
    for pattern in (exact, alike):
        for side, text in sides:
            if match := pattern.search(text):
                return Marked(side, *match.span(), span.text)
    return None


def _bag(tokens: Iterable[Token], claims: Claims, places: dict[Side, list[tuple[int, int]]]) -> Counter[str]:
    texts = dict(_sides(claims))
    words = (texts[side][slice(*places[side][i])].lower() for side, i in tokens)
    return Counter(word for word in words if _WORD.fullmatch(word))


def _ratios(both: int, gold: int, said: int) -> tuple[float, float, float, float]:
    """IoU, F1, precision, recall; |g ∪ p| = |g| + |p| - |g ∩ p|, for sets and for bags."""
    if not both:
        return 0.0, 0.0, 0.0, 0.0
    return both / (gold + said - both), 2 * both / (gold + said), both / said, both / gold
