"""The kinds that claims and their conflicts come in: names and orders as in BioDivergence (paper 004),
section 4 and Tables 14, 15 and 23.
"""

from __future__ import annotations

from enum import StrEnum


class ConflictType(StrEnum):
    """Six types, in this order; keys 1 to 6 in review."""

    NO_CONFLICT = "no_conflict"
    DIRECT_CONTRADICTION = "direct_contradiction"
    CONTEXTUAL_CONTRADICTION = "contextual_contradiction"
    UNDERSPECIFIED_APPARENT_CONTRADICTION = "underspecified_apparent_contradiction"
    EVIDENCE_INSUFFICIENCY = "evidence_insufficiency"
    UNRESOLVED_SCIENTIFIC_CONTROVERSY = "unresolved_scientific_controversy"


class Axis(StrEnum):
    """Thirteen axes along which two studies diverge, in this order."""

    POPULATION_COHORT = "population_cohort"
    GEOGRAPHY = "geography"
    YEAR_TIME_PERIOD = "year_time_period"
    ASSAY_MEASUREMENT_PROTOCOL = "assay_measurement_protocol"
    STUDY_DESIGN = "study_design"
    DOSAGE_INTERVENTION = "dosage_intervention"
    DISEASE_SUBTYPE = "disease_subtype"
    ORGANISM_STRAIN_LINEAGE = "organism_strain_lineage"
    GENE_MUTATION_MOLECULAR_BACKGROUND = "gene_mutation_molecular_background"
    CLINICAL_SETTING = "clinical_setting"
    SAMPLE_SOURCE = "sample_source"
    ENDPOINT_DEFINITION = "endpoint_definition"
    UNKNOWN_LATENT_FACTOR = "unknown_latent_factor"


PROVISIONAL_AXES = (
    Axis.DOSAGE_INTERVENTION,
    Axis.GENE_MUTATION_MOLECULAR_BACKGROUND,
    Axis.SAMPLE_SOURCE,
    Axis.UNKNOWN_LATENT_FACTOR,
)
PRIMARY_AXES = tuple(axis for axis in Axis if axis not in PROVISIONAL_AXES)
"""The fixed nine that scores are reported on (metric-definitions 9.1)."""


class ClaimType(StrEnum):
    """Eight claim types (paper 004, Table 23)."""

    FACTUAL = "factual"
    EFFICACY = "efficacy"
    PROGNOSTIC = "prognostic"
    CORRELATIONAL = "correlational"
    PREVALENCE = "prevalence"
    CAUSAL = "causal"
    MECHANISTIC = "mechanistic"
    RECOMMENDATION = "recommendation"


class Direction(StrEnum):
    """What a claim says happened to its outcome."""

    INCREASED = "increased"
    DECREASED = "decreased"
    UNCHANGED = "unchanged"
    """Stated to be no different."""
    UNCLEAR = "unclear"
