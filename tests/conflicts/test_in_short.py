"""Pairs in one line, on sentences that other people could have written; what is expected was read by hand."""

from __future__ import annotations

import pytest

from core.conflicts.cues.drugs import drugs_of
from core.conflicts.in_short import LONGEST, Relation, in_short
from core.records import CandidatePair, Claim, ClaimType, PairTask, Scores, Side


def task(a: str, b: str, claim_type: ClaimType = ClaimType.FACTUAL) -> PairTask:
    one, two = (
        Claim(f"c{n}", f"d{n}", "any", 0, len(text), text, 0, len(text), claim_type, 0.5)
        for n, text in enumerate((a, b))
    )
    pair = CandidatePair("p", "any", one, two, Scores(0.5, 0.5, 0.5, 1.0, 0.0, 0.5))
    return PairTask(pair, Side(a), Side(b))


def test_the_findings_are_told_without_what_both_say_before_them() -> None:
    found = in_short(
        task(
            "All isolates that carried the blaNDM-5 plasmid were resistant to meropenem.",
            "Isolates that carried the blaNDM-5 plasmid remained susceptible to tigecycline, with"
            " concentrations from 0.25 to 1 mg/L.",
        )
    )
    assert (found.a, found.b) == ("resistant to meropenem", "susceptible to tigecycline")
    assert found.subject == "isolates that carried the blaNDM-5 plasmid"
    assert found.relation is Relation.OPPOSED
    assert found.drugs == (("meropenem",), ("tigecycline",))


@pytest.mark.parametrize(
    ("a", "b", "said", "subject"),
    [
        (
            "Genetically shorter telomeres were associated with a higher risk of coronary disease (odds ratio"
            " 1.16 per standard deviation).",
            "Genetically shorter telomeres were not associated with the risk of coronary disease.",
            (
                "associated with a higher risk of coronary disease",
                "were not associated with the risk of coronary disease",
            ),
            "Genetically shorter telomeres",
        ),
        (
            "In the winter of 2014/15, when clade 3C.3a prevailed, vaccination reduced influenza by 58%.",
            "In the winter of 2016/17, when clade 3C.2a prevailed, vaccination did not reduce influenza.",
            ("reduced influenza by 58%", "did not reduce influenza"),
            "vaccination",
        ),
        (  # nothing in common: both are told with what they speak of
            "Among outpatients in Norway, a small zone did not predict treatment failure, since most were"
            " cured.",
            "In intensive care in Peru, resistance was followed by failure of ciprofloxacin.",
            (
                "a small zone did not predict treatment failure",
                "resistance was followed by failure of ciprofloxacin",
            ),
            None,
        ),
    ],
)
def test_context_and_asides_are_left_out(a: str, b: str, said: tuple[str, str], subject: str | None) -> None:
    found = in_short(task(a, b))
    assert (found.a, found.b) == said
    assert found.subject == subject
    assert found.relation is Relation.OPPOSED


def test_shares_that_are_far_apart_are_told_in_whole_sentences() -> None:
    a = "By agar dilution, resistance to fosfomycin was found in 2.6% of Escherichia coli from urine."
    b = "With strips, resistance to fosfomycin was found in 17.9% of Escherichia coli from urine."
    found = in_short(task(a, b, ClaimType.PREVALENCE))
    assert found.a == "resistance to fosfomycin was found in 2.6% of Escherichia coli from urine"
    assert found.relation is Relation.OPPOSED


def test_findings_that_agree_and_findings_of_other_things_are_told_apart() -> None:
    same = in_short(
        task(
            "Zinc reduced the duration of diarrhoea in children.",
            "Zinc lowered the duration of diarrhoea in children.",
        )
    )
    assert same.relation is Relation.ALIKE
    other = in_short(
        task("The register holds data of 4,000 births.", "Samples were kept at room temperature.")
    )
    assert other.relation is Relation.OTHER
    assert (other.a, other.b, other.subject) == (
        "The register holds data of 4,000 births",
        "Samples were kept at room temperature",
        None,
    )


def test_a_long_claim_is_cut_at_a_word() -> None:
    found = in_short(task("Nobody knows " + "whether it rains " * 30, "It rains."))
    assert found.a.endswith("…")
    assert len(found.a) <= LONGEST + 1
    assert found.a[:-1].split()[-1] in {"whether", "it", "rains"}
    assert in_short(task(".", "")).a == ""


def test_drugs_are_known_by_the_stem_of_their_names() -> None:
    assert drugs_of("Meropenem, then vitamin D and more meropenem; cefepime but no adalimumab.") == (
        "Meropenem",
        "vitamin D",
        "cefepime",
        "adalimumab",
    )
    none = "Usual care; virus, medicine; in April: cholesterol, histidine, cystatin C, insulin resistance."
    assert drugs_of(none) == ()
