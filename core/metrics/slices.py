"""Precision, recall and F1 cut by branch of the ontology, by length of the document, by status.

Unit: a concept of a document (sets), complete documents only. All values of a slice are pooled (micro) over
its items, but `macro_f1`. Intervals of P and R are Wilson's (`core.metrics.proportion`), of items; F1 is no
share of independent items and has none.

**Branch.** The branches are the children of the root. A concept belongs to every branch that it is or lies
under, and counts once in each; so with concepts under several branches the slices add up to more than the
total, and `surplus` says by how many. The root itself, and ids outside it, are in no branch: `None` gathers
them.

    TP_b = #{(d, c): c right in d, b ∈ branches(c)}, and FP_b, FN_b alike

**Length.** In tokens (words and signs, metric-definitions 0.7). The cut points are the quartiles q1, q2, q3
of the lengths of the complete documents, by linear interpolation, and are printed. A document of length x is
in slice 1 if x <= q1, else 2 if x <= q2, else 3 if x <= q3, else 4. Slices may differ in size where lengths
are equal; one without documents has no values (N0).

**Assertion.** Gold and prediction are both restricted to the status (metric-definitions 5.2): the same
concept with another status is missed in one slice and spurious in the other. All statuses are cut, those that
do not count elsewhere included.

P = TP / (TP + FP), R = TP / (TP + FN), F1 = 2TP / (2TP + FP + FN); any other zero denominator: 0 (rule Z0). A
slice that neither side holds: undefined (U0). `macro_f1` is the mean over documents of the F1 of the
document's items in the slice; documents that hold none of either side have none there (U0), but for lengths,
where they follow the rule for vacuous documents. Source: Full-Text HPO Extraction Benchmarking Framework,
sections 2 and 5; the rules are ours, as metric-definitions has no entry.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

from core.metrics.definition import Estimate, Family, Metric
from core.metrics.documents import VACUOUS, Vacuous, ratios
from core.metrics.marked import Integers, coded
from core.metrics.proportion import share

FAMILY = Family(
    title="Slices",
    item="a concept of a document, in every slice that it belongs to",
    source="Full-Text HPO Extraction Benchmarking Framework, sections 2 and 5; the rules of slices are ours",
    undefined="Neither gold nor proposals are in the slice, or no document is. A zero denominator: 0.",
    metrics={
        "precision": Metric(
            "Precision in a slice",
            "Of the proposals of this slice, which share is right?",
            "TP / (TP + FP) over the items of the slice, with a Wilson interval",
        ),
        "recall": Metric(
            "Recall in a slice",
            "Of the gold of this slice, which share was found?",
            "TP / (TP + FN) over the items of the slice, with a Wilson interval",
        ),
        "f1": Metric(
            "F1 in a slice",
            "How well is this slice of the concepts recovered?",
            "2TP / (2TP + FP + FN) over the items of the slice",
        ),
        "macro_f1": Metric(
            "Macro F1 in a slice",
            "How well is this slice recovered in a typical document that holds any of it?",
            "mean over documents of the F1 of their items in the slice",
        ),
        "surplus": Metric(
            "Counted more than once",
            "By how much do the branches add up to more than the total?",
            "Σ over branches of (TP + FP + FN) - (TP + FP + FN) of all items in any branch",
            range="[0, ∞)",
            direction="none",
            undefined="Never. 0 where no concept lies under several branches.",
        ),
    },
)

S = TypeVar("S", bound=Hashable)
_TOKEN = re.compile(r"\w+|[^\w\s]")
_KINDS = bytes(
    ord("w" if re.match(r"\w", chr(i)) else " " if chr(i).isspace() else ".") for i in range(128)
) + bytes(128)
"""Of each ASCII character: in a word, white space, or a sign. Counts far faster than the expression."""
NOTHING = "Neither gold nor proposals hold anything of it."
NO_DOCUMENT = "No complete document is that long."


class Judged(NamedTuple):
    """What one document adds: ids that are right, spurious and missed."""

    doc_id: str
    tp: Sequence[Any]
    fp: Sequence[Any]
    fn: Sequence[Any]


@dataclass(frozen=True, slots=True)
class Slice(Generic[S]):
    """Counts and values of one slice."""

    name: S
    documents: int
    """That hold something of it; of a length, all of them."""
    tp: int
    fp: int
    fn: int
    precision: Estimate
    recall: Estimate
    f1: Estimate
    macro_f1: Estimate

    @property
    def items(self) -> int:
        return self.tp + self.fp + self.fn


def by_concept(
    documents: Iterable[Judged], slices: Callable[[Any], Iterable[S]], level: float = 0.95
) -> dict[S, Slice[S]]:
    """Slices of concepts, such as branches: each item counts once in every slice that its concept names.

    Args:
        slices: concept -> the slices it belongs to, each once.
    """
    rows = list(documents)
    lists = [document[at] for at in (1, 2, 3) for document in rows]
    side, document = np.divmod(
        np.repeat(np.arange(len(lists)), [len(ids) for ids in lists]), max(len(rows), 1)
    )
    concepts, concept = coded(list(chain.from_iterable(lists)))
    named = [tuple(slices(one)) for one in concepts]
    names, name = coded(list(chain.from_iterable(named)))
    # every item once for each slice of its concept
    each = np.array([len(those) for those in named], dtype=np.int64)
    times = each[concept]
    item = np.repeat(np.arange(len(concept)), times)
    within = np.arange(len(item)) - np.repeat(np.cumsum(times) - times, times)
    sliced = name[(np.cumsum(each) - each)[concept[item]] + within]
    return by_item(names, document[item], side[item], sliced, level)


def by_item(
    names: Sequence[S], document: Integers, side: Integers, name: Integers, level: float = 0.95
) -> dict[S, Slice[S]]:
    """Slices of items in columns; those that hold none are left out.

    Args:
        document: number of the document of each item.
        side: 0 right, 1 spurious, 2 missed.
        name: place in `names` of the slice that it counts in.
    """
    keys, cell = np.unique(document * max(len(names), 1) + name, return_inverse=True)
    held = np.bincount(cell * 3 + side, minlength=3 * len(keys)).reshape(-1, 3)
    tp, fp, fn = held.T
    of = keys % max(len(names), 1)
    documents = np.bincount(of, minlength=len(names)).tolist()
    f1 = np.bincount(of, 2 * tp / (2 * tp + fp + fn), minlength=len(names)).tolist()
    counts = np.bincount(name * 3 + side, minlength=3 * len(names)).reshape(-1, 3).tolist()
    rows = zip(names, counts, documents, f1, strict=True)
    return {
        one: made(one, right, spurious, missed, n, (n, total), level)
        for one, (right, spurious, missed), n, total in rows
        if n
    }


def by_document(
    documents: Iterable[Judged],
    names: Sequence[S],
    slice_of: Callable[[str], S],
    vacuous: Vacuous = "one",
    level: float = 0.95,
) -> dict[S, Slice[S]]:
    """Slices of whole documents, such as lengths.

    Args:
        names: every slice, those without documents included.
        slice_of: doc_id -> the one slice that the document is in.
    """
    found: dict[S, list[Judged]] = {name: [] for name in names}
    for document in documents:
        found[slice_of(document.doc_id)].append(document)
    result = {}
    for name, held in found.items():
        tp, fp, fn = (sum(len(d[at]) for d in held) for at in (1, 2, 3))
        every = (ratios(len(d.tp), len(d.fp), len(d.fn), vacuous).f1 for d in held)
        values = [f1 for f1 in every if f1 is not None]
        empty = VACUOUS[vacuous] if held and not tp + fp + fn else None
        result[name] = made(name, tp, fp, fn, len(held), (len(values), sum(values)), level, empty)
    return result


def made(
    name: S,
    tp: int,
    fp: int,
    fn: int,
    documents: int,
    macro: tuple[int, float],
    level: float = 0.95,
    vacuous: float | None = None,
) -> Slice[S]:
    """A slice from its counts.

    Args:
        macro: (documents with an F1, the sum of these).
        vacuous: P, R and F1 where the slice holds no item; None: undefined.

    Raises:
        ValueError: a count is negative.
    """
    if min(tp, fp, fn, documents, macro[0]) < 0:
        raise ValueError(f"counts are whole numbers from 0, not {tp}, {fp}, {fn} of {documents} documents")
    reason = NOTHING if documents else NO_DOCUMENT
    n, total = macro
    mean = Estimate(total / n, n) if n else Estimate(None, 0, reason=reason)
    if not tp + fp + fn:
        value = Estimate(vacuous, documents, reason=None if vacuous is not None else reason)
        return Slice(name, documents, tp, fp, fn, value, value, value, mean)

    def part(of: int) -> Estimate:
        return share(tp, of, level, documents=documents) if of else Estimate(0.0, 0, documents=documents)

    f1 = Estimate(2 * tp / (2 * tp + fp + fn), documents)
    return Slice(name, documents, tp, fp, fn, part(tp + fp), part(tp + fn), f1, mean)


# --- length -------------------------------------------------------------------------------------------------


def tokens(text: str) -> int:
    """Words and signs of a text."""
    if not text.isascii():
        return len(_TOKEN.findall(text))
    kinds = b" " + text.encode("ascii").translate(_KINDS)
    return kinds.count(b" w") + kinds.count(b".w") + kinds.count(b".")


def cut_points(lengths: Sequence[float]) -> tuple[float, float, float] | None:
    """The quartiles, by linear interpolation between order statistics; None of nothing."""
    if not lengths:
        return None
    ordered, last = sorted(lengths), len(lengths) - 1

    def quantile(q: float) -> float:
        below = int(last * q)
        above = min(below + 1, last)
        return ordered[below] + (ordered[above] - ordered[below]) * (last * q - below)

    return quantile(0.25), quantile(0.5), quantile(0.75)


def quarter(length: float, cuts: Sequence[float]) -> int:
    """0 up to the first cut point, inclusive, ... 3 above the last."""
    return bisect_left(cuts, length)
