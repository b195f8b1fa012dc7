"""Do claims and evidence of a pair stand where the row says? What comes without offsets is located."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from core.formats.grounding import Claim, Frame, Mismatch, ground, occurrences
from core.formats.rows import FieldFault, Notes, shown
from core.records import Axis

if TYPE_CHECKING:
    from core.formats.pair_schema import EvidencePart, PairRow


def placed(row: PairRow, unframed: frozenset[int], notes: Notes) -> PairRow:
    """The row with every place filled in that its texts allow.

    Args:
        unframed: positions of evidence that names no frame: without offsets it is looked for in the claim,
            then in the abstract.

    Raises:
        FieldFault: a claim does not stand in its abstract, evidence is of neither article, or evidence of a
            person does not stand in its text.
    """
    new: dict[str, Any] = {}
    for side in ("a", "b"):
        new |= _claim(row, side, notes)
    new["evidence_spans"] = [
        _span(row, span, index, index in unframed, notes) for index, span in enumerate(row.evidence_spans)
    ]
    new["divergence_axes"] = sorted(row.divergence_axes, key=list(Axis).index)
    if row.label_origin == "person":
        new["seen_by_person"] = True
    return row.model_copy(update=new)


def _claim(row: PairRow, side: str, notes: Notes) -> dict[str, int]:
    """Offsets of the claim and of its sentence in the abstract."""
    name = f"claim_{side}"
    abstract = cast("str | None", getattr(row, f"abstract_{side}"))
    text = cast(str, getattr(row, f"{name}_text"))
    start, end = getattr(row, f"{name}_start"), getattr(row, f"{name}_end")
    first, last = getattr(row, f"{name}_sentence_start"), getattr(row, f"{name}_sentence_end")
    if abstract is None:
        return {}
    for field, limit in ((f"{name}_end", end), (f"{name}_sentence_end", last)):
        if limit is not None and limit > len(abstract):
            raise FieldFault(field, f"is {limit}, while abstract_{side} has {len(abstract)} characters")
    if start is None and first is not None:
        at = abstract.find(text, first, last)
        if at < 0:
            found = shown(abstract[first:last], 120)
            raise FieldFault(
                f"{name}_sentence_start",
                f"the claim {shown(text)} is not in the sentence at {first} to {last} of abstract_{side}, "
                f"which is {found}",
            )
        start, end = at, at + len(text)
    elif start is None:
        places = occurrences(abstract, text, limit=2)
        if not places:
            raise FieldFault(f"{name}_text", f"the claim {shown(text)} does not occur in abstract_{side}")
        notes.located += len(places) == 1
        notes.ambiguous += len(places) > 1
        start, end = places[0], places[0] + len(text)
    elif abstract[start:end] != text:
        found = shown(abstract[start:end], 120)
        raise FieldFault(f"{name}_start", f"expected {shown(text)} at {start} to {end}, found {found}")
    if first is None or last is None or first > start or last < end:
        first, last = start, end
    return {
        f"{name}_start": start,
        f"{name}_end": end,
        f"{name}_sentence_start": first,
        f"{name}_sentence_end": last,
    }


def _span(row: PairRow, span: EvidencePart, index: int, unframed: bool, notes: Notes) -> EvidencePart:
    side = span.side or _side(row, span, index)
    if span.article_uid != getattr(row, f"claim_{side}_article_uid"):
        where = f"evidence_spans[{index}].article_uid"
        raise FieldFault(where, f"{shown(span.article_uid)} is not the article of side {side}")
    claim = cast(str, getattr(row, f"claim_{side}_text"))
    abstract = cast("str | None", getattr(row, f"abstract_{side}"))
    frame, level = span.frame, span.level
    if unframed and span.start is None and span.text not in claim and abstract and span.text in abstract:
        frame, level = "abstract", "abstract"
    text = claim if frame == "claim_text" else abstract
    new: dict[str, Any] = {"side": side, "frame": frame, "level": level}
    if text is not None:
        try:
            keep = row.label_origin != "person"
            place = ground(Frame(text), Claim(span.text, span.start, span.end), notes, keep=keep)
        except Mismatch as fault:
            raise FieldFault(f"evidence_spans[{index}]", f"{fault} of {frame}, side {side}") from None
        new |= (
            {"start": place.span.start, "end": place.span.end} if place.span else {"start": None, "end": None}
        )
    return span.model_copy(update=new)


def _side(row: PairRow, span: EvidencePart, index: int) -> str:
    """By article; where both claims are of one article, the side whose claim holds the words."""
    of = [s for s in ("a", "b") if getattr(row, f"claim_{s}_article_uid") == span.article_uid]
    if not of:
        articles = f"{shown(row.claim_a_article_uid)} and {shown(row.claim_b_article_uid)}"
        raise FieldFault(
            f"evidence_spans[{index}].article_uid", f"{shown(span.article_uid)} is neither of {articles}"
        )
    return next((s for s in of if span.text in getattr(row, f"claim_{s}_text")), of[0])
