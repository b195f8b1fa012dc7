"""Corpus precision, recall and F1: micro, macro and weighted.

    outcomes = compare(gold, predicted)                       # the ids behind every number, per document
    scores = score(outcomes, index_lists=draws(len(outcomes)))
    scores.estimates["macro_f1"]                              # value, n, std, interval

Source: Full-Text HPO Extraction Benchmarking Framework, sections 2 and 8, with the rules Z0, V1 and N0 of
`core.metrics` where it leaves a case open. Its section 2.1 prints 0.59 / 0.42 / 0.48 for the weighted row of
its example; no weighting gives that, and weighted recall must equal micro recall: 0.75 / 0.50 / 0.49.

Gold that people are still making is open: a document enters recall only once it is complete. So three values
may rest on different documents, and each says on how many:

    precision          documents that are complete, or have at least one decided prediction
    recall, F1         complete documents only; there F1 uses that document's own precision
    weighted, all      complete documents only, since the weight is the number of gold ids

Where every document is complete the three sets are the same and these are the plain averages.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.metrics.bootstrap import Draws, Floats
from core.metrics.definition import Estimate, Family, Metric
from core.metrics.documents import ALL_SKIPPED, VACUOUS, Outcome, Totals, Vacuous, count
from core.metrics.sums import divide, estimated

_FRAMEWORK = "Full-Text HPO Extraction Benchmarking Framework, sections 2 and 8"
_ZERO = "No documents: undefined. A zero denominator: 0. Nothing on either side: 1 unless chosen otherwise."

FAMILY = Family(
    title="Corpus precision, recall and F1",
    item="a concept of a document (sets: a concept counts once per document)",
    metrics={
        "micro_precision": Metric(
            "Micro precision",
            "Of all proposed concepts, which share is right?",
            "ΣTP / (ΣTP + ΣFP), summed over documents",
            "[0, 1]",
            "higher",
            _FRAMEWORK,
            _ZERO,
        ),
        "micro_recall": Metric(
            "Micro recall",
            "Of all gold concepts, which share was found?",
            "ΣTP / (ΣTP + ΣFN), summed over complete documents",
            "[0, 1]",
            "higher",
            _FRAMEWORK,
            _ZERO,
        ),
        "micro_f1": Metric(
            "Micro F1",
            "How well are the corpus's concepts recovered, each concept counting the same?",
            "2ΣTP / (2ΣTP + ΣFP + ΣFN), summed over complete documents",
            "[0, 1]",
            "higher",
            _FRAMEWORK,
            _ZERO,
        ),
        "macro_precision": Metric(
            "Macro precision",
            "In a typical document, which share of the proposals is right?",
            "mean over documents of TP / (TP + FP)",
            "[0, 1]",
            "higher",
            _FRAMEWORK,
            _ZERO,
        ),
        "macro_recall": Metric(
            "Macro recall",
            "In a typical document, which share of the gold was found?",
            "mean over complete documents of TP / (TP + FN)",
            "[0, 1]",
            "higher",
            _FRAMEWORK,
            _ZERO,
        ),
        "macro_f1": Metric(
            "Macro F1",
            "How well is a typical document labelled, each document counting the same?",
            "mean over complete documents of the document's F1; not the harmonic mean of macro P and macro R",
            "[0, 1]",
            "higher",
            _FRAMEWORK,
            _ZERO,
        ),
        "weighted_precision": Metric(
            "Weighted precision",
            "Which share of the proposals is right where there is much to find?",
            "Σ w·P / Σ w over complete documents, w = gold concepts of the document",
            "[0, 1]",
            "higher",
            _FRAMEWORK + " (whose printed example of it is wrong)",
            "No gold concept at all: undefined. Documents without gold weigh nothing: their errors vanish.",
        ),
        "weighted_recall": Metric(
            "Weighted recall",
            "Which share of the gold was found where there is much to find?",
            "Σ w·R / Σ w over complete documents; always equal to micro recall",
            "[0, 1]",
            "higher",
            _FRAMEWORK,
            "No gold concept at all: undefined.",
        ),
        "weighted_f1": Metric(
            "Weighted F1",
            "How well are the documents labelled that hold most of the gold?",
            "Σ w·F1 / Σ w over complete documents",
            "[0, 1]",
            "higher",
            _FRAMEWORK,
            "No gold concept at all: undefined. Documents without gold weigh nothing: their errors vanish.",
        ),
        "std": Metric(
            "Standard deviation",
            "How much do documents differ from each other?",
            "population standard deviation (ddof = 0) of the documents' P, R or F1",
            "[0, 0.5]",
            "none",
            _FRAMEWORK + "; the population form, as the seeds of BioDivergence, table 6, show",
            "One document: 0. No document: undefined.",
        ),
    },
)
VALUES = tuple(name for name in FAMILY.metrics if name != "std")
"""The nine values in the order in which `values_of` returns them."""
HEADLINE = "macro_f1"

_NO_DOCUMENTS = "The gold standard holds no documents."
_NONE_DECIDED = "No document has a decided proposal."
_NONE_COMPLETE = "No document of this gold is complete (closed in review), so nothing is known about misses."
_NO_GOLD = "The complete documents hold no gold concept, so every weight is 0."


@dataclass(frozen=True, slots=True)
class CorpusScores:
    estimates: dict[str, Estimate]
    """Every name of `VALUES`."""
    totals: Totals
    resampled: Floats
    """Shape (resamples, 9), columns as in `VALUES`; NaN where a resample has no value. For paired tests."""

    def to_json(self) -> dict[str, Any]:
        return {
            "totals": self.totals._asdict(),
            "estimates": {name: estimate.to_json() for name, estimate in self.estimates.items()},
        }


def score(
    outcomes: Sequence[Outcome],
    *,
    vacuous: Vacuous = "one",
    index_lists: Iterable[Draws] | Draws = (),
    level: float = 0.95,
) -> CorpusScores:
    """Micro, macro and weighted P / R / F1 of a corpus, with std and bootstrap intervals.

    Args:
        vacuous: what a document with neither gold nor predictions scores: `one` (rule V1), `zero`, or `skip`
            (it leaves macro, weighted and std).
        index_lists: resamples over `outcomes` in their order (see `bootstrap.draws`); empty for no intervals.
    """
    table = per_document(outcomes, vacuous)

    def statistic(sums: Floats) -> Floats:
        return values_of(sums, vacuous)

    totals = count(outcomes)
    spread = _spread(table)
    rests_on = {
        "micro_precision": totals.documents_precision,
        "micro_recall": totals.documents_complete,
        "micro_f1": totals.documents_complete,
        **{f"macro_{measure}": n for measure, (n, _) in spread.items()},
        **{f"weighted_{measure}": spread["recall"][0] for measure in spread},
    }
    estimates, resampled = estimated(
        table,
        statistic,
        VALUES,
        n=rests_on.__getitem__,
        reason=lambda name: _reason(name, totals),
        std={f"macro_{measure}": std for measure, (_, std) in spread.items()},
        index_lists=index_lists,
        level=level,
    )
    return CorpusScores(estimates, totals, resampled)


# --- one document a row, then sums over rows ----------------------------------------------------------------


def per_document(outcomes: Sequence[Outcome], vacuous: Vacuous) -> Floats:
    """Per document the quantities that every statistic sums, shape (n, 15)."""
    rows = []
    for o in outcomes:
        tp, fp, fn, whole = len(o.tp), len(o.fp), len(o.fn), float(o.complete)
        p, r, f = o.ratios(vacuous)
        weight = (tp + fn) * whole
        rows.append(
            (
                *(float(o.has_precision), tp, fp),
                *(whole, tp * whole, fp * whole, fn),
                *(float(p is not None), p or 0.0),
                *(float(r is not None), r or 0.0, f or 0.0),
                *(weight, weight * (p or 0.0), weight * (f or 0.0)),
            )
        )
    return np.array(rows, dtype=np.float64).reshape(len(rows), 15)


def values_of(sums: Floats, vacuous: Vacuous) -> Floats:
    """The nine values of each row of sums, shape (rows, 15) -> (rows, 9); NaN: undefined."""
    n_p, tp, fp, n_c, tp_c, fp_c, fn_c, k_p, p, k_r, r, f, w, wp, wf = sums.T
    nothing_there = VACUOUS[vacuous]
    empty = np.nan if nothing_there is None else nothing_there

    def micro(top: Floats, bottom: Floats, n: Floats, nothing: Floats) -> Floats:
        value = divide(top, bottom, otherwise=0.0)
        return np.where(n == 0, np.nan, np.where(nothing, empty, value))

    silent = tp_c + fp_c + fn_c == 0
    return np.column_stack(
        (
            micro(tp, tp + fp, n_p, tp + fp + fn_c == 0),
            micro(tp_c, tp_c + fn_c, n_c, silent),
            micro(2 * tp_c, 2 * tp_c + fp_c + fn_c, n_c, silent),
            divide(p, k_p),
            divide(r, k_r),
            divide(f, k_r),
            divide(wp, w),
            divide(tp_c, w),  # w·R = TP, so weighted recall is micro recall wherever it is defined
            divide(wf, w),
        )
    )


def _spread(table: Floats) -> dict[str, tuple[int, float | None]]:
    """(n, population standard deviation) of the documents' precision, recall and F1."""
    found: dict[str, tuple[int, float | None]] = {}
    for name, has, column in (("precision", 7, 8), ("recall", 9, 10), ("f1", 9, 11)):
        values = table[table[:, has] > 0, column]
        found[name] = (len(values), float(np.std(values)) if len(values) else None)
    return found


def _reason(name: str, totals: Totals) -> str:
    """Why a value is undefined, as a sentence."""
    if not totals.documents:
        return _NO_DOCUMENTS
    if name in ("micro_precision", "macro_precision"):
        return ALL_SKIPPED if totals.documents_precision else _NONE_DECIDED
    if not totals.documents_complete:
        return _NONE_COMPLETE
    return _NO_GOLD if name.startswith("weighted_") else ALL_SKIPPED
