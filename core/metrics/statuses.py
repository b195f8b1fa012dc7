"""Statuses of concepts on two sides, put side by side: one row per (document, id).

    terms = compare({"d1": [("HP:1", "negated")]}, {"d1": [("HP:1", "affirmed")]})
    terms.confused(1, 0)                               # [True]: gold negated, predicted affirmed

What a side says of a concept is a set of statuses, held as bits, so that a concept with several statuses is
one row like any other (metric-definitions 5.3, R18).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from core.records import Assertion

Integers = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
Labels = Mapping[str, Iterable[tuple[Hashable, str]]]
"""doc_id -> (id, status); repeats are dropped, but for mentions."""

EVERY = tuple(Assertion)
"""In canonical order: of rows, columns, and of pairing where a concept has several."""
STATUSES = EVERY[:3]
"""Those that are compared unless the fourth, said of another person, is asked for too."""
_MANY = len(EVERY)


def pairing(gold: int, predicted: int) -> list[tuple[int, int]]:
    """Which statuses of one concept stand against which: (gold, predicted) places in `EVERY`.

    Args:
        gold, predicted: sets of statuses as bits, bit i for `EVERY[i]`.
    """
    places = range(_MANY)
    equal = gold & predicted
    rest = ([i for i in places if (side & ~equal) >> i & 1] for side in (gold, predicted))
    return sorted([(i, i) for i in places if equal >> i & 1] + list(zip(*rest, strict=False)))


def _all_pairings() -> Mask:
    """(gold bits, predicted bits, row, column) -> whether that cell of the matrix counts the concept."""
    sets = 1 << _MANY
    table = np.zeros((sets, sets, _MANY, _MANY), dtype=np.bool_)
    for g in range(sets):
        for p in range(sets):
            for i, j in pairing(g, p):
                table[g, p, i, j] = True
    return table


PAIRINGS = _all_pairings()
BITS = np.array([bits.bit_count() for bits in range(1 << _MANY)])
"""How many statuses a set of them holds."""


@dataclass(frozen=True, slots=True)
class Terms:
    """One row per (document, id) that either side names, in order of both; arrays of one length."""

    documents: tuple[str, ...]
    """All that are scored, sorted, the silent ones included."""
    ids: tuple[Any, ...]
    document: Integers
    """Place in `documents`."""
    id: Integers
    """Place in `ids`."""
    gold: Integers
    """Statuses that the gold gives it, as bits, bit i for `EVERY[i]`; 0: not named."""
    predicted: Integers
    statuses: tuple[Assertion, ...] = STATUSES
    """Those that are compared: the first of `EVERY`."""

    def outcome(self, outcome: str, status: int | None = None) -> Mask:
        """Which rows are tp, fp or fn: of one status, or with statuses ignored."""
        g, p = (
            (side > 0 if status is None else side >> status & 1 > 0) for side in (self.gold, self.predicted)
        )
        found: Mask = {"tp": g & p, "fp": p & ~g, "fn": g & ~p}[outcome]
        return found

    def confused(self, gold: int, predicted: int) -> Mask:
        """Which rows the cell (gold, predicted) of the confusion matrix counts."""
        found: Mask = PAIRINGS[self.gold, self.predicted, gold, predicted]
        return found

    def confusion(self) -> list[list[int]]:
        """A square of counts, rows gold, columns predicted, both in the order of `statuses`."""
        places = range(len(self.statuses))
        return [[int(self.confused(i, j).sum()) for j in places] for i in places]


def compare(gold: Labels, predicted: Labels, statuses: tuple[Assertion, ...] = STATUSES) -> Terms:
    """Put both sides together. A gold document without predictions counts as an empty prediction; a predicted
    document without gold is not scored.

    Args:
        statuses: those that are compared: `STATUSES` or `EVERY`.

    Raises:
        ValueError: a status is none of these.
    """
    documents, ids, sides = _encode(gold, predicted, statuses)
    terms, rows = np.unique(np.concatenate([side // _MANY for side in sides]), return_inverse=True)
    bits = np.zeros((2, len(terms)), dtype=np.int64)
    first = len(sides[0])
    for i, (side, where) in enumerate(zip(sides, (rows[:first], rows[first:]), strict=True)):
        np.bitwise_or.at(bits[i], where, 1 << side % _MANY)
    document, member = np.divmod(terms, max(len(ids), 1))
    return Terms(documents, ids, document, member, bits[0], bits[1], statuses)


@dataclass(frozen=True, slots=True)
class Repeats:
    """Mentions counted as often as they occur: one row per (document, id, status), in order; arrays of one
    length."""

    documents: tuple[str, ...]
    ids: tuple[Any, ...]
    document: Integers
    """Place in `documents`."""
    id: Integers
    """Place in `ids`."""
    status: Integers
    """Place in `EVERY`."""
    gold: Integers
    """Times in the gold."""
    predicted: Integers

    def times(self, outcome: str) -> Integers:
        """How often each row is tp (the smaller of the two), fp or fn."""
        both = np.minimum(self.gold, self.predicted)
        return {"tp": both, "fp": self.predicted - both, "fn": self.gold - both}[outcome]


def compare_mentions(gold: Labels, predicted: Labels, statuses: tuple[Assertion, ...] = STATUSES) -> Repeats:
    """The multiset variant, for data that name every mention; documents and errors as in `compare`."""
    documents, ids, sides = _encode(gold, predicted, statuses)
    found, where = np.unique(np.concatenate(sides), return_inverse=True)
    first = len(sides[0])
    times = [np.bincount(w, minlength=len(found)) for w in (where[:first], where[first:])]
    terms, status = np.divmod(found, _MANY)
    document, member = np.divmod(terms, max(len(ids), 1))
    return Repeats(documents, ids, document, member, status, times[0], times[1])


def _encode(
    gold: Labels, predicted: Labels, compared: tuple[Assertion, ...]
) -> tuple[tuple[str, ...], tuple[Hashable, ...], tuple[Integers, Integers]]:
    """Documents and ids, both sorted, and of each side (document x ids + id) x 4 + status of every label,
    in the order of the input, repeats included."""
    documents = tuple(sorted(gold))
    statuses: dict[str, int] = {status: i for i, status in enumerate(compared)}
    seen: dict[Hashable, int] = {}

    def of(labels: Labels) -> tuple[Integers, Integers, Integers]:
        """Document, id by first sight, and status of every label."""
        held = [tuple(labels.get(doc_id, ())) for doc_id in documents]
        sizes = np.fromiter(map(len, held), dtype=np.int64, count=len(held))
        flat = list(chain.from_iterable(held))
        number = np.fromiter((seen.setdefault(member, len(seen)) for member, _ in flat), np.int64, len(flat))
        try:
            said = np.fromiter((statuses[status] for _, status in flat), np.int64, len(flat))
        except KeyError as error:
            raise ValueError(f"{error.args[0]!r} is no assertion status") from None
        return np.repeat(np.arange(len(held)), sizes), number, said

    sides = of(gold), of(predicted)
    ids = tuple(sorted(seen, key=str))
    place = np.empty(len(ids), dtype=np.int64)
    place[[seen[member] for member in ids]] = np.arange(len(ids))
    first, second = ((document * len(ids) + place[number]) * _MANY + said for document, number, said in sides)
    return documents, ids, (first, second)
