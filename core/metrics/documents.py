"""Gold against predictions, one document at a time: which ids are right, spurious and missed.

Everything that is counted anywhere in this package comes from these lists, so every number opens.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from core.records import GoldSet

Counts = npt.NDArray[np.int64]
Sets = Mapping[str, AbstractSet[Any]]
"""doc_id -> ids. Sets: duplicates are gone before anything is counted (0.3)."""

Vacuous = Literal["one", "zero", "skip"]
"""What a document scores that has neither gold nor predictions: 1 (rule V1), 0, or nothing at all."""
VACUOUS: dict[Vacuous, float | None] = {"one": 1.0, "zero": 0.0, "skip": None}
ALL_SKIPPED = "No scored document holds a gold or a proposed concept, and such documents are skipped."


class Ratios(NamedTuple):
    """Precision, recall and F1 in [0, 1]; None where undefined."""

    precision: float | None
    recall: float | None
    f1: float | None


def ratios(tp: int, fp: int, fn: int, vacuous: Vacuous = "one") -> Ratios:
    """P = TP / (TP + FP), R = TP / (TP + FN), F1 = 2PR / (P + R) = 2TP / (2TP + FP + FN).

    Nothing on either side: rule V1, or what `vacuous` says. Any other zero denominator: 0 (rule Z0).

    Raises:
        ValueError: a count is negative.
    """
    if min(tp, fp, fn) < 0:
        raise ValueError(f"counts are whole numbers from 0, not {tp}, {fp} and {fn}")
    if not tp + fp + fn:
        value = VACUOUS[vacuous]
        return Ratios(value, value, value)
    if not tp:
        return Ratios(0.0, 0.0, 0.0)
    return Ratios(tp / (tp + fp), tp / (tp + fn), 2 * tp / (2 * tp + fp + fn))


@dataclass(frozen=True, slots=True)
class Outcome:
    """One document: the ids behind its counts, each list sorted."""

    doc_id: str
    tp: tuple[Any, ...]
    fp: tuple[Any, ...]
    fn: tuple[Any, ...]
    """Empty where the gold is not complete: what such a document lacks is not known."""
    undecided: tuple[Any, ...] = ()
    """Predictions that nobody has judged: in no count."""
    complete: bool = True
    """Whether the gold of this document is complete: only then it has recall, F1 and a weight."""

    @property
    def has_precision(self) -> bool:
        """A document whose gold is open speaks only through its decided predictions."""
        return self.complete or bool(self.tp or self.fp)

    def ratios(self, vacuous: Vacuous = "one") -> Ratios:
        """Of this document; recall and F1 are None where the gold is open (rule N0)."""
        precision, recall, f1 = ratios(len(self.tp), len(self.fp), len(self.fn), vacuous)
        if self.complete:
            return Ratios(precision, recall, f1)
        return Ratios(precision if self.has_precision else None, None, None)


def compare(
    gold: Sets,
    predicted: Sets,
    *,
    decided: Sets | None = None,
    complete: Collection[str] | None = None,
) -> tuple[Outcome, ...]:
    """The outcome of every gold document, sorted by doc_id, so that no result depends on input order.

    A gold document without predictions counts as an empty prediction; a predicted document without gold is
    not scored.

    Args:
        decided: doc_id -> ids somebody has judged, beyond the gold ids themselves. None: everything outside
            the gold is wrong. Otherwise predictions neither in gold nor here are set aside as undecided.
        complete: documents whose gold is complete; None: all.
    """
    nothing: frozenset[Any] = frozenset()
    documents = set(gold) if decided is None else set(gold) | set(decided)
    whole = documents if complete is None else set(complete)
    outcomes = []
    for doc_id in sorted(documents | (whole if complete is not None else set())):
        right, said = gold.get(doc_id, nothing), predicted.get(doc_id, nothing)
        judged = said if decided is None else said & (right | decided.get(doc_id, nothing))
        outcomes.append(
            Outcome(
                doc_id,
                tp=_sorted(judged & right),
                fp=_sorted(judged - right),
                fn=_sorted(right - said) if doc_id in whole else (),
                undecided=_sorted(said - judged),
                complete=doc_id in whole,
            )
        )
    return tuple(outcomes)


def settled(gold: GoldSet, predicted: Mapping[str, Collection[Any]]) -> dict[str, set[Any]] | None:
    """What `compare` takes as `decided`: every id of a document that people have settled, whatever its status
    (present, absent or present as negated). Closing a passage settles all that is proposed there but what was
    left open. None for imported gold: what it does not hold is wrong."""
    if not gold.reference.startswith("reviewed@"):
        return None
    documents = gold.documents.keys() | gold.rejected.keys()
    found = {d: {*gold.documents.get(d, ()), *gold.rejected.get(d, ())} for d in documents}
    for d in gold.recall_documents:
        found[d].update(set(predicted.get(d, ())) - gold.unsettled.get(d, frozenset()))
    return found


def _sorted(ids: AbstractSet[Any]) -> tuple[Any, ...]:
    return tuple(sorted(ids, key=str)) if len(ids) > 1 else tuple(ids)


class Totals(NamedTuple):
    """Counts beside the values. Ids are counted once per document."""

    documents: int
    documents_precision: int
    """Documents that enter precision."""
    documents_complete: int
    """Documents that enter recall, F1 and the weighted values."""
    vacuous: int
    """Complete documents with neither gold nor predictions."""
    tp: int
    fp: int
    fn: int
    """Misses, in complete documents only."""
    gold: int
    """Gold ids of complete documents: the support of recall."""
    predicted: int
    """Decided predictions: the support of precision."""
    undecided: int
    """Predictions set aside because nobody has judged them."""


class Sizes(NamedTuple):
    """How many ids each document has, one array of shape (n,) per outcome."""

    tp: Counts
    fp: Counts
    fn: Counts
    undecided: Counts
    complete: npt.NDArray[np.bool_]
    """Whether the gold of the document is."""

    @property
    def judged(self) -> npt.NDArray[np.bool_]:
        """As `Outcome.has_precision`."""
        found: npt.NDArray[np.bool_] = self.complete | (self.tp + self.fp > 0)
        return found

    @property
    def silent(self) -> npt.NDArray[np.bool_]:
        """Neither gold nor decided predictions, as far as is known."""
        found: npt.NDArray[np.bool_] = self.tp + self.fp + self.fn == 0
        return found


def sizes(outcomes: Sequence[Outcome]) -> Sizes:
    """Of documents, in their order."""

    def held(kind: str) -> Counts:
        return np.fromiter(map(len, map(attrgetter(kind), outcomes)), np.int64, len(outcomes))

    complete = np.fromiter(map(attrgetter("complete"), outcomes), np.bool_, len(outcomes))
    return Sizes(held("tp"), held("fp"), held("fn"), held("undecided"), complete)


def count(outcomes: Sequence[Outcome]) -> Totals:
    """Sums over documents."""
    return total(sizes(outcomes))


def total(found: Sizes) -> Totals:
    """The same, of documents whose sizes are known."""
    whole, tp, fp = found.complete, int(found.tp.sum()), int(found.fp.sum())
    return Totals(
        documents=len(whole),
        documents_precision=int(found.judged.sum()),
        documents_complete=int(whole.sum()),
        vacuous=int((whole & found.silent).sum()),
        tp=tp,
        fp=fp,
        fn=int(found.fn[whole].sum()),
        gold=int((found.tp + found.fn)[whole].sum()),
        predicted=tp + fp,
        undecided=int(found.undecided.sum()),
    )


class Item(NamedTuple):
    """One thing behind a number: a concept of a document, or a pair of claims."""

    doc_id: str
    id: Any
    """Concept id, or pair id."""
    outcome: str
    """tp, fp, fn, undecided, or a family's own word, such as `confused`."""
    detail: str = ""
    """What else a reader needs, such as `gold negated, proposed affirmed`. May hold text from outside."""


BEHIND: dict[str, tuple[Literal["tp", "fp", "fn", "undecided"], ...]] = {
    "precision": ("tp", "fp"),
    "recall": ("tp", "fn"),
    "f1": ("tp", "fp", "fn"),
    "tp": ("tp",),
    "fp": ("fp",),
    "fn": ("fn",),
    "undecided": ("undecided",),
}
"""Which outcomes a measure or a count is made of."""


def items_behind(outcomes: Iterable[Outcome], measure: str, *, complete_only: bool = False) -> list[Item]:
    """The items that a number counts, in order of document and id.

    Args:
        measure: a key of `BEHIND`.
        complete_only: leave out documents whose gold is open (they enter no recall, F1 or weighted value).
    """
    return [
        Item(o.doc_id, member, outcome)
        for o in outcomes
        if o.complete or not complete_only
        for outcome in BEHIND[measure]
        for member in getattr(o, outcome)
    ]
