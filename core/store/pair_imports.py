"""What importing and releasing claim pairs look up: passages by article, what a file said of a pair."""

from __future__ import annotations

import json
from typing import Any

from core.store import corpora
from core.store.rows import mapping
from core.store.workspace import Workspace

STAGE = "imported"
"""Stage of the records that keep what a file said of a pair and no table has a place for."""


def passages_of_articles(workspace: Workspace, corpus: str, uids: list[str]) -> dict[str, list[int]]:
    """Article uid -> its passages in a corpus, as they were added; unknown articles are left out."""
    corpus_id = corpora.corpus(workspace, corpus).id
    wanted = set(uids)
    found: dict[str, list[int]] = {}
    rows = workspace.db.execute(
        "SELECT article, id FROM passages WHERE corpus_id = ? ORDER BY id", (corpus_id,)
    )
    for article, passage in rows:
        if article in wanted:
            found.setdefault(article, []).append(passage)
    return found


def pair_ids(workspace: Workspace, run_id: str) -> set[str]:
    """Pair ids of a run."""
    rows = workspace.db.execute(
        "SELECT i.subject FROM pairs p JOIN items i ON i.id = p.item_id WHERE p.run_id = ?", (run_id,)
    )
    return {row[0] for row in rows}


def sources(workspace: Workspace, run_id: str) -> dict[tuple[str, str], int]:
    """(domain, where it came from, or "unknown") -> articles that the first stage of a run kept."""
    rows = workspace.db.execute(
        "SELECT ifnull(r.payload ->> 'domain', ''), ifnull(p.meta ->> 'source', 'unknown'), count(*)"
        " FROM stage_records r JOIN passages p ON p.id = r.passage_id WHERE r.run_id = ?"
        " AND r.stage = 'normalise' AND r.concept IS NULL AND r.verdict = 'kept' GROUP BY 1, 2 ORDER BY 1, 2",
        (run_id,),
    )
    return {(row[0], str(row[1])): row[2] for row in rows}


def licences(workspace: Workspace, corpus_id: int) -> dict[str, str]:
    """Article uid -> the licence its file names, for articles of a corpus whose file names one."""
    return mapping(
        workspace.db,
        "SELECT article, meta ->> 'license' FROM passages WHERE corpus_id = ?"
        " AND json_type(meta, '$.license') = 'text' ORDER BY id",
        (corpus_id,),
    )


def given(workspace: Workspace, run_id: str) -> dict[str, dict[str, Any]]:
    """Pair id -> what the file of an imported run said of it."""
    rows = workspace.db.execute(
        "SELECT concept, payload FROM stage_records WHERE run_id = ? AND stage = ? AND concept IS NOT NULL",
        (run_id, STAGE),
    )
    return {row[0]: json.loads(row[1]) for row in rows}
