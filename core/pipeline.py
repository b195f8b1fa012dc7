"""Runs: an annotator over a corpus, in chunks, resumable, one runner at a time.

Each chunk is one write, so curators can decide while a run goes on, and a killed run loses at most the chunk
in hand. The same run id goes on where it stopped; a run whose inputs have changed is refused with the
difference.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import filelock

from core import __version__
from core.concepts import lexicon
from core.errors import InputError, NotFoundError
from core.records import Passage, StageRecord
from core.store import corpora, ontologies, runs
from core.store.workspace import Workspace

CHUNK = 200
"""Passages per write: a curator's save waits for one chunk at most."""

PAUSE = 0.01
"""Seconds between two writes. SQLite hands its lock to whoever asks at the right moment, not to whoever has
waited longest: without a pause a run would keep curators out."""

STAGE = "lexicon"


@dataclass(frozen=True, slots=True)
class RunReport:
    """What a run did. `resumed` passages were there from an earlier start of the same run."""

    run: str
    corpus: str
    ontology: str
    passages: int
    resumed: int
    proposals: int
    digest: str


def annotate(
    workspace: Workspace,
    *,
    corpus: str,
    ontology: str,
    root: str | None = None,
    run: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> RunReport:
    """Propose concepts for every passage of a corpus with the offline dictionary annotator.

    Args:
        ontology: `NAME` or `NAME@VERSION`.
        root: only concepts below this one; default the ontology's own root.
        run: run id; default `lexicon-CORPUS-ONTOLOGY`.
        progress: called with (passages done, passages in all) after every chunk.

    Raises:
        NotFoundError: no such corpus, ontology or root.
        InputError: the run exists with other inputs, or somebody else is running it now.
    """
    target = corpora.corpus(workspace, corpus)
    row = ontologies.find_ontology(workspace, ontology)
    root = root or row.root
    run = run or f"lexicon-{corpus}-{row.name}"
    inputs = {
        "annotator": f"lexicon {__version__}",
        "corpus": target.name,
        "corpus_passages": target.passages,
        "ontology": row.reference,
        "ontology_sha256": row.sha256,
        "root": root,
    }
    with _only_runner(workspace, run):
        if root is not None and root not in ontologies.labels(workspace, row.id):
            raise NotFoundError(f"concept of {row.reference} to be the root", root)
        done = _open_run(workspace, run, target.id, row.id, inputs)
        stored = ontologies.read_ontology(workspace, row.name, row.version)
        matcher = lexicon.Lexicon.build(stored.concepts, root=root)
        waiting = (p for p in corpora.passages(workspace, corpus) if p.id not in done)
        finished = len(done)
        for chunk in _chunks(waiting):
            drafts = list(lexicon.run(chunk, matcher))
            with workspace.write() as db:
                runs.add_proposals(db, run, drafts)
                runs.add_stage_records(
                    db,
                    run,
                    (StageRecord(STAGE, p, None, "done", payload={"proposals": len(d)}) for p, d in drafts),
                )
            time.sleep(PAUSE)
            finished += len(chunk)
            if progress:
                progress(finished, target.passages)
        with workspace.write() as db:
            digest = runs.finish_run(db, run)
    found = runs.find_run(workspace, run)
    return RunReport(run, corpus, row.reference, target.passages, len(done), found.proposals, digest)


def _chunks(passages: Iterator[Passage]) -> Iterator[list[Passage]]:
    while chunk := list(islice(passages, CHUNK)):
        yield chunk


def _open_run(
    workspace: Workspace, run: str, corpus_id: int, ontology_id: int, inputs: dict[str, Any]
) -> set[int]:
    """Begin the run, or check that it may go on; returns the ids of passages that are done."""
    known = {r.id: r for r in runs.list_runs(workspace)}.get(run)
    if known is None:
        with workspace.write() as db:
            runs.begin_run(
                db,
                run,
                kind="concepts",
                source=str(inputs["annotator"]),
                corpus_id=corpus_id,
                ontology_id=ontology_id,
                settings=inputs,
                fingerprint=runs.fingerprint(inputs),
            )
        return set()
    if known.fingerprint != runs.fingerprint(inputs):
        changed = [
            f"{name} was {known.settings.get(name)!r}, is {value!r}"
            for name, value in inputs.items()
            if known.settings.get(name) != value
        ]
        raise InputError(
            f"Run {run!r} was made from other inputs: {'; '.join(changed) or 'another kind of run'}. "
            "Choose a new id with --run."
        )
    if known.status == "done":
        raise InputError(f"Run {run!r} is done: {known.proposals} proposals. Choose a new id with --run.")
    return runs.passages_done(workspace, run, STAGE)


def _only_runner(workspace: Workspace, run: str) -> filelock.BaseFileLock:
    """A lock that dies with its process: two runners on one run would propose everything twice."""
    name = hashlib.sha256(run.encode()).hexdigest()[:12]
    lock = filelock.FileLock(workspace.path.with_name(f"{workspace.path.name}.run-{name}.lock"))
    try:
        lock.acquire(timeout=0)
    except filelock.Timeout as error:
        raise InputError(
            f"Run {run!r} is going on in another process. Wait for it, or stop it there."
        ) from error
    return lock
