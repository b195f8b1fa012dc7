"""Pairs of claims: the candidates of a run, the labels that machines gave them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from core.kinds import KINDS
from core.records import (
    CandidatePair,
    ItemKind,
    Likelihood,
    Origin,
    PairLabel,
    PairSort,
    PairTask,
    Scores,
    Section,
    Side,
    StoredPairLabel,
    Tier,
)
from core.store.claims import bodies, claims_by_id
from core.store.connect import sqlite3
from core.store.proposals import OF_RULE, SPELT, insert, items, of_items, read
from core.store.rows import chunks, in_chunks, plain
from core.store.workspace import Workspace

CHUNK = 300
ANNOTATE = "annotate"
"""The stage that labels pairs."""


# --- writing ----------------------------------------------------------------------------------------------


def insert_pairs(db: sqlite3.Connection, run_id: str, pairs: Iterable[CandidatePair]) -> int:
    """Store candidate pairs of stored claims (`a.id`, `b.id`), in the order given, making items as needed;
    returns how many."""
    stored = 0
    for chunk in chunks(pairs, CHUNK):
        held = items(db, ItemKind.PAIR, [(p.a.passage_id, p.pair_id) for p in chunk])
        db.executemany(
            "INSERT INTO pairs (run_id, item_id, domain, claim_a, claim_b, sim, dis, ent, type, year, score,"
            " signals, tier, likelihood, likelihood_parts)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    run_id,
                    held[p.a.passage_id, p.pair_id],
                    p.domain,
                    p.a.id,
                    p.b.id,
                    *(p.scores.sim, p.scores.dis, p.scores.ent, p.scores.type, p.scores.year),
                    p.scores.combined,
                    json.dumps(p.signals, ensure_ascii=False),
                    p.tier.value,
                    *_likelihood_row(p.likelihood),
                )
                for p in chunk
            ],
        )
        stored += len(chunk)
    return stored


def _likelihood_row(found: Likelihood | None) -> tuple[float | None, str | None]:
    return (found.value, json.dumps(found.parts)) if found else (None, None)


def insert_labels(
    db: sqlite3.Connection,
    run_id: str,
    labels: Iterable[tuple[CandidatePair, PairLabel, int | None]],
    stage: str = ANNOTATE,
) -> int:
    """Store labels of stored pairs (`id`, `item_id`) with the call each came from; returns how many.

    Raises:
        sqlite3.IntegrityError: the pair has a label of that origin already.
    """
    rows, stated = list(labels), KINDS[ItemKind.PAIR].stated
    texts = _texts_of(db, [pair for pair, _, _ in rows])
    return insert(
        db,
        run_id,
        [
            (pair.item_id, stated(label)._replace(stage=stage, call_id=call), texts[pair.id])
            for pair, label, call in rows
        ],
    )


def _texts_of(db: sqlite3.Connection, pairs: Sequence[CandidatePair]) -> dict[int, dict[str | None, int]]:
    """Pair row -> side -> text id."""
    rows = in_chunks(
        db,
        "SELECT p.id, a.text_id, b.text_id FROM pairs p JOIN claims a ON a.id = p.claim_a"
        " JOIN claims b ON b.id = p.claim_b WHERE p.id IN (?*)",
        (pair.id for pair in pairs),
    )
    return {pair: {"a": a, "b": b} for pair, a, b in rows}


# --- pairs ------------------------------------------------------------------------------------------------

_PAIR = "SELECT p.*, i.subject FROM pairs p JOIN items i ON i.id = p.item_id"


def _pairs(workspace: Workspace, rows: Sequence[Any]) -> list[tuple[str, CandidatePair]]:
    """(run, pair) of rows of `_PAIR`."""
    found = claims_by_id(workspace, [row[side] for row in rows for side in ("claim_a", "claim_b")])
    return [
        (
            row["run_id"],
            CandidatePair(
                id=row["id"],
                pair_id=row["subject"],
                domain=row["domain"],
                a=found[row["claim_a"]],
                b=found[row["claim_b"]],
                scores=Scores(*(row[n] for n in ("sim", "dis", "ent", "type", "year", "score"))),
                signals=tuple(json.loads(row["signals"])),
                tier=Tier(row["tier"]),
                likelihood=_likelihood(row),
                item_id=row["item_id"],
            ),
        )
        for row in rows
    ]


def _likelihood(row: Any) -> Likelihood | None:
    if row["likelihood"] is None:
        return None
    return Likelihood(row["likelihood"], tuple(map(tuple, json.loads(row["likelihood_parts"]))))


_TIER = "CASE p.tier WHEN 'pilot' THEN 0 WHEN 'development' THEN 1 ELSE 2 END, p.id"
_SORTED = {
    PairSort.LIKELIHOOD: f"p.likelihood DESC, {_TIER}",  # SQLite puts NULL behind all that descends
    PairSort.SCORE: "p.score DESC, p.id",
    PairSort.TIER: _TIER,
    PairSort.FILE: "p.id",
}


def pairs(
    workspace: Workspace,
    run_id: str,
    *,
    tier: Tier | None = None,
    lacking: Origin | None = None,
    order: PairSort = PairSort.TIER,
) -> Iterator[CandidatePair]:
    """Pairs of a run, streamed.

    Args:
        tier: only those of this queue.
        lacking: only those without a label of this origin: where annotating goes on after a stop.
    """
    ids = [
        row[0]
        for row in workspace.db.execute(
            "SELECT p.id FROM pairs p WHERE p.run_id = ?1 AND (?2 IS NULL OR p.tier = ?2) AND (?3 IS NULL OR"
            " NOT EXISTS (SELECT 1 FROM proposals l WHERE l.run_id = p.run_id AND l.item_id = p.item_id"
            " AND l.origin = ?3))"
            f" ORDER BY {_SORTED[order]}",
            (run_id, tier.value if tier else None, SPELT[lacking] if lacking else None),
        )
    ]
    yield from (pair for _, pair in _by_id(workspace, "id", ids))


def _by_id(workspace: Workspace, column: str, ids: Sequence[int]) -> Iterator[tuple[str, CandidatePair]]:
    for part in chunks(ids, CHUNK):
        place = {one: at for at, one in enumerate(part)}
        rows = in_chunks(workspace.db, f"{_PAIR} WHERE p.{column} IN (?*) ORDER BY p.id", part)
        yield from _pairs(workspace, sorted(rows, key=lambda row: place[row[column]]))


def pairs_of_items(
    workspace: Workspace, item_ids: Sequence[int]
) -> dict[int, list[tuple[str, CandidatePair]]]:
    """Item -> (run, pair) of every run that paired the two claims, oldest first."""
    found: dict[int, list[tuple[str, CandidatePair]]] = {}
    for run, pair in _by_id(workspace, "item_id", list(dict.fromkeys(item_ids))):
        found.setdefault(pair.item_id, []).append((run, pair))
    return found


def pairs_among(workspace: Workspace, run_id: str, claim_ids: Iterable[int]) -> list[CandidatePair]:
    """Pairs of a run of which both claims are among these (rows)."""
    rows = workspace.db.execute(
        f"{_PAIR} WHERE p.run_id = ?1 AND p.id IN (SELECT x.id FROM json_each(?2) j JOIN pairs x"
        " ON x.claim_a = j.value WHERE x.claim_b IN (SELECT value FROM json_each(?2))) ORDER BY p.id",
        (run_id, json.dumps(sorted(claim_ids))),
    ).fetchall()
    return [pair for _, pair in _pairs(workspace, rows)]


def tasks(workspace: Workspace, found: Sequence[CandidatePair]) -> list[PairTask]:
    """Pairs with the abstracts around their claims, in the order given."""
    texts = bodies(workspace, (claim.text_id for pair in found for claim in (pair.a, pair.b)))
    about: dict[int, str | None] = dict(
        in_chunks(
            workspace.db,
            "SELECT id, title FROM passages WHERE id IN (?*)",
            (claim.passage_id for pair in found for claim in (pair.a, pair.b)),
        )
    )
    sections = _sections(workspace, found)

    def side(pair: CandidatePair, which: str) -> Side:
        claim = pair.a if which == "a" else pair.b
        title = about.get(claim.passage_id)
        parts = sections.get((claim.id, claim.passage_id), ())
        return Side(texts[claim.text_id], title, claim.journal, claim.year, parts)

    return [PairTask(pair, side(pair, "a"), side(pair, "b")) for pair in found]


def _sections(
    workspace: Workspace, found: Sequence[CandidatePair]
) -> dict[tuple[int, int], tuple[Section, ...]]:
    """(claim row, passage) -> sections of its normalised abstract, as the normalise stage of its run put them
    into the payload of its record."""
    rows = in_chunks(
        workspace.db,
        "SELECT c.id, c.passage_id, r.payload -> 'sections' FROM claims c"
        " CROSS JOIN stage_records r INDEXED BY stage_records_of_passage"
        " ON r.run_id = c.run_id AND r.passage_id = c.passage_id"
        " WHERE r.stage = 'normalise' AND r.concept IS NULL AND c.id IN (?*)",
        (claim.id for pair in found for claim in (pair.a, pair.b)),
    )
    return {
        (claim, passage): tuple(Section(*row) for row in (json.loads(value) if value else []))
        for claim, passage, value in rows
    }


# --- labels -----------------------------------------------------------------------------------------------

_PAIR_OF = "(SELECT x.id FROM pairs x WHERE x.run_id = p.run_id AND x.item_id = p.item_id)"


def labels(workspace: Workspace, run_id: str) -> Iterator[StoredPairLabel]:
    """Labels of a run by pair, the model's before the heuristic's, streamed."""
    return read(workspace, f"WHERE p.run_id = ? ORDER BY {_PAIR_OF}, {OF_RULE}", (run_id,))


def labels_of_items(workspace: Workspace, item_ids: Sequence[int]) -> dict[int, list[StoredPairLabel]]:
    """Item -> labels of every run, newest run first, of each run the model's before the heuristic's. At most
    a screenful of items at a time."""
    return of_items(workspace, item_ids, order=f"{_PAIR_OF} DESC, {OF_RULE}, p.id")


def label_columns(workspace: Workspace, after: int) -> Iterator[list[tuple[Any, ...]]]:
    """Labels with an id above `after`, by id, in chunks: (id, item, run row, pair row, origin, conflict type,
    axes as JSON, confounder, confidence or -1, flagged, domain, tier, score, likelihood or -1, claim row a,
    claim row b). Labels never change, so rows read once stay true. Flagged: repaired, or a quote is not in
    the text."""
    rows = plain(
        workspace.db,
        "SELECT l.id, l.item_id, r.rowid, p.id, CASE l.origin WHEN 'rule' THEN 'heuristic' ELSE l.origin END,"
        " l.answer ->> 'conflict_type', l.answer ->> 'axes', l.answer ->> 'confounder',"
        " ifnull(l.confidence, -1), l.repaired OR NOT l.grounded, p.domain, p.tier, p.score,"
        " ifnull(p.likelihood, -1), p.claim_a, p.claim_b"
        " FROM proposals l JOIN pairs p ON p.run_id = l.run_id AND p.item_id = l.item_id"
        " JOIN runs r ON r.id = l.run_id WHERE l.id > ? ORDER BY l.id",
        (after,),
    )
    return chunks(rows, 20_000)


def pair_counts(workspace: Workspace, run_id: str) -> dict[tuple[str, Tier], int]:
    """(domain, tier) -> pairs of a run."""
    rows = workspace.db.execute(
        "SELECT domain, tier, count(*) FROM pairs WHERE run_id = ? GROUP BY 1, 2 ORDER BY 1, 2", (run_id,)
    )
    return {(row[0], Tier(row[1])): row[2] for row in rows}
