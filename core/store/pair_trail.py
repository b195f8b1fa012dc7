"""How the labels of a claim pair came about: articles, claims, annotators, every call. Reads only."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from core.errors import NotFoundError
from core.records import CandidatePair, PairTask, StoredPairLabel
from core.store import calls, pairs, runs
from core.store.calls import AskedCall
from core.store.pair_tally import ANNOTATE
from core.store.rows import column
from core.store.workspace import Workspace


class PairRecord(NamedTuple):
    """A stage record about a pair, or about one of its two articles where `pair_id` is None."""

    record: int
    passage_id: int
    document: str
    stage: str
    verdict: str
    pair_id: str | None
    reason: str | None
    payload: dict[str, Any]
    call: int | None


class PairTrail(NamedTuple):
    run: str
    corpus: str
    pair: CandidatePair
    task: PairTask
    labels: tuple[StoredPairLabel, ...]
    """The model's before the heuristic's."""
    records: tuple[PairRecord, ...]
    """As they were written."""
    calls: tuple[AskedCall, ...]
    """Every attempt at this pair, oldest first; the last one that is used may be another run's."""


_RECORD = (
    "SELECT r.id, r.passage_id, p.doc_id, r.stage, r.verdict, r.concept, r.reason, r.payload, r.call_id"
    " FROM stage_records r JOIN passages p ON p.id = r.passage_id"
)


def _record(row: Any) -> PairRecord:
    return PairRecord(*row)._replace(payload=json.loads(row["payload"]))


def pair_trail(workspace: Workspace, run: str, item_id: int) -> PairTrail:
    """How a pair fared in a run.

    Raises:
        NotFoundError: no such run or item, or the run does not pair these claims.
    """
    found = runs.find_run(workspace, run)
    of_item = dict(pairs.pairs_of_items(workspace, [item_id]).get(item_id, []))
    if run not in of_item:
        raise NotFoundError(f"pair of run {run}", item_id)
    pair = of_item[run]
    [task] = pairs.tasks(workspace, [pair])
    records = tuple(
        _record(row)
        for row in workspace.db.execute(
            f"{_RECORD} WHERE r.run_id = ? AND r.passage_id IN (?, ?) AND (r.concept = ? OR r.concept IS NULL"
            " AND r.stage <> 'mine') ORDER BY r.id",
            (run, pair.a.passage_id, pair.b.passage_id, pair.pair_id),
        )
    )
    labels = tuple(
        label for label in pairs.labels_of_items(workspace, [item_id]).get(item_id, []) if label.run == run
    )
    asked = _attempts(workspace, run, pair, {r.call for r in records if r.call is not None})
    return PairTrail(run, found.corpus, pair, task, labels, records, asked)


def _attempts(workspace: Workspace, run: str, pair: CandidatePair, named: set[int]) -> tuple[AskedCall, ...]:
    """The calls that records name, and those that asked the same and had to be repeated."""
    found = calls.by_id(workspace, named)
    questions = {question(call) for call in found.values()}
    place = (run, ANNOTATE, pair.a.passage_id)
    for call in calls.asked(workspace, "WHERE run_id = ? AND stage = ? AND passage_id = ?", place):
        if question(call) in questions:
            found[call.id] = call
    return tuple(found[number] for number in sorted(found))


def question(asked: AskedCall) -> str:
    """sha256 of what was asked at first: a repeated request says the same, then what was wrong with the
    answer."""
    first = (asked.call.request.get("messages") or [])[:2]
    return hashlib.sha256(json.dumps(first, sort_keys=True).encode()).hexdigest()


# --- lists ------------------------------------------------------------------------------------------------


class PairRow(NamedTuple):
    """One line of a list of pairs."""

    item_id: int
    pair_id: str
    domain: str
    tier: str
    score: float
    article_a: str
    article_b: str
    model: str | None
    """Conflict type by the model, or by a person where the label came in with a file; None: no such label."""
    heuristic: str | None
    axes: str
    """Of the silver label, comma-separated."""
    confidence: float | None
    """Of the silver label."""
    repaired: bool
    repairs: str
    failed: str | None
    """Kind of the last failure; None where there was none, or a label came after it."""
    by_person: bool = False
    """Whether a person said what stands in the model's place."""


class Narrowed(NamedTuple):
    """Which pairs of a run to list; what is None does not narrow."""

    domain: str | None = None
    conflict_type: str | None = None
    """Of the silver label."""
    axis: str | None = None
    repaired: bool = False
    """Only those whose label came off the schema."""
    failed: bool = False
    """Only those that the model gave no usable answer for."""


_LISTED = (
    "FROM pairs p JOIN items i ON i.id = p.item_id"
    " LEFT JOIN proposals m ON m.run_id = p.run_id AND m.item_id = p.item_id AND m.origin <> 'rule'"
    " LEFT JOIN proposals h ON h.run_id = p.run_id AND h.item_id = p.item_id AND h.origin = 'rule'"
    " WHERE p.run_id = :run AND (:domain IS NULL OR p.domain = :domain)"
    " AND (:type IS NULL OR ifnull(m.answer, h.answer) ->> 'conflict_type' = :type)"
    " AND (:axis IS NULL OR EXISTS (SELECT 1 FROM json_each(ifnull(m.answer, h.answer), '$.axes')"
    " WHERE value = :axis))"
    " AND (NOT :repaired OR m.repaired OR h.repaired)"
    " AND (NOT :failed OR m.id IS NULL AND EXISTS (SELECT 1 FROM stage_records r WHERE r.run_id = p.run_id"
    " AND r.passage_id = i.passage_id AND r.stage = 'annotate' AND r.concept = i.subject"
    " AND r.verdict = 'failed'))"
)


def _narrowed(run: str, by: Narrowed) -> dict[str, Any]:
    values = by._asdict()
    return {"run": run, **values, "type": values.pop("conflict_type")}


_QUEUED = " ORDER BY CASE p.tier WHEN 'pilot' THEN 0 WHEN 'development' THEN 1 ELSE 2 END, p.id"


def pair_items(workspace: Workspace, run: str, by: Narrowed, limit: int) -> list[int]:
    """The items of the first of a run's pairs, in the order of their queues."""
    return column(
        workspace.db,
        f"SELECT p.item_id {_LISTED}{_QUEUED} LIMIT :limit",
        {**_narrowed(run, by), "limit": limit},
    )


def pair_rows(
    workspace: Workspace, run: str, by: Narrowed, *, limit: int = 100, offset: int = 0
) -> list[PairRow]:
    """A page of a run's pairs, in the order of their queues."""
    rows = workspace.db.execute(
        "SELECT p.item_id, i.subject, p.domain, p.tier, p.score, pa.article, pb.article,"
        " m.answer ->> 'conflict_type', h.answer ->> 'conflict_type',"
        " ifnull(m.answer, h.answer) ->> 'axes', ifnull(m.confidence, h.confidence),"
        " ifnull(m.repaired, 0) OR ifnull(h.repaired, 0),"
        " CASE WHEN m.id IS NULL THEN h.repairs ELSE m.repairs END,"
        " CASE WHEN m.id IS NULL THEN (SELECT r.payload ->> 'kind' FROM stage_records r"
        " WHERE r.run_id = p.run_id AND r.passage_id = i.passage_id AND r.stage = 'annotate'"
        " AND r.concept = i.subject AND r.verdict = 'failed' ORDER BY r.id DESC LIMIT 1) END,"
        " m.origin = 'person'"
        " FROM (SELECT p.id AS chosen "
        + _LISTED
        + _QUEUED
        + " LIMIT :limit OFFSET :offset) JOIN pairs p ON p.id = chosen JOIN items i ON i.id = p.item_id"
        " JOIN claims ca ON ca.id = p.claim_a JOIN passages pa ON pa.id = ca.passage_id"
        " JOIN claims cb ON cb.id = p.claim_b JOIN passages pb ON pb.id = cb.passage_id"
        " LEFT JOIN proposals m ON m.run_id = p.run_id AND m.item_id = p.item_id AND m.origin <> 'rule'"
        " LEFT JOIN proposals h ON h.run_id = p.run_id AND h.item_id = p.item_id AND h.origin = 'rule'"
        + _QUEUED,
        {**_narrowed(run, by), "limit": limit, "offset": offset},
    )
    return [
        PairRow._make(
            [
                *row[:9],
                ", ".join(json.loads(row[9] or "[]")),
                row[10],
                bool(row[11]),
                "; ".join(json.loads(row[12] or "[]")),
                row[13],
                bool(row[14]),
            ]
        )
        for row in map(list, rows)
    ]


def count_pairs(workspace: Workspace, run: str, by: Narrowed) -> int:
    return int(workspace.db.execute("SELECT count(*) " + _LISTED, _narrowed(run, by)).fetchone()[0])


# --- all of a run -------------------------------------------------------------------------------------------


def annotation_records(workspace: Workspace, run: str) -> Iterator[PairRecord]:
    """What the last stage recorded of each pair, as it was written, streamed."""
    rows = workspace.db.execute(
        f"{_RECORD} WHERE r.run_id = ? AND r.stage = ? AND r.concept IS NOT NULL ORDER BY r.id",
        (run, ANNOTATE),
    )
    return map(_record, rows)


def annotation_calls(workspace: Workspace, run: str) -> Iterator[AskedCall]:
    """Every call that labels of the run rest on or that it paid for besides, in their order, streamed."""
    return calls.asked(
        workspace,
        "WHERE stage = ?2 AND (run_id = ?1 OR id IN (SELECT call_id FROM stage_records"
        " WHERE run_id = ?1 AND stage = ?2 AND call_id IS NOT NULL)) ORDER BY id",
        (run, ANNOTATE),
    )
