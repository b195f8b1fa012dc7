"""Stage-wise attribution of errors: every miss and every false positive to the one stage that caused it.

    faults = attribute(outcomes, stages, gold, proposed)      # one Fault per error, no more and no less

The framework asks for it (section 7) without saying how; this is the rule. Unit: the error, a (document,
concept id) that is FN or FP of exact matching with the statuses that count. Each error gets the **first**
cause of its list that holds, so the causes are disjoint and add up to the errors of the corpus family:

    FN  status      proposed with a status that does not count     stage that set the status last
        failed      the run has no answer for the document          stage that failed, or the first one
        dropped     a stage took it out, none brought it back       that stage
        discarded   the whole document was thrown away              stage that rated it
        removed     the run proposed it, review did not let it      review
        too far     a name came near it, below the threshold        stage that looked the name up
        mismatched  its words led to a concept that is not gold     stage that brought that concept in
        never       nothing of it ever came up                      the first stage
    FP  status      gold holds it with a status that does not count stage that set the status last
        added       in no list of the run, or out at its end        review
        mismatched  its words are those of a gold concept that was
                    missed by them (the counterpart of the miss)    stage that brought it in
        brought in  all others                                      stage that brought it in last

Words are the same if a name that led to the concept equals, in words and case-folded, a quote or the name
of the gold concept, or if places of the two overlap. A status was set by the earliest step since which it has
not changed; if the proposal's status is not the one the run ended with, by review.

**Shares.** Of misses: k / ΣFN. Of false positives there are two denominators, and both are reported by name
(register R43): apparent false positives, missing gold included, and true errors, without those that people
found to be right. HI-ALD's 31 of 104 is 0.298 of the apparent and 31 / 86 = 0.360 of the true errors. Range
[0, 1]; no such error: undefined.

`core.metrics.faults` finds the causes, `core.metrics.stage_lists` what is left after each stage,
`core.metrics.sentence_pairs` what merging costs.
"""

from __future__ import annotations

from core.metrics.definition import Family, Metric

_NO_ERROR = "No error of this kind."
_POOLED = "; pooled over complete documents"

FAMILY = Family(
    title="Errors by stage",
    item="a missed or spurious concept of a document, each with the one stage that caused it",
    source="Full-Text HPO Extraction Benchmarking Framework, section 7.2; the rule is ours",
    undefined="Never.",
    metrics={
        "misses": Metric(
            "Misses of a stage",
            "How many gold concepts does this stage cost?",
            "number of FN that the rule gives to the stage (and cause); sums to all FN",
            range="[0, ∞)",
            direction="lower",
        ),
        "spurious": Metric(
            "False positives of a stage",
            "How many wrong concepts does this stage bring in?",
            "number of FP that the rule gives to the stage (and cause); sums to all FP",
            range="[0, ∞)",
            direction="lower",
        ),
        "share_of_misses": Metric(
            "Share of misses",
            "Which share of all misses does this stage cause?",
            "FN of the stage / all FN, with a Wilson interval",
            direction="none",
            undefined=_NO_ERROR,
        ),
        "share_of_apparent": Metric(
            "Share of apparent false positives",
            "Which share of all that the gold does not hold does this stage bring in?",
            "FP of the stage / all FP, concepts that the gold only lacks included",
            direction="none",
            source="HI-ALD, section 6.2, with the denominator named (register R43)",
            undefined=_NO_ERROR,
        ),
        "share_of_true": Metric(
            "Share of true errors",
            "Which share of the proposals that people found wrong does this stage bring in?",
            "FP of the stage without missing gold / all FP without missing gold",
            direction="none",
            source="HI-ALD, section 6.2, with the denominator named (register R43)",
            undefined="Nobody has reviewed the run, or no false positive is left.",
        ),
        "candidate_recall": Metric(
            "Candidate recall",
            "Which share of the gold ever came up, so that a later stage could have kept it?",
            "gold concepts that entered a list / all gold concepts, statuses ignored" + _POOLED,
            undefined="No gold concept.",
        ),
        "stage_recall": Metric(
            "Recall after a stage",
            "Which share of the gold is still in the list when this stage is done?",
            "gold concepts in the list / all gold concepts, statuses ignored" + _POOLED,
            undefined="No gold concept.",
        ),
        "stage_precision": Metric(
            "Precision after a stage",
            "Which share of the list is gold when this stage is done?",
            "gold concepts in the list / concepts in the list, statuses ignored" + _POOLED,
            undefined="The list is empty.",
        ),
        "sentence_recall": Metric(
            "Recall per sentence",
            "Before sentences are merged into documents: is a concept found wherever it is said?",
            "(sentence, concept) pairs of gold that are proposed / all such pairs" + _POOLED,
            undefined="No gold mention has a place in the text.",
        ),
        "sentence_precision": Metric(
            "Precision per sentence",
            "Before sentences are merged into documents: which share of the proposals is right?",
            "(sentence, concept) pairs proposed that are gold / all proposed pairs" + _POOLED,
            undefined="No proposed mention, or no gold mention at all, has a place in the text.",
        ),
        "merging_loss": Metric(
            "Precision lost by merging",
            "How much precision goes when sentences become one set of concepts?",
            "precision per sentence - precision per document, both of documents whose gold has places",
            range="[-1, 1]",
            direction="lower",
            undefined="Either is undefined. Right concepts are said more often than wrong ones, so it is"
            " mostly > 0.",
        ),
        "assertion_accuracy": Metric(
            "Assertion accuracy",
            "Where both sides hold a concept: how often is its status right?",
            "equal statuses / concepts of a document present on both sides with any status" + _POOLED,
            source="Full-Text HPO Extraction Benchmarking Framework, sections 3 and 7.2",
            undefined="No concept is present on both sides.",
        ),
    },
)
