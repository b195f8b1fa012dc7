"""What each value of the vocabulary is called where people read: on desks and pages, in charts and reports.

Files, the command line's JSON and addresses hold the values themselves, such as `no_conflict`.
"""

from __future__ import annotations

from core.records import Assertion, Axis, ConceptClass, ConflictType, ErrorType, Origin

NAMES: dict[str, str] = {
    Assertion.AFFIRMED: "Affirmed",
    Assertion.NEGATED: "Negated",
    Assertion.UNCERTAIN: "Uncertain",
    Assertion.OTHER_PERSON: "Other person",
    ConceptClass.EXPLICIT: "Explicit",
    ConceptClass.LOGICALLY_IMPLICIT: "Logically implicit",
    ConceptClass.PRAGMATICALLY_IMPLICIT: "Pragmatically implicit",
    ConceptClass.NOT_RELEVANT: "Not relevant",
    ErrorType.MISSING_GOLD: "Missing gold",
    ErrorType.GRANULARITY: "Granularity mismatch",
    ErrorType.SCOPE: "Semantic scope shift",
    ErrorType.CONTEXT: "Context over-generalisation",
    ErrorType.TRIGGER: "Lexical triggering",
    ErrorType.OVERREACH: "Inferential overreach",
    ConflictType.NO_CONFLICT: "No conflict",
    ConflictType.DIRECT_CONTRADICTION: "Direct contradiction",
    ConflictType.CONTEXTUAL_CONTRADICTION: "Contextual contradiction",
    ConflictType.UNDERSPECIFIED_APPARENT_CONTRADICTION: "Underspecified",
    ConflictType.EVIDENCE_INSUFFICIENCY: "Weak evidence",
    ConflictType.UNRESOLVED_SCIENTIFIC_CONTROVERSY: "Open controversy",
    Axis.POPULATION_COHORT: "Population",
    Axis.GEOGRAPHY: "Geography",
    Axis.YEAR_TIME_PERIOD: "Time period",
    Axis.ASSAY_MEASUREMENT_PROTOCOL: "Assay or measurement",
    Axis.STUDY_DESIGN: "Study design",
    Axis.DOSAGE_INTERVENTION: "Dose or regimen",
    Axis.DISEASE_SUBTYPE: "Disease subtype",
    Axis.ORGANISM_STRAIN_LINEAGE: "Strain or lineage",
    Axis.GENE_MUTATION_MOLECULAR_BACKGROUND: "Gene or mutation",
    Axis.CLINICAL_SETTING: "Care setting",
    Axis.SAMPLE_SOURCE: "Sample source",
    Axis.ENDPOINT_DEFINITION: "Endpoint",
    Axis.UNKNOWN_LATENT_FACTOR: "Unknown factor",
    Origin.MODEL: "Model",
    Origin.HEURISTIC: "Rules",
    Origin.PERSON: "Person",
    # stages
    "generate": "Finding concepts",
    "classify": "Judging",
    "relabel": "Second reading",
    "guideline": "Guideline",
    "select": "Rating",
    "lexicon": "Dictionary",
    "normalise": "Cleaning texts",
    "extract": "Finding claims",
    "mine": "Pairing claims",
    "annotate": "Labelling pairs",
    "imported": "File",
}
"""Where the name stands alone, as on a button."""


class Values(str):
    """One value of the vocabulary, or several joined by `, `, as files spell them, with underscores or
    blanks; shown by their names."""

    __slots__ = ()


def called(value: str) -> str:
    """Its name within a sentence or a table, such as `weak evidence`; any other word with blanks in it."""
    if isinstance(value, Values):
        return ", ".join(called(one.replace(" ", "_")) for one in str(value).split(", "))
    return NAMES[value].lower() if value in NAMES else value.replace("_", " ")
