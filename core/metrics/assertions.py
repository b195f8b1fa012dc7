"""Assertions: is a concept that both sides name affirmed, negated or uncertain in both?

    terms = compare({"d1": [("HP:1", "negated")]}, {"d1": [("HP:1", "affirmed")]})
    score(terms).estimates["joint_f1"]                 # 0.0: the id is right, its status is not
    terms.confusion()                                  # rows gold, columns predicted

An item is (document, concept id, status); both sides are sets of these (metric-definitions 5.1, R17: the code
sketch of the paper lets one prediction match every copy of a gold). Everything is counted from the rows of
`core.metrics.statuses`, one per (document, id), so that every number opens.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from core.metrics.bootstrap import Draws, Floats
from core.metrics.definition import Estimate, Family, Metric
from core.metrics.statuses import BITS, PAIRINGS, STATUSES, Integers, Mask, Repeats, Terms
from core.metrics.sums import by_name, divide, estimated

MEASURES = ("precision", "recall", "f1")
_SOURCE = "Full-Text HPO Extraction Benchmarking Framework, section 3; metric-definitions "
_FORMULAS = {
    "precision": "TP / (TP + FP)",
    "recall": "TP / (TP + FN)",
    "f1": "2TP / (2TP + FP + FN)",
}
_ZERO = "No documents: undefined. A zero denominator: 0. Nothing on either side: 1."
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

FAMILY = Family(
    title="Assertions",
    item="a concept of a document with its status: affirmed, negated or uncertain",
    source=_SOURCE + "5.2",
    metrics={
        **{
            f"{kind}_{measure}": Metric(
                title.format("F1" if measure == "f1" else measure),
                question,
                f"{_FORMULAS[measure]}; {counted}; summed over complete documents",
                source=_SOURCE + section,
                undefined=_ZERO,
            )
            for kind, (title, question, counted, section) in KINDS.items()
            for measure in MEASURES
        },
        **{
            measure: Metric(
                f"{'F1' if measure == 'f1' else measure.capitalize()} of one status",
                "How well are concepts recovered that have this status?",
                f"{_FORMULAS[measure]} over (document, id), gold and proposals restricted to the status",
                undefined="The status occurs on neither side, or no documents: undefined. On one side only:"
                " 0.",
            )
            for measure in MEASURES
        },
        "mean_f1": Metric(
            "Mean F1 over statuses",
            "How well is a typical status recovered, each status counting the same?",
            "mean of the F1 of the statuses that occur on either side",
            undefined="No status occurs on either side, or no documents.",
        ),
        "accuracy": Metric(
            "Assertion accuracy",
            "Of the concepts that both sides name, which share has the right status?",
            "trace / total of the 3 x 3 confusion matrix, rows gold, columns proposed; where a concept has"
            " several statuses, equal ones are paired first, then the rest in canonical order",
            source=_SOURCE + "5.3, R18",
            undefined="No concept is named by both sides, or no documents.",
        ),
    },
)
VALUES = (
    *(f"{kind}_{measure}" for kind in KINDS for measure in MEASURES),
    *(f"{measure}:{status}" for status in STATUSES for measure in MEASURES),
    "mean_f1",
    "accuracy",
)
"""Names of the estimates, in the order in which `_statistic` returns them."""
HEADLINE = "joint_f1"

NO_DOCUMENTS = "The gold holds no complete document."
NO_MENTIONS = "The single mentions of both sides are not known."
_ABSENT = "The status occurs neither in the gold nor in the proposals."
_NO_STATUS = "Neither side names a concept."
_NO_PAIR = "No concept is named by both sides."


@dataclass(frozen=True, slots=True)
class AssertionScores:
    estimates: dict[str, Estimate]
    """Every name of `VALUES`."""
    resampled: dict[str, Floats]
    """The same: value in each resample, shape (resamples,); NaN where it has none."""


def score(
    terms: Terms,
    mentions: Repeats | None = None,
    *,
    index_lists: Iterable[Draws] | Draws = (),
    level: float = 0.95,
) -> AssertionScores:
    """All values of the family with bootstrap intervals over documents; n is their number.

    Args:
        mentions: for `joint_mention`, over the same documents; None: not known.
        index_lists: resamples over `terms.documents` (see `bootstrap.draws`); empty for no intervals.
    """
    table = _table(terms, mentions)
    estimates, resampled = estimated(
        table,
        _statistic,
        VALUES,
        n=lambda name: len(terms.documents),
        reason=lambda name: _reason(name, terms, mentions),
        index_lists=index_lists,
        level=level,
    )
    return AssertionScores(estimates, by_name(VALUES, resampled))


# --- one document a row, then sums over rows ----------------------------------------------------------------


def _table(terms: Terms, mentions: Repeats | None) -> Floats:
    """Per document what every statistic sums, shape (n, 22): 1; TP, gold, predicted of joint, term, mentions
    and each status; pairs and right pairs of the matrix; 1 if mentions are known."""
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
    for i in range(len(STATUSES)):
        bits = (terms.gold & terms.predicted, terms.gold, terms.predicted)
        columns += [add(side >> i & 1) for side in bits]
    cells = PAIRINGS[terms.gold, terms.predicted]
    columns += [add(cells.sum(axis=(1, 2))), add(np.trace(cells, axis1=1, axis2=2))]
    columns.append(np.full(n, float(mentions is not None)))
    return np.column_stack(columns)


def _statistic(sums: Floats) -> Floats:
    """The values of each row of sums, shape (rows, 22) -> (rows, 20); NaN: undefined."""
    n, known = sums[:, 0], sums[:, 21]
    some = n > 0
    values: list[Floats] = []
    for kind in range(len(KINDS)):
        present = some & (known > 0) if kind == 2 else some
        values += _ratios(sums[:, 1 + 3 * kind : 4 + 3 * kind], empty=1.0, where=present)
    strata = []
    for i in range(len(STATUSES)):
        strata += _ratios(sums[:, 10 + 3 * i : 13 + 3 * i], empty=np.nan, where=some)
    f1 = np.column_stack(strata[2::3])
    mean = divide(np.nansum(f1, axis=1), (~np.isnan(f1)).sum(axis=1).astype(np.float64))
    return np.column_stack((*values, *strata, mean, divide(sums[:, 20], sums[:, 19])))


def _ratios(counts: Floats, empty: float, where: Mask) -> list[Floats]:
    """Precision, recall and F1 of (tp, gold, predicted); `empty` where both sides are, Z0 elsewhere."""
    tp, gold, predicted = counts.T
    nothing = gold + predicted == 0
    return [
        np.where(where, np.where(nothing, empty, np.nan_to_num(divide(top, bottom))), np.nan)
        for top, bottom in ((tp, predicted), (tp, gold), (2 * tp, gold + predicted))
    ]


def _reason(name: str, terms: Terms, mentions: Repeats | None) -> str:
    """Why a value is undefined, as a sentence."""
    if not terms.documents:
        return NO_DOCUMENTS
    if name.startswith("joint_mention") and mentions is None:
        return NO_MENTIONS
    return {"accuracy": _NO_PAIR, "mean_f1": _NO_STATUS}.get(name, _ABSENT)
