"""Runs, the proposals they made and the stage records behind them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any, NamedTuple

from core.errors import InputError, NotFoundError
from core.kinds import of_runs
from core.records import Assertion, Curie, ItemKind, StageRecord
from core.store.connect import sqlite3
from core.store.digest import digest_of
from core.store.form import FORM, of_run
from core.store.names import check_name
from core.store.workspace import Workspace, now


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

    @property
    def proposes(self) -> str:
        """Kind of the items that it proposes, one of `core.kinds.KINDS`."""
        return of_runs(self.kind).name


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


def finish_run(db: sqlite3.Connection, run_id: str) -> str:
    """Close a run and fix the digest of all it said; returns the digest, hex."""
    db.execute("UPDATE runs SET form = ? WHERE id = ?", (FORM, run_id))
    digest = run_digest(db, run_id)
    db.execute(
        "UPDATE runs SET status = 'done', digest = ?, finished_at = ? WHERE id = ?",
        (digest, now(), run_id),
    )
    return digest


def run_digest(db: sqlite3.Connection, run_id: str) -> str:
    """sha256, hex, over the run's settings and every proposal, piece of evidence and stage record of it, in
    stored order and with natural identities, and over the calls to models that the records name."""
    form = db.execute("SELECT form FROM runs WHERE id = ?", (run_id,)).fetchone()[0]
    return digest_of(*of_run(db, run_id, form))


_RUN = (
    "SELECT r.id, r.kind, r.source, c.name, r.corpus_id, r.ontology_id, r.status, r.settings, r.fingerprint,"
    " r.digest, r.started_at, r.finished_at FROM runs r JOIN corpora c ON c.id = r.corpus_id"
)


def _run(row: sqlite3.Row) -> Run:
    return Run(*row)._replace(settings=json.loads(row["settings"]))


def list_runs(workspace: Workspace) -> list[Run]:
    return [_run(row) for row in workspace.db.execute(f"{_RUN} ORDER BY r.started_at, r.rowid")]


def find_run(workspace: Workspace, run_id: str) -> Run:
    """Raises NotFoundError, which lists the known runs."""
    row = workspace.db.execute(f"{_RUN} WHERE r.id = ?", (run_id,)).fetchone()
    if row is None:
        raise NotFoundError("run", run_id, [r.id for r in list_runs(workspace)])
    return _run(row)


def proposals(workspace: Workspace, run: Run) -> int:
    """How much a run proposes; of claim pairs, which rules and a model may both label, the larger number."""
    by = " GROUP BY origin = 'rule'" if run.proposes == ItemKind.PAIR else ""
    rows = workspace.db.execute(f"SELECT count(*) FROM proposals WHERE run_id = ?{by}", (run.id,))
    return max((row[0] for row in rows), default=0)


def counts(workspace: Workspace, run_id: str) -> dict[str, dict[str, int]]:
    """Proposals of concepts of a run by class, assertion and whether every quote stands in the text."""
    columns = {
        "class": "class",
        "assertion": "assertion",
        "evidence": "CASE grounded WHEN 1 THEN 'grounded' ELSE 'ungrounded' END",
    }
    return {
        name: {
            row[0]: row[1]
            for row in workspace.db.execute(
                f"SELECT {column}, count(*) FROM proposals WHERE run_id = ? AND class NOT NULL"
                " GROUP BY 1 ORDER BY 2 DESC",
                (run_id,),
            )
        }
        for name, column in columns.items()
    }


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
        "SELECT s.doc_id, i.subject, p.assertion FROM proposals p JOIN items i ON i.id = p.item_id"
        " JOIN passages s ON s.id = i.passage_id WHERE p.run_id = ? AND p.class <> 'not_relevant'",
        (run_id,),
    ):
        found[doc_id][concept] = statuses[assertion]
    return found
