"""Spans: how exactly are mentions placed? Five tiers, from the same span and id to any overlap.

    found = compare({"d1": [(0, 5, "HP:1")]}, {"d1": [(0, 6, "HP:1")]})
    score(found).estimates["type_f1"]                # 1.0: they overlap and the id is right

Offsets count characters, are zero-based and half-open, and end > start. Two spans overlap if they share a
character; touching ones do not. Spans are distinct by (document, start, end, id); identical ones collapse. In
every tier predictions and gold are matched one to one, so that the total credit is the largest possible: the
double loop of the paper counts a pair each time it occurs (metric-definitions 7, R27).

With nervaluate 1.2.1 the F1 values agree where no span overlaps two of the other side (its `strict`, `exact`,
`ent_type` and `partial` are `strict`, `exact`, `type` and `partial_semeval`), if ends are passed as end - 1.
It matches greedily in the order of its lists, knows half credit only, and takes an overlap of less than 1 %
of the gold span for none.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from core.metrics.bootstrap import Draws, Floats
from core.metrics.definition import Family, Metric
from core.metrics.matching import EXACT, OTHER, SEMANTIC, match_columns
from core.metrics.sums import Scored, formulas, ratio

Integers = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
Places = Mapping[str, Iterable[tuple[int, int, Hashable]]]
"""doc_id -> (start, end, id)."""
Columns = tuple[Integers, Sequence[Hashable]]
"""(place in the documents, start, end) of every span, shape (spans, 3), and its id; in any order."""

MEASURES = {"precision": "precision", "recall": "recall", "f1": "F1"}
HEADLINE = "strict_f1"


class Tier(NamedTuple):
    title: str
    question: str
    credit: str
    """What a prediction may be matched with, and what that is worth."""


TIERS: dict[str, Tier] = {
    "strict": Tier(
        "Strict",
        "How many mentions are found at exactly their place and with the right concept?",
        "credit 1 for the same span and the same id",
    ),
    "exact": Tier(
        "Exact boundaries",
        "How many mentions are found at exactly their place, whatever they were taken for?",
        "credit 1 for the same span, any id",
    ),
    "partial": Tier(
        "Overlap",
        "How many mentions are touched at all, whatever they were taken for?",
        "credit 1 for spans that overlap, any id",
    ),
    "type": Tier(
        "Overlap and concept",
        "How many mentions are touched and given the right concept?",
        "credit 1 for spans that overlap and have the same id",
    ),
    "partial_semeval": Tier(
        "Overlap, half credit",
        "How well are mentions placed, if an overlap is worth half an exact span?",
        "credit 1 for the same span and 0.5 for spans that overlap otherwise, any id",
    ),
}


def _ratio(tier: int, measure: str, s: Any) -> Floats:
    """Of the credit of a tier; shape (rows,)."""
    credit, gold, said = s.credit[:, tier], s.gold, s.predicted
    parts = {"precision": (credit, said), "recall": (credit, gold), "f1": (2 * credit, gold + said)}
    return np.where(gold + said == 0, 1.0, ratio(*parts[measure]))


FAMILY = Family(
    title="Spans",
    item="a mention: a span of a document with a concept",
    source="Full-Text HPO Extraction Benchmarking Framework, section 6; metric-definitions 7, R27",
    undefined="No documents: undefined. A zero denominator: 0. No span on either side: 1.",
    metrics={
        f"{name}_{measure}": Metric(
            f"{tier.title}: {words}",
            tier.question,
            f"{formula}, K = total credit of the best one-to-one matching; {tier.credit}; pooled over"
            " complete documents",
            of=partial(_ratio, i, measure),
        )
        for i, (name, tier) in enumerate(TIERS.items())
        for (measure, words), formula in zip(
            MEASURES.items(), ("K / predicted", "K / gold", "2K / (predicted + gold)"), strict=True
        )
    },
)
VALUES = tuple(FAMILY.metrics)
"""Names of the estimates, tier by tier."""

_NO_DOCUMENTS = "The gold holds no complete document."


class Span(NamedTuple):
    doc_id: str
    start: int
    end: int
    id: Any


@dataclass(frozen=True, slots=True)
class Matching:
    """Of one tier; arrays of one length, in order of prediction."""

    predicted: Integers
    """Row of `Compared.predicted`."""
    gold: Integers
    """Row of `Compared.gold`."""
    same_span: Mask
    same_id: Mask
    credit: Floats
    """In (0, 1]."""


@dataclass(frozen=True, slots=True)
class Compared:
    """Both sides, and what is matched with what."""

    documents: tuple[str, ...]
    """All that are scored, sorted, the silent ones included."""
    ids: tuple[Any, ...]
    gold: Integers
    """Distinct spans in order, shape (spans, 4): place in `documents`, start, end, place in `ids`."""
    predicted: Integers
    tiers: dict[str, Matching]
    """Every name of `TIERS`."""

    def spans(self, rows: Integers) -> list[Span]:
        """Rows of `gold` or `predicted` in words."""
        return [Span(self.documents[d], start, end, self.ids[i]) for d, start, end, i in rows.tolist()]


def compare(gold: Places, predicted: Places) -> Compared:
    """Match both sides in every tier. A gold document without predictions counts as an empty prediction; a
    predicted document without gold is not scored.

    Raises:
        ValueError: a span holds no character.
    """
    documents = tuple(sorted(gold))
    sides = []
    for side in (gold, predicted):
        rows = [
            (d, start, end, member)
            for d, doc_id in enumerate(documents)
            for start, end, member in side.get(doc_id, ())
        ]
        place = np.array([row[:3] for row in rows], dtype=np.int64).reshape(-1, 3)
        sides.append((place, [row[3] for row in rows]))
    return compare_columns(documents, *sides)


def compare_columns(documents: tuple[str, ...], gold: Columns, predicted: Columns) -> Compared:
    """The same of spans in columns.

    Args:
        documents: all that are scored, sorted.

    Raises:
        ValueError: a span holds no character.
    """
    ids, (right, said) = _read(documents, gold, predicted)
    p, g = _overlaps(said, right)
    same_id = said[p, 3] == right[g, 3]
    same_span = (said[p, 1:3] == right[g, 1:3]).all(axis=1)
    whole = np.ones(len(p))
    may: dict[str, tuple[Mask, Floats]] = {
        "strict": (same_span & same_id, whole),
        "exact": (same_span, whole),
        "partial": (whole > 0, whole),
        "type": (same_id, whole),
        "partial_semeval": (whole > 0, np.where(same_span, 1.0, 0.5)),
    }
    # of equal totals the matching with most pairs that agree in both is reported, then in either
    kind = np.where(same_span & same_id, EXACT, np.where(same_span | same_id, SEMANTIC, OTHER))
    tiers = {
        name: _matching(right, said, np.column_stack((p, g, credit, kind))[allowed], name)
        for name, (allowed, credit) in may.items()
    }
    return Compared(documents, ids, right, said, tiers)


def score(compared: Compared, *, index_lists: Iterable[Draws] | Draws = (), level: float = 0.95) -> Scored:
    """P / R / F1 of every tier with bootstrap intervals over documents; n is their number.

    Args:
        index_lists: resamples over `compared.documents` (see `bootstrap.draws`); empty for no intervals.
    """
    n = len(compared.documents)
    tiers = [compared.tiers[name] for name in TIERS]
    credit = [np.bincount(compared.gold[tier.gold, 0], weights=tier.credit, minlength=n) for tier in tiers]
    return formulas(
        FAMILY,
        {
            "gold": np.bincount(compared.gold[:, 0], minlength=n),
            "predicted": np.bincount(compared.predicted[:, 0], minlength=n),
            "credit": np.column_stack(credit),
        },
        n=lambda name: n,
        reason=lambda name: _NO_DOCUMENTS,
        index_lists=index_lists,
        level=level,
    )


def _read(documents: tuple[str, ...], *sides: Columns) -> tuple[tuple[Hashable, ...], list[Integers]]:
    """Ids, sorted, and either side's distinct spans as in `Compared`."""
    ids = tuple(sorted(set().union(*(members for _, members in sides)), key=str))
    number = {member: n for n, member in enumerate(ids)}
    tables = []
    for place, members in sides:
        wrong = place[(place[:, 1] < 0) | (place[:, 1] >= place[:, 2])]
        if len(wrong):
            d, start, end = wrong[0].tolist()
            raise ValueError(f"a span holds a character, not [{start}, {end}) of {documents[d]!r}")
        codes = np.fromiter(map(number.__getitem__, members), dtype=np.int64, count=len(members))
        table = np.column_stack((place, codes))
        table = table[np.lexsort(table.T[::-1])]
        tables.append(table[_new(table)])
    return ids, tables


def _new(table: Integers) -> Mask:
    """Which rows of a sorted table differ from the one before."""
    found: Mask = np.ones(len(table), dtype=np.bool_)
    found[1:] = (np.diff(table, axis=0) != 0).any(axis=1)
    return found


def _matching(right: Integers, said: Integers, candidates: Floats, tier: str) -> Matching:
    p, g = match_columns(candidates)
    same_span = (said[p, 1:3] == right[g, 1:3]).all(axis=1)
    credit = np.where(same_span, 1.0, 0.5) if tier == "partial_semeval" else np.ones(len(p))
    return Matching(p, g, same_span, said[p, 3] == right[g, 3], credit)


def _overlaps(predicted: Integers, gold: Integers) -> tuple[Integers, Integers]:
    """Places of all (prediction, gold) pairs that share a character of a document.

    Both are sorted by document and start, so the gold spans that begin before a prediction ends are a run;
    so are, by the furthest end so far, those of which some may still reach it. What lies between is checked.
    """
    if not len(predicted) or not len(gold):
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    apart = int(max(predicted[:, 2].max(), gold[:, 2].max())) + 1
    starts = gold[:, 0] * apart + gold[:, 1]
    reach = np.maximum.accumulate(gold[:, 0] * apart + gold[:, 2])
    first = np.searchsorted(reach, predicted[:, 0] * apart + predicted[:, 1], side="right")
    last = np.searchsorted(starts, predicted[:, 0] * apart + predicted[:, 2], side="left")
    counts = np.maximum(last - first, 0)
    p = np.repeat(np.arange(len(predicted)), counts)
    g = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts) + np.repeat(first, counts)
    shared = (gold[g, 2] > predicted[p, 1]) & (gold[g, 0] == predicted[p, 0])
    return p[shared], g[shared]
