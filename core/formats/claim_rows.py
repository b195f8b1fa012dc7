"""Rows of claims, of tasks for annotators and of adjudicated pairs, as JSONL (paper 004, Tables 26 and 29).

Candidate pairs and labelled pairs: `pair_schema`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, BinaryIO

from pydantic import ConfigDict, Field

from core.errors import InputError
from core.formats.documents import Filled, Text, Words
from core.formats.json import dumps
from core.formats.pair_schema import (
    Domain,
    End,
    EvidencePart,
    Loose,
    Number,
    Part,
    Share,
    SlotsPart,
    Start,
    Year,
)
from core.formats.rows import shown
from core.records import Axis, ClaimType, ConflictType, Direction, Tier


class ClaimRow(Part):
    """A sentence of an abstract that states a finding, and what was read in it (Table 26)."""

    model_config = ConfigDict(title="Claim")

    claim_id: Filled
    article_uid: Filled
    domain: Domain
    source: Words = Field(default=None, description="Where the article came from, such as pubmed.")
    sentence: Filled = Field(description="The sentence of the abstract that the claim stands in.")
    claim_text: Filled
    claim_type: Annotated[ClaimType, Loose]
    start: Start = Field(description="Of the claim, in the normalised abstract, in Unicode code points.")
    end: End = Field(description="Exclusive.")
    sentence_start: Start
    sentence_end: End
    section: Words = None
    direction: Annotated[Direction, Loose]
    negated: bool
    entities: list[Filled]
    slots: SlotsPart
    confidence: Share
    pub_year: Year | None = None
    journal: Words = None
    licence: Words = None


class TaskRow(Part):
    """A pair as it is given to an annotator (Table 29, AnnotationTask)."""

    model_config = ConfigDict(title="Annotation task")

    task_id: Filled
    pair_id: Filled
    domain: Domain
    claim_a_text: Filled
    claim_b_text: Filled
    claim_a_article_uid: Filled
    claim_b_article_uid: Filled
    claim_a_type: Annotated[ClaimType | None, Loose]
    claim_b_type: Annotated[ClaimType | None, Loose]
    abstract_a: Filled | None
    abstract_b: Filled | None
    pub_year_a: Year | None
    pub_year_b: Year | None
    journal_a: Words
    journal_b: Words


class AdjudicatedRow(Part):
    """A pair that people settled (Table 29, AdjudicatedExample)."""

    model_config = ConfigDict(title="Adjudicated example")

    example_id: Filled
    pair_id: Filled
    domain: Domain
    tier: Annotated[Tier | None, Loose]
    claim_a_id: Filled | None
    claim_b_id: Filled | None
    claim_a_text: Filled
    claim_b_text: Filled
    claim_a_article_uid: Filled
    claim_b_article_uid: Filled
    entities: list[Filled]
    comparable: bool
    conflict_type: Annotated[ConflictType, Loose]
    divergence_axes: list[Annotated[Axis, Loose]]
    dominant_confounder: Annotated[Axis | None, Loose]
    reconciliation: Text
    evidence_spans: list[EvidencePart]
    annotator_ids: list[Filled] = Field(
        description="Machines by name; people as person-1, person-2: curators are not named."
    )
    adjudication_notes: Text
    title_a: Words
    title_b: Words
    journal_a: Words
    journal_b: Words
    pub_year_a: Year | None
    pub_year_b: Year | None
    doi_a: Words
    doi_b: Words
    pmid_a: Words
    pmid_b: Words
    similarity: Number | None
    disagreement_score: Number | None
    entity_overlap: Number | None
    type_compatibility: Number | None
    year_penalty: Number | None
    combined_score: Number | None
    disagreement_signals: list[Text]


def write_lines(format: str, rows: Iterable[Part], out: BinaryIO, counts: dict[str, int]) -> None:
    """Write one row a line; `counts` holds their number at the end.

    Raises:
        InputError: another format than jsonl.
    """
    if format != "jsonl":
        raise InputError(f"The format {shown(format)} cannot hold these rows. Name the file .jsonl.")
    counts["rows"] = 0
    for row in rows:
        value: dict[str, Any] = row.model_dump(mode="json")
        out.write(dumps(value) + b"\n")
        counts["rows"] += 1
