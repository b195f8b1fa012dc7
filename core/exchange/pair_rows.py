"""Claim pairs of a run as rows of a file: the silver label of each, or what people decided instead.

The silver label of a pair is the model's, else the heuristic's. A row names no curator.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any, TypeGuard

from core.conflicts.articles import article_of
from core.conflicts.package import Entry
from core.conflicts.package.phrases import is_clause
from core.formats.pairs import EvidencePart, MachineLabelPart, PairRow, SlotsPart
from core.records import (
    CandidatePair,
    Claim,
    Level,
    Origin,
    PairAnswer,
    PairLabel,
    PairSort,
    PairSpan,
    PairTask,
    Passage,
    Span,
    StoredPairLabel,
)
from core.store import Workspace, corpora, pair_imports, pairs
from core.store.rows import chunks
from core.store.settled import Settled

CHUNK = 200


def silver(workspace: Workspace, run: str) -> dict[int, StoredPairLabel]:
    """Item -> its silver label: the model's stands before the heuristic's."""
    found: dict[int, StoredPairLabel] = {}
    for label in pairs.labels(workspace, run):
        found.setdefault(label.item_id, label)
    return found


def entries(workspace: Workspace, run: str, verdicts: Settled | None = None) -> Iterator[Entry]:
    """The labelled pairs of a run without their texts; what people found unusable is left out, what they
    settled is theirs."""
    labels = silver(workspace, run)
    for pair in pairs.pairs(workspace, run):
        answer = verdicts.answers.get(pair.pair_id) if verdicts else None
        label = labels.get(pair.item_id)
        if (verdicts and pair.pair_id in verdicts.rejected) or (answer is None and label is None):
            continue
        kept = Entry(
            pair_id=pair.pair_id,
            domain=pair.domain,
            article_a=pair.a.article_uid,
            article_b=pair.b.article_uid,
            claim_a=pair.a.claim_id,
            claim_b=pair.b.claim_id,
            conflict_type=answer.conflict_type.value if answer else "",
            origin="person",
            likelihood=pair.likelihood.value if pair.likelihood else pair.scores.combined,
        )
        if label is not None and answer is None:
            kept = kept._replace(
                conflict_type=label.label.conflict_type.value,
                origin=label.label.origin.value,
                confidence=label.label.confidence,
                repaired=label.label.repaired,
            )
        yield kept


def _is_about(said: dict[str, Any] | None, label: StoredPairLabel) -> TypeGuard[dict[str, Any]]:
    """Whether a record of an import speaks of this label, and not of the other one of its pair."""
    rule = label.label.origin is Origin.HEURISTIC
    return said is not None and (said.get("origin") == Origin.HEURISTIC) == rule


def pair_rows(
    workspace: Workspace,
    run: str,
    *,
    verdicts: Settled | None = None,
    only: Collection[str] | None = None,
    settled: bool = False,
    order: PairSort = PairSort.TIER,
) -> Iterator[PairRow]:
    """Rows of a run in its order, streamed.

    Args:
        verdicts: what people decided: their labels take precedence, what they rejected is left out. None:
            silver alone, as the run left it.
        only: pair ids; None: all.
        settled: only pairs that people settled.
    """
    given = pair_imports.given(workspace, run)
    chosen = (
        pair
        for pair in pairs.pairs(workspace, run, order=order)
        if (only is None or pair.pair_id in only)
        and not (verdicts and pair.pair_id in verdicts.rejected)
        and not (settled and verdicts and pair.pair_id not in verdicts.answers)
    )
    for chunk in chunks(chosen, CHUNK):
        held = pairs.labels_of_items(workspace, [pair.item_id for pair in chunk])
        places = (claim.passage_id for pair in chunk for claim in (pair.a, pair.b))
        passages = corpora.passages_by_id(workspace, places)
        for task in pairs.tasks(workspace, chunk):
            pair = task.pair
            own = [one for one in held.get(pair.item_id, []) if one.run == run]
            answer = verdicts.answers.get(pair.pair_id) if verdicts else None
            if not own and answer is None:
                continue
            said = given.get(pair.pair_id)
            value = described(task, said, passages)
            value |= _settled(pair, answer) if answer else label_fields(pair, own[0], said)
            if verdicts is not None and pair.pair_id in verdicts.curators:
                value["seen_by_person"] = True
            value["machine_labels"] = (said or {}).get("machine_labels") or machine_labels(own)
            yield PairRow(**value, run=run)


def machine_labels(labels: Iterable[StoredPairLabel]) -> list[MachineLabelPart]:
    """What each machine annotator said of a pair."""
    return [
        MachineLabelPart(
            annotator_id=one.label.annotator or one.label.origin.value,
            label_origin="heuristic" if one.label.origin is Origin.HEURISTIC else "model",
            comparable=one.label.comparable,
            conflict_type=one.label.conflict_type,
            divergence_axes=list(one.label.axes),
            dominant_confounder=one.label.confounder,
            confidence=one.label.confidence,
            repaired=one.label.repaired,
        )
        for one in labels
        if one.label.origin is not Origin.PERSON
    ]


def described(task: PairTask, said: dict[str, Any] | None, passages: dict[int, Passage]) -> dict[str, Any]:
    """Everything but the label."""
    pair, s = task.pair, task.pair.scores
    scored = said is None or said.get("scored", True)
    value: dict[str, Any] = {
        "example_id": (said or {}).get("example_id") or pair.pair_id,
        "pair_id": pair.pair_id,
        "domain": pair.domain,
        "entities": sorted({*pair.a.entities, *pair.b.entities}),
        "similarity": s.sim if scored else None,
        "disagreement_score": s.dis if scored else None,
        "entity_overlap": s.ent if scored else None,
        "type_compatibility": s.type if scored else None,
        "year_penalty": s.year if scored else None,
        "combined_score": s.combined if scored else None,
        "conflict_likelihood": pair.likelihood.value if pair.likelihood else None,
        "disagreement_signals": list(pair.signals),
        "tier": pair.tier,
    }
    for side, claim, text in (("a", pair.a, task.a), ("b", pair.b, task.b)):
        article = article_of(passages[claim.passage_id], None)
        value |= {
            f"title_{side}": text.title or None,
            f"abstract_{side}": text.text,
            f"journal_{side}": text.journal or None,
            f"pub_year_{side}": text.year,
            f"doi_{side}": article.doi,
            f"pmid_{side}": article.pmid,
            f"licence_{side}": licence_of(passages[claim.passage_id]),
        }
        value |= {f"claim_{side}_{name}": given for name, given in _claim(claim).items()}
    return value


def licence_of(passage: Passage) -> str | None:
    """The licence that the file of an article names."""
    named = passage.meta.get("license")
    return named if isinstance(named, str) and named else None


def slots_of(claim: Claim) -> SlotsPart:
    """Slots of a claim; one that holds a whole clause names nothing, and is left empty."""
    found = {name: given for name, given in claim.slots.items() if name in SlotsPart.model_fields}
    kept: dict[str, Any] = {n: None if isinstance(v, str) and is_clause(v) else v for n, v in found.items()}
    return SlotsPart(**kept)


def _claim(claim: Claim) -> dict[str, Any]:
    return {
        "id": claim.claim_id,
        "text": claim.text,
        "type": claim.claim_type,
        "article_uid": claim.article_uid,
        "start": claim.start,
        "end": claim.end,
        "sentence_start": claim.sentence_start,
        "sentence_end": claim.sentence_end,
        "section": claim.section,
        "direction": claim.direction,
        "negated": claim.negated,
        "entities": list(claim.entities),
        "slots": slots_of(claim),
        "confidence": claim.confidence,
    }


def label_fields(pair: CandidatePair, stored: StoredPairLabel, said: dict[str, Any] | None) -> dict[str, Any]:
    """The label of a row, as a machine made it or a file said it."""
    label: PairLabel = stored.label
    origin = label.origin.value
    annotator = said.get("annotator_id") if _is_about(said, stored) else label.annotator
    return {
        "comparable": label.comparable,
        "conflict_type": label.conflict_type,
        "divergence_axes": list(label.axes),
        "dominant_confounder": label.confounder,
        "reconciliation": label.reconciliation,
        "evidence_spans": [_evidence(pair, span) for span in label.evidence],
        "confidence": label.confidence,
        "notes": label.notes,
        "label_origin": origin,
        "annotator_id": annotator or None,
        "repaired": label.repaired,
        "repairs": list(label.repairs),
        "seen_by_person": origin == "person" or bool((said or {}).get("seen_by_person")),
        "provenance": (said or {}).get("provenance"),
    }


def _settled(pair: CandidatePair, answer: PairAnswer) -> dict[str, Any]:
    spans = [("a", span) for span in answer.spans_a] + [("b", span) for span in answer.spans_b]
    return {
        "comparable": answer.comparable,
        "conflict_type": answer.conflict_type,
        "divergence_axes": list(answer.axes),
        "dominant_confounder": answer.confounder,
        "reconciliation": answer.reconciliation,
        "evidence_spans": [_evidence(pair, _as_evidence(pair, side, span)) for side, span in spans],
        "label_origin": "person",
        "seen_by_person": True,
    }


def _as_evidence(pair: CandidatePair, side: str, span: Span) -> PairSpan:
    claim = pair.a if side == "a" else pair.b
    within = claim.start <= span.start and span.end <= claim.end
    return PairSpan(side, span.quote, span.start, span.end, Level.CLAIM if within else Level.ABSTRACT)


def _evidence(pair: CandidatePair, span: PairSpan) -> EvidencePart:
    """In the frame of the claim where it lies within it, else in that of the abstract."""
    claim = pair.a if span.side == "a" else pair.b
    start, end = span.start, span.end
    of_claim = span.level is Level.CLAIM
    if start is not None and end is not None:
        of_claim = of_claim and claim.start <= start and end <= claim.end
    shift = claim.start if of_claim else 0
    return EvidencePart(
        article_uid=claim.article_uid,
        text=span.quote,
        start=None if start is None else start - shift,
        end=None if end is None else end - shift,
        role=span.role,
        side="a" if span.side == "a" else "b",
        frame="claim_text" if of_claim else "abstract",
        level="claim" if span.level is Level.CLAIM else "abstract",
    )
