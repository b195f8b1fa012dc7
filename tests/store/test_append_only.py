"""What was said stays said: no statement changes or removes a row of an append-only table."""

from __future__ import annotations

import pytest

from core.records import Action
from core.records.learned import Gain, LearnedSet
from core.review.frames import Wanted, open_frame
from core.store import Workspace, calls, guidelines, learned
from core.store.connect import sqlite3
from core.store.schema import APPEND_ONLY
from tests.review.clinic import furnish_beside
from tests.store.making import answer, furnish, say
from tests.store.pairing import pair_up
from tests.store.test_calls import CALL


@pytest.fixture
def filled(workspace: Workspace) -> Workspace:
    """At least one row in every append-only table."""
    house = furnish(workspace, 2)
    first = say(workspace, "alpha", Action.ACCEPT, house.item(), answer=answer())
    say(workspace, "alpha", Action.UNDO, undoes=first)
    with workspace.write() as db:
        calls.insert_calls(db, None, [CALL])
        guidelines.add_guideline(db, "hpa", "1. Keep what is named.", origin="person")
    furnish_beside(workspace)
    open_frame(workspace, Wanted("beside", "pilot", blind=1.0))
    pair_up(workspace)
    nothing = LearnedSet(
        ontology="toy@1",
        ontology_sha256="0" * 64,
        root=None,
        gold="imported:ward@1",
        corpus="ward",
        documents=(),
        known=(),
        gain=Gain(documents=0, folds=0),
    )
    with workspace.write() as db:
        learned.add(db, "ward", nothing)
        learned.mute(db, "ward", "floppy")
    return workspace


def contents(workspace: Workspace, table: str) -> list[tuple[object, ...]]:
    return [tuple(row) for row in workspace.db.execute(f"SELECT {columns(workspace, table)} FROM {table}")]


def columns(workspace: Workspace, table: str) -> str:
    """Without those that the table computes."""
    return ", ".join(f'"{row["name"]}"' for row in workspace.db.execute(f"PRAGMA table_info({table})"))


@pytest.mark.parametrize("table", APPEND_ONLY)
def test_no_statement_changes_a_row(filled: Workspace, table: str) -> None:
    db = filled.db
    before = contents(filled, table)
    assert before
    info = db.execute(f"PRAGMA table_info({table})").fetchall()
    names = [row["name"] for row in info]
    keys = [row["name"] for row in info if row["pk"]]
    column = next(n for n in reversed(names) if n not in keys)
    quoted = ", ".join(f'"{n}"' for n in names)
    marks = ", ".join("?" * len(names))
    attempts: list[tuple[str, tuple[object, ...]]] = [
        (f'UPDATE {table} SET "{column}" = "{column}"', ()),
        (f'UPDATE OR REPLACE {table} SET "{column}" = "{column}"', ()),
        (f"DELETE FROM {table}", ()),
        (f"INSERT OR REPLACE INTO {table} ({quoted}) VALUES ({marks})", before[0]),
        (f"REPLACE INTO {table} ({quoted}) VALUES ({marks})", before[0]),
        (
            f"INSERT INTO {table} ({quoted}) VALUES ({marks}) ON CONFLICT ({', '.join(keys)})"
            f' DO UPDATE SET "{column}" = excluded."{column}"',
            before[0],
        ),
    ]
    for statement, values in attempts:
        with pytest.raises(sqlite3.IntegrityError, match=f"{table} is append-only"), filled.write() as write:
            write.execute(statement, values)
        assert contents(filled, table) == before


def test_unique_columns_are_no_way_round_either(filled: Workspace) -> None:
    """INSERT OR REPLACE deletes whatever row is in the way of any UNIQUE index, not of the key alone."""
    row = dict(filled.db.execute("SELECT * FROM decisions WHERE number = 1").fetchone())
    for changed in ({"number": 99}, {"number": 99, "client_id": "other"}):
        forged = row | changed
        marks = ", ".join("?" * len(forged))
        with pytest.raises(sqlite3.IntegrityError, match="append-only"), filled.write() as write:
            write.execute(
                f"INSERT OR REPLACE INTO decisions ({', '.join(forged)}) VALUES ({marks})",
                tuple(forged.values()),
            )


def test_guard_needs_recursive_triggers(filled: Workspace) -> None:
    """The hole that `connect` closes: without its pragma REPLACE goes through."""
    row = contents(filled, "decisions")[0]
    filled.db.execute("PRAGMA recursive_triggers = OFF")
    with filled.write() as write:
        write.execute("PRAGMA defer_foreign_keys = ON")
        write.execute(f"INSERT OR REPLACE INTO decisions VALUES ({', '.join('?' * len(row))})", row)
