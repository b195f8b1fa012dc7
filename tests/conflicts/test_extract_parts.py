"""Sections, slots, directions, names and offsets of claims; expected values by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.conflicts.extract import LEAST, claims_of, run
from core.conflicts.extract.abbreviations import long_forms
from core.conflicts.extract.entities import entities_of
from core.conflicts.extract.sections import canonical, in_sections
from core.conflicts.extract.slots import slots_of
from core.conflicts.finding.direction import direction_of, is_negated
from core.conflicts.identity import claim_id
from core.records import Article, Axis, Claim, Direction, Normalised, Section

ABSTRACT = (
    "BACKGROUND: Colds are common. METHODS: We randomised 80 adults to zinc or placebo. "
    "RESULTS: Colds were shorter with zinc (4 vs 6 days, P = 0.02). "
    "CONCLUSIONS: Zinc shortens colds in adults."
)


def article(text: str, *sections: Section) -> Article:
    return Article(
        "alpha", text, "trials", sections=sections, year=2011, journal="Journal of Colds", passage_id=7
    )


def stage(*articles: Article, least: float = LEAST) -> list[tuple[Claim, ...]]:
    normalised = (Normalised(a, a.text, ((0, len(a.text), 0, len(a.text)),)) for a in articles)
    return [claims for _, claims in run(normalised, least=least)]


# --- sections ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("label", "section"),
    [
        ("RESULTS", "results"),
        ("Main Results:", "results"),
        ("PATIENTS AND METHODS", "methods"),
        ("MAIN OUTCOME MEASURES", "methods"),
        ("Setting", "methods"),
        ("Background and aims", "objective"),
        ("AIM", "objective"),
        ("Context", "background"),
        ("Conclusions/Significance", "conclusions"),
        ("INTERPRETATION", "conclusions"),
        ("Methods and Findings", None),
        ("Trial registration", "other"),
        ("FUNDING", "other"),
        ("Alpha", None),
    ],
)
def test_a_printed_label_means_a_section(label: str, section: str | None) -> None:
    assert canonical(label) == section


def test_labels_printed_in_the_text_hold_until_the_next_and_are_no_part_of_the_sentence() -> None:
    found = in_sections(ABSTRACT, ())
    assert [(s.section, ABSTRACT[s.start : s.end]) for s in found] == [
        ("background", "Colds are common."),
        ("methods", "We randomised 80 adults to zinc or placebo."),
        ("results", "Colds were shorter with zinc (4 vs 6 days, P = 0.02)."),
        ("conclusions", "Zinc shortens colds in adults."),
    ]
    assert [s.whole.quote.split()[0] for s in found] == [
        "BACKGROUND:",
        "METHODS:",
        "RESULTS:",
        "CONCLUSIONS:",
    ]


def test_a_label_on_a_line_of_its_own_and_one_run_into_its_text_count() -> None:
    text = "RESULTS.\nPain fell by half. ConclusionsZinc helps against colds."
    assert [(s.section, text[s.start : s.end]) for s in in_sections(text, ())] == [
        ("results", "Pain fell by half."),
        ("conclusions", "Zinc helps against colds."),
    ]


def test_no_sentence_runs_from_one_section_of_the_article_into_the_next() -> None:
    text = "To see whether zinc helps\nZinc helped more than placebo did"
    cut = text.index("\n")
    found = in_sections(text, (Section("AIM", 0, cut), Section("RESULTS", cut + 1, len(text))))
    assert [(s.section, s.whole.quote) for s in found] == [
        ("objective", "To see whether zinc helps"),
        ("results", "Zinc helped more than placebo did"),
    ]


def test_labels_that_stand_between_the_sections_of_the_article_are_no_sentences() -> None:
    text = "Ethics and dissemination: None needed here\nAlpha and beta::: Zinc helped."
    ethics = Section("Ethics and dissemination", 26, 42)
    alpha = Section("Alpha and beta:", text.index("Zinc"), len(text))
    assert [s.whole.quote for s in in_sections(text, (ethics, alpha))] == ["None needed here", "Zinc helped."]


def test_a_label_inside_a_section_of_the_article_ends_with_it() -> None:
    text = "Design: a trial. Results: zinc helped. Next one."
    both, rest = Section("Methods and findings", 0, 38), Section("Alpha", 39, len(text))
    assert [s.section for s in in_sections(text, (both, rest))] == ["methods", "results", None]


def test_without_labels_findings_are_looked_for_behind_what_was_done() -> None:
    text = (
        "Sleep is shorter in older people and this is associated with falls. We aimed to test a warm bath. "
        "Forty people were randomly assigned to a bath or to none. Sleep was measured by a watch. "
        "Sleep was longer in the bath group. A warm bath lengthens sleep."
    )
    assert [claim.text for claim in claims_of(article(text))] == [
        "Sleep was longer in the bath group.",
        "A warm bath lengthens sleep.",
    ]


# --- the claim --------------------------------------------------------------------------------------------


def test_a_claim_has_its_offsets_its_article_and_the_id_that_names_it() -> None:
    [(first, second)] = stage(article(ABSTRACT))
    for claim in (first, second):
        assert ABSTRACT[claim.start : claim.end] == claim.text
        assert ABSTRACT[claim.sentence_start : claim.sentence_end].endswith(claim.text)
        assert claim.claim_id == claim_id("alpha", ABSTRACT, claim.start, claim.end)
        assert (claim.article_uid, claim.domain, claim.passage_id) == ("alpha", "trials", 7)
        assert (claim.year, claim.journal) == (2011, "Journal of Colds")
        assert LEAST <= claim.confidence <= 1
    assert (first.section, second.section) == ("results", "conclusions")
    assert first.sentence_start == ABSTRACT.index("RESULTS")
    assert [(c.axis, c.quote) for c in second.cues] == [(Axis.POPULATION_COHORT, "adults")]
    assert second.cues[0].start == ABSTRACT.rindex("adults")


def test_articles_come_one_by_one_in_their_order_claims_or_none() -> None:
    found = stage(article(ABSTRACT), article(""), article("We aimed to test zinc."), article(ABSTRACT))
    assert [len(claims) for claims in found] == [2, 0, 0, 2]
    assert found[0] == found[3]
    drawn = run(iter([Normalised(article(ABSTRACT), ABSTRACT, ())]))
    assert next(drawn)[0].article.uid == "alpha"


def test_the_least_confidence_can_be_set() -> None:
    assert stage(article(ABSTRACT), least=1.01) == [()]
    assert len(stage(article(ABSTRACT), least=0.0)[0]) == 4


@given(st.text(max_size=200))
def test_any_text_is_read_without_an_error_and_claims_lie_in_it(text: str) -> None:
    for claim in claims_of(article(text), least=0.0):
        assert text[claim.start : claim.end] == claim.text
        assert 0 <= claim.sentence_start <= claim.start < claim.end == claim.sentence_end <= len(text)
        assert all(claim.start <= cue.start < cue.end <= claim.end for cue in claim.cues)
        assert 0 <= claim.confidence <= 1
        assert list(claim.entities) == sorted(set(claim.entities))


# --- direction and negation -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("claim", "direction", "negated"),
    [
        ("Survival improved with the drug.", Direction.INCREASED, False),
        ("The drug improved pain.", Direction.DECREASED, False),
        ("Pain worsened after the block.", Direction.INCREASED, False),
        ("Mortality was lower in the drug arm than in the control arm.", Direction.DECREASED, False),
        ("Weight did not change.", Direction.UNCHANGED, True),
        ("Growth was reduced in the absence of light.", Direction.DECREASED, True),
        ("Growth was reduced in both the presence and absence of light.", Direction.DECREASED, False),
        ("Yields were not statistically different (90% or greater).", Direction.UNCHANGED, True),
        ("Both drugs were similar in efficacy.", Direction.UNCHANGED, False),
        ("Not only did weight increase.", Direction.INCREASED, False),
        ("Patients who did not smoke had higher scores.", Direction.INCREASED, False),
        ("The isolate was resistant to colistin.", Direction.UNCLEAR, False),
    ],
)
def test_direction_and_negation(claim: str, direction: Direction, negated: bool) -> None:
    assert (direction_of(claim), is_negated(claim)) == (direction, negated)


# --- slots ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("claim", "slots"),
    [
        (
            "Metformin reduced fasting glucose in women with gestational diabetes compared with placebo.",
            {
                "population": "women with gestational diabetes",
                "intervention": "Metformin",
                "comparator": "placebo",
                "outcome": "fasting glucose",
            },
        ),
        (
            "The effect of zinc on colds was small.",
            {"population": None, "intervention": "zinc", "comparator": None, "outcome": "colds"},
        ),
        (
            "Shift work was associated with higher blood pressure.",
            {
                "population": None,
                "intervention": "Shift work",
                "comparator": None,
                "outcome": "blood pressure",
            },
        ),
        (
            "There was no difference in mortality between early and late surgery.",
            {
                "population": None,
                "intervention": "early",
                "comparator": "late surgery",
                "outcome": "mortality",
            },
        ),
        (
            "Pain at rest was higher in the placebo group than in the ketamine group (P = 0.01).",
            {
                "population": None,
                "intervention": "ketamine group",
                "comparator": "placebo",
                "outcome": "Pain at rest",
            },
        ),
        (
            "No significant difference was found between the groups in terms of length of stay.",
            {"population": None, "intervention": None, "comparator": None, "outcome": "length of stay"},
        ),
    ],
)
def test_slots_are_words_of_the_claim(claim: str, slots: dict[str, str | None]) -> None:
    found = slots_of(claim)
    assert {name: found[name] for name in slots} == slots
    assert all(value in claim for value in slots.values() if value)


def test_numbers_are_kept_as_they_stand() -> None:
    claim = "Pain fell by 12 mm (95% CI 4 to 20, P = 0.01; OR 0.5), in 34% of n = 80 (3.2 ± 0.4)."
    assert slots_of(claim)["numbers"] == [
        "12 mm", "95% CI 4 to 20", "P = 0.01", "OR 0.5", "34%", "n = 80", "3.2 ± 0.4",
    ]  # fmt: skip


# --- names ------------------------------------------------------------------------------------------------


def test_one_drug_or_outcome_is_one_string_in_two_abstracts() -> None:
    one = entities_of("Oral metformin therapy reduced serum HbA1c levels.", {})
    other = entities_of("No effect of metformin on glycated haemoglobin was found.", {})
    assert one == other == ("hemoglobin a1c", "metformin")


def test_abbreviations_are_written_out_as_their_abstract_does() -> None:
    longer = long_forms("Women with gestational diabetes mellitus (GDM) had macrosomic infants (n = 4).")
    assert longer == {"GDM": "gestational diabetes mellitus"}
    assert entities_of("GDM was common.", longer) == ("gestational diabetes",)
    assert entities_of("Women with gestational diabetes mellitus (GDM) were screened.", longer) == (
        "gestational diabetes",
    )


def test_general_words_numbers_and_verbs_are_no_names() -> None:
    claim = "There were no significant differences between the two groups at 12 weeks (P = 0.3)."
    assert entities_of(claim, {}) == ()


def test_no_stay_in_hospital_is_read_from_a_loss() -> None:
    assert entities_of("Bone loss was rare.", {}) == ("bone loss",)
    assert entities_of("LOS was shorter.", {}) == ("length of stay",)
