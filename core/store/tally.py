"""Counts of a run: what every stage did, and what its calls cost. Reads only.

Kept as a `Tally` that reads what was added since the last look, so that a run of any size can be watched.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from core.records import Verdict
from core.store.calls import COUNTED
from core.store.connect import sqlite3
from core.store.workspace import Workspace

REASON = 200
"""Characters of a reason that tell it from another one when they are counted."""
REASONS = 2000
"""Reasons counted apart, at most; what comes after them is counted as `OTHER`."""
OTHER = "other reasons"
OWN_WORDS = "in the model's own words"
"""Drops by a model that names no class: each has a reason of its own, which nobody can count."""


class Spent(NamedTuple):
    """Calls that a run paid for in one stage. Answers it took over from an earlier run are not among them."""

    calls: int = 0
    failures: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0
    """Summed over calls, which run side by side."""
    price: float = 0.0
    """US dollars of the calls whose price is known."""
    unpriced: int = 0
    """Calls of models that the price table does not know."""
    counted: int = 0
    """Answers whose tokens the endpoint did not report: their price is of tokens counted here."""

    def plus(self, other: Spent) -> Spent:
        sums: list[Any] = [a + b for a, b in zip(self, other, strict=True)]
        return Spent(*sums)


@dataclass(frozen=True)
class Tally:
    """Counts of one run up to a record and a call. Treat it as a value: `tally` makes a new one."""

    run: str
    record: int = 0
    call: int = 0
    verdicts: Counter[tuple[str, str]] = field(default_factory=Counter)
    """(stage, verdict) -> records"""
    entered: Counter[str] = field(default_factory=Counter)
    """Stage -> candidates that came in there. Several names may lead to one, each with a record."""
    reasons: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    """(stage, verdict, reason) -> records, of verdicts dropped, failed and rated"""
    discarded: Counter[str] = field(default_factory=Counter)
    """Stage -> candidates that went with a passage which the stage rated and did not retain."""
    lost: Counter[str] = field(default_factory=Counter)
    """Stage -> candidates that went with a passage which the stage failed on."""
    tried: frozenset[int] = frozenset()
    """Every record with the verdict failed."""
    failed: tuple[int, ...] = ()
    """Of these, the last one of each passage that has not come through since, oldest first."""
    spent: dict[str, Spent] = field(default_factory=dict)
    """Stage -> calls"""


def tally(workspace: Workspace, run: str, known: Tally | None = None) -> Tally:
    """The counts of a run, from those already known and what was added since."""
    known = known or Tally(run)
    db = workspace.db
    record, call = db.execute(
        "SELECT (SELECT ifnull(max(id), 0) FROM stage_records), (SELECT ifnull(max(id), 0) FROM calls)"
    ).fetchone()
    if (record, call) == (known.record, known.call):
        return known
    verdicts, reasons, entered = Counter(known.verdicts), Counter(known.reasons), Counter(known.entered)
    discarded, lost, failed = Counter(known.discarded), Counter(known.lost), set(known.tried)
    added = (run, known.record, record)
    for stage, verdict, count in _verdicts(db, *added):
        verdicts[stage, verdict] += count
    for stage, count in _entered(db, *added):
        entered[stage] += count
    for stage, verdict, why, one, count in _reasons(db, *added):
        if one is not None:
            (lost if verdict == Verdict.FAILED else discarded)[stage] += _survivors(db, run, one)
        if verdict == Verdict.FAILED:
            failed.add(one)
        key = (stage, verdict, why)
        reasons[key if key in reasons or len(reasons) < REASONS else (stage, verdict, OTHER)] += count
    spent = dict(known.spent)
    for stage, *sums in _calls_added(db, run, known.call, call):
        spent[stage] = spent.get(stage, Spent()).plus(Spent(*sums))
    return Tally(
        run=run,
        record=record,
        call=call,
        verdicts=verdicts,
        entered=entered,
        reasons=reasons,
        discarded=discarded,
        lost=lost,
        tried=frozenset(failed),
        failed=_unresolved(db, failed),
        spent=spent,
    )


def _range(last: int) -> str:
    """By the run's index at first, by number afterwards, when few rows are new."""
    return "run_id = ? AND id > ? AND id <= ?" if not last else "+run_id = ? AND id > ? AND id <= ?"


def _verdicts(db: sqlite3.Connection, run: str, last: int, to: int) -> list[Any]:
    return db.execute(
        f"SELECT stage, verdict, count(*) FROM stage_records WHERE {_range(last)} GROUP BY 1, 2",
        (run, last, to),
    ).fetchall()


def _entered(db: sqlite3.Connection, run: str, last: int, to: int) -> list[Any]:
    """A passage's records come in one write, so none of its candidates is counted in two looks."""
    return db.execute(
        "SELECT stage, count(*) FROM (SELECT DISTINCT stage, passage_id, concept FROM stage_records"
        f" WHERE {_range(last)} AND verdict IN ('candidate', 'added')) GROUP BY stage",
        (run, last, to),
    ).fetchall()


def _reasons(db: sqlite3.Connection, run: str, last: int, to: int) -> list[Any]:
    """(stage, verdict, reason, the record where a passage failed or was not retained, how many)

    A query of its own: grouping all records so finely would take three times as long.
    """
    return db.execute(
        "SELECT stage, verdict,"
        " CASE verdict WHEN 'dropped' THEN CASE WHEN call_id IS NULL THEN substr(ifnull(reason, ''), 1, ?)"
        "   ELSE ifnull(json_extract(payload, '$.class'), ?) END"
        " WHEN 'failed' THEN ifnull(json_extract(payload, '$.kind'), substr(ifnull(reason, ''), 1, ?))"
        " ELSE ifnull(json_extract(payload, '$.quality'), '') END,"
        " CASE WHEN verdict = 'failed'"
        " OR verdict = 'rated' AND NOT ifnull(json_extract(payload, '$.retained'), 1) THEN id END,"
        f" count(*) FROM stage_records WHERE {_range(last)} AND verdict IN ('dropped', 'failed', 'rated')"
        " GROUP BY 1, 2, 3, 4",
        (REASON, OWN_WORDS, REASON, run, last, to),
    ).fetchall()


def _unresolved(db: sqlite3.Connection, failed: set[int]) -> tuple[int, ...]:
    """A passage that failed may be tried again."""
    last: dict[int, int] = {}
    for record in sorted(failed):
        row = db.execute(
            "SELECT passage_id, EXISTS (SELECT 1 FROM stage_records d WHERE d.run_id = f.run_id"
            " AND d.passage_id = f.passage_id AND d.verdict = 'done' AND d.id > f.id)"
            " FROM stage_records f WHERE id = ?",
            (record,),
        ).fetchone()
        last.pop(row[0], None)
        if not row[1]:
            last[row[0]] = record
    return tuple(sorted(last.values()))


def _survivors(db: sqlite3.Connection, run: str, record: int) -> int:
    """Candidates of the record's passage that stood when it was written."""
    rows = db.execute(
        "SELECT concept, verdict FROM stage_records WHERE run_id = ? AND id < ?"
        " AND passage_id = (SELECT passage_id FROM stage_records WHERE id = ?)"
        " AND concept IS NOT NULL ORDER BY id",
        (run, record, record),
    )
    last: dict[str, str] = {row[0]: row[1] for row in rows}
    return sum(verdict != Verdict.DROPPED for verdict in last.values())


def _calls_added(db: sqlite3.Connection, run: str, last: int, to: int) -> list[Any]:
    return db.execute(
        "SELECT stage, count(*), sum(failure IS NOT NULL), ifnull(sum(prompt_tokens), 0),"
        " ifnull(sum(completion_tokens), 0), sum(seconds), ifnull(sum(price), 0.0), sum(price IS NULL),"
        f" {COUNTED} FROM calls WHERE {_range(last)} GROUP BY stage",
        (run, last, to),
    ).fetchall()


class StageFlow(NamedTuple):
    """What one stage did with the candidates of a run."""

    stage: str
    came_in: int
    """Candidates that reached it."""
    dropped: int
    lost: int
    """Went with passages that the stage failed on."""
    added: int
    out: int
    claims: int
    unmatched: int
    """Generated names that no concept was close enough to."""
    failed: int
    """Passages without a usable answer."""


def funnel(counts: Tally, stages: Iterable[str]) -> list[StageFlow]:
    """The way of a run's candidates, stage by stage; `stages` in the order in which they ran."""
    flows: list[StageFlow] = []
    standing = 0
    for stage in stages:
        n = {verdict: counts.verdicts[stage, verdict] for verdict in Verdict}
        added = counts.entered[stage]
        dropped = n[Verdict.DROPPED] + counts.discarded[stage]
        out = standing + added - dropped - counts.lost[stage]
        flows.append(
            StageFlow(
                stage,
                standing,
                dropped,
                counts.lost[stage],
                added,
                out,
                n[Verdict.CLAIM],
                n[Verdict.UNMATCHED],
                n[Verdict.FAILED],
            )
        )
        standing = out
    return flows
