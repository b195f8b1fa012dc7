"""Expected cues by hand: what a reader would line up."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.conflicts.cues import find_cues, line_up
from core.records import Axis

P, G, Y = Axis.POPULATION_COHORT, Axis.GEOGRAPHY, Axis.YEAR_TIME_PERIOD
M, D, I = Axis.ASSAY_MEASUREMENT_PROTOCOL, Axis.STUDY_DESIGN, Axis.DOSAGE_INTERVENTION  # noqa: E741
S, O, N = Axis.DISEASE_SUBTYPE, Axis.ORGANISM_STRAIN_LINEAGE, Axis.GENE_MUTATION_MOLECULAR_BACKGROUND  # noqa: E741
C, F, E = Axis.CLINICAL_SETTING, Axis.SAMPLE_SOURCE, Axis.ENDPOINT_DEFINITION


@pytest.mark.parametrize(
    ("text", "axis", "expected"),
    [
        ("patients aged 65 years or older", P, {"aged 65 years or older": "age: 65+"}),
        ("in elderly patients", P, {"elderly": "age: 65+"}),
        ("adults (aged 40–80 years)", P, {"adults": "age: 18+", "aged 40–80 years": "age: 40-80"}),
        ("children under 5 years of age", P, {"children": "age: 0-17", "under 5 years of age": "age: 0-4"}),
        ("infants aged 6-18 months", P, {"infants": "age: 0-1", "aged 6-18 months": "age: 0.5-1.5"}),
        ("a 10-year-old pupil", P, {"10-year-old": "age: 10-10"}),
        ("mean age was 49.2 years", P, {"mean age was 49.2 years": "age: 49-49"}),
        ("Pregnant women with diabetes", P, {"Pregnant": "state: pregnant", "women": "sex: women",
                                             "diabetes": "condition: diabetes"}),
        ("treatment-naïve patients", P, {"treatment-naïve": "treatment history: untreated"}),
        ("in Turkish hospitals", G, {"Turkish": "place: Turkey"}),
        ("a cohort from Istanbul, the U.S.", G, {"Istanbul": "place: Turkey", "U.S": "place: United States"}),
        ("it brought us US$ 20", G, {}),
        ("guinea pigs and the Pittsburgh Sleep Quality Index", G, {}),
        ("July 1, 2005, and June 30, 2006", Y, {
            "July 1, 2005, and June 30, 2006": "year: 2005-2006"}),
        ("admitted 1998–2004", Y, {"1998–2004": "year: 1998-2004"}),
        ("in 2010", Y, {"in 2010": "year: 2010"}),
        ("2010 patients took 2000 steps", Y, {}),
        ("by broth microdilution and real-time PCR", M, {
            "broth microdilution": "susceptibility: broth microdilution",
            "real-time PCR": "lab: quantitative PCR"}),
        ("the Beck Depression Inventory (BDI-II)", M, {
            "Beck Depression Inventory": "scale: BDI", "BDI-II": "scale: BDI"}),
        ("a randomized, double-blind case-control meta-analysis", D, {
            "randomized": "allocation: randomised", "double-blind": "blinding: double-blind",
            "case-control": "kind: case-control", "meta-analysis": "kind: review"}),
        ("simvastatin 40 mg daily orally", I, {"40 mg daily": "dose: 40 mg/d", "orally": "route: oral"}),
        ("1 g/day or 1000 mg daily", I, {"1 g/day": "dose: 1000 mg/d", "1000 mg daily": "dose: 1000 mg/d"}),
        ("cholesterol of 46 mg/dL", I, {}),
        ("treated for 1 year", I, {"for 1 year": "duration: 12 months"}),
        ("a twelve-week intervention", I, {"twelve-week intervention": "duration: 12 weeks"}),
        ("stage II-IV disease, mild to moderate", S, {"stage II-IV": "stage: 2-4",
                                                     "mild to moderate": "severity: mild to moderate"}),
        ("no severe adverse events", S, {}),
        ("type 2 diabetes", S, {"type 2 diabetes": "type: type 2"}),
        ("E. coli ST131 and Escherichia coli O157:H7", O, {
            "E. coli": "species: Escherichia coli", "ST131": "sequence type: 131",
            "Escherichia coli": "species: Escherichia coli", "O157:H7": "serotype: O157:H7"}),
        ("serotype 19A", O, {"serotype 19A": "serotype: 19A"}),
        ("BRAF V600E and rs6265", N, {
            "BRAF": "gene: BRAF", "V600E": "variant: V600E", "rs6265": "variant: rs6265"}),
        ("blaCTX-M-15 carriers", N, {"blaCTX-M-15": "gene: CTX-M-15"}),
        ("in the ICU of a tertiary care hospital", C, {"ICU": "care: intensive care",
                                                      "tertiary care hospital": "care: tertiary"}),
        ("general practices and community-dwelling people", C, {"general practices": "care: primary care",
                                                               "community-dwelling": "care: community"}),
        ("serum, stool and blood pressure", F, {"serum": "specimen: serum", "stool": "specimen: stool"}),
        ("overall survival at 5 years", E, {"overall survival": "outcome: overall survival",
                                           "at 5 years": "window: 60 months"}),
        ("30-day mortality", E, {"30-day mortality": "window: 30 days"}),
    ],
)  # fmt: skip
def test_a_cue_has_its_axis_and_a_comparable_form(text: str, axis: Axis, expected: dict[str, str]) -> None:
    assert {cue.quote: cue.value for cue in find_cues(text) if cue.axis is axis} == expected


@pytest.mark.parametrize(
    "name",
    [
        "EGFR",
        "BRCA2",
        "BRCA1/2",
        "5-HTTLPR",
        "TCF7L2",
        "FTO",
        "TPMT",
        "G6PD",
        "pfcrt",
        "gyrA",
        "parC",
        "erm(B)",
        "tetM",
    ],
)
def test_a_known_gene_is_found_without_a_word_beside_it(name: str) -> None:
    assert [(c.quote, c.value) for c in find_cues(f"We saw {name} here.") if c.axis is N] == [
        (name, f"gene: {name}")
    ]


@given(
    st.text(
        alphabet=st.sampled_from("aged 65-years or older in US 2010–2014 40 mg/d E. coli ICU ,.\n"),
        max_size=80,
    )
)
def test_cues_stand_in_the_text_in_order_and_apart(text: str) -> None:
    cues = find_cues(text)
    assert all(text[cue.start : cue.end] == cue.quote and cue.quote for cue in cues)
    assert [cue.start for cue in cues] == sorted(cue.start for cue in cues)
    for axis in Axis:
        of = [cue for cue in cues if cue.axis is axis]
        assert all(first.end <= second.start for first, second in pairwise(of))


def rows(a: str, b: str) -> dict[Axis, bool]:
    return {row.axis: row.differs for row in line_up(find_cues(a), find_cues(b))}


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("in Turkish ICUs", "in outpatients in Thailand", {G: True, C: True}),
        ("in Germany", "in Europe", {G: False}),
        ("in Germany", "across Asia", {G: True}),
        ("elderly patients", "patients aged 40-80 years", {P: False}),
        ("elderly patients", "children", {P: True}),
        ("diabetic children", "diabetic adults", {P: True}),
        ("during 1998-2004", "in 2003", {Y: False}),
        ("during 1998-2004", "in 2013", {Y: True}),
        ("for 6 months", "for 26 weeks", {I: False}),
        ("10 mg daily", "20 mg daily", {I: True}),
        ("a double-blind trial", "a randomised trial", {D: False}),
        ("a double-blind trial", "an open-label trial", {D: True}),
        ("in serum", "by ELISA", {F: False, M: False}),
        ("nothing", "at all", {}),
    ],
)
def test_texts_are_lined_up_by_axis(a: str, b: str, expected: dict[Axis, bool]) -> None:
    assert rows(a, b) == expected
    assert rows(b, a) == expected


def test_rows_come_in_the_order_of_the_axes_with_both_sides() -> None:
    [design, setting] = line_up(find_cues("ICU cohort study"), find_cues("case-control study"))
    assert (design.axis, setting.axis) == (D, C)
    assert [cue.quote for cue in design.a] == ["cohort study"]
    assert [cue.quote for cue in design.b] == ["case-control"]
    assert setting.b == ()
