"""Two systems on the same documents: is the second better than the first, or was it chance?

    a, b = shared(baseline, system)                   # outcomes of the documents scored in both
    t_test(f1_differences(a, b))                      # one-sided paired t-test on per-document F1
    wilcoxon(f1_differences(a, b))                    # the same question, by ranks
    corpus_differences(a, b)                          # system - baseline, with paired intervals and p

The p of t-test and Wilcoxon is one-sided (is the second better?), and two-sided (do they differ?) on request;
that of the bootstrap is two-sided. Items instead of documents: `core.metrics.discordant`.

metric-definitions has no entry for the bootstrap test; the definition in its style:

**Paired bootstrap test.** d*_b = the value of the second - of the first on resample b, the same documents for
both (0.6); p = min(1, 2 · (1 + min(#{d* ≤ 0}, #{d* ≥ 0})) / (1 + B)), B = resamples in which both have a
value. Unit: a probability in (0, 1]; it agrees with the percentile interval: p is small where 0 lies outside.
No resamples or an undefined difference: undefined. Differences that are equal as fractions are a tie.

Scored in both: the gold of the document is complete and its F1 is defined on either side (a document with
neither gold nor predictions scores 1, rule V1, unless chosen otherwise).

Undefined is None with a reason. A test says nothing, and says so, where

    no document is scored in both                     nothing was compared (rule N0)
    all differences are 0                             the two are the same where they are compared: the test
                                                      is not applicable (HI-ALD, footnote of table 2: after
                                                      "PCC -> QS" the remaining passages share the labels of
                                                      "PCC"; metric-definitions R47)
    only one document differs                         t is then 1 or -1 whatever the difference, and a sign
                                                      test has one sign
    every document differs by the same amount         the t-test alone: no spread to measure against
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

import numpy as np

from core.metrics import corpus
from core.metrics.bootstrap import Floats, draws, resample
from core.metrics.definition import Family, Metric
from core.metrics.differences import DIGITS, Difference, with_test
from core.metrics.documents import Outcome, Vacuous, sizes
from core.metrics.sums import Scored, by_name

_SOURCE = "HI-ALD, table 2; metric-definitions R47"
_UNDEFINED = (
    "No document scored in both, no difference at all (not applicable), or one document that differs."
)

FAMILY = Family(
    title="Two systems on the same documents",
    item="a document scored in both",
    direction="lower",
    metrics={
        "t_test_p": Metric(
            "Paired t-test",
            "If the second system were no better, how often would its F1 come out ahead by this much?",
            "p = P(T ≥ t), two-sided P(|T| ≥ |t|), t = mean(d) / (sd(d) / √n), d = per-document F1 of the"
            " second - of the first, sd with ddof = 1, T with n - 1 degrees of freedom",
            source=_SOURCE,
            undefined=_UNDEFINED + " Also where every document differs by the same amount.",
        ),
        "wilcoxon_p": Metric(
            "Wilcoxon signed-rank test",
            "The same without assuming that differences are normally distributed: how often would the ranks"
            " of the gains outweigh those of the losses by this much?",
            "p = P(W ≥ w), two-sided twice the smaller tail, w = Σ ranks of |d| over documents with d > 0;"
            " documents with d = 0 are left out;"
            " exact up to 50 such documents (13 with ties), else the normal approximation, corrected for ties"
            " and not for continuity",
            source="Wilcoxon (1945), as scipy.stats.wilcoxon does it",
            undefined=_UNDEFINED,
        ),
        "micro_difference": Metric(
            "Difference of micro P, R or F1",
            "By how much is the second system better over the whole corpus?",
            "the second's value - the first's, over documents scored in both; interval: percentiles of the"
            " difference over resamples of documents, the same resamples for both",
            range="[-1, 1]",
            direction="higher",
            source="core.metrics.bootstrap",
            undefined="Either value undefined.",
        ),
        "bootstrap_p": Metric(
            "Paired bootstrap test",
            "If documents had been drawn anew, how often would the difference be gone or turned around?",
            "p = min(1, 2·(1 + min(#{d* ≤ 0}, #{d* ≥ 0})) / (1 + B)) over B resamples of documents, the same"
            " for both",
            source="core.metrics.paired; percentile bootstrap; metric-definitions 0.6",
            undefined="Either value undefined, or no resamples.",
        ),
    },
)

NOT_APPLICABLE = "Not applicable: the two agree on every document scored in both."
_NOTHING = "No document is scored in both."
_ONE = "Only one document differs; a test needs at least two."
_NO_SPREAD = "Every document differs by the same amount, so there is no spread to test against."

Alternative = Literal["greater", "two-sided"]
"""Against no difference: the second system is better, or the two differ."""


@dataclass(frozen=True, slots=True)
class Test:
    """Of two systems over documents."""

    p: float | None
    """In [0, 1]; None: undefined, and `reason` says why."""
    statistic: float | None
    """t; or the rank sum of the gains, two-sided the smaller of the two rank sums."""
    n: int
    """Documents scored in both."""
    differing: int
    """Of these, documents whose F1 is not the same."""
    mean_difference: float | None
    """Of per-document F1, second - first, in [-1, 1]; None where n = 0."""
    reason: str | None = None

    __test__ = False  # no test case, for pytest

    @property
    def is_applicable(self) -> bool:
        """False where the two systems agree on everything that is compared."""
        return self.reason != NOT_APPLICABLE

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def shared(
    first: Sequence[Outcome], second: Sequence[Outcome], vacuous: Vacuous = "one"
) -> tuple[tuple[Outcome, ...], tuple[Outcome, ...]]:
    """The outcomes of documents scored in both, in the order of the first's."""
    others = {o.doc_id: o for o in second if o.ratios(vacuous).f1 is not None}
    ours = [o for o in first if o.doc_id in others and o.ratios(vacuous).f1 is not None]
    return tuple(ours), tuple(others[o.doc_id] for o in ours)


def f1_differences(
    first: Sequence[Outcome], second: Sequence[Outcome], vacuous: Vacuous = "one"
) -> list[float]:
    """Per-document F1 of the second - of the first, over documents scored in both, each in [-1, 1]."""
    pairs = zip(*shared(first, second, vacuous), strict=True)
    return [(b.ratios(vacuous).f1 or 0.0) - (a.ratios(vacuous).f1 or 0.0) for a, b in pairs]


def t_test(differences: Sequence[float], alternative: Alternative = "greater") -> Test:
    """Paired t-test that the mean difference is above 0, or two-sided that it is not 0.

    t = mean(d) / (sd(d) / √n) with ddof = 1; p is the upper tail of Student's t with n - 1 degrees of
    freedom, or both tails.
    """
    found, values = _described(differences)
    if found.reason is not None:
        return found
    if not np.ptp(values):
        return replace(found, reason=_NO_SPREAD)
    from scipy import stats

    result = stats.ttest_rel(values, np.zeros_like(values), alternative=alternative)
    return replace(found, p=float(result.pvalue), statistic=float(result.statistic))


def wilcoxon(differences: Sequence[float], alternative: Alternative = "greater") -> Test:
    """Wilcoxon signed-rank test that gains outrank losses, or two-sided that one outranks the other;
    documents that do not differ are left out."""
    found, values = _described(differences)
    if found.reason is not None:
        return found
    from scipy import stats

    result = stats.wilcoxon(values[values != 0], alternative=alternative)
    return replace(found, p=float(result.pvalue), statistic=float(result.statistic))


def corpus_differences(
    first: Sequence[Outcome],
    second: Sequence[Outcome],
    *,
    vacuous: Vacuous = "one",
    resamples: int = 1000,
    seed: int = 13,
    level: float = 0.95,
) -> dict[str, Difference]:
    """Second - first of every corpus value over documents scored in both.

    Both are resampled alike, so that what they share cancels out. Keys as in `core.metrics.corpus.VALUES`.
    """
    ours, theirs = shared(first, second, vacuous)
    tables = [corpus.per_document(sizes(side), vacuous) for side in (ours, theirs)]

    def statistic(sums: Floats) -> Floats:
        return np.hstack([corpus.values_of(part, vacuous) for part in np.hsplit(sums, 2)])

    # the resamples are counted once for both
    both = resample(np.hstack(tables), statistic, draws(len(ours), resamples, seed))
    a, b = (
        Scored(corpus.score(side, vacuous=vacuous).estimates, by_name(corpus.VALUES, part))
        for side, part in zip((ours, theirs), np.hsplit(both, 2), strict=True)
    )
    return with_test(a, b, level)


def _described(differences: Sequence[float]) -> tuple[Test, Floats]:
    """The test without its p, with the reason if there can be none, and the rounded differences."""
    values: Floats = np.asarray([round(d, DIGITS) for d in differences], dtype=np.float64)
    n, differing = len(values), int(np.count_nonzero(values))
    reason = None
    if not n:
        reason = _NOTHING
    elif not differing:
        reason = NOT_APPLICABLE
    elif differing < 2:
        reason = _ONE
    return Test(None, None, n, differing, float(values.mean()) if n else None, reason), values
