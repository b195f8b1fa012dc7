"""What annotators and curators go by: the six conflict types, the thirteen axes, and what comes first where
two of them seem to fit. Their names are those of `core.kinds.names`.

Which types and axes there are, and what tells them apart, is that of BioDivergence (paper 004, Tables 14 to
16 and appendix E); sentences and examples are ours. All of it is short enough for a tooltip, and all of it
goes into the prompt of the asked form, so that people and models go by the same words.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.records import Axis, ConflictType


@dataclass(frozen=True, slots=True)
class TypeGuide:
    """One conflict type, in plain sentences."""

    definition: str
    signal: str
    """What to look for."""
    boundary: str
    """Where it ends, and which type comes before it."""
    example: str


@dataclass(frozen=True, slots=True)
class AxisGuide:
    """One axis, in plain sentences."""

    definition: str
    cues: tuple[str, ...]
    """Words or kinds of words that show it."""
    example: str


TYPES: dict[ConflictType, TypeGuide] = {
    ConflictType.NO_CONFLICT: TypeGuide(
        "The claims agree, complete each other, or answer different questions.",
        "The same finding in other words, results that fit together, or outcomes that have nothing to do "
        "with each other.",
        "Choose it whenever both claims can be true and nothing about that surprises.",
        "One trial finds that a statin lowers cholesterol; another finds that patients keep taking it.",
    ),
    ConflictType.DIRECT_CONTRADICTION: TypeGuide(
        "The claims exclude each other under the same conditions.",
        "Like patients, the same treatment or exposure, the same outcome, and opposite results.",
        "Only where nothing that is stated explains the difference. If an axis does, it is a contextual "
        "contradiction.",
        "Two trials of the same dose in preterm infants: one finds less bleeding, the other finds more.",
    ),
    ConflictType.CONTEXTUAL_CONTRADICTION: TypeGuide(
        "The claims seem to exclude each other, but differing conditions that are stated explain it.",
        "Opposite results, and at least one condition that differs: patients, place, time, assay, dose, "
        "subtype, strain, setting.",
        "Where it and a direct contradiction both seem to fit and a concrete axis is stated, choose this "
        "one. Each claim can hold in its own conditions.",
        "A vaccine protects schoolchildren in Finland but not infants in Malawi.",
    ),
    ConflictType.UNDERSPECIFIED_APPARENT_CONTRADICTION: TypeGuide(
        "The claims seem to exclude each other, and the texts leave out what would tell why.",
        "Opposite results, while dose, patients, outcome, assay or design is missing on a side.",
        "Only where no axis can be read from the texts. If one can, it is a contextual contradiction.",
        "Zinc shortens colds in one report and does not in another; neither says how much was given, or to "
        "whom.",
    ),
    ConflictType.EVIDENCE_INSUFFICIENCY: TypeGuide(
        "The evidence is too thin to say whether the claims conflict.",
        "Pilot studies, few patients, wide intervals, trends without significance, results called "
        "inconclusive.",
        "It is about weak evidence. Where the evidence is sound and only conditions are left out, it is "
        "underspecified.",
        "In nine patients pain fell, in eleven it did not; both authors call for a larger trial.",
    ),
    ConflictType.UNRESOLVED_SCIENTIFIC_CONTROVERSY: TypeGuide(
        "The field itself has been divided on the question for long, with evidence on both sides.",
        "Wording such as debated, conflicting reports, remains controversial, on a question that many "
        "studies have taken up.",
        "Only for disputes that last in the literature. Two studies that differ are not a controversy yet.",
        "Whether moderate drinking protects the heart, which study after study affirms and denies.",
    ),
}

AXES: dict[Axis, AxisGuide] = {
    Axis.POPULATION_COHORT: AxisGuide(
        "Other patients or participants: who was included.",
        ("age", "sex", "severity", "other illnesses", "earlier treatment", "inclusion criteria"),
        "The diet helps adolescents and does nothing for people over 70.",
    ),
    Axis.GEOGRAPHY: AxisGuide(
        "Another country, region or health system.",
        ("countries and cities", "named hospitals", "national registers", "endemic areas"),
        "Resistance is rare in isolates from Denmark and common in isolates from Vietnam.",
    ),
    Axis.YEAR_TIME_PERIOD: AxisGuide(
        "Other years of study or surveillance. The year of publication alone is not enough.",
        ("years and ranges of years", "before and after a change of policy", "seasons and waves"),
        "Screening lowered deaths in the 1990s and no longer does since treatment improved.",
    ),
    Axis.ASSAY_MEASUREMENT_PROTOCOL: AxisGuide(
        "Another way of measuring the same thing.",
        ("PCR or culture", "agar or broth methods", "ELISA", "imaging modes", "scales", "cut-offs"),
        "Vitamin D deficiency is frequent by immunoassay and rare by mass spectrometry.",
    ),
    Axis.STUDY_DESIGN: AxisGuide(
        "Another kind of study.",
        ("randomised", "cohort", "case-control", "retrospective", "meta-analysis", "in vitro", "animals"),
        "Observed users of the hormone have fewer heart attacks; those who draw it by lot do not.",
    ),
    Axis.DOSAGE_INTERVENTION: AxisGuide(
        "Another dose, schedule, duration, route or combination of the intervention.",
        ("milligrams", "times a day", "weeks of treatment", "by mouth or by vein", "alone or combined"),
        "Given for two weeks the steroid helps; given for three days it does not.",
    ),
    Axis.DISEASE_SUBTYPE: AxisGuide(
        "Another form, stage or phenotype of the disease.",
        ("stage and grade", "type 1 or type 2", "receptor status", "acute or chronic", "severity class"),
        "The drug prolongs life in metastatic disease and not after complete resection.",
    ),
    Axis.ORGANISM_STRAIN_LINEAGE: AxisGuide(
        "Another strain, lineage, serotype or species of the organism.",
        ("sequence types", "clades", "serovars", "variants of a virus", "mouse strains"),
        "The antibody neutralises the Delta variant and not Omicron.",
    ),
    Axis.GENE_MUTATION_MOLECULAR_BACKGROUND: AxisGuide(
        "Another gene, mutation, genotype or molecular background.",
        ("wild type or mutant", "alleles", "gene names", "expression high or low", "knock-out"),
        "The inhibitor works in tumours with the V600E mutation and fails in wild-type ones.",
    ),
    Axis.CLINICAL_SETTING: AxisGuide(
        "Another place or level of care.",
        ("intensive care", "outpatients", "primary care", "emergency department", "community", "screening"),
        "The score predicts death in intensive care and is of no use in general practice.",
    ),
    Axis.SAMPLE_SOURCE: AxisGuide(
        "Another specimen or material that was examined.",
        ("blood", "urine", "stool", "saliva", "tissue", "swabs", "cell lines"),
        "The marker is raised in spinal fluid and unchanged in plasma.",
    ),
    Axis.ENDPOINT_DEFINITION: AxisGuide(
        "The outcome is defined otherwise, or looked at after another time.",
        ("overall or progression-free survival", "response criteria", "at 30 days or at one year", "relapse"),
        "At four weeks the scar is smaller; after a year there is no difference.",
    ),
    Axis.UNKNOWN_LATENT_FACTOR: AxisGuide(
        "Something about the conditions seems to differ, and the texts do not say what.",
        ("conditions left out", "a difference that nothing stated explains"),
        "Two like trials disagree, and neither tells how the tablets were made.",
    ),
}

PREFERENCES: tuple[str, ...] = (
    "Where a concrete axis that explains the difference is stated, contextual contradiction comes before "
    "direct contradiction.",
    "Underspecified is for pairs in which no axis can be read from the texts; if one can, the contradiction "
    "is contextual.",
    "Tick the smallest set of axes that explains the difference, not every condition that differs.",
    "Tick an axis only where the texts state the difference and it matters for the result.",
    "Weak evidence means that the evidence itself is thin, not that conditions are left out.",
    "Open controversy is for disputes that persist in the literature, not for two studies that differ.",
    "The dominant confounder is the one ticked axis that explains most; without axes there is none.",
)
"""What comes first, and how much is enough (paper 004, E.2 and E.3)."""
