"""Normalised abstracts, and the claims that a run found in them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from core.records import Axis, Claim, ClaimType, Cue, Direction, Normalised, OffsetMap
from core.store.connect import sqlite3
from core.store.corpora import text_digest
from core.store.rows import chunks, column, in_chunks
from core.store.workspace import Workspace

CHUNK = 500


def insert_texts(db: sqlite3.Connection, articles: Iterable[Normalised]) -> dict[int, int]:
    """Store normalised texts; returns passage id -> id of the text that its claims stand in.

    Texts are content-addressed. What normalising left as it was keeps its own row; of two originals that
    become the same text the first gives the row its map (stage records keep each article's own).
    """
    found: dict[int, int] = {}
    for chunk in chunks(articles, CHUNK):
        of_passage = _originals(db, [n.article.passage_id for n in chunk])
        digests = {n.article.passage_id: text_digest(n.article.text) for n in chunk}
        db.executemany(
            "INSERT INTO texts (sha256, body, original_id, offset_map) VALUES (?, ?, ?, ?)"
            " ON CONFLICT (sha256) DO NOTHING",
            [
                (
                    digests[n.article.passage_id],
                    n.article.text,
                    of_passage[n.article.passage_id],
                    json.dumps(n.offsets, separators=(",", ":")),
                )
                for n in chunk
                if n.article.text != n.original
            ],
        )
        ids = dict(in_chunks(db, "SELECT sha256, id FROM texts WHERE sha256 IN (?*)", digests.values()))
        found |= {passage: ids[digest] for passage, digest in digests.items()}
    return found


def _originals(db: sqlite3.Connection, passages: list[int]) -> dict[int, int]:
    return dict(in_chunks(db, "SELECT id, text_id FROM passages WHERE id IN (?*)", passages))


def insert_claims(db: sqlite3.Connection, run_id: str, claims: Iterable[Claim]) -> int:
    """Store claims, each with its `passage_id` and `text_id`, in the order given; returns how many.

    Raises:
        sqlite3.IntegrityError: the run has a claim of that id already.
    """
    before = db.total_changes
    db.executemany(
        "INSERT INTO claims (run_id, claim_id, passage_id, text_id, domain, start, end, sentence_start,"
        " sentence_end, type, confidence, section, direction, negated, entities, slots, cues)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (
                run_id,
                c.claim_id,
                c.passage_id,
                c.text_id,
                c.domain,
                c.start,
                c.end,
                c.sentence_start,
                c.sentence_end,
                c.claim_type.value,
                c.confidence,
                c.section,
                c.direction.value,
                int(c.negated),
                json.dumps(c.entities, ensure_ascii=False),
                json.dumps(c.slots, ensure_ascii=False, sort_keys=True),
                json.dumps([_cue_value(cue) for cue in c.cues], ensure_ascii=False),
            )
            for c in claims
        ),
    )
    return db.total_changes - before


def _cue_value(cue: Cue) -> list[Any]:
    return [cue.axis.value, cue.start, cue.end, cue.quote, cue.value]


_CLAIM = (
    "SELECT c.*, p.article, p.meta ->> 'year' AS year, p.meta ->> 'journal' AS journal, t.body FROM claims c"
    " JOIN passages p ON p.id = c.passage_id JOIN texts t ON t.id = c.text_id"
)


def _claim(row: sqlite3.Row) -> Claim:
    """A row of `_CLAIM` as a record. The text is cut here, since SQL's substr stops at a NUL character."""
    year, journal = row["year"], row["journal"]
    return Claim(
        id=row["id"],
        claim_id=row["claim_id"],
        article_uid=row["article"],
        domain=row["domain"],
        start=row["start"],
        end=row["end"],
        text=row["body"][row["start"] : row["end"]],
        sentence_start=row["sentence_start"],
        sentence_end=row["sentence_end"],
        claim_type=ClaimType(row["type"]),
        confidence=row["confidence"],
        section=row["section"],
        direction=Direction(row["direction"]),
        negated=bool(row["negated"]),
        entities=tuple(json.loads(row["entities"])),
        slots=json.loads(row["slots"]),
        cues=tuple(Cue(Axis(axis), *rest) for axis, *rest in json.loads(row["cues"])),
        year=year if isinstance(year, int) else None,
        journal=journal if isinstance(journal, str) else None,
        passage_id=row["passage_id"],
        text_id=row["text_id"],
    )


def claims(workspace: Workspace, run_id: str, domain: str | None = None) -> Iterator[Claim]:
    """Claims of a run in order of article uid and place, streamed."""
    rows = workspace.db.execute(
        f"{_CLAIM} WHERE c.run_id = ? AND (? IS NULL OR c.domain = ?)"
        " ORDER BY p.article, c.start, c.end, c.id",
        (run_id, domain, domain),
    )
    return map(_claim, rows)


def claim_texts(workspace: Workspace, run_id: str) -> Iterator[tuple[int, int, str]]:
    """(row, passage, text) of each claim of a run, by row: a sixth of the time that whole records take."""
    rows = workspace.db.execute(
        "SELECT c.id, c.passage_id, t.body, c.start, c.end FROM claims c JOIN texts t ON t.id = c.text_id"
        " WHERE c.run_id = ? ORDER BY c.id",
        (run_id,),
    )
    return ((row, passage, body[start:end]) for row, passage, body, start, end in rows)


def claims_by_id(workspace: Workspace, ids: Iterable[int]) -> dict[int, Claim]:
    """Claims by their rows; unknown ones are left out."""
    return {row["id"]: _claim(row) for row in in_chunks(workspace.db, f"{_CLAIM} WHERE c.id IN (?*)", ids)}


def bodies(workspace: Workspace, text_ids: Iterable[int]) -> dict[int, str]:
    """Text id -> the text."""
    return dict(in_chunks(workspace.db, "SELECT id, body FROM texts WHERE id IN (?*)", text_ids))


def passages_of_run(workspace: Workspace, run_id: str) -> list[int]:
    """Passages in which a run found claims, in their order."""
    return column(
        workspace.db, "SELECT DISTINCT passage_id FROM claims WHERE run_id = ? ORDER BY passage_id", (run_id,)
    )


def claims_in(workspace: Workspace, passage_id: int) -> list[tuple[str, Claim, OffsetMap | None]]:
    """(run, claim, map from the text that it stands in to the passage's own) of every claim of a passage, by
    run and place; the map is None where they are the same text."""
    rows = workspace.db.execute(
        f"{_CLAIM.replace('t.body FROM', 't.body, t.offset_map FROM')} JOIN runs r ON r.id = c.run_id"
        " WHERE c.passage_id = ? ORDER BY r.started_at, r.rowid, c.start, c.end, c.id",
        (passage_id,),
    )
    return [
        (
            row["run_id"],
            _claim(row),
            tuple(map(tuple, json.loads(row["offset_map"]))) if row["offset_map"] else None,
        )
        for row in rows
    ]


def claim_counts(workspace: Workspace, run_id: str) -> dict[tuple[str, ClaimType], int]:
    """(domain, claim type) -> claims of a run."""
    rows = workspace.db.execute(
        "SELECT domain, type, count(*) FROM claims WHERE run_id = ? GROUP BY 1, 2 ORDER BY 1, 2", (run_id,)
    )
    return {(row[0], ClaimType(row[1])): row[2] for row in rows}
