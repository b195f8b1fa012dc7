"""Built pairs go into the store: texts, claims, pairs, labels, and the records stages would have left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from core.conflicts.package import entry_of, resolve
from core.exchange.pair_frames import Built, Frame
from core.records import CandidatePair, Claim, Origin, StageRecord
from core.store import Workspace, claims, pair_imports, pairs, runs
from core.store.connect import sqlite3


def merged(built: list[Built]) -> tuple[list[Built], int]:
    """One label a pair and origin (metric-definitions 10.2), in file order; and how many rows that cost."""
    kept: list[int] = []
    for heuristic in (False, True):
        places = [i for i, one in enumerate(built) if (one.label.origin is Origin.HEURISTIC) == heuristic]
        entries = [entry_of(built[i].row)._replace(pair_id=built[i].pair.pair_id) for i in places]
        kept += [places[position] for position in resolve(entries).positions]
    return [built[i] for i in sorted(kept)], len(built) - len(kept)


@dataclass(frozen=True, slots=True)
class Stored:
    claims: int
    pairs: int


def store(
    workspace: Workspace, db: sqlite3.Connection, run: str, kept: list[Built], frames: dict[str, Frame]
) -> Stored:
    """Texts, claims, pairs, labels, and the records that the stages would have left."""
    used = {c.article_uid: c.passage_id for one in kept for c in (one.pair.a, one.pair.b)}
    texts = claims.insert_texts(db, [frames[uid].article for uid in used])
    distinct = {c.claim_id: c for one in reversed(kept) for c in (one.pair.a, one.pair.b)}
    ordered = sorted(distinct.values(), key=lambda claim: claim.key())
    claims.insert_claims(db, run, [replace(c, text_id=texts[c.passage_id]) for c in ordered])
    stored = {c.claim_id: c for c in claims.claims(workspace, run)}
    chosen = {one.pair.pair_id: one.pair for one in reversed(kept)}
    candidates = [
        replace(pair, a=stored[pair.a.claim_id], b=stored[pair.b.claim_id])
        for pair in sorted(chosen.values(), key=_rank)
    ]
    pairs.insert_pairs(db, run, candidates)
    placed = {pair.pair_id: pair for pair in pairs.pairs(workspace, run)}
    pairs.insert_labels(
        db, run, [(placed[one.pair.pair_id], one.label, None) for one in kept], pair_imports.STAGE
    )
    runs.add_stage_records(db, run, _records(kept, used, frames, texts, ordered))
    return Stored(len(stored), len(placed))


def _rank(pair: CandidatePair) -> tuple[str, float, float, str]:
    likelihood = -1.0 if pair.likelihood is None else pair.likelihood.value
    return pair.domain, -likelihood, -pair.scores.combined, pair.pair_id


def _records(
    kept: list[Built],
    used: dict[str, int],
    frames: dict[str, Frame],
    texts: dict[int, int],
    found: list[Claim],
) -> Iterator[StageRecord]:
    per_passage = Counter(claim.passage_id for claim in found)
    for uid, passage in used.items():
        article = frames[uid].article
        payload: dict[str, Any] = {
            "domain": article.article.domain,
            "text": texts[passage],
            "sections": [[part.label, part.start, part.end] for part in article.article.sections],
        }
        if article.article.text != article.original:
            payload["offsets"] = [list(piece) for piece in article.offsets]
        yield StageRecord("normalise", passage, None, "kept", payload=payload)
        counted = {"claims": per_passage[passage]}
        yield StageRecord("extract", passage, None, "done", payload=counted)
    for one in kept:
        said = {
            "pair_id": one.row.pair_id,
            "example_id": one.row.example_id,
            "provenance": one.row.provenance,
            "label_origin": one.row.label_origin,
            "annotator_id": one.row.annotator_id,
            "seen_by_person": one.row.seen_by_person,
            "machine_labels": [part.model_dump(mode="json") for part in one.row.machine_labels],
            "scored": one.row.combined_score is not None,
            "origin": (Origin.HEURISTIC if one.label.origin is Origin.HEURISTIC else Origin.MODEL).value,
        }
        yield StageRecord(pair_imports.STAGE, one.pair.a.passage_id, one.pair.pair_id, "done", payload=said)
