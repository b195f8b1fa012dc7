"""What the stages of a run said of each concept, row by row, for the attribution of errors. Reads only."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from core.records import Curie
from core.store.rows import mapping, plain
from core.store.workspace import Workspace


class Said(NamedTuple):
    """One stage record of a concept, or of a name that no concept was near enough to."""

    doc_id: str
    stage: str
    concept: Curie
    """Of an unmatched name: the concept that was nearest."""
    verdict: str
    reason: str | None
    assertion: str | None
    """As the stage read it; None where it says nothing of it."""
    name: str | None
    """The words that led here; only where a candidate entered, or a name was not matched."""


def steps(workspace: Workspace, run_id: str) -> Iterator[tuple[Any, ...]]:
    """doc_id, concept, then stage, verdict, reason, assertion and name as in `Said`, as plain rows, for there
    are many; in stored order: each passage's records in the order of its stages."""
    return plain(
        workspace.db,
        "SELECT s.doc_id, r.concept, r.stage, r.verdict, CASE r.verdict WHEN 'dropped' THEN r.reason END,"
        " CASE r.payload WHEN '{}' THEN NULL ELSE json_extract(r.payload, '$.assertion') END,"
        " CASE WHEN r.verdict IN ('candidate', 'added') THEN json_extract(r.payload, '$.name') END"
        " FROM stage_records r JOIN passages s ON s.id = r.passage_id WHERE r.run_id = ?"
        " AND r.concept IS NOT NULL ORDER BY r.id",
        (run_id,),
    )


def near_misses(workspace: Workspace, run_id: str) -> Iterator[Said]:
    """Generated names that no concept was near enough to, with the nearest one."""
    rows = workspace.db.execute(
        "SELECT s.doc_id, r.stage, json_extract(r.payload, '$.nearest'), r.verdict, r.reason, NULL,"
        " json_extract(r.payload, '$.name') FROM stage_records r JOIN passages s ON s.id = r.passage_id"
        " WHERE r.run_id = ? AND r.concept IS NULL AND r.verdict = 'unmatched'"
        " AND json_extract(r.payload, '$.nearest') IS NOT NULL ORDER BY r.id",
        (run_id,),
    )
    return map(Said._make, rows)


def ends(workspace: Workspace, run_id: str) -> dict[str, tuple[str, bool]]:
    """doc_id of every passage that left the run -> (the last stage it was in, whether it came through: False
    where the stage got no usable answer)."""
    rows = workspace.db.execute(
        "SELECT s.doc_id, r.stage, r.verdict FROM stage_records r JOIN passages s ON s.id = r.passage_id"
        " WHERE r.run_id = ? AND r.concept IS NULL AND r.verdict IN ('done', 'failed') ORDER BY r.id",
        (run_id,),
    )
    found: dict[str, tuple[str, bool]] = {}
    for doc_id, stage, verdict in rows:
        if not found.get(doc_id, ("", False))[1]:  # done stands, whatever failed before it
            found[doc_id] = (stage, verdict == "done")
    return found


def discarded(workspace: Workspace, run_id: str) -> dict[str, str]:
    """doc_id -> stage that rated the passage and did not keep it."""
    return mapping(
        workspace.db,
        "SELECT s.doc_id, r.stage FROM stage_records r JOIN passages s ON s.id = r.passage_id"
        " WHERE r.run_id = ? AND r.concept IS NULL AND r.verdict = 'rated'"
        " AND NOT ifnull(json_extract(r.payload, '$.retained'), 1)",
        (run_id,),
    )


def proposed(workspace: Workspace, run_id: str) -> Iterator[tuple[str, Curie, str, str]]:
    """(doc_id, concept, stage that brought it in, status) of every proposal."""
    return plain(
        workspace.db,
        "SELECT s.doc_id, i.subject, p.stage, p.assertion FROM proposals p JOIN items i ON i.id = p.item_id"
        " JOIN passages s ON s.id = i.passage_id WHERE p.run_id = ? ORDER BY p.id",
        (run_id,),
    )
