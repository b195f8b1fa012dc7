"""The writing thread: what comes together is written together, and one bad job spoils no other."""

from __future__ import annotations

import asyncio
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import WorkspaceError
from core.pipeline.ledger import WorkspaceLedger
from core.pipeline.writer import Writer
from core.store import Workspace, calls
from core.store.connect import sqlite3 as ours
from tests.store.making import furnish
from tests.store.test_calls import CALL


def test_many_calls_are_stored_in_few_writes_and_bump_nothing(workspace: Workspace) -> None:
    furnish(workspace)
    before = workspace.revision()
    made = [replace(CALL, key=f"{n:064x}") for n in range(300)]

    async def add() -> list[int]:
        with Writer(workspace.path) as writer:
            ledger = WorkspaceLedger(workspace, writer, "run-1")
            return await asyncio.gather(*(ledger.add(call) for call in made))

    numbers = asyncio.run(add())
    assert len(set(numbers)) == 300
    assert [calls.call(workspace, n).call for n in numbers] == made
    assert len(calls.costs(workspace, "run-1")) == 1
    moments = workspace.db.execute("SELECT count(DISTINCT asked_at) FROM calls").fetchone()[0]
    assert moments < 300
    assert workspace.revision() == before


def test_a_call_is_on_disk_when_its_number_is_known(workspace: Workspace) -> None:
    furnish(workspace)

    async def add() -> None:
        with Writer(workspace.path) as writer:
            ledger = WorkspaceLedger(workspace, writer, None)
            number = await ledger.add(CALL)
            found = ledger.find(CALL.key)
            assert found is not None
            assert found.id == number

    asyncio.run(add())


def test_a_job_that_fails_fails_alone(workspace: Workspace) -> None:
    furnish(workspace)
    with Writer(workspace.path) as writer:
        good = [writer.submit(lambda db, n=n: calls.insert_calls(db, None, [replace(CALL, key=f"{n:064x}")]))
                for n in range(20)]  # fmt: skip
        bad = writer.submit(lambda db: db.execute("INSERT INTO calls (key) VALUES ('short')"))
        more = writer.submit(lambda db: calls.insert_calls(db, None, [replace(CALL, key="f" * 64)]))
        assert all(len(future.result(30)) == 1 for future in good)
        with pytest.raises((sqlite3.IntegrityError, ours.IntegrityError)):
            bad.result(30)
        assert len(more.result(30)) == 1
    assert workspace.db.execute("SELECT count(*) FROM calls").fetchone()[0] == 21


def test_an_answer_is_stored_though_whoever_asked_was_cancelled(workspace: Workspace) -> None:
    furnish(workspace)

    async def add() -> None:
        with Writer(workspace.path) as writer:
            ledger = WorkspaceLedger(workspace, writer, None)
            asked = asyncio.create_task(ledger.add(CALL))
            await asyncio.sleep(0)
            asked.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asked

    asyncio.run(add())
    assert calls.find_call(workspace, CALL.key) is not None


def test_a_closed_writer_and_a_missing_file_say_so(workspace: Workspace, tmp_path: Path) -> None:
    writer = Writer(workspace.path)
    writer.close()
    writer.close()
    with pytest.raises(WorkspaceError, match="over"):
        writer.submit(lambda db: None).result(5)
    with pytest.raises(WorkspaceError, match="no workspace"):
        Writer(tmp_path / "none.db")
