"""Claims of articles, pairs of them, and what is said about how and why two claims seem to disagree.

Names and orders as in BioDivergence (paper 004): section 4, Tables 14 to 16 and 26 to 30.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from core.records.texts import Span


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


class Tier(StrEnum):
    """Annotation queues (paper 004, I.4): a stratified pilot, then a development set, then all."""

    PILOT = "pilot"
    DEVELOPMENT = "development"
    FULL = "full"


class Origin(StrEnum):
    """What made a label of a pair."""

    MODEL = "model"
    HEURISTIC = "heuristic"


class Level(StrEnum):
    """Where evidence was quoted from: the claim itself, or elsewhere in its abstract."""

    CLAIM = "claim"
    ABSTRACT = "abstract"


# --- articles ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Section:
    """A labelled part of an abstract; offsets in its text, the label as printed and not part of it."""

    label: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Article:
    """An abstract with its publication data, as collected or read from a file."""

    uid: str
    """Article uid: unique in its corpus; the `article` of its passage."""
    text: str
    domain: str
    passage_id: int = 0
    """Of the stored passage; 0 outside a workspace."""
    title: str | None = None
    doi: str | None = None
    pmid: str | None = None
    year: int | None = None
    journal: str | None = None
    source: str | None = None
    """Such as pubmed or europepmc."""
    sections: tuple[Section, ...] = ()
    """In the frame of `text`; empty where the abstract is not structured, or only by words in the text."""


OffsetMap = tuple[tuple[int, int, int, int], ...]
"""Runs (start, end, original start, original end), ascending, that cover a normalised text. A run of equal
lengths maps character by character; one of unequal lengths maps as a whole."""


@dataclass(frozen=True, slots=True)
class Normalised:
    """Stage 2: an article that stays. `article.text` and its sections are the normalised ones."""

    article: Article
    original: str
    offsets: OffsetMap


@dataclass(frozen=True, slots=True)
class Left:
    """Stage 2: an article that does not stay, and why: nothing is dropped in silence."""

    article: Article
    """As it came."""
    reason: str
    """`too_short`, `empty`, or what it shares with the one it was merged into: `doi`, `pmid`, `content`."""
    into: str | None = None
    """Article uid of the one that stays, for a merge."""


# --- claims -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Cue:
    """Words of a text that say something about its context along one axis."""

    axis: Axis
    start: int
    end: int
    quote: str
    value: str
    """Comparable form: two cues of an axis say the same if their values are equal."""


@dataclass(frozen=True, slots=True)
class Claim:
    """Stage 3: a span of an abstract that states a finding (paper 004, Table 26). Offsets in the normalised
    text of its article."""

    claim_id: str
    article_uid: str
    domain: str
    start: int
    end: int
    text: str
    sentence_start: int
    sentence_end: int
    claim_type: ClaimType
    confidence: float
    """In [0, 1]."""
    section: str | None = None
    """Canonical: background, objective, methods, results, conclusions; None where nothing says."""
    direction: Direction = Direction.UNCLEAR
    negated: bool = False
    entities: tuple[str, ...] = ()
    """Normalised names, sorted, each once."""
    slots: dict[str, Any] = field(default_factory=dict)
    """population, intervention, comparator, outcome (text or None), numbers (list of text)."""
    cues: tuple[Cue, ...] = ()
    """Inside the claim; those of the abstract around it are found anew where they are needed."""
    year: int | None = None
    journal: str | None = None
    passage_id: int = 0
    text_id: int = 0
    """Of the normalised text in the store; 0 outside a workspace."""
    id: int = 0
    """Row in the store."""

    def key(self) -> tuple[str, int, int]:
        """Order of claims within a corpus: which side of a pair is A."""
        return (self.article_uid, self.start, self.end)


# --- pairs ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Scores:
    """Stage 4: s = 0.35 sim + 0.35 dis + 0.15 ent + 0.10 type - p_year (metric-definitions 10.1)."""

    sim: float
    dis: float
    ent: float
    type: float
    year: float
    """The penalty, as it is subtracted."""
    combined: float


@dataclass(frozen=True, slots=True)
class CandidatePair:
    """Stage 4: two claims of different articles of one domain; `a.key() < b.key()`."""

    pair_id: str
    domain: str
    a: Claim
    b: Claim
    scores: Scores
    signals: tuple[str, ...] = ()
    """What the disagreement signal rests on, in words such as `direction: increased / unchanged`."""
    tier: Tier = Tier.FULL
    id: int = 0
    """Row in the store."""
    item_id: int = 0


@dataclass(frozen=True, slots=True)
class Side:
    """What an annotator sees of one side, besides the claim."""

    text: str
    """The normalised abstract: the frame of the claim's offsets and of evidence."""
    title: str | None = None
    journal: str | None = None
    year: int | None = None
    sections: tuple[Section, ...] = ()


@dataclass(frozen=True, slots=True)
class PairTask:
    """Stage 5: a pair as it is given to an annotator (paper 004, Table 29, AnnotationTask)."""

    pair: CandidatePair
    a: Side
    b: Side


@dataclass(frozen=True, slots=True)
class PairSpan:
    """A quote on one side of a pair. Offsets in that side's normalised abstract; None where it does not stand
    there."""

    side: str
    """a or b"""
    quote: str
    start: int | None
    end: int | None
    level: Level = Level.CLAIM
    role: str | None = None

    @property
    def grounded(self) -> bool:
        return self.start is not None


@dataclass(frozen=True, slots=True)
class PairLabel:
    """Stage 5: one annotator's label of one pair, consistent: no_conflict has no axes and no confounder, the
    confounder is one of the axes, axes are in the order of `Axis` and each once."""

    comparable: bool
    conflict_type: ConflictType
    axes: tuple[Axis, ...] = ()
    confounder: Axis | None = None
    reconciliation: str = ""
    evidence: tuple[PairSpan, ...] = ()
    confidence: float | None = None
    notes: str = ""
    origin: Origin = Origin.HEURISTIC
    annotator: str = "heuristic"
    """Model name, or `heuristic` with its version."""
    repaired: bool = False
    """Whether an off-schema answer was made to fit; such a label never enters dev or test unreviewed."""
    repairs: tuple[str, ...] = ()
    """What was repaired, in words."""


@dataclass(frozen=True, slots=True)
class StoredPairLabel:
    """A label of a pair in a workspace."""

    id: int
    run: str
    item_id: int
    pair: int
    label: PairLabel
    call_id: int | None = None


@dataclass(frozen=True, slots=True)
class PairAnswer:
    """What a positive decision says about a pair. Stored in full, so gold needs no proposal."""

    pair_id: str
    comparable: bool
    conflict_type: ConflictType
    axes: tuple[Axis, ...] = ()
    confounder: Axis | None = None
    reconciliation: str = ""
    spans_a: tuple[Span, ...] = ()
    """In the normalised abstract of side A."""
    spans_b: tuple[Span, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "pair": self.pair_id,
            "comparable": self.comparable,
            "conflict_type": self.conflict_type.value,
            "axes": [axis.value for axis in self.axes],
            "confounder": self.confounder.value if self.confounder else None,
            "reconciliation": self.reconciliation,
            "spans_a": [[s.start, s.end, s.quote] for s in self.spans_a],
            "spans_b": [[s.start, s.end, s.quote] for s in self.spans_b],
        }

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> PairAnswer:
        return cls(
            pair_id=str(value["pair"]),
            comparable=bool(value["comparable"]),
            conflict_type=ConflictType(value["conflict_type"]),
            axes=tuple(Axis(axis) for axis in value.get("axes", ())),
            confounder=Axis(value["confounder"]) if value.get("confounder") else None,
            reconciliation=str(value.get("reconciliation") or ""),
            spans_a=tuple(Span(int(a), int(b), str(q)) for a, b, q in value.get("spans_a", ())),
            spans_b=tuple(Span(int(a), int(b), str(q)) for a, b, q in value.get("spans_b", ())),
        )


def inconsistencies(
    conflict_type: ConflictType, axes: tuple[Axis, ...], confounder: Axis | None
) -> list[str]:
    """Why a combination cannot stand, as sentences for a curator; empty where it can."""
    found = []
    if conflict_type is ConflictType.NO_CONFLICT and (axes or confounder):
        found.append(
            "Without a conflict there is nothing for axes to explain: untick them, or choose a type."
        )
    if confounder is not None and confounder not in axes:
        found.append("The dominant confounder must be one of the ticked axes.")
    return found


def doubts(comparable: bool, conflict_type: ConflictType, axes: tuple[Axis, ...]) -> list[str]:
    """What the boundary rules of the types speak against (paper 004, Table 15), as sentences for a curator,
    who may know better."""
    found = []
    named = [axis for axis in axes if axis is not Axis.UNKNOWN_LATENT_FACTOR]
    if not comparable and conflict_type is not ConflictType.NO_CONFLICT:
        found.append("Claims that cannot be compared hardly conflict.")
    if conflict_type is ConflictType.CONTEXTUAL_CONTRADICTION and not axes:
        found.append("A contextual contradiction is explained by an axis; none is ticked.")
    if conflict_type is ConflictType.DIRECT_CONTRADICTION and named:
        found.append("Where a stated axis explains the difference, the contradiction is contextual.")
    if conflict_type is ConflictType.UNDERSPECIFIED_APPARENT_CONTRADICTION and named:
        found.append("Where an axis can be read from the text, contextual contradiction comes first.")
    return found
