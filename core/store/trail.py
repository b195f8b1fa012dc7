"""How labels came about: claims, candidates, each stage's verdict and the calls behind them. Reads only.

Lists are read a page at a time; one label's trail reads the records of its passage alone. The counts are in
`tally`.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from core.errors import NotFoundError
from core.records import Curie, Proposal, Verdict
from core.store import calls, proposals, queue, runs
from core.store.rows import in_chunks
from core.store.tally import OWN_WORDS, REASON, Tally
from core.store.workspace import Workspace


class Row(NamedTuple):
    """One line of a list: a candidate, or a passage where the concept is None."""

    record: int
    passage_id: int
    document: str
    stage: str
    verdict: str
    concept: Curie | None
    label: str | None
    reason: str | None
    payload: dict[str, Any]
    call: int | None


_ROW = (
    "SELECT s.id, s.passage_id, p.doc_id, s.stage, s.verdict, s.concept, c.name, s.reason, s.payload,"
    " s.call_id FROM stage_records s JOIN passages p ON p.id = s.passage_id JOIN runs r ON r.id = s.run_id"
    " LEFT JOIN concepts c ON c.ontology_id = r.ontology_id AND c.curie = s.concept"
)


def _row(row: Any) -> Row:
    return Row(*row)._replace(payload=json.loads(row["payload"]))


def judged(
    workspace: Workspace,
    run: str,
    stage: str,
    verdict: str,
    *,
    reason: str | None = None,
    limit: int = 100,
    offset: int = 0,
) -> list[Row]:
    """Candidates with this verdict of a stage, by passage. `reason`: as `Tally.reasons` counts it."""
    narrowed = {None: "", OWN_WORDS: " AND json_extract(s.payload, '$.class') IS NULL"}.get(
        reason,
        " AND CASE WHEN s.call_id IS NULL THEN substr(ifnull(s.reason, ''), 1, ?) = ?"
        " ELSE json_extract(s.payload, '$.class') = ? END",
    )
    marks = (REASON, reason, reason) if "?" in narrowed else ()
    found = workspace.db.execute(
        f"{_ROW} WHERE s.run_id = ? AND s.stage = ? AND s.verdict = ?{narrowed}"
        " ORDER BY s.passage_id, s.id LIMIT ? OFFSET ?",
        (run, stage, verdict, *marks, limit, offset),
    )
    return [_row(row) for row in found]


def failures(workspace: Workspace, counts: Tally, *, limit: int = 100, offset: int = 0) -> list[Row]:
    """Passages that a stage had no usable answer for, oldest first."""
    ids = counts.failed[offset : offset + limit]
    return [_row(row) for row in in_chunks(workspace.db, f"{_ROW} WHERE s.id IN (?*) ORDER BY s.id", ids)]


class Unmatched(NamedTuple):
    name: str
    times: int
    score: float | None
    """The best similarity to any concept, in [0, 1]."""
    nearest: str | None


def unmatched(workspace: Workspace, run: str, *, limit: int = 100) -> list[Unmatched]:
    """Names that were generated and that no concept was close enough to, the most frequent first.

    Reads every record of the run; meant for a list that somebody opens.
    """
    rows = workspace.db.execute(
        "SELECT json_extract(payload, '$.name') AS name, count(*) AS times,"
        " max(json_extract(payload, '$.score')), json_extract(payload, '$.nearest')"
        " FROM stage_records WHERE run_id = ? AND verdict = 'unmatched' GROUP BY name"
        " ORDER BY times DESC, name LIMIT ?",
        (run, limit),
    )
    return [Unmatched(row[0] or "", row[1], row[2], row[3]) for row in rows]


class Label(NamedTuple):
    item_id: int
    document: str
    concept: Curie
    label: str
    assertion: str
    concept_class: str
    confidence: float | None
    stage: str
    repaired: int
    grounded: int
    """Each 1 or 0."""


def labels(
    workspace: Workspace, run: str, *, document: str = "", limit: int = 100, offset: int = 0
) -> list[Label]:
    """A page of what a run proposes, in the order of items; `document`: only ids that begin so."""
    if document:
        chosen = (
            "SELECT p.id FROM passages s JOIN items i ON i.passage_id = s.id AND i.kind = 'concept'"
            " JOIN proposals p ON p.item_id = i.id AND p.run_id = ?1"
            " WHERE s.corpus_id = (SELECT corpus_id FROM runs WHERE id = ?1)"
            " AND s.doc_id >= ?4 AND s.doc_id < ?4 || char(1114111) ORDER BY s.doc_id, i.id"
        )
    else:
        chosen = "SELECT id FROM proposals WHERE run_id = ?1 ORDER BY item_id"
    rows = workspace.db.execute(
        "SELECT i.id, s.doc_id, i.subject, p.answer ->> 'label', p.assertion, p.class, p.confidence,"
        " p.stage, p.repaired, p.grounded"
        f" FROM ({chosen} LIMIT ?2 OFFSET ?3) f JOIN proposals p ON p.id = f.id"
        " JOIN items i ON i.id = p.item_id JOIN passages s ON s.id = i.passage_id",
        (run, limit, offset, document)[: 4 if document else 3],
    )
    return [Label(*row) for row in rows]


class Trail(NamedTuple):
    """All that led to one label, or to its being dropped."""

    run: str
    passage_id: int
    document: str
    corpus: str
    concept: Curie
    label: str
    item_id: int | None
    """None where no run ever proposed it."""
    proposal: Proposal | None
    """None where the concept did not come through the last stage."""
    claims: tuple[Row, ...]
    """Every generated claim of the passage."""
    steps: tuple[Row, ...]
    """What the stages said of the concept, in their order."""
    passage: tuple[Row, ...]
    """What they said of the passage as a whole."""
    unmatched: tuple[Row, ...]
    calls: dict[int, calls.AskedCall]
    """The calls behind all of these, by id."""


def trail(workspace: Workspace, run: str, passage_id: int, concept: Curie) -> Trail:
    """How a concept fared in a passage of a run.

    Raises:
        NotFoundError: no such run or passage, or the run never spoke of this concept there.
    """
    found = runs.find_run(workspace, run)
    place = workspace.db.execute(
        "SELECT p.doc_id, c.name FROM passages p JOIN corpora c ON c.id = p.corpus_id"
        " WHERE p.id = ? AND p.corpus_id = ?",
        (passage_id, found.corpus_id),
    ).fetchone()
    if place is None:
        raise NotFoundError(f"passage of {found.corpus}", passage_id)
    rows = [
        _row(row)
        for row in workspace.db.execute(
            f"{_ROW} WHERE s.run_id = ? AND s.passage_id = ? ORDER BY s.id", (run, passage_id)
        )
    ]
    steps = tuple(row for row in rows if row.concept == concept)
    items = {row.subject: row.id for row in queue.items_of_passages(workspace, [passage_id])}
    item_id = items.get(concept)
    proposal = proposals.of_item(workspace, run, item_id) if item_id else None
    if not steps and proposal is None:
        raise NotFoundError(f"label of run {run} on {place[0]}", concept)
    claims = tuple(row for row in rows if row.verdict == Verdict.CLAIM)
    unmatched_here = tuple(row for row in rows if row.verdict == Verdict.UNMATCHED)
    whole = tuple(
        row
        for row in rows
        if row.concept is None and row.verdict not in (Verdict.CLAIM, Verdict.UNMATCHED, Verdict.DONE)
    )
    known = next((row.label for row in steps if row.label), None)
    return Trail(
        run=run,
        passage_id=passage_id,
        document=place[0],
        corpus=place[1],
        concept=concept,
        label=proposal.label if proposal else known or concept,
        item_id=item_id,
        proposal=proposal,
        claims=claims,
        steps=steps,
        passage=whole,
        unmatched=unmatched_here,
        calls=calls.by_id(workspace, {row.call for row in (*steps, *whole, *claims) if row.call is not None}),
    )


def trail_of_item(workspace: Workspace, run: str, item_id: int) -> Trail:
    """The same for a label that the review page shows.

    Raises:
        NotFoundError: no such item or run, or the run does not speak of it.
    """
    row = queue.items(workspace, [item_id]).get(item_id)
    if row is None:
        raise NotFoundError("item", item_id)
    return trail(workspace, run, row.passage_id, row.subject)
