"""Two claims of two articles that seem to disagree. Its passage is that of side A, its subject the pair id,
which names both claims by article, text and place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.errors import InputError
from core.kinds.kind import Kind, most_like
from core.records import (
    ON_PROPOSALS,
    Action,
    Axis,
    ConflictType,
    ItemKind,
    Kept,
    Level,
    PairAnswer,
    PairLabel,
    PairSpan,
    Quoted,
    Span,
    Stated,
    StoredPairLabel,
    inconsistencies,
)

NONE = "none"
"""No axis, or no confounder, in `fields`."""


def answer_of(pair_id: str, label: PairLabel, texts: dict[str, str]) -> PairAnswer:
    """What accepting a label says: its fields, and its evidence as far as it stands in the texts, which are
    those of the sides `a` and `b`."""
    places: dict[str, set[tuple[int, int]]] = {"a": set(), "b": set()}
    for one in label.evidence:
        if one.start is None or one.end is None:
            continue
        if texts[one.side][one.start : one.end] == one.quote:
            places[one.side].add((one.start, one.end))
    return PairAnswer(
        pair_id,
        label.comparable,
        label.conflict_type,
        in_order(label.axes),
        label.confounder,
        label.reconciliation.strip(),
        spans_of(places["a"], texts["a"], "A"),
        spans_of(places["b"], texts["b"], "B"),
    )


def in_order(axes: tuple[Axis, ...]) -> tuple[Axis, ...]:
    """Axes in the order of the form, so that the same ones in another order are the same answer."""
    return tuple(axis for axis in Axis if axis in axes)


def spans_of(places: set[tuple[int, int]], text: str, side: str) -> tuple[Span, ...]:
    """Spans at these places of a side's text, in code points.

    Raises:
        InputError: a place lies outside it.
    """
    for start, end in places:
        if not 0 <= start < end <= len(text):
            raise InputError(f"The evidence {start}-{end} lies outside abstract {side}. Mark it again.")
    return tuple(Span(start, end, text[start:end]) for start, end in sorted(places))


def said(answer: PairAnswer) -> tuple[object, ...]:
    """What two answers must share to agree. Reconciliation and spans are in people's own words and places."""
    return (answer.comparable, answer.conflict_type, frozenset(answer.axes), answer.confounder)


def fields(answer: PairAnswer) -> dict[str, str]:
    return {
        "conflict_type": answer.conflict_type.value,
        "comparable": "yes" if answer.comparable else "no",
        "axes": ", ".join(axis.value for axis in in_order(answer.axes)) or NONE,
        "confounder": answer.confounder.value if answer.confounder else NONE,
    }


def composed(answers: Sequence[PairAnswer], chosen: Mapping[str, str]) -> PairAnswer:
    best = most_like(answers, chosen, fields)
    axes, confounder = chosen["axes"], chosen["confounder"]
    return replace(
        best,
        comparable=chosen["comparable"] == "yes",
        conflict_type=ConflictType(chosen["conflict_type"]),
        axes=tuple(map(Axis, axes.split(", "))) if axes != NONE else (),
        confounder=Axis(confounder) if confounder != NONE else None,
    )


def _refusals(answer: PairAnswer, subject: str, action: Action) -> list[str]:
    if answer.pair_id != subject:
        return [f"The item is {subject}, the answer speaks of {answer.pair_id}. Reload the page."]
    return inconsistencies(answer.conflict_type, answer.axes, answer.confounder)


def _stated(label: PairLabel) -> Stated:
    """Raises InputError for a label that its own schema forbids."""
    if found := inconsistencies(label.conflict_type, label.axes, label.confounder):
        raise InputError(" ".join(found))
    return Stated(
        label.origin,
        {
            "comparable": label.comparable,
            "conflict_type": label.conflict_type,
            "axes": label.axes,
            "confounder": label.confounder,
            "reconciliation": label.reconciliation,
        },
        tuple(
            Quoted(s.quote, s.start, s.end, s.grounded, None, s.side, s.level, s.role) for s in label.evidence
        ),
        label.confidence,
        label.notes,
        "annotate",
        label.annotator,
        label.repaired,
        label.repairs,
    )


def _proposal(kept: Kept) -> StoredPairLabel:
    said, answer = kept.said, kept.said.answer
    label = PairLabel(
        comparable=answer["comparable"],
        conflict_type=ConflictType(answer["conflict_type"]),
        axes=tuple(map(Axis, answer["axes"])),
        confounder=Axis(answer["confounder"]) if answer["confounder"] else None,
        reconciliation=answer["reconciliation"],
        evidence=tuple(
            PairSpan(q.side or "a", q.quote, q.start, q.end, Level(q.level or Level.CLAIM), q.role)
            for q in said.evidence
        ),
        confidence=said.confidence,
        notes=said.reason or "",
        origin=said.origin,
        annotator=said.annotator or "",
        repaired=said.repaired,
        repairs=said.repairs,
    )
    return StoredPairLabel(kept.id, kept.run, kept.item_id, label, said.call_id)


KIND = Kind(
    ItemKind.PAIR,
    actions=frozenset({*ON_PROPOSALS, Action.ADJUDICATE}) - {Action.ADD},
    form=PairAnswer,
    frames={"spans_a": "abstract A", "spans_b": "abstract B"},
    refusals=_refusals,
    said=said,
    fields=fields,
    composed=composed,
    prefix="pair-",
    stated=_stated,
    proposal=_proposal,
    runs=("conflicts",),
    plural="claim pairs",
    unique=True,
    cannot={Action.ADD: "A pair is proposed by a run; there is none to add."},
)
