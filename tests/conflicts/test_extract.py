"""Expected claims by the paper's table and by hand."""

from __future__ import annotations

import pytest

from core.conflicts.extract import claims_of
from core.records import Article, ClaimType, Section

ACCEPTED = (
    "The intervention significantly improved survival in the treatment arm.",
    "The isolate was resistant to colistin in the surveillance cohort.",
    "No significant difference in mortality was observed between groups.",
    "The prevalence of resistance was 18% in the exposed group.",
)
FILTERED = (
    "Background: We summarize prior work on the pathway.",
    "Methods: We retrospectively reviewed 120 records.",
    "Further studies are needed to confirm the mechanism.",
    "This paper presents the study design and setting.",
)


def claimed(text: str) -> list[str]:
    return [claim.text for claim in claims_of(Article("alpha", text, "trials"))]


@pytest.mark.parametrize("sentence", ACCEPTED)
def test_sentences_the_paper_accepts_are_claims(sentence: str) -> None:
    """Paper 004, Table 25, left column."""
    assert claimed(sentence) == [sentence]


@pytest.mark.parametrize("sentence", FILTERED)
def test_sentences_the_paper_filters_are_none(sentence: str) -> None:
    """Paper 004, Table 25, right column."""
    assert claimed(sentence) == []


EXAMPLES: list[tuple[str | None, str, str | None, str | None]] = [
    # section, sentence, type (None: no claim), direction
    ("RESULTS", "Pain at rest fell by 12 mm more in the ketamine group than in the placebo group (P = 0.01).",
     "efficacy", "decreased"),
    ("RESULTS", "There were no significant differences between the two arms in fasting glucose.",
     "efficacy", "unchanged"),
    ("CONCLUSIONS", "Nurse-led follow-up did not improve adherence to treatment compared with usual care.",
     "efficacy", "unchanged"),
    ("CONCLUSIONS", "Once-daily dosing was well tolerated and as effective as twice-daily dosing.",
     "efficacy", "unchanged"),
    ("RESULTS", "High baseline ferritin predicted a poorer response (hazard ratio 1.8, 95% CI 1.2 to 2.7).",
     "prognostic", None),
    ("CONCLUSIONS", "Frailty was an independent risk factor for death within 30 days of surgery.",
     "prognostic", None),
    ("RESULTS", "Age above 70 years did not predict early relapse.", "prognostic", "unchanged"),
    ("RESULTS", "Serum vitamin D was inversely correlated with body mass index (r = -0.31).",
     "correlational", None),
    ("RESULTS", "No association was found between coffee intake and sleep duration.",
     "correlational", "unchanged"),
    ("CONCLUSIONS", "Shift work is associated with higher blood pressure in bus drivers.",
     "correlational", "increased"),
    ("RESULTS", "The prevalence of anaemia was 34% among school children in the highlands.",
     "prevalence", None),
    ("RESULTS", "Of 212 isolates, 48 (22.6%) were positive for the toxin gene.", "prevalence", None),
    ("RESULTS", "The incidence of needlestick injuries was 5.4 per 100 person-years.", "prevalence", None),
    ("CONCLUSIONS", "The outbreak was caused by contaminated well water.", "causal", None),
    ("RESULTS", "Removing the pump led to a fall in new cases within a week.", "causal", None),
    ("CONCLUSIONS", "Noise in the ward contributes to delirium.", "causal", None),
    ("RESULTS", "The extract inhibited the growth of tumour cells by activation of the caspase pathway.",
     "mechanistic", "decreased"),
    ("CONCLUSIONS", "The loss of muscle is mediated by raised cortisol.", "mechanistic", None),
    ("RESULTS", "Loss of the receptor upregulated the expression of the transporter.", "mechanistic", None),
    ("CONCLUSIONS", "Routine imaging of the spine should be avoided in such patients.",
     "recommendation", None),
    ("CONCLUSIONS", "Screening of all newborns is recommended.", "recommendation", None),
    ("CONCLUSIONS", "The shorter course may be considered in children with mild disease.",
     "recommendation", None),
    ("RESULTS", "The sensitivity of the strip test was 91% and its specificity 88%.", "factual", None),
    ("RESULTS",
     "The fistula arose from the subclavian artery and was filled with thrombus in every cadaver.",
     "factual", None),
    (None, "BACKGROUND: Hip fracture is a major cause of disability in older people.", None, None),
    (None, "Little is known about how gardeners protect their skin.", None, None),
    ("INTRODUCTION", "Earlier trials have shown that zinc shortens colds.", None, None),
    (None, "OBJECTIVE: To compare two doses of oxytocin after birth.", None, None),
    (None, "We aimed to assess whether text messages increase attendance.", None, None),
    (None, "The purpose of this study was to evaluate the effect of yoga on back pain.", None, None),
    ("METHODS", "Sixty volunteers were randomly assigned to ibuprofen or placebo for 5 days.", None, None),
    (None, "Blood pressure was measured at home every morning.", None, None),
    ("METHODS", "The primary outcome was change in walking distance at 6 months.", None, None),
    ("RESULTS", "Of 140 women who were randomised, 131 completed the trial.", None, None),
    ("RESULTS", "The mean age of the participants was 54 years.", None, None),
    ("RESULTS", "A total of 88 nurses were recruited.", None, None),
    ("CONCLUSIONS", "Larger studies with longer follow-up are warranted.", None, None),
    ("CONCLUSIONS", "Future research should examine whether the gain lasts.", None, None),
    ("TRIAL REGISTRATION", "This trial is registered, number ISRCTN00000000.", None, None),
    ("DISCUSSION", "This trial will show whether the device is safe in the home.", None, None),
]  # fmt: skip


def sectioned(label: str | None, sentence: str) -> Article:
    section = (Section(label, 0, len(sentence)),) if label else ()
    return Article("alpha", sentence, "trials", sections=section)


@pytest.mark.parametrize(("section", "sentence", "kind", "direction"), EXAMPLES)
def test_forty_sentences_are_read_as_a_reader_would(
    section: str | None, sentence: str, kind: str | None, direction: str | None
) -> None:
    found = claims_of(sectioned(section, sentence))
    assert [claim.text for claim in found] == ([sentence] if kind else [])
    for claim in found:
        assert claim.claim_type == kind
        assert direction is None or claim.direction == direction


def test_there_are_forty_of_them() -> None:
    assert len(EXAMPLES) == 40
    assert {kind for _, _, kind, _ in EXAMPLES if kind} == {kind.value for kind in ClaimType}
