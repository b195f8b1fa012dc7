"""Open a run, or go on with one that was begun; and the lock that lets one process at a time do so."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import filelock

from core.errors import InputError
from core.pipeline.pulse import Pulse
from core.store import runs
from core.store.runs import Run
from core.store.workspace import Workspace

if TYPE_CHECKING:
    from core.store.connect import sqlite3


CHUNK = 200
"""Passages per write: a curator's save waits for one chunk at most."""

PAUSE = 0.01
"""Seconds between two writes. SQLite hands its lock to whoever asks at the right moment, not to whoever has
waited longest: without a pause a run would keep curators out."""

PATIENCE = 2.0
"""Seconds a runner waits for the run's lock: whoever looks whether it is held holds it for a moment."""


def keep(workspace: Workspace, pulse: Pulse, store: Callable[[sqlite3.Connection], None], count: int) -> bool:
    """Store what `count` items came to, say how far the run is, and let others write.

    Returns:
        Whether to go on: nobody has asked for a pause.
    """
    with workspace.write() as db:
        store(db)
        pulse.count(count)
        pulse.beat(db)
    pulse.tell()
    if not pulse.pause:
        time.sleep(PAUSE)
    return not pulse.pause


def begin(
    workspace: Workspace,
    run: str,
    *,
    source: str,
    corpus_id: int,
    inputs: Mapping[str, Any],
    kind: str = "concepts",
    ontology_id: int | None = None,
    options: Mapping[str, Any] | None = None,
    reopen: bool = False,
) -> Run:
    """Begin the run, or check that it may go on. A run that has said nothing yet may be begun otherwise.

    Args:
        kind: `concepts` or `conflicts`.
        inputs: all that its labels depend on; a run whose inputs have changed is refused.
        options: what else is worth keeping, and may change from start to start.
        reopen: take the run up again if it is done.

    Raises:
        InputError: the run exists with other inputs (the difference is in the message), or is done.
    """
    fingerprint = runs.fingerprint(inputs)
    settings = {**inputs, **({"options": options} if options else {})}
    known = {r.id: r for r in runs.list_runs(workspace)}.get(run)
    made: dict[str, Any] = {
        "source": source,
        "corpus_id": corpus_id,
        "ontology_id": ontology_id,
        "settings": settings,
        "fingerprint": fingerprint,
    }
    if known is None:
        with workspace.write() as db:
            runs.begin_run(db, run, kind=kind, **made)
        return runs.find_run(workspace, run)
    unfinished = known.status == "running" and known.kind == kind
    if unfinished and (known.fingerprint == fingerprint or runs.is_empty(workspace, run)):
        # other options, or another beginning of a run that broke off before its first passage, on which
        # nothing depends
        with workspace.write() as db:
            runs.begin_anew(db, run, **made)
        return runs.find_run(workspace, run)
    if known.fingerprint != fingerprint:
        raise InputError(
            f"Run {run!r} was made from other inputs: {difference(known.settings, inputs)}. "
            "Choose a new id with --run."
        )
    if known.status == "done" and not reopen:
        said = f": {runs.proposals(workspace, known)} proposals" if known.kind == "concepts" else ""
        raise InputError(f"Run {run!r} is done{said}. Choose a new id with --run.")
    return known


def take_up(workspace: Workspace, known: Run, pulse: Pulse) -> None:
    """Begin to work on a run; one that is done is opened again."""
    with workspace.write() as db:
        if known.status == "done":
            runs.reopen_run(db, known.id)
        pulse.begin(db)


def difference(before: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """What changed, name by name, as one sentence; of tables, the entries that changed."""
    changed = []
    for name in dict.fromkeys((*now, *(n for n in before if n != "options"))):
        was, now_is = before.get(name), now.get(name)
        if was == now_is:
            continue
        if isinstance(was, dict) and isinstance(now_is, dict):
            for key in dict.fromkeys((*now_is, *was)):
                if was.get(key) != now_is.get(key):
                    changed.append(f"{name} of {key} was {was.get(key)!r}, is {now_is.get(key)!r}")
        else:
            changed.append(f"{name} was {was!r}, is {now_is!r}")
    return "; ".join(changed) or "another kind of run"


def lock_path(workspace_path: Path, run: str) -> Path:
    name = hashlib.sha256(run.encode()).hexdigest()[:12]
    return workspace_path.with_name(f"{workspace_path.name}.run-{name}.lock")


@contextmanager
def only_runner(workspace: Workspace, run: str) -> Iterator[None]:
    """A lock that dies with its process: two runners on one run would propose everything twice.

    Raises:
        InputError: somebody else is running it now.
    """
    lock = filelock.FileLock(lock_path(workspace.path, run), thread_local=False)
    try:
        lock.acquire(timeout=PATIENCE, poll_interval=0.1)
    except filelock.Timeout as error:
        raise InputError(
            f"Run {run!r} is going on in another process. Wait for it, or stop it there."
        ) from error
    try:
        yield
    finally:
        lock.release()


def is_held(workspace_path: Path, run: str) -> bool:
    """Whether some process, this one included, has the run's lock."""
    path = lock_path(workspace_path, run)
    if not path.exists():
        return False
    lock = filelock.FileLock(path, thread_local=False)
    try:
        lock.acquire(timeout=0)
    except (filelock.Timeout, OSError):
        return True
    lock.release()
    return False
