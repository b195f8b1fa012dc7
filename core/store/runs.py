"""Runs, the proposals they made and the stage records behind them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, NamedTuple

from core.errors import InputError, NotFoundError
from core.records import Assertion, ConceptClass, Curie, Draft, Evidence, Proposal, StageRecord
from core.store.connect import sqlite3
from core.store.digest import digest_of
from core.store.names import check_name
from core.store.workspace import Workspace, now

CHUNK = 500


class Run(NamedTuple):
    id: str
    kind: str
    source: str
    corpus: str
    corpus_id: int
    ontology_id: int | None
    status: str
    settings: dict[str, Any]
    fingerprint: str
    digest: str | None
    started_at: str
    finished_at: str | None
    proposals: int


ORACLES = "SELECT id FROM runs WHERE json_extract(settings, '$.oracle') IS NOT NULL"
"""Ids of runs that took a part of their answers from gold: no curator may see what they propose."""


def fingerprint(value: Any) -> str:
    """sha256, hex, of the canonical JSON of whatever decides a run's outcome."""
    return hashlib.sha256(json.dumps(value, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def checked_name(workspace: Workspace, run_id: str) -> str:
    """The id of a run that is there, or that one may be begun under.

    Raises:
        InputError: no run can be called so.
    """
    if not workspace.db.execute("SELECT 1 FROM runs WHERE id = ?", (run_id,)).fetchone():
        check_name("run", run_id)
    return run_id


def begin_run(
    db: sqlite3.Connection,
    run_id: str,
    *,
    kind: str,
    source: str,
    corpus_id: int,
    ontology_id: int | None,
    settings: dict[str, Any],
    fingerprint: str,
) -> None:
    """Open a run.

    Raises:
        InputError: a run of that id exists, or nothing can be called so.
    """
    if db.execute("SELECT 1 FROM runs WHERE id = ?", (run_id,)).fetchone():
        raise InputError(f"Run {run_id!r} exists already. Choose another id with --run.")
    check_name("run", run_id)
    db.execute(
        "INSERT INTO runs (id, kind, source, corpus_id, ontology_id, status, settings, fingerprint,"
        " started_at)"
        " VALUES (?, ?, ?, ?, ?, 'running', ?, ?, ?)",
        (run_id, kind, source, corpus_id, ontology_id, json.dumps(settings), fingerprint, now()),
    )


def begin_anew(
    db: sqlite3.Connection,
    run_id: str,
    *,
    source: str,
    corpus_id: int,
    ontology_id: int | None,
    settings: dict[str, Any],
    fingerprint: str,
) -> None:
    """Give an open run other settings. The caller has checked that what it said does not depend on them."""
    db.execute(
        "UPDATE runs SET source = ?, corpus_id = ?, ontology_id = ?, settings = ?, fingerprint = ?"
        " WHERE id = ? AND status = 'running'",
        (source, corpus_id, ontology_id, json.dumps(settings), fingerprint, run_id),
    )


def is_empty(workspace: Workspace, run_id: str) -> bool:
    """Whether a run has said nothing yet."""
    query = (
        "SELECT EXISTS (SELECT 1 FROM stage_records WHERE run_id = ?1)"
        " OR EXISTS (SELECT 1 FROM proposals WHERE run_id = ?1)"
    )
    return not workspace.db.execute(query, (run_id,)).fetchone()[0]


def add_proposals(db: sqlite3.Connection, run_id: str, drafts: Iterable[tuple[int, list[Draft]]]) -> int:
    """Store the drafts of whole passages, creating items as needed; returns how many proposals were stored.

    Hot path: executemany over chunks of passages (see tests/benchmarks).
    """
    source = iter(drafts)
    stored = 0
    last_decision = db.execute("SELECT ifnull(max(number), 0) FROM decisions").fetchone()[0]
    while chunk := list(islice(source, CHUNK)):
        flat = [(passage_id, d) for passage_id, ds in chunk for d in ds]
        items = _items(db, [passage_id for passage_id, _ in chunk], [(p, d.concept) for p, d in flat])
        texts = _rows_of(db, "SELECT id, text_id FROM passages WHERE id", [p for p, _ in chunk])
        text_of = {row[0]: row[1] for row in texts}
        first = db.execute("SELECT ifnull(max(id), 0) + 1 FROM proposals").fetchone()[0]
        db.executemany(
            "INSERT INTO proposals (id, run_id, item_id, label, assertion, class, confidence, reason, stage,"
            " repaired, grounded, after_decision) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    first + i,
                    run_id,
                    items[passage_id, d.concept],
                    d.label,
                    str(d.assertion),
                    str(d.concept_class),
                    d.confidence,
                    d.reason,
                    d.stage,
                    int(d.repaired),
                    int(False not in [e.grounded for e in d.evidence]),
                    last_decision,
                )
                for i, (passage_id, d) in enumerate(flat)
            ],
        )
        db.executemany(
            "INSERT INTO evidence VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    first + i,
                    position,
                    text_of[passage_id],
                    e.quote,
                    e.start,
                    e.end,
                    int(e.grounded),
                    str(e.assertion) if e.assertion else None,
                )
                for i, (passage_id, d) in enumerate(flat)
                for position, e in enumerate(d.evidence)
            ],
        )
        stored += len(flat)
    return stored


def _items(
    db: sqlite3.Connection, passages: list[int], wanted: list[tuple[int, Curie]]
) -> dict[tuple[int, Curie], int]:
    """Item ids of (passage, concept) pairs on these passages; what is missing is made."""
    rows = _rows_of(
        db, "SELECT passage_id, concept, id FROM items WHERE kind = 'concept' AND passage_id", passages
    )
    found = {(row[0], row[1]): row[2] for row in rows}
    first = db.execute("SELECT ifnull(max(id), 0) + 1 FROM items").fetchone()[0]
    missing = {pair: first + i for i, pair in enumerate(dict.fromkeys(p for p in wanted if p not in found))}
    db.executemany(
        "INSERT INTO items (id, kind, passage_id, concept) VALUES (?, 'concept', ?, ?)",
        [(item_id, *pair) for pair, item_id in missing.items()],
    )
    return found | missing


def _rows_of(db: sqlite3.Connection, query: str, ids: list[int]) -> list[Any]:
    return db.execute(f"{query} IN ({','.join('?' * len(ids))})", ids).fetchall()


def add_stage_records(db: sqlite3.Connection, run_id: str, records: Iterable[StageRecord]) -> None:
    db.executemany(
        "INSERT INTO stage_records (run_id, stage, passage_id, concept, verdict, reason, call_id, payload)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (run_id, r.stage, r.passage_id, r.concept, r.verdict, r.reason, r.call_id, json.dumps(r.payload))
            for r in records
        ),
    )


def passages_done(workspace: Workspace, run_id: str, stage: str) -> set[int]:
    """Passages that a stage of a run has finished, for going on after a stop."""
    rows = workspace.db.execute(
        "SELECT passage_id FROM stage_records WHERE run_id = ? AND stage = ? AND concept IS NULL"
        " AND verdict = 'done'",
        (run_id, stage),
    )
    return {row[0] for row in rows}


def passages_ended(workspace: Workspace, run_id: str) -> tuple[set[int], set[int]]:
    """(done, failed): passages that left the last stage, and those that a stage got no usable answer for and
    that were not done since."""
    rows = workspace.db.execute(
        "SELECT passage_id, verdict FROM stage_records WHERE run_id = ? AND concept IS NULL"
        " AND verdict IN ('done', 'failed')",
        (run_id,),
    ).fetchall()
    done = {row[0] for row in rows if row[1] == "done"}
    return done, {row[0] for row in rows} - done


def reopen_run(db: sqlite3.Connection, run_id: str) -> None:
    """Take a finished run up again, so that passages it failed on can be tried anew."""
    db.execute(
        "UPDATE runs SET status = 'running', digest = NULL, finished_at = NULL WHERE id = ?", (run_id,)
    )


def finish_run(db: sqlite3.Connection, run_id: str, status: str = "done") -> str:
    """Close a run and fix the digest of all it said; returns the digest, hex."""
    digest = run_digest(db, run_id)
    db.execute(
        "UPDATE runs SET status = ?, digest = ?, finished_at = ? WHERE id = ?",
        (status, digest, now(), run_id),
    )
    return digest


def run_digest(db: sqlite3.Connection, run_id: str) -> str:
    """sha256, hex, over the run's settings and every proposal, piece of evidence and stage record of it, in
    stored order and with natural identities, and over the calls to models that the records name."""
    queries: tuple[str, ...] = (
        "SELECT r.id, r.kind, r.source, c.name, o.name, o.version, o.sha256, r.settings, r.fingerprint,"
        " r.started_at FROM runs r JOIN corpora c ON c.id = r.corpus_id"
        " LEFT JOIN ontologies o ON o.id = r.ontology_id WHERE r.id = ?",
        "SELECT p.id, c.name, s.doc_id, i.concept, p.label, p.assertion, p.class, p.confidence, p.reason,"
        " p.stage, p.repaired, p.grounded, p.after_decision FROM proposals p JOIN items i ON i.id = p.item_id"
        " JOIN passages s ON s.id = i.passage_id JOIN corpora c ON c.id = s.corpus_id"
        " WHERE p.run_id = ? ORDER BY p.id",
        "SELECT e.proposal_id, e.position, t.sha256, e.quote, e.start, e.end, e.grounded, e.assertion"
        " FROM proposals p JOIN evidence e ON e.proposal_id = p.id JOIN texts t ON t.id = e.text_id"
        " WHERE p.run_id = ? ORDER BY e.proposal_id, e.position",
        "SELECT id, stage, passage_id, concept, verdict, reason, call_id, payload FROM stage_records"
        " WHERE run_id = ? ORDER BY id",
    )
    if db.execute("SELECT 1 FROM runs WHERE id = ? AND kind = 'conflicts'", (run_id,)).fetchone():
        queries += _PAIRS
    asked = db.execute("SELECT 1 FROM stage_records WHERE run_id = ? AND call_id IS NOT NULL", (run_id,))
    if asked.fetchone():
        queries += (_CALLS,)
    return digest_of(*(db.execute(query, (run_id,)) for query in queries))


_PAIRS = (
    "SELECT c.id, c.claim_id, p.doc_id, t.sha256, c.domain, c.start, c.end, c.sentence_start, c.sentence_end,"
    " c.type, c.confidence, c.section, c.direction, c.negated, c.entities, c.slots, c.cues FROM claims c"
    " JOIN passages p ON p.id = c.passage_id JOIN texts t ON t.id = c.text_id WHERE c.run_id = ? ORDER BY 1",
    "SELECT p.id, i.concept, p.domain, p.claim_a, p.claim_b, p.sim, p.dis, p.ent, p.type, p.year, p.score,"
    " p.signals, p.tier FROM pairs p JOIN items i ON i.id = p.item_id WHERE p.run_id = ? ORDER BY p.id",
    "SELECT id, pair_id, origin, annotator, comparable, conflict_type, axes, confounder, reconciliation,"
    " confidence, notes, repaired, repairs, grounded, call_id, after_decision FROM pair_labels"
    " WHERE run_id = ? ORDER BY id",
    "SELECT e.label_id, e.position, e.side, e.level, e.role, t.sha256, e.quote, e.start, e.end"
    " FROM pair_labels l JOIN pair_evidence e ON e.label_id = l.id JOIN texts t ON t.id = e.text_id"
    " WHERE l.run_id = ? ORDER BY e.label_id, e.position",
)
"""What a run of claim pairs says, besides its stage records."""

_CALLS = (
    "SELECT id, key, run_id, stage, passage_id, prompt, model, endpoint, request, answer, raw, failure,"
    " finish_reason, prompt_tokens, completion_tokens, seconds, price, attempts, transport, asked_at"
    " FROM calls WHERE id IN (SELECT call_id FROM stage_records WHERE run_id = ?) ORDER BY id"
)
"""A part of the digest only where there are any: runs that asked no model have the digest they always had."""


_RUN = (
    "SELECT r.id, r.kind, r.source, c.name, r.corpus_id, r.ontology_id, r.status, r.settings, r.fingerprint,"
    " r.digest, r.started_at, r.finished_at, (SELECT count(*) FROM proposals WHERE run_id = r.id)"
    " + (SELECT ifnull(max(n), 0) FROM (SELECT count(*) AS n FROM pair_labels WHERE run_id = r.id"
    " GROUP BY origin))"
    " FROM runs r JOIN corpora c ON c.id = r.corpus_id"
)


def _run(row: sqlite3.Row) -> Run:
    values = list(row)
    values[7] = json.loads(values[7])
    return Run(*values)


def list_runs(workspace: Workspace) -> list[Run]:
    return [_run(row) for row in workspace.db.execute(f"{_RUN} ORDER BY r.started_at, r.id")]


def find_run(workspace: Workspace, run_id: str) -> Run:
    """Raises NotFoundError, which lists the known runs."""
    row = workspace.db.execute(f"{_RUN} WHERE r.id = ?", (run_id,)).fetchone()
    if row is None:
        raise NotFoundError("run", run_id, [r.id for r in list_runs(workspace)])
    return _run(row)


def counts(workspace: Workspace, run_id: str) -> dict[str, dict[str, int]]:
    """Proposals of a run by class, assertion and whether every quote stands in the text."""
    columns = {
        "class": "class",
        "assertion": "assertion",
        "evidence": "CASE grounded WHEN 1 THEN 'grounded' ELSE 'ungrounded' END",
    }
    return {
        name: {
            row[0]: row[1]
            for row in workspace.db.execute(
                f"SELECT {column}, count(*) FROM proposals WHERE run_id = ? GROUP BY 1 ORDER BY 2 DESC",
                (run_id,),
            )
        }
        for name, column in columns.items()
    }


_PROPOSAL = (
    "SELECT p.id, p.run_id, p.item_id, i.concept, p.label, p.assertion, p.class, p.confidence, p.reason,"
    " p.stage, p.repaired, i.passage_id FROM proposals p JOIN items i ON i.id = p.item_id"
)


def _evidence(db: sqlite3.Connection, ids: list[int]) -> dict[int, list[Evidence]]:
    found: dict[int, list[Evidence]] = {}
    for start in range(0, len(ids), CHUNK):
        part = ids[start : start + CHUNK]
        for row in db.execute(
            'SELECT proposal_id, quote, start, "end", grounded, assertion FROM evidence'
            f" WHERE proposal_id IN ({','.join('?' * len(part))}) ORDER BY proposal_id, position",
            part,
        ):
            found.setdefault(row[0], []).append(
                Evidence(row[1], row[2], row[3], bool(row[4]), Assertion(row[5]) if row[5] else None)
            )
    return found


def _proposals(db: sqlite3.Connection, rows: list[sqlite3.Row]) -> list[tuple[int, Proposal]]:
    evidence = _evidence(db, [row[0] for row in rows])
    return [
        (
            row[11],
            Proposal(
                id=row[0],
                run=row[1],
                item_id=row[2],
                concept=row[3],
                label=row[4],
                assertion=Assertion(row[5]),
                concept_class=ConceptClass(row[6]),
                confidence=row[7],
                reason=row[8],
                stage=row[9],
                repaired=bool(row[10]),
                evidence=tuple(evidence.get(row[0], ())),
            ),
        )
        for row in rows
    ]


def proposals(workspace: Workspace, run_id: str) -> Iterator[tuple[int, Proposal]]:
    """(passage id, proposal) of a run, streamed: passages as they were added, proposals as stored."""
    find_run(workspace, run_id)
    cursor = workspace.db.execute(f"{_PROPOSAL} WHERE p.run_id = ? ORDER BY i.passage_id, p.id", (run_id,))
    while rows := cursor.fetchmany(CHUNK):
        yield from _proposals(workspace.db, rows)


def proposals_of_items(workspace: Workspace, item_ids: list[int]) -> dict[int, list[Proposal]]:
    """Item id -> its proposals from every run but oracles, oldest first. At most a screenful of items at a
    time."""
    marks = ",".join("?" * len(item_ids))
    rows = workspace.db.execute(
        f"{_PROPOSAL} WHERE p.item_id IN ({marks}) AND p.run_id NOT IN ({ORACLES}) ORDER BY p.id", item_ids
    ).fetchall()
    found: dict[int, list[Proposal]] = {}
    for _, proposal in _proposals(workspace.db, rows):
        found.setdefault(proposal.item_id, []).append(proposal)
    return found


def proposal_of(workspace: Workspace, run_id: str, item_id: int) -> Proposal | None:
    """What one run proposes of an item."""
    rows = workspace.db.execute(
        f"{_PROPOSAL} WHERE p.item_id = ? AND p.run_id = ? ORDER BY p.id", (item_id, run_id)
    ).fetchall()
    return next((proposal for _, proposal in _proposals(workspace.db, rows)), None)


def predictions(workspace: Workspace, run_id: str) -> dict[str, dict[Curie, Assertion]]:
    """What a run proposes, as document-level statuses: doc_id -> concept -> assertion.

    Every document of the run's corpus is a key: silence about a document is an answer, too. Concepts the run
    classed as not relevant are left out.
    """
    run = find_run(workspace, run_id)
    found: dict[str, dict[Curie, Assertion]] = {
        row[0]: {}
        for row in workspace.db.execute(
            "SELECT doc_id FROM passages WHERE corpus_id = ? ORDER BY id", (run.corpus_id,)
        )
    }
    statuses = {status.value: status for status in Assertion}
    for doc_id, concept, assertion in workspace.db.execute(
        "SELECT s.doc_id, i.concept, p.assertion FROM proposals p JOIN items i ON i.id = p.item_id"
        " JOIN passages s ON s.id = i.passage_id WHERE p.run_id = ? AND p.class <> 'not_relevant'",
        (run_id,),
    ):
        found[doc_id][concept] = statuses[assertion]
    return found
