"""Corpus precision, recall and F1: micro, macro and weighted.

    outcomes = compare(gold, predicted)                       # the ids behind every number, per document
    scores = score(outcomes, index_lists=draws(len(outcomes)))
    scores.estimates["macro_f1"]                              # value, n, std, interval

Source: Full-Text HPO Extraction Benchmarking Framework, sections 2 and 8, with the rules Z0, V1 and N0 of
`core.metrics` where it leaves a case open. Its section 2.1 prints 0.59 / 0.42 / 0.48 for the weighted row of
its example; no weighting gives that, and weighted recall must equal micro recall: 0.75 / 0.50 / 0.49.

Gold that people are still making is open: a document enters recall only once it is complete. So three values
may rest on different documents, and each says on how many:

    precision          judged documents: complete, or with at least one decided prediction
    recall, F1         complete documents only; there F1 uses that document's own precision
    weighted, all      complete documents only, since the weight is the number of gold ids

Where every document is complete the three sets are the same and these are the plain averages.

A value is one row of `FAMILY`: its formula over the sums that `COLUMNS` names.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import SimpleNamespace

import numpy as np

from core.metrics.bootstrap import Draws, Floats
from core.metrics.definition import Family, Metric
from core.metrics.documents import ALL_SKIPPED, VACUOUS, Outcome, Sizes, Vacuous, sizes
from core.metrics.sums import Scored, mean, ratio, scored

_FRAMEWORK = "Full-Text HPO Extraction Benchmarking Framework, sections 2 and 8"
_NO_GOLD = "The complete documents hold no gold concept, so every weight is 0."
_WEIGHTLESS = "No gold concept at all: undefined. Documents without gold weigh nothing: their errors vanish."

FAMILY = Family(
    title="Corpus precision, recall and F1",
    item="a concept of a document (sets: a concept counts once per document)",
    source=_FRAMEWORK,
    undefined="No documents: undefined. A zero denominator: 0. Nothing on either side: 1 unless chosen"
    " otherwise.",
    metrics={
        "micro_precision": Metric(
            "Micro precision",
            "Of all proposed concepts, which share is right?",
            "ΣTP / (ΣTP + ΣFP), summed over documents",
            of=lambda s: ratio(s.tp, s.tp + s.fp),
            over="judged",
            opens="precision",
        ),
        "micro_recall": Metric(
            "Micro recall",
            "Of all gold concepts, which share was found?",
            "ΣTP / (ΣTP + ΣFN), summed over complete documents",
            of=lambda s: ratio(s.tp, s.tp + s.fn),
            over="complete",
            opens="recall",
        ),
        "micro_f1": Metric(
            "Micro F1",
            "How well are the corpus's concepts recovered, each concept counting the same?",
            "2ΣTP / (2ΣTP + ΣFP + ΣFN), summed over complete documents",
            of=lambda s: ratio(2 * s.tp, 2 * s.tp + s.fp + s.fn),
            over="complete",
        ),
        "macro_precision": Metric(
            "Macro precision",
            "In a typical document, which share of the proposals is right?",
            "mean over documents of TP / (TP + FP)",
            of=lambda s: mean(s.precision, s.valued),
            over="judged",
            rests_on="valued",
            std="precision",
            opens="precision",
        ),
        "macro_recall": Metric(
            "Macro recall",
            "In a typical document, which share of the gold was found?",
            "mean over complete documents of TP / (TP + FN)",
            of=lambda s: mean(s.recall, s.valued),
            over="complete",
            rests_on="valued",
            std="recall",
            opens="recall",
        ),
        "macro_f1": Metric(
            "Macro F1",
            "How well is a typical document labelled, each document counting the same?",
            "mean over complete documents of the document's F1; not the harmonic mean of macro P and macro R",
            of=lambda s: mean(s.f1, s.valued),
            over="complete",
            rests_on="valued",
            std="f1",
        ),
        "weighted_precision": Metric(
            "Weighted precision",
            "Which share of the proposals is right where there is much to find?",
            "Σ w·P / Σ w over complete documents, w = gold concepts of the document",
            source=_FRAMEWORK + " (whose printed example of it is wrong)",
            undefined=_WEIGHTLESS,
            of=lambda s: mean(s.weighted_precision, s.gold),
            over="complete",
            rests_on="valued",
            opens="precision",
            reason=_NO_GOLD,
        ),
        "weighted_recall": Metric(
            "Weighted recall",
            "Which share of the gold was found where there is much to find?",
            "Σ w·R / Σ w over complete documents; always equal to micro recall",
            undefined="No gold concept at all: undefined.",
            of=lambda s: mean(s.tp, s.gold),  # w·R = TP
            over="complete",
            rests_on="valued",
            opens="recall",
            reason=_NO_GOLD,
        ),
        "weighted_f1": Metric(
            "Weighted F1",
            "How well are the documents labelled that hold most of the gold?",
            "Σ w·F1 / Σ w over complete documents",
            undefined=_WEIGHTLESS,
            of=lambda s: mean(s.weighted_f1, s.gold),
            over="complete",
            rests_on="valued",
            reason=_NO_GOLD,
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
VALUES = tuple(FAMILY.computed)
"""The names of the estimates, in the order in which `values_of` returns them."""
HEADLINE = "macro_f1"

_NO_DOCUMENTS = "The gold standard holds no documents."
OVER = {
    "judged": "No document has a decided proposal.",
    "complete": "No document of this gold is complete (closed in review), so nothing is known about misses.",
}
"""Documents that a value may be over -> why it is undefined where there is none of these."""


def score(
    outcomes: Sequence[Outcome],
    *,
    vacuous: Vacuous = "one",
    index_lists: Iterable[Draws] | Draws = (),
    level: float = 0.95,
    table: Floats | None = None,
    sums: Floats | None = None,
) -> Scored:
    """Micro, macro and weighted P / R / F1 of a corpus, with std and bootstrap intervals.

    Args:
        vacuous: what a document with neither gold nor predictions scores: `one` (rule V1), `zero`, or `skip`
            (it leaves macro, weighted and std).
        index_lists: resamples over `outcomes` in their order (see `bootstrap.draws`); empty for no intervals.
        table: of the outcomes, as `per_document` makes it, where somebody has it.
        sums: as of `core.metrics.sums.scored`.
    """
    table = per_document(sizes(outcomes), vacuous) if table is None else table
    each, whole = _named(table), _named(table.sum(axis=0, keepdims=True))
    rests_on = {name: int(getattr(whole[row.over], row.rests_on)[0]) for name, row in FAMILY.computed.items()}

    def reason(name: str) -> str:
        row = FAMILY.metrics[name]
        if not outcomes:
            return _NO_DOCUMENTS
        return row.reason or ALL_SKIPPED if whole[row.over].documents[0] else OVER[row.over]

    return scored(
        table,
        lambda sums: values_of(sums, vacuous),
        VALUES,
        n=rests_on.__getitem__,
        reason=reason,
        std={name: _std(each[row.over], row.std) for name, row in FAMILY.computed.items() if row.std},
        index_lists=index_lists,
        level=level,
        sums=sums,
    )


# --- one document a row, then sums over rows ----------------------------------------------------------------


COLUMNS = tuple(
    (over, quantity)
    for over, quantities in (
        ("judged", ("documents", "tp", "fp")),
        ("complete", ("documents", "tp", "fp", "fn")),
        ("judged", ("valued", "precision")),
        ("complete", ("valued", "recall", "f1", "gold", "weighted_precision", "weighted_f1")),
    )
    for quantity in quantities
)
"""What the values are made of: the documents (a name of `OVER`), and the quantity that is summed over them.
The last digits of a resample depend on the order."""


def per_document(found: Sizes, vacuous: Vacuous) -> Floats:
    """What `COLUMNS` names, of each document, shape (n, columns): 0 where the column is not over it."""
    n = len(found.complete)
    tp, fp, fn = (counts.astype(np.float64) for counts in found[:3])
    nothing_there = VACUOUS[vacuous]
    # where nothing is on either side, what `vacuous` says; else as of `Outcome.ratios`
    p, r, f1 = (
        np.where(found.silent, nothing_there or 0.0, ratio(top, bottom))
        for top, bottom in ((tp, tp + fp), (tp, tp + fn), (2 * tp, 2 * tp + fp + fn))
    )
    over = {"judged": found.judged, "complete": found.complete}
    quantities = {
        "documents": np.ones(n),
        "valued": np.ones(n) if nothing_there is not None else ~found.silent,
        "tp": tp,
        "fp": fp,
        "fn": fn,
        "gold": tp + fn,
        "precision": p,
        "recall": r,
        "f1": f1,
        "weighted_precision": (tp + fn) * p,
        "weighted_f1": (tp + fn) * f1,
    }
    return np.column_stack([quantities[quantity] * over[which] for which, quantity in COLUMNS])


def _named(sums: Floats) -> dict[str, SimpleNamespace]:
    """The columns by documents and quantity."""
    found = {over: SimpleNamespace() for over in OVER}
    for (over, quantity), column in zip(COLUMNS, np.ascontiguousarray(sums.T), strict=True):
        setattr(found[over], quantity, column)
    return found


def values_of(sums: Floats, vacuous: Vacuous) -> Floats:
    """The values of each row of sums, shape (rows, columns) -> (rows, `VALUES`); NaN: undefined."""
    found = _named(sums)
    nothing_there, misses = VACUOUS[vacuous], found["complete"].fn
    empty = np.nan if nothing_there is None else nothing_there
    silent = {over: s.tp + s.fp + misses == 0 for over, s in found.items()}
    of_silent = {over: np.where(s.documents == 0, np.nan, empty) for over, s in found.items()}
    values = []
    for row in FAMILY.computed.values():
        value = row.of(found[row.over])
        values.append(np.where(silent[row.over] & ~np.isnan(value), of_silent[row.over], value))
    return np.column_stack(values)


def _std(each: SimpleNamespace, quantity: str) -> float | None:
    """Population standard deviation over the documents with a value."""
    values = getattr(each, quantity)[each.valued > 0]
    return float(np.std(values)) if len(values) else None
