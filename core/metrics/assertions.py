"""Assertions: has a concept that both sides name the same status in both?

    terms = compare({"d1": [("HP:1", "negated")]}, {"d1": [("HP:1", "affirmed")]})
    score(terms).estimates["joint_f1"]                 # 0.0: the id is right, its status is not
    terms.confusion()                                  # rows gold, columns predicted

An item is (document, concept id, status); both sides are sets of these (metric-definitions 5.1, R17: the code
sketch of the paper lets one prediction match every copy of a gold). Everything is counted from the rows of
`core.metrics.statuses`, one per (document, id), so that every number opens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np

from core.metrics.bootstrap import Draws, Floats
from core.metrics.definition import Family, Metric
from core.metrics.statuses import BITS, PAIRINGS, STATUSES, Integers, Mask, Repeats, Terms
from core.metrics.sums import Scored, divide, ratio, scored
from core.records import Assertion

MEASURES = ("precision", "recall", "f1")
_SOURCE = "Full-Text HPO Extraction Benchmarking Framework, section 3; metric-definitions "
_FORMULAS: dict[str, tuple[str, Callable[[Any], Floats]]] = {
    "precision": ("TP / (TP + FP)", lambda c: ratio(c.tp, c.predicted)),
    "recall": ("TP / (TP + FN)", lambda c: ratio(c.tp, c.gold)),
    "f1": ("2TP / (2TP + FP + FN)", lambda c: ratio(2 * c.tp, c.gold + c.predicted)),
}
"""In words, and of the counts of one kind of agreement."""
KINDS: dict[str, tuple[str, str, str, str]] = {
    "joint": (
        "Joint {}",
        "How well are concepts recovered together with their status?",
        "TP = distinct (document, id, status) on both sides",
        "5.1, R17",
    ),
    "term": (
        "Term {}",
        "How well are concepts recovered, whatever status they were given?",
        "TP = distinct (document, id) on both sides, statuses ignored",
        "5.1",
    ),
    "joint_mention": (
        "Joint {}, per mention",
        "How well are the single mentions recovered, counted as often as they occur?",
        "TP = Σ over (document, id, status) of min(times in gold, times proposed)",
        "5.1",
    ),
}
"""What must agree -> title, question, what counts as right, section."""

NO_DOCUMENTS = "The gold holds no complete document."
NO_MENTIONS = "The single mentions of both sides are not known."


def _whole(kind: str, measure: str, s: Any) -> Floats:
    counts = getattr(s, kind)
    value = np.where(counts.gold + counts.predicted == 0, 1.0, _FORMULAS[measure][1](counts))
    return np.where(counts.documents > 0, value, np.nan)


def _of_status(measure: str, s: Any) -> Floats:
    """One value a status, shape (rows, statuses)."""
    return np.where(s.status.gold + s.status.predicted == 0, np.nan, _FORMULAS[measure][1](s.status))


def _mean_f1(s: Any) -> Floats:
    f1 = _of_status("f1", s)
    return divide(np.nansum(f1, axis=1), (~np.isnan(f1)).sum(axis=1).astype(np.float64))


FAMILY = Family(
    title="Assertions",
    item="a concept of a document with its status: affirmed, negated or uncertain; of another person where"
    " that is asked for",
    source=_SOURCE + "5.2",
    metrics={
        **{
            f"{kind}_{measure}": Metric(
                title.format("F1" if measure == "f1" else measure),
                question,
                f"{formula}; {counted}; summed over complete documents",
                source=_SOURCE + section,
                undefined="No documents: undefined. A zero denominator: 0. Nothing on either side: 1.",
                of=partial(_whole, kind, measure),
                reason=NO_MENTIONS,
            )
            for kind, (title, question, counted, section) in KINDS.items()
            for measure, (formula, _) in _FORMULAS.items()
        },
        **{
            measure: Metric(
                f"{'F1' if measure == 'f1' else measure.capitalize()} of one status",
                "How well are concepts recovered that have this status?",
                f"{formula} over (document, id), gold and proposals restricted to the status",
                undefined="The status occurs on neither side, or no documents: undefined. On one side only:"
                " 0.",
                of=partial(_of_status, measure),
                per="status",
                reason="The status occurs neither in the gold nor in the proposals.",
            )
            for measure, (formula, _) in _FORMULAS.items()
        },
        "mean_f1": Metric(
            "Mean F1 over statuses",
            "How well is a typical status recovered, each status counting the same?",
            "mean of the F1 of the statuses that occur on either side",
            undefined="No status occurs on either side, or no documents.",
            of=_mean_f1,
            reason="Neither side names a concept.",
        ),
        "accuracy": Metric(
            "Assertion accuracy",
            "Of the concepts that both sides name, which share has the right status?",
            "trace / total of the confusion matrix, rows gold, columns proposed; where a concept has"
            " several statuses, equal ones are paired first, then the rest in canonical order",
            source=_SOURCE + "5.3, R18",
            undefined="No concept is named by both sides, or no documents.",
            of=lambda s: divide(s.right, s.pairs),
            reason="No concept is named by both sides.",
        ),
    },
)


def names(statuses: Sequence[Assertion]) -> tuple[str, ...]:
    """Of the estimates, status by status."""
    return (
        *(f"{kind}_{measure}" for kind in KINDS for measure in MEASURES),
        *(f"{measure}:{status}" for status in statuses for measure in MEASURES),
        "mean_f1",
        "accuracy",
    )


VALUES = names(STATUSES)
HEADLINE = "joint_f1"


def score(
    terms: Terms,
    mentions: Repeats | None = None,
    *,
    index_lists: Iterable[Draws] | Draws = (),
    level: float = 0.95,
) -> Scored:
    """All values of the family with bootstrap intervals over documents; n is their number.

    Args:
        mentions: for `joint_mention`, over the same documents; None: not known.
        index_lists: resamples over `terms.documents` (see `bootstrap.draws`); empty for no intervals.
    """
    rows = FAMILY.metrics
    estimates, resampled = scored(
        _table(terms, mentions),
        lambda sums: FAMILY.values(_named(sums)),
        FAMILY.names(terms.statuses),
        n=lambda name: len(terms.documents),
        reason=lambda name: rows[name.partition(":")[0]].reason if terms.documents else NO_DOCUMENTS,
        index_lists=index_lists,
        level=level,
    )
    order = names(terms.statuses)
    return Scored({name: estimates[name] for name in order}, {name: resampled[name] for name in order})


# --- one document a row, then sums over rows ----------------------------------------------------------------


def _table(terms: Terms, mentions: Repeats | None) -> Floats:
    """Per document what every statistic sums, shape (n, 13 + 3 x statuses): 1; TP, gold, predicted of joint,
    term, mentions and each status; pairs and right pairs of the matrix; 1 if mentions are known."""
    n = len(terms.documents)

    def add(rows: Mask | Integers, of: Integers = terms.document) -> Floats:
        return np.bincount(of, rows, minlength=n).astype(np.float64)

    columns = [np.ones(n)]
    columns += [add(BITS[b]) for b in (terms.gold & terms.predicted, terms.gold, terms.predicted)]
    columns += [add(rows) for rows in (terms.outcome("tp"), terms.gold > 0, terms.predicted > 0)]
    if mentions is None:
        columns += [np.zeros(n)] * 3
    else:
        columns += [
            add(times, mentions.document)
            for times in (mentions.times("tp"), mentions.gold, mentions.predicted)
        ]
    for i in range(len(terms.statuses)):
        bits = (terms.gold & terms.predicted, terms.gold, terms.predicted)
        columns += [add(side >> i & 1) for side in bits]
    cells = PAIRINGS[terms.gold, terms.predicted]
    columns += [add(cells.sum(axis=(1, 2))), add(np.trace(cells, axis1=1, axis2=2))]
    columns.append(np.full(n, float(mentions is not None)))
    return np.column_stack(columns)


def _named(sums: Floats) -> SimpleNamespace:
    """The columns by name: counts of each kind, of each status (shape (rows, statuses)), of the matrix."""

    def counts(columns: Floats, documents: Floats) -> SimpleNamespace:
        tp, gold, predicted = (columns[:, i::3] for i in range(3))
        return SimpleNamespace(tp=tp, gold=gold, predicted=predicted, documents=documents)

    n, known = sums[:, :1], sums[:, -1:]
    return SimpleNamespace(
        joint=counts(sums[:, 1:4], n),
        term=counts(sums[:, 4:7], n),
        joint_mention=counts(sums[:, 7:10], known),
        status=counts(sums[:, 10:-3], n),
        pairs=sums[:, -3],
        right=sums[:, -2],
    )
