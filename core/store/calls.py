"""Answers of language models, each stored before it is used. The same request has one answer, ever."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from core.errors import NotFoundError
from core.records import Call, StoredCall
from core.store.connect import sqlite3
from core.store.rows import in_chunks
from core.store.workspace import Workspace, now

_COLUMNS = (
    "key, stage, passage_id, prompt, model, endpoint, request, answer, raw, failure, finish_reason,"
    " prompt_tokens, completion_tokens, seconds, price, attempts, transport"
)


def insert_calls(db: sqlite3.Connection, run_id: str | None, calls: Sequence[Call]) -> list[int]:
    """Store calls; returns their ids in order.

    A request that has an answer already keeps it: the later answer is not stored, and the id is that of the
    first. Failures of one request are all kept.
    """
    return [_insert(db, run_id, call) for call in calls]


def _insert(db: sqlite3.Connection, run_id: str | None, call: Call) -> int:
    cursor = db.execute(
        f"INSERT INTO calls ({_COLUMNS}, run_id, asked_at) VALUES ({', '.join('?' * 19)})"
        " ON CONFLICT (key) WHERE failure IS NULL DO NOTHING",
        (
            call.key,
            call.stage,
            call.passage_id,
            call.prompt,
            call.model,
            call.endpoint,
            json.dumps(call.request, sort_keys=True),
            _storable(call.answer),
            _storable(call.raw),
            call.failure,
            call.finish_reason,
            call.prompt_tokens,
            call.completion_tokens,
            call.seconds,
            call.price,
            call.attempts,
            call.transport,
            run_id,
            now(),
        ),
    )
    if cursor.rowcount:
        return int(cursor.lastrowid or 0)
    row = db.execute("SELECT id FROM calls WHERE key = ? AND failure IS NULL", (call.key,)).fetchone()
    return int(row[0])


def _storable(text: str | None) -> str | None:
    """A model may write half of a surrogate pair, which is no Unicode and SQLite refuses."""
    return None if text is None else text.encode("utf-8", "backslashreplace").decode("utf-8")


class AskedCall(NamedTuple):
    """A stored call, and who paid for it."""

    id: int
    run: str | None
    asked_at: str
    call: Call


_CALL = f"SELECT id, run_id, asked_at, {_COLUMNS} FROM calls"


def _asked(row: sqlite3.Row) -> AskedCall:
    number, run, asked_at, *values = row
    return AskedCall(number, run, asked_at, replace(Call(*values), request=json.loads(row["request"])))


def asked(workspace: Workspace, rest: str, values: Sequence[Any]) -> Iterator[AskedCall]:
    """Stored calls, streamed. `rest`: what follows the FROM."""
    return map(_asked, workspace.db.execute(f"{_CALL} {rest}", values))


def by_id(workspace: Workspace, ids: Iterable[int]) -> dict[int, AskedCall]:
    """Calls by their rows; unknown ones are left out."""
    return {row["id"]: _asked(row) for row in in_chunks(workspace.db, f"{_CALL} WHERE id IN (?*)", ids)}


def call(workspace: Workspace, call_id: int) -> AskedCall:
    """Raises NotFoundError."""
    found = by_id(workspace, [call_id])
    if call_id not in found:
        raise NotFoundError("call", call_id)
    return found[call_id]


def find_call(workspace: Workspace, key: str) -> StoredCall | None:
    """The answer to a request, by its key; failures do not count."""
    found = next(asked(workspace, "WHERE key = ? AND failure IS NULL", (key,)), None)
    return StoredCall(found.id, found.call) if found else None


class Cost(NamedTuple):
    """What a run paid for in one stage; answers that another run had paid for are not in it."""

    stage: str
    model: str
    calls: int
    failures: int
    prompt_tokens: int
    completion_tokens: int
    seconds: float
    """Of waiting for answers, added up: calls run side by side."""
    price: float
    """US dollars, of the calls whose price is known."""
    unpriced: int
    """Calls whose price is not known."""
    counted: int
    """Answers whose tokens the endpoint did not report: they were counted here, and their price with them."""


COUNTED = "sum(answer IS NOT NULL AND (prompt_tokens IS NULL OR completion_tokens IS NULL))"


def costs(workspace: Workspace, run_id: str) -> list[Cost]:
    """By stage and model, in the order in which they were first asked."""
    rows = workspace.db.execute(
        "SELECT stage, model, count(*), sum(failure IS NOT NULL), ifnull(sum(prompt_tokens), 0),"
        " ifnull(sum(completion_tokens), 0), sum(seconds), ifnull(sum(price), 0), sum(price IS NULL),"
        f" {COUNTED} FROM calls WHERE run_id = ? GROUP BY stage, model ORDER BY min(id)",
        (run_id,),
    )
    return [Cost(*row) for row in rows]


def spent(workspace: Workspace, run_id: str) -> float:
    """US dollars that a run paid so far, of the calls whose price is known."""
    row = workspace.db.execute(
        "SELECT ifnull(sum(price), 0) FROM calls WHERE run_id = ?", (run_id,)
    ).fetchone()
    return float(row[0])


def counted(workspace: Workspace, run_id: str) -> int:
    """Answers of a run whose tokens the endpoint did not report."""
    row = workspace.db.execute(f"SELECT ifnull({COUNTED}, 0) FROM calls WHERE run_id = ?", (run_id,))
    return int(row.fetchone()[0])


def tokens_used(workspace: Workspace, run_id: str, count: Callable[[Iterable[str]], int]) -> int:
    """Tokens that a run's calls read and wrote so far.

    Args:
        count: counts those of texts, for calls of which the endpoint reported none.
    """
    reported = workspace.db.execute(
        "SELECT ifnull(sum(prompt_tokens + completion_tokens), 0) FROM calls WHERE run_id = ?", (run_id,)
    ).fetchone()[0]
    silent = workspace.db.execute(
        "SELECT request, answer FROM calls WHERE run_id = ? AND answer IS NOT NULL"
        " AND (prompt_tokens IS NULL OR completion_tokens IS NULL)",
        (run_id,),
    )
    told = ([*(m["content"] for m in json.loads(request)["messages"]), answer] for request, answer in silent)
    return int(reported) + sum(map(count, told))
