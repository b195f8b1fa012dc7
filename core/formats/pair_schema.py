"""The schema of a claim pair: these models are the specification, `data/schemas/` holds them as JSON Schema.

The fields are those of BioDivergence (paper 004, Tables 26, 29 and 30); where the tables name a thing twice,
ours has the name of Table 30. Offsets of a claim count in its abstract; those of evidence in what its `frame`
says: the text of the claim, or the abstract.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from core.formats.documents import Filled, Text, Words
from core.formats.strict_json import LARGEST
from core.records import Axis, ClaimType, ConflictType, Direction, Tier, inconsistencies

LabelOrigin = Literal["model", "heuristic", "person"]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Number = Annotated[float, Field(allow_inf_nan=False)]
Start = Annotated[int, Field(ge=0, le=LARGEST)]
End = Annotated[int, Field(ge=1, le=LARGEST)]
Year = Annotated[int, Field(ge=0, le=9999)]
Domain = Annotated[Filled, Field(description="Such as oncology; pairs are mined within one.")]
Loose = Field(strict=False)  # a name of the vocabulary, as JSON has no enumerations


class Part(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class SlotsPart(Part):
    """Who was given what, against what, with which outcome, in the words of the claim."""

    population: Words = None
    intervention: Words = None
    comparator: Words = None
    outcome: Words = None
    numbers: list[Text] = []


class EvidencePart(Part):
    """Words that a label rests on."""

    article_uid: Filled
    text: Annotated[Text, Field(min_length=1)]
    start: Start | None = Field(default=None, description="In the frame; null where it does not stand there.")
    end: End | None = Field(default=None, description="Exclusive.")
    role: Words = Field(default=None, description="Such as finding or context.")
    side: Literal["a", "b"] | None = Field(default=None, description="Of the pair; null: by article_uid.")
    frame: Literal["claim_text", "abstract"] = "claim_text"
    level: Literal["claim", "abstract"] = Field(
        default="claim", description="Quoted from the claim itself, or from elsewhere in its abstract."
    )

    @model_validator(mode="after")
    def _both(self) -> Self:
        if (self.start is None) != (self.end is None):
            raise ValueError("start and end go together: give both or neither")
        if self.start is not None and self.end is not None and self.start >= self.end:
            raise ValueError(f"end {self.end} is not after start {self.start}")
        return self


class MachineLabelPart(Part):
    """What one machine annotator said of the pair."""

    annotator_id: Filled
    label_origin: Literal["model", "heuristic"]
    comparable: bool
    conflict_type: Annotated[ConflictType, Loose]
    divergence_axes: list[Annotated[Axis, Loose]] = []
    dominant_confounder: Annotated[Axis | None, Loose] = None
    confidence: Share | None = None
    repaired: bool = False


class CandidateRow(Part):
    """Two claims of different articles, as they were mined."""

    model_config = ConfigDict(title="Candidate pair")

    example_id: Filled | None = None
    pair_id: Filled
    domain: Domain

    claim_a_id: Filled | None = None
    claim_a_text: Filled
    claim_a_type: Annotated[ClaimType | None, Loose] = None
    claim_a_article_uid: Filled
    claim_a_start: Start | None = Field(default=None, description="In abstract_a, in Unicode code points.")
    claim_a_end: End | None = Field(default=None, description="Exclusive.")
    claim_a_sentence_start: Start | None = None
    claim_a_sentence_end: End | None = None
    claim_a_section: Words = None
    claim_a_direction: Annotated[Direction, Loose] = Direction.UNCLEAR
    claim_a_negated: bool = False
    claim_a_entities: list[Filled] = []
    claim_a_slots: SlotsPart = SlotsPart()
    claim_a_confidence: Share | None = Field(default=None, description="Of the claim, not of the label.")

    claim_b_id: Filled | None = None
    claim_b_text: Filled
    claim_b_type: Annotated[ClaimType | None, Loose] = None
    claim_b_article_uid: Filled
    claim_b_start: Start | None = Field(default=None, description="In abstract_b, in Unicode code points.")
    claim_b_end: End | None = Field(default=None, description="Exclusive.")
    claim_b_sentence_start: Start | None = None
    claim_b_sentence_end: End | None = None
    claim_b_section: Words = None
    claim_b_direction: Annotated[Direction, Loose] = Direction.UNCLEAR
    claim_b_negated: bool = False
    claim_b_entities: list[Filled] = []
    claim_b_slots: SlotsPart = SlotsPart()
    claim_b_confidence: Share | None = Field(default=None, description="Of the claim, not of the label.")

    title_a: Words = None
    abstract_a: Filled | None = Field(default=None, description="The text that offsets of side A count in.")
    journal_a: Words = None
    pub_year_a: Year | None = None
    doi_a: Words = None
    pmid_a: Words = None
    title_b: Words = None
    abstract_b: Filled | None = Field(default=None, description="The text that offsets of side B count in.")
    journal_b: Words = None
    pub_year_b: Year | None = None
    doi_b: Words = None
    pmid_b: Words = None
    licence_a: Words = Field(default=None, description="Of the text, as its file names it; null: unknown.")
    licence_b: Words = None

    entities: list[Filled] = Field(default=[], description="Of either claim.")
    similarity: Number | None = Field(default=None, description="Parts of the mining score: sim,")
    disagreement_score: Number | None = Field(default=None, description="dis,")
    entity_overlap: Number | None = Field(default=None, description="ent,")
    type_compatibility: Number | None = Field(default=None, description="type,")
    year_penalty: Number | None = Field(default=None, description="p_year, as subtracted;")
    combined_score: Number | None = Field(default=None, description="and their weighted sum.")
    conflict_likelihood: Share | None = Field(
        default=None, description="Of a conflict, as mining told it before anybody labelled the pair."
    )
    disagreement_signals: list[Text] = []
    tier: Annotated[Tier | None, Loose] = None

    @model_validator(mode="after")
    def _marked(self) -> Self:
        for name in ("claim_a", "claim_a_sentence", "claim_b", "claim_b_sentence"):
            start, end = getattr(self, f"{name}_start"), getattr(self, f"{name}_end")
            if (start is None) != (end is None):
                raise ValueError(f"{name}_start and {name}_end go together: give both or neither")
            if start is not None and start >= end:
                raise ValueError(f"{name}_end {end} is not after {name}_start {start}")
        return self

    def value(self) -> dict[str, Any]:
        """As written to files: every field, in the order of the schema."""
        return self.model_dump(mode="json")


class PairRow(CandidateRow):
    """Two claims of different articles, and what is said about how they relate."""

    model_config = ConfigDict(title="Claim pair")

    comparable: bool = True
    conflict_type: Annotated[ConflictType, Loose]
    divergence_axes: list[Annotated[Axis, Loose]] = []
    dominant_confounder: Annotated[Axis | None, Loose] = None
    reconciliation: Text = ""
    evidence_spans: list[EvidencePart] = []
    confidence: Share | None = Field(default=None, description="The annotator's own, in its label.")
    notes: Text = ""

    label_origin: LabelOrigin = Field(default="model", description="Who made the label above.")
    annotator_id: Words = Field(default=None, description="Model or tool; curators are not named.")
    repaired: bool = Field(default=False, description="An off-schema answer was made to fit.")
    repairs: list[Text] = []
    seen_by_person: bool = Field(default=False, description="Whether a person judged this pair.")
    machine_labels: list[MachineLabelPart] = Field(
        default=[], description="What each machine annotator said, whoever made the label above."
    )
    run: Words = None
    provenance: Words = None

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if len(set(self.divergence_axes)) < len(self.divergence_axes):
            raise ValueError("an axis of divergence_axes is named twice")
        found = inconsistencies(self.conflict_type, tuple(self.divergence_axes), self.dominant_confounder)
        if found:
            raise ValueError(" ".join(found))
        return self


class PairsFile(Part):
    """A JSON file of claim pairs."""

    metadata: dict[str, Any] = {}
    pairs: list[PairRow]
