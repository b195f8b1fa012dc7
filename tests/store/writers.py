"""What other processes do in the store's tests: module functions, so that any start method finds them."""

from __future__ import annotations

import multiprocessing
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from core.records import Action
from core.store import open_workspace, workspace
from core.store.decisions import append
from tests.patience import SECONDS
from tests.store.making import CURATORS, furnish, new

PROCESSES = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
"""fork where it is safe: a child then starts in milliseconds."""

Task = Callable[..., Any]


@contextmanager
def children(*jobs: tuple[Any, ...]) -> Iterator[list[Connection]]:
    """Run each (function, arguments...) in a process, with a pipe to the test as its first argument."""
    started, ends = [], []
    try:
        for task, *arguments in jobs:
            here, there = PROCESSES.Pipe()
            process = PROCESSES.Process(target=_reported, args=(task, there, *arguments), daemon=True)
            process.start()
            there.close()
            started.append(process)
            ends.append(here)
        yield ends
        for process in started:
            process.join(timeout=SECONDS)
            assert process.exitcode == 0, f"exit status {process.exitcode}"
    finally:
        for process in started:
            if process.is_alive():
                process.kill()
                process.join()
        for end in ends:
            end.close()


def _reported(task: Task, pipe: Connection, *arguments: Any) -> None:
    try:
        pipe.send(("done", task(pipe, *arguments)))
    except BaseException as error:
        pipe.send(("failed", f"{type(error).__name__}: {error}"))


def result_of(pipe: Connection) -> Any:
    """What a child's task returned; its error fails the test."""
    assert pipe.poll(SECONDS), "no answer from the other process"
    kind, value = pipe.recv()
    assert kind == "done", value
    return value


def single_writer() -> None:
    """As if this process had a SQLite with the WAL-reset race."""
    workspace.sqlite_is_fixed = lambda: False


def write_decisions(
    pipe: Connection, path: Path, curator: str, items: list[int], *, unfixed: bool = False
) -> list[tuple[str, int]]:
    """Append one decision an item, each in its own write; returns what the store acknowledged."""
    if unfixed:
        single_writer()
    pipe.recv()  # the starting shot
    told = []
    with open_workspace(path) as opened:
        for item in items:
            decision = new(curator, Action.UNSURE, item, client_id=f"{curator}-{os.getpid()}-{item}")
            outcome = append(opened, [decision])[0]
            assert outcome.refused is None
            assert not outcome.repeat
            told.append((decision.client_id, outcome.number))
    return told


def open_new(pipe: Connection, path: Path, unfixed: bool = False) -> str:
    """Open a file that may not be there yet, and write to it at once; returns its uuid."""
    if unfixed:
        single_writer()
    pipe.recv()
    with open_workspace(path) as opened:
        with opened.write() as db:
            db.execute(
                "INSERT INTO curators VALUES (?, 'Somebody', NULL, 'now')", (f"process-{os.getpid()}",)
            )
        return opened.uuid


def write_until_killed(
    pipe: Connection, path: Path, curator: str, tag: str, items: list[int], pause: float = 0
) -> None:
    """Append for ever, in batches of one to three, saying which client ids were acknowledged."""
    with open_workspace(path) as opened:
        count = 0
        while True:
            batch = []
            for _ in range(count % 3 + 1):
                cid = f"{tag}-{count}"  # in the note, too, so that no decision repeats another
                batch.append(new(curator, Action.UNSURE, items[count % len(items)], client_id=cid, note=cid))
                count += 1
            outcomes = append(opened, batch)
            pipe.send([o.client_id for o in outcomes if o.refused is None])
            time.sleep(pause)


def furnished(path: Path, passages: int) -> list[int]:
    with open_workspace(path) as opened:
        return list(furnish(opened, passages).items.values())


class Writing:
    """Two processes that append until the end; gives a call for the client ids acknowledged so far."""

    def __init__(self, path: Path, items: list[int]):
        self.told: set[str] = set()
        self.processes, self.threads = [], []
        for n in range(2):
            here, there = PROCESSES.Pipe()
            process = PROCESSES.Process(
                target=write_until_killed,
                args=(there, path, CURATORS[n], f"writer-{n}", items, 0.02),
                daemon=True,
            )
            process.start()
            there.close()
            self.processes.append(process)
            thread = threading.Thread(target=self._listen, args=(here,), daemon=True)
            thread.start()
            self.threads.append(thread)

    def _listen(self, pipe: Any) -> None:
        try:
            while True:
                self.told.update(pipe.recv())
        except (EOFError, OSError):
            pipe.close()

    def __enter__(self) -> Any:
        return lambda: set(self.told)

    def __exit__(self, *_: object) -> None:
        for process in self.processes:
            process.kill()
            process.join()
        for thread in self.threads:
            thread.join()
