"""Claim pairs as JSONL or JSON: one schema for silver, gold and releases, plain or gzipped.

One pair a line, or `{"pairs": [...]}`, or a bare array. The fields are those of BioDivergence (paper 004,
Tables 26, 29 and 30); where the tables name a thing twice, ours has the name of Table 30 and the reader takes
the other names, too (`pair_names`). Offsets of a claim count in its abstract; those of evidence in what its
`frame` says: the text of the claim, or the abstract.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, BinaryIO, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from core.errors import InputError
from core.formats import format_of
from core.formats.assemble import told
from core.formats.documents import Filled, Text, Words
from core.formats.json import dumps
from core.formats.pair_names import Renamed, renamed
from core.formats.pair_places import Misplaced, placed
from core.formats.rows import Notes, Raw, RowError, shown
from core.formats.source import Source
from core.formats.strict_json import Cursor, JsonFault, loads
from core.records import Axis, ClaimType, ConflictType, Direction, Tier, inconsistencies

LabelOrigin = Literal["model", "heuristic", "person"]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Number = Annotated[float, Field(allow_inf_nan=False)]
Start = Annotated[int, Field(ge=0)]
End = Annotated[int, Field(ge=1)]
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


class PairRow(Part):
    """Two claims of different articles, and what is said about how they relate."""

    model_config = ConfigDict(title="Claim pair")

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
    pub_year_a: int | None = None
    doi_a: Words = None
    pmid_a: Words = None
    title_b: Words = None
    abstract_b: Filled | None = Field(default=None, description="The text that offsets of side B count in.")
    journal_b: Words = None
    pub_year_b: int | None = None
    doi_b: Words = None
    pmid_b: Words = None

    entities: list[Filled] = Field(default=[], description="Of either claim.")
    similarity: Number | None = Field(default=None, description="Parts of the mining score: sim,")
    disagreement_score: Number | None = Field(default=None, description="dis,")
    entity_overlap: Number | None = Field(default=None, description="ent,")
    type_compatibility: Number | None = Field(default=None, description="type,")
    year_penalty: Number | None = Field(default=None, description="p_year, as subtracted;")
    combined_score: Number | None = Field(default=None, description="and their weighted sum.")
    disagreement_signals: list[Text] = []
    tier: Annotated[Tier | None, Loose] = None

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


class PairsFile(Part):
    """A JSON file of claim pairs."""

    metadata: dict[str, Any] = {}
    pairs: list[PairRow]


FIELDS = frozenset(PairRow.model_fields)


def read_pairs(
    path: Path | str, notes: Notes | None = None, *, mend: bool = False
) -> Iterator[PairRow | RowError]:
    """Stream a file of claim pairs.

    Claims and evidence are checked against their texts, and located where the file gives no offsets. Evidence
    of a machine that does not stand in its text is kept without offsets; that of a person is an error.

    Args:
        notes: counts of what was located, kept ungrounded or left out; complete at the end.
        mend: make off-schema labels of machines fit, as the annotator does with answers of models: unknown
            type -> no_conflict, unknown axes dropped, unknown confounder -> null, inconsistent parts dropped.
            Such a row is `repaired` and says how. Otherwise they are row errors.

    Raises:
        InputError: the file cannot be read as JSON or JSONL; each row's own fault is a `RowError` instead.
    """
    source = Source(path)
    notes = notes if notes is not None else Notes()
    name = format_of(source.path)
    if name not in ("json", "jsonl"):
        raise InputError(f"{source.name} is {name}. Claim pairs are read from JSONL or JSON.")
    rows = _lines(source) if name == "jsonl" else iter(list(_elements(source)))
    empty = True
    for raw in rows:
        empty = False
        yield raw if isinstance(raw, RowError) else _row(raw, source.name, notes, mend)
    if empty:
        raise InputError(f"{source.name} holds no claim pairs. Check that it is complete.")


def _row(raw: Raw, file: str, notes: Notes, mend: bool) -> PairRow | RowError:
    mine = Notes()  # a row that is refused leaves no notes
    try:
        found: Renamed = renamed(raw.value, FIELDS, mend=mend)
        row = placed(PairRow.model_validate(found.value), found.unframed, mine)
    except Misplaced as fault:
        return RowError(file, raw.line, None, fault.field, fault.cause, raw.value)
    except ValidationError as failure:
        field, cause, _ = told(failure.errors(include_url=False)[0])
        return RowError(file, raw.line, None, field, cause, raw.value)
    mine.ignored.update(found.ignored)
    notes.add(mine)
    return row


def _lines(source: Source) -> Iterator[Raw | RowError]:
    for number, line in source.lines():
        if not line.strip(" \t\r\n"):
            continue
        try:
            yield Raw(loads(line), number)
        except JsonFault as fault:
            yield RowError(source.name, number, None, None, f"column {fault.column}: {fault.cause}", line)


def _elements(source: Source) -> Iterator[Raw]:
    """Rows of `{"pairs": [...]}` or of a bare array, each with the line it starts on."""
    text = source.whole()
    try:
        cursor = Cursor(text)
        if not cursor.next_is("["):
            cursor.sign("{")
            while not cursor.next_is("}"):
                name = cursor.value()
                cursor.sign(":")
                if name == "pairs":
                    break
                cursor.value()
                if not cursor.next_is("}"):
                    cursor.sign(",")
            else:
                raise InputError(
                    f'{source.name} has no "pairs". A JSON file of claim pairs is {{"pairs": [...]}}.'
                )
        cursor.sign("[")
        while not cursor.next_is("]"):
            line = text.count("\n", 0, cursor.at) + 1
            yield Raw(cursor.value(), line)
            if not cursor.next_is("]"):
                cursor.sign(",")
        cursor.sign("]")
    except JsonFault as fault:
        hint = "Correct the JSON, or, if each line is one pair, name the file .jsonl."
        place = f"line {fault.line}, column {fault.column}"
        raise InputError(f"{source.name}, {place}: {fault.cause}. {hint}") from None


def write_pairs(format: str, rows: Iterable[PairRow], out: BinaryIO) -> int:
    """Write claim pairs as `jsonl` or `json`; returns how many. Nothing is left out.

    Raises:
        InputError: another format.
    """
    if format not in ("json", "jsonl"):
        raise InputError(f"The format {shown(format)} cannot hold claim pairs. Choose --format jsonl, json.")
    count = 0
    out.write(b'{"pairs": [' if format == "json" else b"")
    for row in rows:
        start = b"" if format == "jsonl" else b",\n  " if count else b"\n  "
        out.write(start + dumps(row.value()) + (b"\n" if format == "jsonl" else b""))
        count += 1
    out.write(b"\n]}\n" if format == "json" else b"")
    return count
