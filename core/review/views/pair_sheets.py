"""Claim pairs on the desk: both abstracts, contexts lined up, labels, this curator's answers.

Blindness: nothing here ever holds another curator's answer. Of a blind unit of a frame it holds the question
alone, both abstracts and where their claims stand, until this curator has answered it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from core.conflicts.cues import find_cues, line_up
from core.conflicts.in_short import in_short
from core.kinds.names import NAMES
from core.records import (
    CandidatePair,
    Claim,
    Cue,
    ItemKind,
    Likelihood,
    Origin,
    PairSpan,
    PairTask,
    Scores,
    Side,
    StoredPairLabel,
    Tier,
)
from core.review.confidence import band
from core.review.views.blind import BLIND
from core.review.views.view import own_words
from core.store import Workspace, pairs, queue
from core.store.blind import blind_among
from core.text.addressing import addresses_reader

UNSCORED = Scores(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
"""Of a pair whose file gives no scores."""
FOLLOWS = {
    Tier.PILOT: "Pilot: one of the stratified sample that comes first.",
    Tier.DEVELOPMENT: "Development set.",
    Tier.FULL: "Full queue.",
}

_cues = lru_cache(maxsize=5_000)(lambda text: tuple(find_cues(text)))
"""The same abstract stands in many pairs."""


def pair_views(workspace: Workspace, curator: str, item_ids: list[int]) -> list[dict[str, Any]]:
    """Pairs as plain JSON, one sheet each, in the order asked for; offsets are code points of the normalised
    abstracts."""
    if not item_ids:
        return []
    found = pairs.pairs_of_items(workspace, item_ids)
    labels = pairs.labels_of_items(workspace, item_ids)
    said = own_words(workspace, curator, item_ids)
    blind = blind_among(workspace, curator, item_ids)
    names = {run.id: run for run in queue.run_names(workspace, ItemKind.PAIR)}
    newest = {item: rows[-1] for item, rows in found.items()}
    tasks = pairs.tasks(workspace, [pair for _, pair in newest.values()])
    sides = {task.pair.item_id: (task.a, task.b) for task in tasks}
    return [
        _sheet(*newest[item], sides[item], labels.get(item, []), said.get(item, []), names, item in blind)
        for item in item_ids
        if item in newest
    ]


def _sheet(
    run: str,
    pair: CandidatePair,
    sides: tuple[Side, Side],
    labels: list[StoredPairLabel],
    said: list[dict[str, Any]],
    names: dict[str, queue.RunName],
    blind: bool,
) -> dict[str, Any]:
    a, b = sides
    item = {
        "id": pair.item_id,
        "sheet": pair.item_id,
        "passage": pair.a.passage_id,
        "concept": pair.pair_id,
        "sides": {"a": _side(pair.a, a, blind), "b": _side(pair.b, b, blind)},
        "mine": said,
    }
    unseen = {"blind": True, "proposals": [], "table": [], "why": BLIND}
    return {
        "id": pair.item_id,
        "doc": articles_of(pair),
        "corpus": names[run].corpus if run in names else None,
        "items": [item | (unseen if blind else _told(run, pair, sides, labels, names))],
    }


def _told(
    run: str,
    pair: CandidatePair,
    sides: tuple[Side, Side],
    labels: list[StoredPairLabel],
    names: dict[str, queue.RunName],
) -> dict[str, Any]:
    """What machines say of a pair."""
    a, b = sides
    texts = {"a": a.text, "b": b.text}
    imported = {name for name, one in names.items() if one.imported}
    proposals = [_label(one, texts, one.run in imported) for one in labels]
    s = pair.scores
    return {
        "label": NAMES[labels[0].label.conflict_type] if labels else "",
        "domain": pair.domain,
        "run": run,
        "tier": pair.tier.value,
        "table": _table(a.text, b.text),
        "short": _short(PairTask(pair, a, b)),
        "scores": {
            "sim": s.sim,
            "dis": s.dis,
            "ent": s.ent,
            "type": s.type,
            "year": s.year,
            "combined": s.combined,
        },
        "likelihood": _likelihood(pair.likelihood),
        "signals": list(pair.signals),
        "proposals": proposals,
        "why": why(labels, proposals, pair),
        "scored": s != UNSCORED,
    }


def _likelihood(found: Likelihood | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {"value": found.value, "word": found.word, "parts": [list(part) for part in found.parts]}


def articles_of(pair: CandidatePair) -> str:
    return f"{pair.a.article_uid} / {pair.b.article_uid}"


def _side(claim: Claim, side: Side, blind: bool) -> dict[str, Any]:
    place = {"start": claim.start, "end": claim.end}
    found = {
        "type": claim.claim_type.value,
        "direction": claim.direction.value,
        "negated": claim.negated,
        "section": claim.section,
        "confidence": claim.confidence,
        "alone": claim.alone if claim.alone != claim.text else None,
    }
    return {
        "doc": claim.article_uid,
        "title": side.title,
        "journal": side.journal,
        "year": side.year,
        "text": side.text,
        "addresses": addresses_reader(side.text),
        "claim": place if blind else place | found,
    }


def _table(a: str, b: str) -> list[dict[str, Any]]:
    def plain(cues: tuple[Cue, ...]) -> list[dict[str, Any]]:
        return [{"start": c.start, "end": c.end, "quote": c.quote, "value": c.value} for c in cues]

    return [
        {"axis": row.axis.value, "differs": row.differs, "a": plain(row.a), "b": plain(row.b)}
        for row in line_up(_cues(a), _cues(b))
    ]


def _short(task: PairTask) -> dict[str, Any]:
    found = in_short(task)
    return {
        "a": found.a,
        "b": found.b,
        "relation": found.relation.value,
        "subject": found.subject,
        "drugs": [list(names) for names in found.drugs],
    }


def _label(stored: StoredPairLabel, texts: dict[str, str], imported: bool) -> dict[str, Any]:
    label = stored.label
    return {
        "id": stored.id,
        "run": stored.run,
        "source": label.annotator,
        "origin": "imported" if imported else label.origin.value,
        "type": label.conflict_type.value,
        "axes": [axis.value for axis in label.axes],
        "confounder": label.confounder.value if label.confounder else None,
        "comparable": label.comparable,
        "reconciliation": label.reconciliation,
        "confidence": label.confidence,
        "band": band(label.confidence).value,
        "notes": label.notes,
        "repaired": label.repaired,
        "repairs": list(label.repairs),
        "evidence": [_evidence(one, texts[one.side]) for one in label.evidence],
    }


def _evidence(span: PairSpan, text: str) -> dict[str, Any]:
    """Checked once more against the text: what does not stand there is not shown as if it did."""
    stands = span.start is not None and text[span.start : span.end] == span.quote
    return {
        "side": span.side,
        "quote": span.quote,
        "start": span.start if stands else None,
        "end": span.end if stands else None,
        "level": span.level.value,
        "role": span.role,
    }


def why(labels: list[StoredPairLabel], proposals: list[dict[str, Any]], pair: CandidatePair) -> str:
    """One line: why the curator sees this pair."""
    if not labels:
        return "No label yet: the annotators have not come to this pair."
    silver = labels[0].label
    if any(e["start"] is None for e in proposals[0]["evidence"]):
        return "Ungrounded: a quote of the label does not stand in its abstract."
    if silver.repaired:
        return "Repaired: the model's reply was not in the agreed form."
    told = [one.label for one in labels]
    if len({one.conflict_type for one in told}) > 1:
        return "Annotators differ on the type."
    if len({(one.axes, one.confounder) for one in told}) > 1:
        return "Annotators agree on the type and differ on axes or confounder."
    if proposals[0]["origin"] == "imported":
        return f"Imported label: {silver.annotator}."
    if silver.origin is Origin.HEURISTIC:
        return f"{_follows(pair)} Only the heuristic has labelled it."
    return _follows(pair)


def _follows(pair: CandidatePair) -> str:
    if pair.likelihood is None:
        return FOLLOWS[pair.tier]
    return f"A conflict is {pair.likelihood.word}. {FOLLOWS[pair.tier]}"
