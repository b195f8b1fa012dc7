"""How the labels of a claim pair came about: articles, claims, annotators, every call. Reads only."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from core.errors import NotFoundError
from core.records import CandidatePair, PairTask, StoredPairLabel
from core.store import pairs, runs
from core.store.pair_tally import ANNOTATE
from core.store.trail import CALL, AskedCall, asked_call, calls_by_id
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
    values = list(row)
    values[7] = json.loads(values[7])
    return PairRecord(*values)


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
    calls = _attempts(workspace, run, pair, {r.call for r in records if r.call is not None})
    return PairTrail(run, found.corpus, pair, task, labels, records, calls)


def _attempts(workspace: Workspace, run: str, pair: CandidatePair, named: set[int]) -> tuple[AskedCall, ...]:
    """The calls that records name, and those that asked the same and had to be repeated."""
    found = calls_by_id(workspace, named)
    questions = {question(call) for call in found.values()}
    rows = workspace.db.execute(
        f"{CALL} WHERE run_id = ? AND stage = ? AND passage_id = ?", (run, ANNOTATE, pair.a.passage_id)
    )
    for call in map(asked_call, rows):
        if question(call) in questions:
            found[call.id] = call
    return tuple(found[number] for number in sorted(found))


def question(asked: AskedCall) -> str:
    """sha256 of what was asked at first: a repeated request says the same, then what was wrong with the
    answer."""
    first = (asked.call.request.get("messages") or [])[:2]
    return hashlib.sha256(json.dumps(first, sort_keys=True).encode()).hexdigest()


# --- all of a run -------------------------------------------------------------------------------------------


def annotation_records(workspace: Workspace, run: str) -> Iterator[PairRecord]:
    """What the last stage recorded of each pair, as it was written, streamed."""
    cursor = workspace.db.execute(
        f"{_RECORD} WHERE r.run_id = ? AND r.stage = ? AND r.concept IS NOT NULL ORDER BY r.id",
        (run, ANNOTATE),
    )
    while rows := cursor.fetchmany(500):
        yield from map(_record, rows)


def annotation_calls(workspace: Workspace, run: str) -> Iterator[AskedCall]:
    """Every call that labels of the run rest on or that it paid for besides, in their order, streamed."""
    cursor = workspace.db.execute(
        f"{CALL} WHERE stage = ?2 AND (run_id = ?1 OR id IN (SELECT call_id FROM stage_records"
        " WHERE run_id = ?1 AND stage = ?2 AND call_id IS NOT NULL)) ORDER BY id",
        (run, ANNOTATE),
    )
    while rows := cursor.fetchmany(200):
        yield from map(asked_call, rows)
