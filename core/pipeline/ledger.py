"""The answers that a run may use, and where it keeps new ones: `core.llm.Ledger` over the workspace."""

from __future__ import annotations

import asyncio

from core.pipeline.writer import Writer
from core.records import Call, StoredCall
from core.store import calls
from core.store.workspace import Workspace


class WorkspaceLedger:
    """Calls of one workspace. Answers of every run are found; new ones are entered as paid by this run."""

    def __init__(self, workspace: Workspace, writer: Writer, run: str | None) -> None:
        self._workspace, self._writer, self._run = workspace, writer, run

    def find(self, key: str) -> StoredCall | None:
        return calls.find_call(self._workspace, key)

    async def add(self, call: Call) -> int:
        """Id of the stored call, once it is on disk. An answer that came is stored even if whoever asked has
        been cancelled meanwhile: it is paid for.

        Raises:
            WorkspaceError: as `Workspace.write`.
        """
        stored = self._writer.submit(lambda db: calls.insert_calls(db, self._run, [call])[0])
        return await asyncio.shield(asyncio.wrap_future(stored))
