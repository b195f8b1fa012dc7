"""One thread that writes for an event loop: what comes while it writes goes into the next write.

A write costs a sync of the disk, whatever is in it. With many calls under way their answers come closer to
each other than that, so they are stored together, and the loop never waits for the disk.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from core.errors import WorkspaceError
from core.pipeline import start
from core.store.workspace import open_workspace

if TYPE_CHECKING:
    from core.store.connect import sqlite3

T = TypeVar("T")
MOST = 500
"""Jobs in one write."""


class _Job(NamedTuple):
    apply: Callable[[sqlite3.Connection], Any]
    bump: bool
    future: Future[Any]


class Writer:
    """Writes to one workspace over a connection of its own. Close it, or use it in a `with`.

    Raises:
        WorkspaceError: as `open_workspace`.
    """

    def __init__(self, path: Path) -> None:
        self._workspace = open_workspace(path, create=False)
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._closed = False
        self._thread = threading.Thread(target=self._work, name="writer", daemon=True)
        self._thread.start()

    def __enter__(self) -> Writer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def submit(self, apply: Callable[[sqlite3.Connection], T], *, bump: bool = False) -> Future[T]:
        """Have `apply(db)` run inside one of the next writes; the future has its result once it is on disk.

        `bump=True` for what pages show (see `Workspace.write`).
        """
        future: Future[T] = Future()
        if self._closed:
            future.set_exception(WorkspaceError("Not saved: the run is over."))
        else:
            self._jobs.put(_Job(apply, bump, future))
        return future

    def close(self) -> None:
        """Write what was handed in, then end."""
        if not self._closed:
            self._closed = True
            self._jobs.put(None)
            self._thread.join()
            self._workspace.close()

    def _work(self) -> None:
        while (first := self._jobs.get()) is not None:
            jobs = [first, *self._waiting()]
            try:
                self._write(jobs)
            except WorkspaceError as error:  # the file cannot be written: none of them can
                for job in jobs:
                    job.future.set_exception(error)
            except BaseException:  # one of them is at fault
                for job in jobs:
                    self._alone(job)
            time.sleep(start.PAUSE)

    def _waiting(self) -> Iterator[_Job]:
        """What has come meanwhile."""
        for _ in range(MOST):
            try:
                job = self._jobs.get_nowait()
            except queue.Empty:
                return
            if job is None:
                self._jobs.put(None)
                return
            yield job

    def _write(self, jobs: list[_Job]) -> None:
        with self._workspace.write(bump=any(job.bump for job in jobs)) as db:
            results = [job.apply(db) for job in jobs]
        for job, result in zip(jobs, results, strict=True):
            job.future.set_result(result)

    def _alone(self, job: _Job) -> None:
        try:
            self._write([job])
        except BaseException as error:
            job.future.set_exception(error)
