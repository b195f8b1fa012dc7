"""From rows of claim pairs to records of a workspace: every claim found in the normalised abstract that the
pipeline would have read it in, so that the same two claims are one item, wherever they come from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, cast

from core.conflicts.articles import article_of
from core.conflicts.cues import find_cues
from core.conflicts.identity import claim_id, pair_id
from core.conflicts.normalise import normalised_span
from core.conflicts.normalise import run as normalise
from core.formats.pairs import EvidencePart, PairRow
from core.formats.rows import FieldFault, shown
from core.records import (
    Article,
    CandidatePair,
    Claim,
    ClaimType,
    Cue,
    Level,
    Likelihood,
    Normalised,
    Origin,
    PairLabel,
    PairSpan,
    Passage,
    Scores,
    Tier,
)
from core.records.claims import OffsetMap

Sides = tuple[Literal["a"], Literal["b"]]
SIDES: Sides = ("a", "b")


def normalised(article: Article) -> Normalised:
    """An article as stage 2 leaves it, had it come alone; one that is too short stays as it is."""
    (found,) = normalise([article], shortest=0)
    if isinstance(found, Normalised):
        return found
    return Normalised(article, article.text, ((0, len(article.text), 0, len(article.text)),))


@dataclass(slots=True)
class Frame:
    """The abstract that the claims of one article stand in."""

    article: Normalised
    cues: list[Cue] | None = None
    others: dict[str, OffsetMap | None] = field(default_factory=dict)
    """Spelling of the abstract in a file -> how it maps on the frame; None: it is another text."""

    @classmethod
    def of(cls, passage: Passage, domain: str | None) -> Frame:
        return cls(normalised(article_of(passage, domain)))

    @property
    def text(self) -> str:
        return self.article.article.text

    def map_of(self, abstract: str) -> OffsetMap | None:
        """How offsets in this spelling of the abstract become offsets in the frame."""
        if abstract not in self.others:
            if abstract == self.text:
                self.others[abstract] = ((0, len(abstract), 0, len(abstract)),)
            elif abstract == self.article.original:
                self.others[abstract] = self.article.offsets
            else:
                alike = normalised(Article("", abstract, ""))
                self.others[abstract] = alike.offsets if alike.article.text == self.text else None
        return self.others[abstract]

    def cues_within(self, start: int, end: int) -> tuple[Cue, ...]:
        if self.cues is None:
            self.cues = find_cues(self.text)
        return tuple(cue for cue in self.cues if start <= cue.start and cue.end <= end)


@dataclass(frozen=True, slots=True)
class Built:
    """One row as records; ids of rows in the store are still to come."""

    pair: CandidatePair
    label: PairLabel
    row: PairRow
    swapped: bool
    """Side A of the file is side B here."""


def build(row: PairRow, frames: dict[str, Frame], articles: dict[str, Article]) -> Built:
    """A row as a pair with its label.

    Args:
        frames: article uid -> the abstract its claims stand in.
        articles: article uid -> the article as the corpus holds it.

    Raises:
        FieldFault: a claim does not stand in its article, or both sides are one claim.
    """
    claims: dict[str, Claim] = {}
    maps: dict[str, OffsetMap | None] = {}
    for side in SIDES:
        uid = cast(str, getattr(row, f"claim_{side}_article_uid"))
        frame = frames[uid]
        abstract = cast("str | None", getattr(row, f"abstract_{side}"))
        maps[side] = frame.map_of(abstract if abstract is not None else frame.text)
        if maps[side] is None:
            raise FieldFault(
                f"abstract_{side}",
                f"the abstract differs from that of article {shown(uid)} in the corpus "
                f"{_first_difference(abstract or '', frame.article.original)}",
            )
        claims[side] = _claim(row, side, frame, maps[side] or (), articles[uid])
    if claims["a"].key() == claims["b"].key():
        raise FieldFault("claim_b_text", "both sides are the same claim")
    swapped = claims["b"].key() < claims["a"].key()
    first, second = (claims["b"], claims["a"]) if swapped else (claims["a"], claims["b"])
    pair = CandidatePair(
        pair_id=pair_id(first, second),
        domain=row.domain,
        a=first,
        b=second,
        scores=_scores(row),
        signals=tuple(row.disagreement_signals),
        tier=row.tier or Tier.FULL,
        likelihood=None if row.conflict_likelihood is None else Likelihood(row.conflict_likelihood),
    )
    return Built(pair, _label(row, claims, maps, frames, swapped), row, swapped)


def _first_difference(text: str, known: str) -> str:
    pairs = enumerate(zip(text, known, strict=False))
    at = next((i for i, (a, b) in pairs if a != b), min(len(text), len(known)))
    return f"from character {at} on: {shown(text[at : at + 20])} against {shown(known[at : at + 20])}"


def _scores(row: PairRow) -> Scores:
    """Zeros where the file gives none: a mined pair has a similarity above zero."""
    return Scores(
        sim=row.similarity or 0.0,
        dis=row.disagreement_score or 0.0,
        ent=row.entity_overlap or 0.0,
        type=row.type_compatibility or 0.0,
        year=row.year_penalty or 0.0,
        combined=row.combined_score or 0.0,
    )


def _claim(row: PairRow, side: str, frame: Frame, offsets: OffsetMap, article: Article) -> Claim:
    """The claim of one side, located by its offsets, else by its words."""
    name = f"claim_{side}"
    given = cast(str, getattr(row, f"{name}_text"))
    start, end = getattr(row, f"{name}_start"), getattr(row, f"{name}_end")
    abstract = getattr(row, f"abstract_{side}")
    place = _mapped(offsets, start, end)
    if abstract is None and (place is None or frame.text[slice(*place)] != given):
        # offsets in a text that the file does not show: of the frame, of the original, or none
        of_original = frame.article.original[start:end] == given if start is not None else False
        place = _mapped(frame.article.offsets, start, end) if of_original else _found(frame.text, given)
    if place is None:
        raise FieldFault(
            f"{name}_text", f"the claim {shown(given)} does not occur in article {shown(article.uid)}"
        )
    sentence = _mapped(offsets, getattr(row, f"{name}_sentence_start"), getattr(row, f"{name}_sentence_end"))
    if sentence is None or sentence[0] > place[0] or sentence[1] < place[1]:
        sentence = place
    text = frame.text[slice(*place)]
    given_entities = f"{name}_entities" in row.model_fields_set
    named = getattr(row, f"{name}_entities") if given_entities else _named(row, text)
    slots = getattr(row, f"{name}_slots")
    confidence = getattr(row, f"{name}_confidence")
    return Claim(
        claim_id=claim_id(article.uid, frame.text, *place),
        article_uid=article.uid,
        domain=row.domain,
        start=place[0],
        end=place[1],
        text=text,
        sentence_start=sentence[0],
        sentence_end=sentence[1],
        claim_type=getattr(row, f"{name}_type") or ClaimType.FACTUAL,
        confidence=1.0 if confidence is None else confidence,  # somebody says that it is a claim
        section=getattr(row, f"{name}_section"),
        direction=getattr(row, f"{name}_direction"),
        negated=getattr(row, f"{name}_negated"),
        entities=tuple(sorted(set(named))),
        slots=slots.model_dump(),
        cues=frame.cues_within(*place),
        year=article.year,
        journal=article.journal,
        passage_id=article.passage_id,
    )


def _named(row: PairRow, text: str) -> list[str]:
    """Where a file names entities of the pair alone: those that stand in the claim, or in neither claim."""
    claims = (row.claim_a_text.casefold(), row.claim_b_text.casefold())
    return [
        entity
        for entity in row.entities
        if entity.casefold() in text.casefold() or not any(entity.casefold() in claim for claim in claims)
    ]


def _mapped(offsets: OffsetMap, start: int | None, end: int | None) -> tuple[int, int] | None:
    if start is None or end is None or not offsets or end > offsets[-1][3]:
        return None
    return normalised_span(offsets, start, end)


def _found(text: str, words: str) -> tuple[int, int] | None:
    for spelling in (words, normalised(Article("", words, "")).article.text):
        at = text.find(spelling)
        if at >= 0 and spelling:
            return at, at + len(spelling)
    return None


def _label(
    row: PairRow,
    claims: dict[str, Claim],
    maps: dict[str, OffsetMap | None],
    frames: dict[str, Frame],
    swapped: bool,
) -> PairLabel:
    def place(span: EvidencePart) -> PairSpan:
        side = span.side or "a"
        claim = claims[side]
        text = frames[claim.article_uid].text
        found = None
        if span.start is not None and span.end is not None:
            start = getattr(row, f"claim_{side}_start")
            if span.frame == "abstract":
                found = _mapped(maps[side] or (), span.start, span.end)
            elif start is not None:
                found = _mapped(maps[side] or (), start + span.start, start + span.end)
            if found is None and span.frame == "claim_text":
                found = _found(claim.text, span.text)
                found = (found[0] + claim.start, found[1] + claim.start) if found else None
        quote = text[slice(*found)] if found else span.text
        other = {"a": "b", "b": "a"}[side] if swapped else side
        start, end = found or (None, None)
        return PairSpan(other, quote, start, end, Level(span.level), span.role)

    return PairLabel(
        comparable=row.comparable,
        conflict_type=row.conflict_type,
        axes=tuple(row.divergence_axes),
        confounder=row.dominant_confounder,
        reconciliation=row.reconciliation,
        evidence=tuple(place(span) for span in row.evidence_spans),
        confidence=row.confidence,
        notes=row.notes,
        origin=Origin(row.label_origin),
        annotator=row.annotator_id or row.label_origin,
        repaired=row.repaired,
        repairs=tuple(row.repairs),
    )
